"""The advantage of being first, in every system that has strengths."""

from dataclasses import replace

import numpy as np
import pytest

from ratings.contests.first_side import all_terms
from ratings.explain import explain, participant_terms
from ratings.history import History, HistoryError, Match
from ratings.registry import SYSTEMS, build
from ratings.replay import replay
from ratings.types import States
from tests.support.rating_histories import DAY, all_bits, bits, contest, duel

SHIFTED = [
    name
    for name, system in SYSTEMS.items()
    if "first_side" in system.Parameters.model_fields and not system.knows_first_side
]


def before(name: str, parameters: dict[str, object]) -> tuple[list[Match], States]:
    """Return a history of three players and the states after it."""
    system = build(name, parameters)
    played = [
        contest([one], [other], at=number * DAY, match_id=str(number), contexts=iter(contexts))
        for number, (one, other, contexts) in enumerate(
            [
                ("a", "b", ["clay", "grass"]),
                ("b", "c", ["clay", "clay"]),
                ("c", "a", ["", "grass"]),
                ("a", "b", ["grass", "clay"]),
            ]
        )
    ]
    return played, replay(system, History.build(played)).states


PERIODS = {"glicko-2": {"update": "period", "rating_profession_ratio": 0.5}}


@pytest.mark.parametrize("name", SHIFTED)
def test_to_the_first_side_the_other_is_weaker_by_the_advantage(name: str) -> None:
    parameters = {"first_side": 70.0, **PERIODS.get(name, {})}
    system = build(name, parameters)
    _, states = before(name, parameters)
    last = contest(["a"], ["b"], at=4 * DAY, contexts=iter(["clay", "clay"]))
    players = ["a", "b", "c"]

    def rated(first: int | None, start: States) -> States:
        history = History.build([replace(last, first=first)], players=players)
        return replay(system, history, start).states

    def raised(player: int, by: float) -> States:
        points = np.zeros(3)
        points[player] = by
        return system.raise_by(states, points)

    at_home = rated(0, states)
    for player, start in ((0, raised(1, -70.0)), (1, raised(0, 70.0))):
        alone = np.array([player])
        expected = rated(None, start).take(alone)
        assert bits(at_home.take(alone))[:5] == bits(expected)[:5]
    guests = rated(1, states)
    assert guests.rating[0] > at_home.rating[0], "a win away is worth more"
    assert guests.rating[1] < at_home.rating[1], "a defeat at home costs more"


@pytest.mark.parametrize("name", SHIFTED)
def test_it_changes_nothing_on_neutral_ground_or_without_the_parameter(name: str) -> None:
    neutral = [duel("a", "b"), duel("b", "c", at=DAY, match_id="2")]
    at_home = [replace(match, first=0) for match in neutral]
    plain = all_bits(replay(build(name), History.build(neutral)))
    on_neutral_ground = replay(build(name, {"first_side": 90}), History.build(neutral))
    terms = {**on_neutral_ground.terms}
    assert set(terms.pop("advantage").tolist()) == {0.0}
    assert all_bits(replace(on_neutral_ground, terms=terms)) == plain
    assert all_bits(replay(build(name), History.build(at_home))) == plain


def test_elo_worked_by_hand() -> None:
    """E = 1 / (1 + 10^(-100/400)) = 0.640065 at home; a win is worth 32 (1 - E) = 11.52."""
    system = build("elo", {"first_side": 100})
    home = replace(duel("a", "b"), first=0)
    found = replay(system, History.build([home])).states.rating
    assert found.tolist() == pytest.approx([1511.5179, 1488.4821], abs=1e-4)


@pytest.mark.parametrize("name", [*SHIFTED, "laurel"])
def test_an_explanation_says_what_being_first_counted(name: str) -> None:
    system = build(name, {"first_side": 70})
    matches = [
        replace(duel("a", "b"), first=0),
        replace(duel("b", "c", at=DAY, match_id="2"), first=1),
        duel("a", "c", at=2 * DAY, match_id="3"),
    ]
    history = History.build(matches)
    replayed = replay(system, history)
    found = replayed.terms["advantage"]
    known = [70.0, -70.0, -70.0, 70.0, 0.0, 0.0]
    # Laurel learns it.
    assert found.tolist() == pytest.approx(known, abs=5.0 if name == "laurel" else 0)
    said = [each.term.label for each in explain(type(system), participant_terms(replayed, 0))]
    assert said.count("First-side advantage") == 1
    assert said[-1] == "Change"
    with_it = {*replayed.terms}
    assert with_it == {term.name for term in all_terms(type(system))}
    plain = replay(build(name, {"first_side": 0}), history)
    assert ("advantage" in plain.terms) == (name == "laurel")


@pytest.mark.parametrize("name", ["elo", "fermi"])
def test_no_points_appear_or_vanish(name: str) -> None:
    system = build(name, {"first_side": 100})
    home = replace(contest(["a", "b"], ["c", "d"]), first=1)
    change = replay(system, History.build([home])).terms["change"]
    assert abs(change.sum()) < 1e-9


@pytest.mark.parametrize("sides", [(["a"], ["b"], ["c"])])
def test_only_matches_of_two_sides_have_a_first_one(sides: tuple[list[str], ...]) -> None:
    with pytest.raises(HistoryError, match="only matches of two sides have one"):
        History.build([contest(*sides, first=0)])
