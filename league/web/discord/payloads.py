"""Requests from Discord: https://docs.discord.com/developers/interactions/receiving-and-responding.

Only the fields in use are parsed, and a value of the wrong type is refused.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Self

from pydantic import BaseModel, Field, StringConstraints, model_validator

from league.models.discord import LONGEST_ID

Id = Annotated[str, StringConstraints(pattern=rf"^[0-9]{{1,{LONGEST_ID}}}$")]
Name = Annotated[str, StringConstraints(max_length=32)]
# Discord's own limit: what has more is no command of ours.
MOST_OPTIONS = 25


class Kind(IntEnum):
    """The type of a request."""

    PING = 1
    COMMAND = 2
    BUTTON = 3
    COMPLETION = 4


class Option(BaseModel):
    """An argument of a command, or a subcommand with its arguments."""

    name: Name
    value: Annotated[str, StringConstraints(max_length=6000)] | int | float | bool | None = None
    options: Annotated[list[Option], Field(max_length=MOST_OPTIONS)] = []
    focused: bool = False


class Data(BaseModel):
    """The command and its arguments, or the button."""

    name: Name = ""
    custom_id: Annotated[str, StringConstraints(max_length=100)] = ""
    options: Annotated[list[Option], Field(max_length=MOST_OPTIONS)] = []


class Someone(BaseModel):
    """A Discord user."""

    id: Id


class Member(BaseModel):
    """A user in a server."""

    user: Someone


class Interaction(BaseModel):
    """A request from Discord."""

    id: Id
    type: int
    data: Data = Data()
    member: Member | None = None
    user: Someone | None = None
    locale: Annotated[str, StringConstraints(max_length=20)] = ""

    @model_validator(mode="after")
    def has_sender(self) -> Self:
        if self.type != Kind.PING and not self.sender:
            raise ValueError("nobody sent it")
        return self

    @property
    def sender(self) -> str:
        """The ID of the user who acts: the member of a server, or the user in direct messages."""
        found = self.member.user if self.member else self.user
        return found.id if found else ""

    @property
    def subcommand(self) -> str:
        first = self.data.options[0] if self.data.options else None
        return first.name if first and first.value is None else ""

    @property
    def arguments(self) -> list[Option]:
        return self.data.options[0].options if self.subcommand else self.data.options

    def argument(self, name: str) -> str:
        """Return a text argument without NUL, which PostgreSQL refuses. Empty if there is none."""
        for one in self.arguments:
            if one.name == name and isinstance(one.value, str):
                return one.value.replace("\0", "\ufffd").strip()
        return ""

    @property
    def focused(self) -> Option | None:
        """The argument that is being typed."""
        return next((one for one in self.arguments if one.focused), None)
