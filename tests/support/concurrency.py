"""Run calls at the same instant, each on a connection of its own."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.db import connection

from league.services.core.errors import Refused

AT_ONCE = 8


def all_at_once(calls: list[Callable[[], object]]) -> list[object]:
    """Make every call in a thread of its own connection; what each gave or raised."""

    def answer(call: Callable[[], object]) -> object:
        try:
            return call()
        except Refused as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as people:
        return list(people.map(answer, calls))
