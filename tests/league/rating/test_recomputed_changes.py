"""Every change of a rating can be recomputed from what the page of its match shows.

The formulas are written here by the words of the pages. They share no code with the engine.
"""

import html
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from league.models import Arena, Format, Match, Player, User
from league.services.core.types import PlayedBy, ReportedSide
from league.services.results.staff.entering import enter
from ratings.contests.first_side import all_terms
from ratings.registry import SYSTEMS
from tests.support.cast import NOW, arena
from tests.support.effort import spread
from tests.support.result_steps import user_of
from tests.support.web_steps import words

Terms = Mapping[str, float]


@dataclass
class Seat:
    """What a page says of a player."""

    name: str
    before: float
    after: float
    change: float
    terms: Terms
    text: str


def limited(terms: Terms, change: float, before: float) -> float:
    """Return a change after its cap and its limit, if the page names them."""
    cap = terms.get("cap", math.inf)
    change = min(max(change, -cap), cap)
    return terms["bound"] - before if "bound" in terms else change


def by_period(terms: Terms, before: float) -> float:
    start = terms.get("start", before)
    return limited(terms, terms["step"] * terms["surprise"], before) + (
        start - before if "bound" not in terms else 0
    )


FORMULAS: dict[str, Callable[[Terms, float], float]] = {
    "fermi": lambda t, _: t["stake"] * (t["actual"] - t["expected"]),
    "elo": lambda t, _: t["stake"] * (t["actual"] - t["expected"]),
    "codeforces": lambda t, _: t["weight"] * t["surprise"] + t.get("deflation", 0),
    "topcoder": lambda t, before: limited(t, t["weight"] * (t["performance"] - before), before),
    "glicko": lambda t, before: t["start"] + t["step"] * t["total"] - before,
    "glicko-2": by_period,
    "bar": lambda t, _: t["step"] * t["surprise"],
    "laurel": lambda t, _: t["step"] * t["surprise"],
    "elo-mmr": lambda t, _: t["moved"] * t["surprise"],
    "elo-mmx": lambda t, _: t["weight"] * t["surprise"],
    "trueskill": lambda t, _: t["share"] * (t["performance"] - t["strength"]),
    "wager": lambda t, before: limited(
        t, t["counted"] * t["wager"] * t["rank_factor"] * t["time_factor"], before
    ),
}

MARGINS = [{"margin": how} for how in ("clear", "goals", "log")]
HOME = {"first_side": 80}
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "fermi": [{}, {"margin": "goals", "first_side": 0.4, "draws": 0.3}, {"team_strength": "sum"}],
    "elo": [{}, *MARGINS, {**HOME, "margin": "log"}, {"team_strength": "max"}],
    "codeforces": [{}, {"deflation": True, "weight": 3}, HOME, {"ignore_all_tied": True}],
    "topcoder": [{}, {"margin": "goals"}, HOME, {"weight_noob": 0.99, "weight_limit": 0.9}],
    "glicko": [{}, {"margin": "goals"}, {"form": "paper"}, {**HOME, "period": "1d"}],
    "glicko-2": [
        {},
        *MARGINS,
        {"update": "period", **HOME},
        {"rating_max_change": 40},
        {"rating_min": 1150, "rating_max": 1290},
        {"update": "period", "rating_max_change": 40, "rating_min": 1150, "rating_max": 1230},
        {"profession_ratings": True, "rating_profession_ratio": 0.5},
    ],
    "bar": [{}, {"margin": "goals", **HOME}, {"ignore_all_tied": True}],
    "laurel": [{}, {"margin": "none"}, {"draws": 0.4, "context_deviation": 150}],
    "elo-mmr": [
        {},
        {"margin": "log", **HOME},
        {"rho": 10, "history_limit": 1},
        {"split_ties": True},
    ],
    "elo-mmx": [
        {},
        {"margin": "goals", **HOME},
        {"noob_delay": [0.6, 0.8], "team_strength": "mean"},
    ],
    "trueskill": [{}, {"margin": "goals", **HOME}, {"draw_probability": 0.2}],
    "wager": [{}, {"start": 21, "divisor": 2}],
    "ladder": [{}, {"challenge_range": 1}],
}
CASES = [(name, options) for name, several in OPTIONS.items() for options in several]


def side(place: int, score: float | None, *players: Player) -> ReportedSide:
    return ReportedSide(
        players[0], [PlayedBy(one, profession="Clay") for one in players], place, score
    )


def read(text: str) -> float:
    return float(text.replace("−", "-").replace("+", "").replace("±", "").replace("½", "0.5"))


def plain(markup: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


def seats_of(page: str, system: str) -> list[Seat]:
    names = {term.label: term.name for term in all_terms(SYSTEMS[system])}
    found = []
    for side in re.split(r'<div class="side">', page)[1:]:
        heading = plain(re.findall(r"<h3>(.*?)</h3>", side, re.DOTALL)[0])
        for seat in re.findall(r'<li class="seat">(.*?)</li>', side, re.DOTALL):
            text = plain(seat)
            move = re.search(r"([−\d.]+)(?: \?[^→]*)? → to ([−\d.]+)", text)
            assert move, text
            shown = re.search(r'class="change[^>]*>(.*?)</strong>', seat, re.DOTALL)
            assert shown
            rows = re.findall(r'<dt>(.*?)</dt><dd class="value">(.*?)</dd>', seat, re.DOTALL)
            terms = {names[html.unescape(label)]: read(value) for label, value in rows}
            number = re.search(r"[+−±]?[\d.]+", plain(shown[1]))
            player = re.search(r"Full calculation for (\w+)", text)
            found.append(
                Seat(
                    player[1] if player else heading,
                    read(move[1]),
                    read(move[2]),
                    read(number[0]) if number else 0.0,
                    terms,
                    text,
                )
            )
    return found


def counts_as(page: str) -> float:
    """Return as how many matches a match counts, by its page."""
    text = plain(page)
    for pattern in (
        r"In all, it counts as ([\d.]+) matches",
        r"By the margin of its score, it counts as ([\d.]+) matches",
        r"Counts as ([\d.]+) matches",
    ):
        if found := re.search(pattern, text):
            return float(found[1])
    return 1.0


def check_changes(system: str, match: Match) -> str:
    """Recompute all changes of a match from its page, which is returned."""
    page = Client().get(match.get_absolute_url()).content.decode()
    seats = seats_of(page, system)
    assert len(seats) == match.participants.count()
    step = 0.1 ** max(1, SYSTEMS[system].shows.decimals)
    for seat in seats:
        nothing = "Does not count" in plain(page)
        if nothing or not seat.terms:
            assert nothing or "this match changed no rating" in seat.text
            assert seat.before == seat.after
            continue
        assert abs(seat.before + seat.change - seat.after) < 1e-9
        foreseen = FORMULAS[system](seat.terms, seat.before)
        assert abs(foreseen - seat.terms["change"]) < 1.2 * step, (system, seat)
        assert abs(foreseen - seat.change) < 2.2 * step, (system, seat)
    return page


@pytest.mark.parametrize(("system", "options"), spread([c for c in CASES if c[0] != "ladder"], 20))
def test_every_change_follows_from_the_numbers_of_its_page(
    system: str,
    options: dict[str, Any],
    alice: Player,
    bob: Player,
    charlie: Player,
    dora: Player,
    olga: Player,
) -> None:
    made = arena(
        "worked",
        rating_system=system,
        rating_parameters=options,
        team_size_max=2,
        season_rules={"ranked": {"placement_matches": 1}, "fair_play": {"repeat_factor": 0.7}},
    )
    played: list[tuple[list[ReportedSide], dict[str, Any]]] = [
        ([side(0, 3, alice), side(1, 0, bob)], {"first_side": 0}),
        ([side(0, 5, alice), side(1, 1, bob)], {"weight": 2.0}),
        ([side(0, 2, bob), side(0, 2, alice)], {"first_side": 1}),
        ([side(0, 9, charlie), side(1, 0, alice)], {"first_side": 1, "weight": 0.5}),
        ([side(0, 4, alice, bob), side(1, 2, charlie, dora)], {}),
        ([side(0, 1, dora), side(1, 0, alice, bob)], {"first_side": 0}),
    ]
    for number, (sides, more) in enumerate(played):
        at = NOW + number * timedelta(hours=30)
        page = check_changes(system, entered(made, sides, user_of(olga), at, **more))
        if system in {"fermi", "elo"}:
            check_logistic(made, page)


def entered(made: Arena, sides: list[ReportedSide], by: User, at: Any, **more: Any) -> Match:
    return enter(made, sides, by=by, reason="A test", played_at=at, now=at, **more)


def check_logistic(made: Arena, page: str) -> None:
    """Recompute what a duel was expected to be and what was at stake, from the page as well."""
    parameters: Any = made.system().parameters
    seats = seats_of(page, made.rating_system)
    if len(seats) > 2:
        return
    for seat in seats:
        lead = seat.terms["strength"] - seat.terms["opposition"]
        expected = 1 / (1 + math.exp(-lead / parameters.T))
        assert seat.terms["expected"] == pytest.approx(expected, abs=4e-4)
        if "Does not count" not in plain(page):
            stake = parameters.max_gain * counts_as(page)
            assert seat.terms["stake"] == pytest.approx(stake, rel=1e-3)


@pytest.mark.parametrize("system", ["fermi", "codeforces", "glicko", "elo-mmr", "laurel", "bar"])
def test_so_does_every_change_of_a_free_for_all(
    system: str, alice: Player, bob: Player, charlie: Player, dora: Player, olga: Player
) -> None:
    made = arena("melee", rating_system=system, format=Format.FREE_FOR_ALL, sides_max=5)
    for number, order in enumerate(([alice, bob, charlie, dora], [dora, alice, bob])):
        sides = [side(place, None, one) for place, one in enumerate(order)]
        at = NOW + number * timedelta(hours=30)
        check_changes(system, entered(made, sides, user_of(olga), at, weight=1.5))


@pytest.mark.parametrize("options", OPTIONS["ladder"])
def test_ranks_are_dealt_as_the_page_says(
    options: dict[str, Any], alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    made = arena("rungs", rating_system="ladder", rating_parameters=options)
    for number, (winner, loser) in enumerate(
        [(alice, bob), (charlie, bob), (charlie, alice), (bob, charlie), (bob, alice)]
    ):
        at = NOW + number * timedelta(hours=30)
        match = entered(made, [side(0, None, winner), side(1, None, loser)], user_of(olga), at)
        seats = seats_of(Client().get(match.get_absolute_url()).content.decode(), "ladder")
        ranks = sorted(seat.before for seat in seats)
        reach = seats[0].terms.get("reach", math.inf)
        for seat in seats:
            exchanged = ranks[1] - ranks[0] <= reach
            foreseen = ranks[round(seat.terms["finish"]) - 1] if exchanged else seat.before
            assert seat.after == foreseen
            assert seat.terms["change"] == foreseen - seat.before


@pytest.mark.parametrize(
    "display",
    [
        {"scale": "scaled", "factor": 100, "offset": 1000},
        {"scale": "fixed-range"},
        {"scale": "floored", "factor": 10, "lowest": 0},
    ],
)
def test_the_calculation_fits_whatever_an_arena_shows(
    display: dict[str, Any], alice: Player, bob: Player, olga: Player
) -> None:
    made = arena("shown", rating_system="fermi", display=display)
    match = entered(made, [side(0, None, alice), side(1, None, bob)], user_of(olga), NOW)
    page = Client().get(match.get_absolute_url()).content.decode()
    for seat in seats_of(page, "fermi"):
        foreseen = FORMULAS["fermi"](seat.terms, seat.before)
        assert foreseen == pytest.approx(seat.terms["change"], abs=0.01)
        if display["scale"] == "scaled":
            assert foreseen == pytest.approx(seat.change)
        else:
            raw = re.search(r"ratings themselves, ([−\d.]+) before and ([−\d.]+) after", seat.text)
            assert raw
            assert foreseen == pytest.approx(read(raw[2]) - read(raw[1]))


def test_an_anchor_and_a_cap_are_named(
    alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    made = arena("capped", rating_system="glicko-2", rating_parameters={"rating_max_change": 20})
    season = made.seasons.get()
    season.anchors = [alice.pk]
    season.save()
    sides = [side(0, None, bob), side(1, None, alice)]
    page = words(Client().get(entered(made, sides, user_of(olga), NOW).get_absolute_url()))
    assert "An anchor: this rating is held fixed." in page
    assert "A match moves a rating by 20 points at most." in page
    what_if = words(Client().get("/arenas/capped/what-if/?sides=Bob&sides=Charlie"))
    assert "A match moves a rating by 20 points at most." in what_if
