"""A league with objections can go back to the release before them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from league.models import Arena, MailPreference, Match, Notice, NoticeKind, Objection
from league.services.notices.writing import notify
from league.services.results.objections import object_to
from tests.support.cast import NOW
from tests.support.result_steps import rules
from tests.support.season_steps import win

if TYPE_CHECKING:
    from league.models import Player

pytestmark = pytest.mark.django_db


def migrate_to(name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    MigrationExecutor(connection).migrate([("league", name)])


def test_what_the_earlier_release_does_not_know_is_forgotten(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    rules(duel, objection_window="7d", scores="lower")
    match = win(duel, alice, charlie)
    object_to(match.pk, by=charlie, reason="A draw.", now=NOW)
    notify([alice], NoticeKind.UNDECIDED, NOW, match=match)
    muted = [NoticeKind.UNDECIDED, NoticeKind.RATED]
    MailPreference.objects.create(player=alice, muted=muted)
    migrate_to("0037_arrangements")
    kept = Arena.objects.get(pk=duel.pk).result_rules
    assert ("objection_window" in kept, kept["scores"]) == (False, "lower")
    versions: Any = duel
    assert not any("objection_window" in old.result_rules for old in versions.history.all())
    assert not Notice.objects.filter(kind="undecided").exists()
    assert Notice.objects.filter(kind="disputed").exists()
    assert MailPreference.objects.get().muted == ["rated"]
    migrate_to("0038_objections")
    assert not Objection.objects.exists()
    assert Match.objects.get(pk=match.pk).status == "rated"
    object_to(match.pk, by=charlie, reason="A draw.", now=NOW)
