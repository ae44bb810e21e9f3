"""Olga gives a club without results the ratings that its players have on paper."""

import math
import random
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from league.models import Anchor, Arena, Player, Rating, Season, StaffAction
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.corrections.rerating import rerate
from league.services.other_rules.replaying import proposed_side, with_rules
from league.services.people.entry_lists import read_ratings
from league.services.rating.tail import read_tail
from league.services.seasons import anchors, starting_lists
from league.services.seasons.changing import Rules
from league.services.seasons.opening import adopt_rules, open_season
from ratings.registry import SYSTEMS, build
from tests.support.cast import NOW, account, arena
from tests.support.effort import examples
from tests.support.merge_steps import all_differences, merged
from tests.support.result_steps import user_of
from tests.support.season_steps import ended, ratings, set_season_rules, win

ON_PAPER = {"Ann": 1810.0, "Bea": 1625.5, "Cem": 1500.0, "Dan": 1432.25, "Eva": 987.0}


@pytest.fixture
def club(db: None) -> Arena:
    return arena("club", rating_system="elo")


@pytest.fixture
def circle(db: None) -> Arena:
    return arena("circle", rating_system="glicko-2")


def give(where: Arena, *lines: str, by: Player) -> Season:
    entries = read_ratings("\n".join(lines)).complete()
    return starting_lists.give(where, entries, {}, by=user_of(by), now=NOW)


def openings(season: Season) -> dict[str, list[float | None]]:
    rows = Rating.objects.filter(season=season, opening__isnull=False)
    return {name: opening or [] for name, opening in rows.values_list("player__name", "opening")}


def by_name() -> dict[str, Player]:
    return {one.name: one for one in Player.objects.all()}


@pytest.mark.parametrize("seed", range(examples(3)))
def test_ten_games_of_a_club_of_five_by_the_formula_of_elo(
    club: Arena, olga: Player, seed: int
) -> None:
    draw = random.Random(seed)  # noqa: S311 - repeatable
    people = {name: account(name) for name in ON_PAPER}
    season = give(club, *(f"{name}; {rating}" for name, rating in ON_PAPER.items()), by=olga)
    gain: Any = season.system().parameters.to_json()["max_gain"]
    expected = dict(ON_PAPER)
    for _game in range(10):
        winner, loser = draw.sample(list(people), 2)
        win(club, people[winner], people[loser])
        chance = 1 / (1 + 10 ** ((expected[loser] - expected[winner]) / 400))
        expected[winner] += gain * (1 - chance)
        expected[loser] -= gain * (1 - chance)
    assert ratings(season) == pytest.approx(expected, rel=0, abs=1e-9)
    assert all_differences() == []
    season.refresh_from_db()
    starting_lists.start_again(season)  # as when the season gets other rules
    assert ratings(season) == ON_PAPER


def glickman(own: list[float], other: list[float], score: float, tau: float) -> list[float]:
    """Return rating, deviation and volatility after one game, by the steps of his paper."""
    mu, phi, sigma = (own[0] - 1500) / 173.7178, own[1] / 173.7178, own[2]
    mu_j, phi_j = (other[0] - 1500) / 173.7178, other[1] / 173.7178
    g = 1 / math.sqrt(1 + 3 * phi_j**2 / math.pi**2)
    e = 1 / (1 + math.exp(-g * (mu - mu_j)))
    v = 1 / (g * g * e * (1 - e))
    delta = v * g * (score - e)
    a = math.log(sigma * sigma)

    def f(x: float) -> float:
        top = math.exp(x) * (delta**2 - phi**2 - v - math.exp(x))
        return top / (2 * (phi**2 + v + math.exp(x)) ** 2) - (x - a) / tau**2

    low, high = a - 20, a + 20
    for _step in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    sigma = math.exp(low / 2)
    phi = 1 / math.sqrt(1 / (phi**2 + sigma**2) + 1 / v)
    mu += phi**2 * g * (score - e)
    return [173.7178 * mu + 1500, 173.7178 * phi, sigma]


def test_glicko_2_with_deviations_by_the_steps_of_its_paper(circle: Arena, olga: Player) -> None:
    ann, bea, cem = (account(name) for name in ("Ann", "Bea", "Cem"))
    season = give(circle, "Ann; 1500; 200", "Bea; 1400; 35.5", "Cem 1550", by=olga)
    system: dict[str, Any] = season.system().parameters.to_json()
    tau = system["volatility_system_constant"]
    usual = [system["deviation_default"], system["volatility_default"]]
    held: dict[Player, list[float]] = {
        ann: [1500, 200, usual[1]],
        bea: [1400, 35.5, usual[1]],
        cem: [1550, *usual],
    }
    assert openings(season) == {player.name: state for player, state in held.items()}
    for winner, loser in ((ann, bea), (bea, cem), (cem, ann), (bea, ann)):
        win(circle, winner, loser)
        held[winner], held[loser] = (
            glickman(held[winner], held[loser], 1.0, tau),
            glickman(held[loser], held[winner], 0.0, tau),
        )
    for row in Rating.objects.filter(season=season).select_related("player"):
        stored = [row.rating, row.deviation, row.volatility]
        assert stored == pytest.approx(held[row.player], rel=1e-7)
    assert all_differences() == []


@pytest.mark.parametrize("name", [one for one in SYSTEMS if one != "ladder"])
def test_every_system_starts_with_the_ratings_of_a_list(
    name: str, olga: Player, alice: Player, bob: Player
) -> None:
    """Its parameters of a newcomer say which ratings and deviations are possible."""
    where = arena("club", rating_system=name)
    system, newcomer = SYSTEMS[name], where.system().newcomers(1)
    has_deviations = not math.isnan(newcomer.deviation[0])
    assert system.shows.deviation is has_deviations
    rating, deviation = newcomer.rating[0] + 1.5, newcomer.deviation[0] / 2
    values = (rating, deviation) if has_deviations else (rating,)
    started = build(name, dict(zip(system.newcomer_parameters, values, strict=False))).newcomers(1)
    assert started.rating[0] == rating
    if has_deviations:
        assert started.deviation[0] == deviation
    line = "; ".join(["Alice", *(f"{value:.15g}" for value in values)])
    season = give(where, line, by=olga)
    start = Rating.objects.get(season=season, player=alice)
    assert (start.rating, start.deviation) == (rating, deviation if has_deviations else None)
    win(where, bob, alice)
    win(where, alice, bob, NOW + timedelta(minutes=5))
    assert all_differences() == []
    if not has_deviations:
        with pytest.raises(Refused, match="has no deviations"):
            give(arena("other", rating_system=name), f"Alice; {rating}; 80", by=olga)


@pytest.mark.parametrize(
    ("system", "line", "problem"),
    [
        ("glicko-2", "Ann 5000.5", "Line 1: Rating: must be from 100 to 5000"),
        ("glicko-2", "Ann; 1500; 351", "Line 1: Deviation: must be from 30 to 350"),
        ("glicko-2", "Ann; 1500; 0", "“0” is no deviation."),
        ("wager", "Ann 0.5", "Rating: must be at least"),
        ("elo", "Ann; 1e9", "“1e9” is no rating."),
        ("elo", "Ann; nan", "“nan” is no rating."),
        ("elo", "Ann; 1450; 80", "Elo has no deviations. Leave out the second number."),
        ("elo", "Ann", "Write a rating behind the name"),
        ("elo", "Ann 1450, 80", "Write a rating behind the name"),
        ("elo", "Owls: Bob, Cy", "Write one player on each line"),
    ],
)
def test_impossible_starts_are_refused(system: str, line: str, problem: str, olga: Player) -> None:
    where = arena("club", rating_system=system)
    with pytest.raises(Refused, match=problem):
        give(where, line, by=olga)
    assert not Rating.objects.exists()
    assert not Player.objects.filter(name="Ann").exists()


def test_a_list_replaces_the_one_before_until_the_first_result(club: Arena, olga: Player) -> None:
    give(club, "Ann 1800", "Bea 1600", by=olga)
    season = give(club, "Bea 1650", "Cem 1400", by=olga)
    assert ratings(season) == {"Bea": 1650, "Cem": 1400}
    assert StaffAction.objects.filter(kind="season").count() == 2
    season = starting_lists.give(club, [], {}, by=user_of(olga), now=NOW)
    assert ratings(season) == {}
    assert all_differences() == []
    win(club, account("Fay"), account("Gus"))
    with pytest.raises(Conflict, match="Give starting ratings before the first result"):
        give(club, "Ann 1800", by=olga)


def test_only_organisers_who_are_not_on_it_give_ratings(
    club: Arena, alice: Player, olga: Player
) -> None:
    with pytest.raises(Forbidden):
        give(club, "Ann 1500", by=alice)
    give(club, "Olga 1900", "Ann 1500", by=olga)  # nobody else could
    account("Otto", superuser=True)
    with pytest.raises(Forbidden, match="Ask another organiser"):
        give(club, "Olga 1950", by=olga)
    with pytest.raises(Forbidden, match="Ask another organiser"):
        give(club, "Ann 1500", by=olga)  # would drop the organiser's own


def test_a_list_takes_precedence_over_ratings_carried_over(
    circle: Arena, olga: Player, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    first = ended(circle)
    set_season_rules(circle, start={"placement": "carry-over"})
    win(circle, alice, bob)
    win(circle, charlie, dora)
    over = {row.player.name: row for row in Rating.objects.filter(season=first)}
    after = NOW + timedelta(days=11)
    season = open_season(circle, starts_at=after)
    entries = read_ratings("Alice 1700\nBob; 1300; 77\nFay 1000").complete()
    starting_lists.give(circle, entries, {}, by=user_of(olga), now=after)
    started = openings(season)
    assert started["Alice"][:2] == [1700, over["Alice"].deviation]
    assert started["Bob"][:2] == [1300, 77]
    assert started["Charlie"][0] == over["Charlie"].rating
    assert started["Fay"][:2] == [1000, 350]
    later = after + timedelta(hours=2)
    win(circle, alice, bob, later)
    assert all_differences(later) == []
    # The next season carries over what the result made of it.
    now_rated = ratings(season)
    third = open_season(circle, starts_at=after + timedelta(days=9))
    assert {name: ratings(third)[name] for name in ("Alice", "Bob")} == {
        name: now_rated[name] for name in ("Alice", "Bob")
    }
    assert "Fay" not in ratings(third)  # who has not played


def test_a_list_takes_precedence_over_ratings_drawn(
    club: Arena, olga: Player, alice: Player, bob: Player
) -> None:
    ended(club)
    win(club, alice, bob)
    set_season_rules(club, start={"placement": "fresh", "day_one": 100.0})
    after = NOW + timedelta(days=11)
    season = open_season(club, starts_at=after)
    drawn = ratings(season)
    assert set(drawn) == {"Alice", "Bob"}
    entries = read_ratings("Alice 1777").complete()
    starting_lists.give(club, entries, {}, by=user_of(olga), now=after)
    assert ratings(season) == {"Alice": 1777, "Bob": drawn["Bob"]}
    assert all_differences(after) == []
    starting_lists.give(club, [], {}, by=user_of(olga), now=after)
    assert ratings(season) == drawn
    assert all_differences(after) == []


def test_anchors_keep_their_rating_while_they_are_anchors(
    club: Arena, olga: Player, alice: Player, bob: Player, charlie: Player
) -> None:
    season = give(club, "Alice 1777", "Bob 1300", by=olga)
    Anchor.objects.create(arena=club, player=alice, rating=1500)
    starting_lists.start_again(season)  # which makes Alice an anchor
    assert ratings(season) == {"Alice": 1500, "Bob": 1300}
    assert all_differences() == []
    win(club, bob, charlie)
    Anchor.objects.all().delete()
    anchors.follow(club, NOW)
    assert ratings(season)["Alice"] == 1777
    win(club, bob, alice)
    assert all_differences() == []
    other = arena("other", rating_system="elo")
    Anchor.objects.create(arena=other, player=alice, rating=1500)
    starting_lists.start_again(other.seasons.get())
    with pytest.raises(Refused, match="is an anchor"):
        give(other, "Alice 1700", by=olga)


@pytest.mark.parametrize("plays", ["nobody", "kept", "gone", "both"])
@pytest.mark.parametrize("listed", ["kept", "gone", "both"])
def test_merged_players_start_as_one(
    club: Arena, olga: Player, bob: Player, listed: str, plays: str
) -> None:
    kept, gone = account("Kit"), account("Kitty")
    starts = {"Kit": "Kit 1700", "Kitty": "Kitty 1600"}
    wanted = {"kept": ["Kit"], "gone": ["Kitty"], "both": ["Kit", "Kitty"]}
    season = give(club, *(starts[name] for name in wanted[listed]), by=olga)
    for player in {"kept": [kept], "gone": [gone], "both": [gone, kept], "nobody": []}[plays]:
        win(club, bob, player)
    merged(kept, gone, user_of(olga))
    assert openings(season)["Kit"][0] == (1600 if listed == "gone" else 1700)
    assert all_differences() == []
    season.refresh_from_db()
    starting_lists.start_again(season)
    assert ratings(season) == {"Kit": 1600 if listed == "gone" else 1700}


def test_a_merge_keeps_a_rating_carried_over_and_drops_the_one_listed(
    club: Arena, olga: Player, alice: Player, bob: Player
) -> None:
    ended(club)
    set_season_rules(club, start={"placement": "carry-over"})
    win(club, alice, bob)
    after = NOW + timedelta(days=11)
    season = open_season(club, starts_at=after)
    carried = ratings(season)["Alice"]
    entries = read_ratings("Ally 1999").complete()
    starting_lists.give(club, entries, {}, by=user_of(olga), now=after)
    merged(alice, by_name()["Ally"], user_of(olga))
    season.refresh_from_db()
    assert season.starting_ratings == {"elo": {}}
    starting_lists.start_again(season)
    assert ratings(season)["Alice"] == carried
    assert all_differences(after) == []


def test_a_merge_before_the_season_returns_to_the_system_of_the_list(
    club: Arena, olga: Player
) -> None:
    season = give(club, "Kitty 1600", by=olga)
    club.rating_system, club.rating_parameters = "glicko-2", {}
    club.save()
    assert adopt_rules(season, club)
    kitty, kit = Player.objects.get(name="Kitty"), account("Kit")
    assert ratings(season) == {}
    merged(kit, kitty, user_of(olga))
    club.rating_system = "elo"
    club.save()
    assert adopt_rules(season, club)
    assert ratings(season) == {"Kit": 1600}
    assert all_differences() == []


def test_other_rules_before_the_first_result_keep_the_list(club: Arena, olga: Player) -> None:
    season = give(club, "Ann 1800", by=olga)
    set_season_rules(club, decay={"points": 700})
    assert adopt_rules(season, club)
    assert ratings(season) == {"Ann": 1800}
    assert all_differences() == []


def test_rating_again_starts_from_the_list_in_its_system_only(
    club: Arena, olga: Player, alice: Player, bob: Player
) -> None:
    season = give(club, "Alice 1800", "Bob 1300", by=olga)
    win(club, bob, alice)
    before = ratings(season)
    again = partial(rerate, season, by=user_of(olga), reason="Another system.", now=NOW)
    proposed = with_rules(season, Rules("glicko-2", {}, season.rules))
    shown = proposed_side(season, proposed, read_tail(season, -1), NOW, lambda _count: None)
    again(system="glicko-2")
    assert openings(season) == {}
    assert ratings(season) == pytest.approx(
        {
            Player.objects.get(pk=player).name: rating
            for player, rating in zip(
                shown.played.players, shown.played.states.rating.tolist(), strict=True
            )
        }
    )
    assert all_differences() == []
    again(system="elo")
    assert ratings(season) == before
    assert all_differences() == []


def test_the_check_of_ratings_finds_other_starts(circle: Arena, olga: Player) -> None:
    season = give(circle, "Ann; 1450; 80", by=olga)
    [player] = season.starting_ratings["glicko-2"]
    for wrong in ([1451, 80], [1450, 81]):
        season.starting_ratings = {"glicko-2": {player: wrong}}
        season.save()
        assert len(all_differences()) == 1
    season.starting_ratings = {}
    season.save()
    assert any("none drawn" in one for one in all_differences())
