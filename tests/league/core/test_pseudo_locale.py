"""Every page and e-mail is translated: nothing but people's own words is plain English."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import transaction
from django.test import Client
from django.urls import reverse

from league.models import (
    MAILED,
    Arena,
    ArrangementMessage,
    ArrangementStep,
    EvidenceImage,
    ImageRemoval,
    Match,
    MatchMessage,
    Notice,
    NoticeKind,
    Objection,
    Player,
    Roster,
    Season,
    StaffAction,
    User,
)
from league.services.notices import preferences
from league.services.notices.mailing import mail_due
from league.services.notices.writing import notify
from tests.support.cast import NOW
from tests.support.permission_matrix_dates import asked_charlie
from tests.support.permission_objects import alices_owls, challenged_charlie
from tests.support.permission_roles import Role, World
from tests.support.permission_walk import MODEL_ROUTES, Question, model_address
from tests.support.pseudo_locale import Words, accented, pseudo_locale, untranslated

pytestmark = pytest.mark.django_db

BRAND = [
    "UTC",
    "testserver",
    "Laurel",
    "Discord",
    "Steam",
    "Elo",
    "Glicko",
    "TrueSkill",
    "Codeforces",
    "Topcoder",
]
"""Names that are the same in every language."""


def own_words() -> list[str]:
    """Return what people typed, and names that are the same in every language."""
    typed: list[str] = list(BRAND)
    for model, *fields in (
        (Player, "name"),
        (User, "username", "email"),
        (Arena, "name", "slug", "description"),
        (Roster, "name"),
        (Season, "name"),
        (Match, "dispute_reason"),
        (MatchMessage, "text"),
        (Objection, "reason"),
        (ArrangementMessage, "text"),
        (ArrangementStep, "reason"),
        (EvidenceImage, "description"),
        (ImageRemoval, "reason"),
        (StaffAction, "reason"),
    ):
        for field in fields:
            typed += model._default_manager.values_list(field, flat=True)
    for modes, regions in Arena.objects.values_list("modes", "regions"):
        typed += [*modes, *regions]
    for season in Season.objects.all():
        typed += [cut.name for cut in season.season_rules().divisions.divisions]
    return [word for word in {str(word) for word in typed} if word]


def check(found: dict[str, set[str]], address: str, response: Any, own: list[str]) -> None:
    if "text/html" not in response.headers.get("Content-Type", ""):
        return
    page = response.getvalue().decode() if response.streaming else response.content.decode()
    for text in untranslated(Words(page).found, own):
        found.setdefault(text, set()).add(address)


def report(found: dict[str, set[str]]) -> str:
    return "\n".join(f"{text!r} on {sorted(pages)[0]}" for text, pages in sorted(found.items()))


def visit(
    world: World, questions: list[Question], role: Role, own: list[str]
) -> dict[str, set[str]]:
    """Open every page as ``role``, and send every form empty; return the untranslated texts."""
    client = Client(raise_request_exception=False)
    if user := world.user(role):
        client.force_login(user)
    found: dict[str, set[str]] = {}
    asked = [
        (
            question.row.method,
            question.address,
            question.fields if question.row.method == "GET" else {},
        )
        for question in questions
        if question.row.method in {"GET", "POST"}
    ]
    if role == Role.ADMIN:
        asked += [("GET", model_address(route), {}) for route in MODEL_ROUTES if route.name]
    for method, address, data in asked:
        with transaction.atomic():
            response = getattr(client, method.lower())(address, data)
            check(found, f"{method} {address}", response, own)
            transaction.set_rollback(True)
    return found


@pytest.mark.parametrize("role", Role)
def test_every_page_is_translated(world: World, questions: list[Question], role: Role) -> None:
    own = own_words()
    with pseudo_locale():
        found = visit(world, questions, role, own)
    assert not found, report(found)


def test_every_mail_is_translated(world: World) -> None:
    eve = world.user(Role.PLAYER)
    assert eve
    with pseudo_locale(), transaction.atomic():
        User.objects.filter(pk=eve.pk).update(email="eve@league.example")
        Client().post(reverse("account_reset_password"), {"email": "eve@league.example"})
        Client().post(reverse("account_reset_password"), {"email": "nobody@league.example"})
        transaction.set_rollback(True)
    texts = [
        line for sent in mail.outbox for line in (str(sent.subject), *str(sent.body).splitlines())
    ]
    assert len(mail.outbox) == 2
    assert not untranslated(texts, own_words()), untranslated(texts, own_words())


def test_every_notice_mail_is_translated(world: World) -> None:
    charlie = world.charlie
    assert charlie.user
    about: dict[str, Any] = {
        "match": world.reported,
        "challenge": challenged_charlie(world),
        "roster": alices_owls(world),
        "arena": world.arena,
        "arrangement": asked_charlie(world),
        "actor": world.alice,
    }
    with pseudo_locale(), transaction.atomic():
        EmailAddress.objects.filter(user=charlie.user).delete()
        EmailAddress.objects.create(user=charlie.user, email="charlie@mail.example", verified=True)
        Notice.objects.all().delete()
        for kind in MAILED:
            notify([charlie], kind, NOW, **about)
            assert mail_due(NOW + timedelta(minutes=1)) == (kind != NoticeKind.RATED)
            Notice.objects.all().delete()
        preferences.choose(charlie, preferences.Pace.HOURLY, MAILED)
        for kind in MAILED:
            notify([charlie], kind, NOW, **about)
        assert mail_due(NOW + timedelta(hours=2)) == 1
        transaction.set_rollback(True)
    texts = []
    for sent in mail.outbox:
        assert isinstance(sent, mail.EmailMultiAlternatives)
        texts += [str(sent.subject), *str(sent.body).splitlines()]
        texts += Words(str(sent.alternatives[0][0])).found
    assert len(mail.outbox) == len(MAILED)
    assert not untranslated(texts, own_words()), untranslated(texts, own_words())


def test_the_accents_leave_placeholders_and_tags_alone() -> None:
    message = accented('<a href="%(url)s">%(count)d games</a> of {name} &amp; %s')
    assert re.findall(r"<[^>]*>|%\(\w+\)\w|\{\w+\}|&\w+;|%s", message) == [
        '<a href="%(url)s">', "%(count)d", "</a>", "{name}", "&amp;", "%s",
    ]  # fmt: skip
    assert not re.search(r"[A-Za-z]", re.sub(r"<[^>]*>|%\(\w+\)\w|\{\w+\}|&\w+;|%s", "", message))
