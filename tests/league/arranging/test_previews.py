"""What is at stake in a match, before it is played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from league.models import Arena, Arrangement, Player
from league.services.arranging import playing
from league.services.arranging.previews import preview
from league.services.arranging.proposals import propose
from league.services.results.answers import confirm
from tests.support.cast import NOW, arena, beats, side
from tests.support.date_steps import SATURDAY

if TYPE_CHECKING:
    pass

pytestmark = pytest.mark.django_db


def test_a_preview_gives_what_the_result_then_does(
    agreed: Arrangement, duel: Arena, alice: Player, charlie: Player
) -> None:
    confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    seen = preview(agreed, NOW)
    assert seen
    won, drawn, lost = seen.outcomes
    assert (won.winner, drawn.winner, lost.winner) == (alice, None, charlie)
    assert won.chance
    assert lost.chance
    assert won.chance > lost.chance
    assert won.effects[0].change > 0 > won.effects[1].change
    match = playing.report(
        agreed.pk,
        [side(alice, place=1), side(charlie, place=0)],
        reporter=alice,
        played_at=SATURDAY,
        now=SATURDAY,
    )
    confirm(match.pk, by=charlie, now=SATURDAY)
    events = {event.player_id: event for event in match.events.all()}
    assert {one.player.pk: one.after for one in lost.effects} == {
        number: event.rating_after for number, event in events.items()
    }


@pytest.mark.parametrize("system", ["ladder", "elo", "codeforces", "trueskill", "elo-mmr"])
def test_newcomers_have_a_preview_in_every_kind_of_system(
    system: str, alice: Player, charlie: Player
) -> None:
    made = arena("other", rating_system=system, draws_allowed=False)
    one = propose(made, charlie, SATURDAY, by=alice, now=NOW)
    seen = preview(one, NOW)
    assert seen
    assert [outcome.winner for outcome in seen.outcomes] == [alice, charlie]
    assert seen.outcomes[0].effects[0].change >= 0 or seen.shows.lowest_first
