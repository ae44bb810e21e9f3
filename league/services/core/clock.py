"""The current time, from the database: the one clock that every process shares."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.db import connection

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def database_now() -> datetime:
    """Return the database's time, so that processes on several machines agree on deadlines."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now.astimezone(UTC)


def microseconds(moment: datetime) -> int:
    """Return a time as whole microseconds since 1970, the engines' form, without rounding."""
    return (moment - EPOCH) // timedelta(microseconds=1)


def moment(microseconds: int) -> datetime:
    """Return the time of so many microseconds since 1970; inverse of :func:`microseconds`."""
    return EPOCH + timedelta(microseconds=microseconds)
