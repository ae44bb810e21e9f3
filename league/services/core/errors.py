"""Exceptions for requests that a service refuses."""

from __future__ import annotations

from django.utils.functional import Promise


class Refused(Exception):
    """A refused request, with a message for the person who made it.

    ``code`` names the reason for programs. ``field`` names the input at fault, and is empty if it
    is the request as a whole.
    """

    def __init__(self, code: str, message: str | Promise, *, field: str = "") -> None:
        super().__init__(str(message))
        self.code = code
        self.field = field

    @property
    def message(self) -> str:
        return str(self)


class Forbidden(Refused):
    """This person may not make the request."""


class Conflict(Refused):
    """The request came too late: its subject has changed in the meantime."""


class AboutMatch(Conflict):
    """A request that another match stands in the way of: ``match`` is its id."""

    def __init__(self, code: str, message: str | Promise, *, match: int, field: str = "") -> None:
        super().__init__(code, message, field=field)
        self.match = match


class LimitReached(Refused):
    """The request exceeds a limit. ``wait`` is when to try again, in seconds, if time helps."""

    def __init__(self, code: str, message: str | Promise, *, wait: int | None = None) -> None:
        super().__init__(code, message)
        self.wait = wait


class Unavailable(Refused):
    """A part that is turned off for now. ``wait`` is when to try again, in seconds."""

    def __init__(self, code: str, message: str | Promise, *, wait: int) -> None:
        super().__init__(code, message)
        self.wait = wait
