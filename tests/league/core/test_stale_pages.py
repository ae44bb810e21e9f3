"""A text typed into a page that has become stale is on the page that says so."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django import forms
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import league.web.urls
from league.models import PenaltyReason, Season
from league.services.core.errors import Conflict
from league.services.seasons.ending import freeze
from league.templatetags.written import WRITTEN, is_text
from tests.support.effects import WRITES
from tests.support.permission_asking import send, unlogged
from tests.support.permission_roles import Role, World
from tests.support.permission_walk import Question
from tests.support.season_steps import win
from tests.support.web_steps import browser_of

pytestmark = pytest.mark.usefixtures("accounts_read_once")

TYPED = "She left <early>, says Zoë"
SHOWN = "She left &lt;early&gt;, says Zoë"
ANSWERS = {
    "match_dispute",
    "match_counter",
    "match_write",
    "match_object",
    "match_image_remove",
    "match_decide",
    "match_reopen",
    "correction_undo",
    "objection_reject",
    "player_report",
    "player_claim",
    "date_write",
    "challenge_write",
    "date_call_off",
    "date_no_show",
    "profile_remove",
    "enter",
}
"""Some forms that are refused once their page has become stale."""
LONGER = {"date_no_show": {"answer": "deny", "reason": "I came."}}
"""Other fields than those of the table, which have no text."""
LOCKS = re.compile(r"\bFOR (?:NO KEY )?UPDATE\b")
ELSEWHERE = ("api:", "admin:")
"""The API has no pages, and the admin shows each refusal in the form."""
PASSING = re.compile(r"django_session|axes_\w+|league_visit")


@contextmanager
def stale() -> Iterator[list[str]]:
    """Refuse the first statement of a request that locks or writes a row, as if it had changed.

    Yield the statement.
    """
    refused: list[str] = []

    def watch(execute: Callable[..., Any], sql: Any, *rest: Any) -> Any:
        written = WRITES.match(str(sql))
        changes = not PASSING.match(written[1]) if written else LOCKS.search(str(sql))
        if changes and not refused:
            refused.append(str(sql))
            raise Conflict("stale", "It has changed in the meantime.")
        return execute(sql, *rest)

    with connection.execute_wrapper(watch):
        yield refused


def with_text(fields: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the fields with a longer text in each of those for texts, in turn."""
    for name in fields:
        if is_text(name):
            yield {**fields, name: TYPED}


def lost(client: Client, address: str, fields: dict[str, Any]) -> bool | None:
    """Return whether a stale form loses its text, ``None`` if it was refused for something else."""
    with stale() as refused:
        answer = send(client, "POST", address, data=fields)
    if not refused:
        return None
    return SHOWN not in answer.content.decode()


def test_no_page_that_has_become_stale_loses_a_text(
    questions: list[Question], world: World
) -> None:
    found: dict[str, set[bool | None]] = {}
    with unlogged():
        for role in (Role.REPORTER, Role.OPPONENT, Role.ADMIN):
            browser = Client(raise_request_exception=False)
            user = world.user(role)
            assert user
            browser.force_login(user)
            for question in questions:
                route, method = question.row.route, question.row.method
                if method != "POST" or route.startswith(ELSEWHERE):
                    continue
                for fields in with_text(dict(LONGER.get(route) or question.fields or {})):
                    answer = lost(browser, question.address, fields)
                    found.setdefault(route, set()).add(answer)
    assert [route for route, answers in found.items() if True in answers] == []
    assert {route for route, answers in found.items() if False in answers} >= ANSWERS


@pytest.mark.parametrize("page", ["match_conduct", "match_correct", "match_erratum"])
def test_no_valid_form_that_has_become_stale_loses_a_text(page: str, world: World) -> None:
    """The tables of permissions have no valid forms for these pages."""
    now = timezone.now()
    match = win(world.arena, world.alice, world.charlie, now=now)
    address = reverse(page, args=[match.pk])
    by, fields = world.olga, {"reason": "A cheat", "verdict": "voided"}
    if page == "match_conduct":
        PenaltyReason.objects.create(arena=world.arena, name="Insults", stacks=3)
        by, fields = world.charlie, {"player": f"{world.alice.pk}", "note": "In chat."}
        fields["reason"] = "Insults"
    elif page == "match_erratum":
        Season.objects.filter(pk=match.season_id).update(ends_at=now)
        assert freeze(match.season_id, now=now + timedelta(days=30))
    else:
        seen = browser_of(by).post(address, fields).content.decode()
        fields |= dict(re.findall(r'name="(digest|horizon)" value="(\w*)"', seen), apply="1")
    with unlogged():
        answers = {lost(browser_of(by), address, sent) for sent in with_text(fields)}
    assert answers - {None} == {False}


def test_every_field_for_a_text_is_known() -> None:
    assert league.web.urls.urlpatterns  # has imported all forms of pages
    assert {
        name
        for form in subclasses(forms.Form)
        if form.__module__.startswith("league.web.")
        for name, field in form.base_fields.items()
        if isinstance(field.widget, forms.Textarea)
    } <= set(WRITTEN)


def subclasses(kind: Any) -> Iterator[Any]:
    for one in kind.__subclasses__():
        yield one
        yield from subclasses(one)
