"""What time it is: the database's time, the one clock that every process shares."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.db import connection

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def database_now() -> datetime:
    """The database's clock, for deadlines that processes on several machines must agree on."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now.astimezone(UTC)


def microseconds(moment: datetime) -> int:
    """Whole microseconds since 1970: how the engines write a moment, without rounding."""
    return (moment - EPOCH) // timedelta(microseconds=1)


def moment(microseconds: int) -> datetime:
    """The inverse of :func:`microseconds`."""
    return EPOCH + timedelta(microseconds=microseconds)
