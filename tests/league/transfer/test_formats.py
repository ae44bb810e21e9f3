"""Results as other sites write them are imported like any file."""

import json

from league.models import Arena, Match, Player, Side, User
from tests.support.cast import arena
from tests.support.import_steps import boss, bring
from tests.support.results_of_sites import challonge, contest, played

__all__ = ["boss"]


def test_a_tournament_is_imported_and_rated(
    duel: Arena, boss: User, alice: Player, bob: Player, charlie: Player
) -> None:
    document = challonge(played(11, 12, 12, "1-3"), played(12, 13, None, "2-2"))
    bring(duel, boss, json.dumps(document), name="cup.json")
    assert Match.objects.filter(status="rated").count() == 2
    assert Side.objects.get(captain=bob, place=0, score=3).match.arena == duel


def test_a_contest_is_imported_and_rated(boss: User) -> None:
    race = arena("race", format="free-for-all", sides_min=2, sides_max=10, team_size_max=1)
    names = ["Ann", "Bob R."]
    bring(race, boss, json.dumps([contest(*([n, at, at] for at, n in enumerate(names)))]))
    assert [side.captain.name for side in Side.objects.order_by("place")] == names
