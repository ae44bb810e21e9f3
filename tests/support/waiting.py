"""Wait until a connection to this test's database is blocked by a lock."""

import time

from django.db import connection

WAITING = """
    SELECT EXISTS (
        SELECT FROM pg_locks AS l JOIN pg_stat_activity AS a ON a.pid = l.pid
        WHERE NOT l.granted AND a.datname = current_database()
    )
"""


def wait_until_blocked() -> None:
    """Wait until another connection waits for a lock that this one holds."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with connection.cursor() as cursor:
            cursor.execute(WAITING)
            if cursor.fetchone()[0]:
                return
        time.sleep(0.01)
    raise AssertionError("no connection is blocked")
