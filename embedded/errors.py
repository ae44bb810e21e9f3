"""The one error that this package raises on purpose."""


class EmbeddedError(Exception):
    """The servers or the site cannot run. The message says why and what to do."""
