"""Refusals: what a service answers when a request cannot be granted."""

from __future__ import annotations

from django.utils.functional import Promise


class Refused(Exception):
    """A request that cannot be granted, with a sentence for whoever made it.

    ``code`` names the reason for programs, ``field`` the input that is at fault (empty: the request
    as a whole).
    """

    def __init__(self, code: str, message: str | Promise, *, field: str = "") -> None:
        super().__init__(str(message))
        self.code = code
        self.field = field

    @property
    def message(self) -> str:
        return str(self)


class Forbidden(Refused):
    """The request is not this person's to make."""


class Conflict(Refused):
    """The request came too late: what it is about has moved on."""
