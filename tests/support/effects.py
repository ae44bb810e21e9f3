"""Every form of a page that changes something leads on to another page.

That is how a form is known to have taken effect, so that it takes effect once (``SentOnce``). Each
test that sends a form through Django's client checks it on the way.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from django.db import connection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    GetResponse = Callable[[HttpRequest], HttpResponseBase]

WRITES = re.compile(
    r"\s*(?:INSERT INTO|UPDATE|DELETE FROM|WITH\b.*?\b(?:INSERT INTO|UPDATE|DELETE FROM))\s+"
    r'(?:ONLY\s+)?"?(\w+)',
    re.IGNORECASE | re.DOTALL,
)
SAVEPOINT = re.compile(r'(ROLLBACK TO )?SAVEPOINT "?(\w+)', re.IGNORECASE)
PASSING = re.compile(r"django_session|axes_\w+")
"""Tables that a mere request may write: sessions, and attempts to log in."""
SHOWN_AT_ONCE = frozenset(
    {
        "admin:league_accesstoken_add",  # as below
        "admin:league_app_add",  # as below
        "admin:league_app_secret",  # as below
        "admin:league_webhook_add",  # as below
        "admin:league_webhook_run",  # as below
        "tokens",  # a secret that is shown once; a double click replaces it
        "mfa_authenticate",  # a wrong code is counted
        "admin:league_player_merge",  # a merge that failed is noted, and can be asked for again
        "notice_answer",  # a mailed link answers once: sent again, it says what was answered
    }
)
"""Forms that answer with a page of their own although they have changed something."""


@contextmanager
def tables_written() -> Iterator[list[str]]:
    """Collect the tables that statements write to, without what is rolled back."""
    written: list[str] = []
    points: dict[str, int] = {}

    def watch(execute: Callable[..., Any], sql: Any, *rest: Any) -> Any:
        if point := SAVEPOINT.match(sql):
            if point[1]:
                del written[points.get(point[2], 0) :]
            else:
                points[point[2]] = len(written)
        elif (found := WRITES.match(sql)) and not PASSING.fullmatch(found[1]):
            written.append(found[1])
        return execute(sql, *rest)

    with connection.execute_wrapper(watch):
        yield written


class LeadsOn:
    """Fail for a form that has changed something and does not lead on."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.method != "POST" or not connection.in_atomic_block:
            return self.get_response(request)  # outside, a rollback is no statement
        with tables_written() as written:
            response = self.get_response(request)
        match = request.resolver_match
        if written and response.status_code < 300 and match:
            is_form = not getattr(match.func, "csrf_exempt", False)
            assert not is_form or match.view_name in SHOWN_AT_ONCE, (
                f"{match.view_name} changed {', '.join(sorted(set(written)))} and did not lead on."
            )
        return response
