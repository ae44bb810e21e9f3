"""A league with objections can go back to the release before them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from league.models import Arena, MailPreference, Match, Notice, NoticeKind, Objection
from league.services.notices.writing import notify
from league.services.results.objections import object_to
from tests.support.cast import NOW
from tests.support.migration_steps import migrate_to, migrate_to_latest
from tests.support.result_steps import rules
from tests.support.season_steps import win

if TYPE_CHECKING:
    from league.models import Player

pytestmark = pytest.mark.django_db


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
    kept = Arena.objects.values_list("result_rules", flat=True).get(pk=duel.pk)
    assert ("objection_window" in kept, kept["scores"]) == (False, "lower")
    versions: Any = duel
    stored = versions.history.values_list("result_rules", flat=True)
    assert not any("objection_window" in old for old in stored)
    assert not Notice.objects.filter(kind="undecided").exists()
    assert Notice.objects.filter(kind="disputed").exists()
    assert MailPreference.objects.get().muted == ["rated"]
    migrate_to_latest()
    assert not Objection.objects.exists()
    assert Match.objects.get(pk=match.pk).status == "rated"
    object_to(match.pk, by=charlie, reason="A draw.", now=NOW)
