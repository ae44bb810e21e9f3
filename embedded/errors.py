"""The one error that this package raises on purpose."""


class EmbeddedError(Exception):
    """The servers cannot be had; the message is a sentence that says why and what to do."""
