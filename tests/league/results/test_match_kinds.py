"""Kinds of matches: games, forfeits and decay steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import connection

from league.models import Challenge, Match, Side, Status
from tests.support.cast import NOW, beats
from tests.support.migration_steps import migrate_to

if TYPE_CHECKING:
    from league.models import Arena, Player

pytestmark = pytest.mark.django_db


def test_the_migration_fills_in_kinds_and_can_be_reversed(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    game = beats(alice, charlie, duel)
    season = duel.seasons.get()
    forfeit, decay = (
        Match.objects.create(
            arena=duel, season=season, status=Status.VOID, played_at=NOW, kind=kind
        )
        for kind in (Match.Kind.FORFEIT, Match.Kind.DECAY)
    )
    Side.objects.create(match=forfeit, index=0, captain=alice)
    Challenge.objects.create(
        season=season,
        challenger=charlie,
        challenged=alice,
        state=Challenge.State.IGNORED,
        made_at=NOW,
        answer_by=NOW,
        closed_at=NOW,
        match=forfeit,
    )
    migrate_to("0028_bans")
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM league_match WHERE NOT played ORDER BY id")
        assert cursor.fetchall() == [(forfeit.pk,), (decay.pk,)]
    migrate_to("0029_match_kind")
    kinds = dict(Match.objects.values_list("pk", "kind"))
    assert kinds == {game.pk: "game", forfeit.pk: "forfeit", decay.pk: "decay"}
