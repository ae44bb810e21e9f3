"""Every form that changes something takes effect once: after a double click, and at once."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from django.apps import apps
from django.core.cache import cache
from django.db import connection
from psycopg.sql import SQL, Identifier

from league.web.core.once import MASKED
from tests.support import valid_forms_admin
from tests.support.concurrency import all_at_once
from tests.support.effects import tables_written
from tests.support.valid_forms import FORMS, Cast, Sent

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.slow

__all__ = ["valid_forms_admin"]  # adds to the forms

TOKEN = {"csrfmiddlewaretoken": "a" * MASKED}
PASSING = ("axes", "sessions", "usersessions")
COUNTED = [
    model._meta.db_table
    for model in apps.get_models()
    if model._meta.managed and model._meta.app_label not in PASSING
]


def rows() -> Counter[str]:
    """Return how many rows there are, by table. Sessions and attempts to log in do not count."""
    counted = SQL(" UNION ALL ").join(
        SQL("SELECT {}, count(*) FROM {}").format(name, Identifier(name)) for name in COUNTED
    )
    with connection.cursor() as cursor:
        cursor.execute(counted)
        return Counter(dict(cursor.fetchall()))


def made_by(act: Callable[[], object]) -> dict[str, int]:
    """Return how many rows come and go, by table."""
    before = rows()
    act()
    after = rows()
    return {name: after[name] - before[name] for name in after if after[name] != before[name]}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("page", FORMS)
def test_a_valid_form_takes_effect_once(page: str, settings: Any) -> None:
    settings.EMAIL_BACKEND = "league.services.notices.outbox.OutboxBackend"
    settings.SITE_URL = "http://localhost:8000"
    cache.clear()
    one = FORMS[page](Cast("One"))
    browser = one.browser()
    fields = one.fields | TOKEN

    def once() -> None:
        with tables_written() as written:
            answer = browser.post(one.address, fields)
        assert answer.status_code == 302, answer.content.decode()[:4000]
        assert written

    single = made_by(once)

    def again() -> None:
        with tables_written() as written:
            assert browser.post(one.address, fields).status_code < 500
        assert written == []

    assert made_by(again) == {}

    other = FORMS[page](Cast("Two"))
    assert made_by(partial(at_once, other)) == single


def at_once(sent: Sent) -> None:
    """Send a form from two connections at the same moment."""
    browser = sent.browser()
    fields = sent.fields | TOKEN
    send = partial(browser.post, sent.address, fields)
    answers: list[Any] = all_at_once([send, send])
    assert all(answer.status_code < 500 for answer in answers), answers
    assert 302 in {answer.status_code for answer in answers}
