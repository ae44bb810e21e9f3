"""Every form that the tables of permissions fill in, sent twice by one page, takes effect once."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client

from league.web.core.once import MASKED
from tests.support.effects import tables_written
from tests.support.permission_roles import Answer, Role, World
from tests.support.permission_walk import Question

pytestmark = pytest.mark.slow

FIELD = "csrfmiddlewaretoken"
TOKEN, ANOTHER = "a" * MASKED, "b" * MASKED
FROM_A_PAGE = {FIELD: TOKEN}
AGAIN = {
    "tokens",  # replaces the token that nobody has seen
    "admin:league_app_secret",  # likewise, a secret
    "language",  # writes the same once more, without a token of a page
    "theme",  # likewise
    "notice_stop",  # likewise, from a link in a mail
}
TALK = {"match_write", "match_talk", "challenge_write", "date_write"}
"""Forms that two pages may well send with the same words."""
EFFECTIVE = 90
"""How many forms change something at least. The others need more than the tables have."""


@contextmanager
def rolled_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def changed_by(client: Client, question: Question, fields: dict[str, Any]) -> list[str]:
    """Return the tables that a form changes."""
    with tables_written() as written:
        client.post(question.address, fields)
    return sorted(set(written))


def forms_of(questions: list[Question]) -> list[tuple[Question, Role]]:
    """Return the forms of all pages, each with the last role that may send it."""
    return [
        (question, allowed[-1])
        for question in questions
        if question.row.method == "POST" and not question.row.route.startswith("api:")
        if (allowed := [role for role in Role if question.row.answers[role] == Answer.OK])
    ]


def sent_by(world: World, role: Role) -> Client:
    client = Client(raise_request_exception=False)
    if user := world.user(role):
        client.force_login(user)
    return client


def test_every_form_of_every_page_takes_effect_once(
    world: World, questions: list[Question]
) -> None:
    cache.clear()
    effective, again, repeatable = set(), {}, set()
    for question, role in forms_of(questions):
        with rolled_back():
            fields = question.fields | FROM_A_PAGE
            client = sent_by(world, role)
            if changed_by(client, question, fields):
                effective.add(question.row.route)
                if changed := changed_by(client, question, fields):
                    again[question.row.route] = changed
        if question.row.route in TALK:  # a control: from other pages
            with rolled_back():
                client = sent_by(world, role)
                for page in (TOKEN[1:] + "c", ANOTHER):
                    fields = question.fields | {FIELD: page}
                    if changed_by(client, question, fields) and page == ANOTHER:
                        repeatable.add(question.row.route)
    assert again.keys() == AGAIN
    assert len(effective) >= EFFECTIVE
    assert repeatable == TALK
