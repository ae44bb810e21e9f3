"""Matches on their way when agreement was first stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from league.models import Agreement, Match, Player, Proposal, Side, User
from league.services.results.live import Finish, StartingSide, finish, start
from tests.support.cast import NOW, beats
from tests.support.migration_steps import migrate_to

if TYPE_CHECKING:
    from league.models import Arena

pytestmark = pytest.mark.django_db


def sides_of(match: Match) -> list[tuple[str, bool, bool]]:
    """How each side agreed, and whether there are times of agreeing and of the notice."""
    return [
        (side.agreed_by, side.agreed_at is not None, side.notified_at is not None)
        for side in Side.objects.filter(match=match).order_by("index")
    ]


def test_open_matches_keep_what_their_sides_agreed_to(
    duel: Arena, alice: Player, bob: Player, charlie: Player, eve: Player
) -> None:
    reported = start(duel, [StartingSide(one, [one]) for one in (alice, charlie)], now=NOW)
    finish(reported.pk, [Finish(0), Finish(1)], reporter=alice, now=NOW)
    live = start(duel, [StartingSide(one, [one]) for one in (bob, eve)], now=NOW)
    for match in (reported, live):
        Proposal.objects.create(
            arena=duel,
            proposed_at=NOW,
            deadline=NOW,
            closed_at=NOW,
            state=Proposal.State.ACCEPTED,
            match=match,
        )
    stranger = beats(alice, eve, duel)
    User.objects.filter(player=eve).update(is_active=False)
    migrate_to("0030_plain_words")
    migrate_to("0031_when_results_count")
    ready = Agreement.READY_CHECK
    assert sides_of(reported) == [(ready, True, True), (ready, True, True)]
    assert sides_of(live) == [(ready, True, False), (ready, True, False)]
    assert sides_of(stranger) == [("", False, True), ("", False, False)]
