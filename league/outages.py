"""Errors that mean an outage of a part of the site, and not a bug."""

from __future__ import annotations

import errno
from enum import Enum
from typing import TYPE_CHECKING

import psycopg
from django.db import Error as DatabaseError
from kombu.exceptions import OperationalError as BrokerError
from redis.exceptions import RedisError

if TYPE_CHECKING:
    from collections.abc import Iterator


class Outage(Enum):
    """A part that is out of order: a code for programs, and the seconds until the next try may
    help."""

    UNAVAILABLE = ("unavailable", 5)
    """The database or the broker is not there, or has just ended the connection."""
    FULL = ("disk_full", 30)
    """Nothing can be stored."""
    BUSY = ("busy", 5)
    """Something else has locked the rows or used up the time or the connections."""

    def __init__(self, code: str, wait: int) -> None:
        self.code = code
        self.wait = wait


STATES = {
    "53100": Outage.FULL,  # disk full
    "53200": Outage.BUSY,  # out of memory
    "53300": Outage.BUSY,  # too many connections
    "53400": Outage.FULL,  # limit of temporary files
    "55P03": Outage.BUSY,  # lock timeout
    "57014": Outage.BUSY,  # statement timeout
    "57P01": Outage.UNAVAILABLE,  # shutdown, or the connection was ended
    "57P02": Outage.UNAVAILABLE,  # crash of another connection
    "57P03": Outage.UNAVAILABLE,  # starting, stopping or recovering
    "57P05": Outage.UNAVAILABLE,  # idle session timeout
    "25006": Outage.UNAVAILABLE,  # a replica, or a server that its provider has made read-only
    "58030": Outage.UNAVAILABLE,  # input or output failed
}
"""By SQLSTATE, https://www.postgresql.org/docs/current/errcodes-appendix.html"""
NO_ROOM = {errno.ENOSPC, errno.EDQUOT}


def outage_behind(error: BaseException | None) -> Outage | None:
    """Return the outage that an exception comes from, if any.

    Deadlocks, violated constraints and everything else that the code is to blame for are none.
    """
    return next(filter(None, map(_outage, chain(error))), None)


def chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and its causes, also errors of the database that one of its own came after:
    Django refuses to go on in a transaction whose connection is lost."""
    kinds = (DatabaseError, psycopg.Error)
    while error is not None:
        yield error
        before = error.__context__
        follows = isinstance(error, kinds) and isinstance(before, kinds)
        error = error.__cause__ or (before if follows else None)


def _outage(error: BaseException) -> Outage | None:
    match error:
        case psycopg.Error(sqlstate=str(state)):
            return Outage.UNAVAILABLE if state.startswith("08") else STATES.get(state)
        case psycopg.OperationalError() | RedisError() | BrokerError():
            # The driver's own error has no state: the connection is lost, or there is none.
            return Outage.UNAVAILABLE
        case OSError(errno=number) if number in NO_ROOM:
            return Outage.FULL
        case _:
            return None
