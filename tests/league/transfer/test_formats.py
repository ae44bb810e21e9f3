"""Results as other sites write them are imported like any file."""

import json

import pytest
from django.db.models import F

from league.models import Arena, Match, Player, Rating, Side, User
from tests.support.cast import arena
from tests.support.import_steps import boss, bring
from tests.support.results_of_sites import (
    AT,
    a_set,
    ballot,
    challonge,
    challonge_v2,
    codeforces,
    contest,
    lichess,
    match_v2,
    opponent,
    played,
    ranked,
    rating_change,
    startgg,
    tabbycat,
    toornament,
)
from tests.support.trf_files import TRF

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


@pytest.mark.parametrize("report", [TRF, TRF.replace("\r\n132", "\r\n###")])
def test_a_report_of_fide_is_imported_and_rated(boss: User, report: str) -> None:
    """Forfeits and byes are no games. The ratings are those of Elo's formula, computed here."""
    chess = arena("chess", rating_system="elo")
    bring(chess, boss, report, name="open.trf")
    assert elo_of(chess) == pytest.approx(
        by_formula(
            [("Ames, Ann", "Cole, Cem", 1), ("Dorn, Dora", "Berg, Bob", 0.5)],
            [("Berg, Bob", "Ames, Ann", 0)],
        )
    )
    white = Side.objects.filter(match__status="rated", index=F("match__first_side"))
    names = set(white.values_list("captain__name", flat=True))
    assert names == {"Ames, Ann", "Dorn, Dora", "Berg, Bob"}


PGN = """[Date "2026.01.%s"]
[White "%s"]
[Black "%s"]
[Result "%s"]

%s

"""


def test_games_are_imported_and_rated(boss: User) -> None:
    chess = arena("chess", rating_system="elo")
    games = [
        ("02", "Ann", "Bob", "1-0"),
        ("??", "Bob", "Cem", "1/2-1/2"),
        ("03", "Cem", "Ann", "*"),
    ]
    bring(chess, boss, "".join(PGN % (*game, game[-1]) for game in games), name="games.pgn")
    # The game without a day is played on the first of the month, before the other.
    rounds = [("Bob", "Cem", 0.5)], [("Ann", "Bob", 1.0)]
    assert elo_of(chess) == pytest.approx(by_formula(*rounds))


def test_contests_of_codeforces_are_imported_and_rated(boss: User) -> None:
    duels = arena("duels", rating_system="elo")
    contests = [
        codeforces(ranked(1, "Ann"), ranked(2, "Bob"), ranked(3, "ghost", ghost=True)),
        codeforces(ranked(4, "Cem"), ranked(4, "Ann"), startTimeSeconds=AT),
        {"status": "OK", "result": [rating_change("Bob", 1, 0), rating_change("Cem", 2, 0)]},
    ]
    bring(duels, boss, json.dumps(contests), name="contests.json")
    rounds = [("Ann", "Bob", 1.0)], [("Bob", "Cem", 1.0)], [("Cem", "Ann", 0.5)]
    assert elo_of(duels) == pytest.approx(by_formula(*rounds))


def test_both_versions_of_challonge_are_imported_and_rated(boss: User) -> None:
    for version, document in {
        "one": challonge(played(11, 12, 12, "1-3"), played(12, 13, None, "2-2")),
        "two": challonge_v2(match_v2(11, 12, 12, [1, 3]), match_v2(12, 13, None, [2, 2])),
    }.items():
        cup = arena(version, rating_system="elo")
        bring(cup, boss, json.dumps(document), name="cup.json")
        rounds = [("Alice", "Bob", 0.0)], [("Bob", "Charlie", 0.5)]
        assert elo_of(cup) == pytest.approx(by_formula(*rounds))


def elo_of(arena: Arena) -> dict[str, float]:
    return dict(Rating.objects.filter(season__arena=arena).values_list("player__name", "rating"))


def by_formula(*rounds: list[tuple[str, str, float]]) -> dict[str, float]:
    """Return Elo's ratings (K is 32) after games with the points of the first player."""
    ratings: dict[str, float] = {}
    for first, second, points in (game for games in rounds for game in games):
        one, other = (ratings.setdefault(name, 1500.0) for name in (first, second))
        expected = 1 / (1 + 10 ** ((other - one) / 400))
        ratings[first] = one + 32 * (points - expected)
        ratings[second] = other - 32 * (points - expected)
    return ratings


def test_other_sites_are_imported(boss: User) -> None:
    duels = arena("duels", rating_system="elo", draws_allowed=True)
    files = {
        "startgg.json": startgg(a_set(1, (3, 1))),
        "toornament.json": [toornament(opponent("Bob", "win"), opponent("Cem", "loss"))],
        "lichess.json": lichess("black", createdAt=(AT + 9) * 1000),
    }
    for name, document in files.items():
        bring(duels, boss, json.dumps(document), name=name)
    # At 20:00:00, again at 20:00:00, and nine seconds later.
    games = [("Alice", "Bob", 1.0)], [("Bob", "Cem", 1.0)], [("Alice", "Bob", 0.0)]
    assert elo_of(duels) == pytest.approx(by_formula(*games))


def test_debates_of_four_are_imported(boss: User) -> None:
    teams = arena("debates", format="free-for-all", sides_min=4, sides_max=4, team_size_max=1)
    bring(teams, boss, json.dumps(tabbycat(ballot(1, 3, 0, 2))), name="ballots.json")
    places = Side.objects.order_by("place").values_list("captain__name", flat=True)
    assert [*places] == ["Delft B", "Graz C", "Ghent A", "Lund A"]
