"""Conformance tests that every registered rating system passes.

Those of ``any_parameters`` draw a system's parameters from its declarations, or take its defaults.
The others are about the defaults: how much a result matters depends on the parameters.
"""

import itertools
import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.history import History
from ratings.registry import SYSTEMS, build
from ratings.replay import final_states, replay
from ratings.system import RatingSystem, UnsupportedMatch
from ratings.tunables.declarations import declarations
from ratings.types import NEVER, Floats, States
from tests.support.drawn_parameters import Promise, anything, systems
from tests.support.effort import examples
from tests.support.rating_histories import (
    all_bits,
    batch_of,
    bits,
    contest,
    histories,
    matches,
    random_duels,
    states_of,
)
from tests.support.system_properties import properties_of, shape_of


@pytest.fixture
def chance() -> np.random.Generator:
    """The same numbers for each test, in whatever order they run."""
    return np.random.default_rng(20)


every_system = pytest.mark.parametrize("name", list(SYSTEMS))
Check = Callable[[RatingSystem, st.DataObject], None]

ONLY_FOR: dict[str, dict[str, Promise]] = {
    # Neighbours tie as they are listed, as the parameter says.
    "listing": {"trueskill": lambda drawn: drawn.get("ties") != "neighbours"},
    # With a wide draw margin, sharing a place can be worth less than having a worse one alone.
    "places": {"trueskill": lambda drawn: not drawn.keys() & {"beta", "eps", "draw_probability"}},
}
"""Parameters with which systems promise what some checks are about."""


def any_parameters(few: int, promises: str = "") -> Callable[[Check], Callable[..., None]]:
    """Let a check of a system and data be a test of every system with ``few`` drawn parameters."""

    def decorated(check: Check) -> Callable[..., None]:
        @every_system
        @settings(max_examples=examples(few), deadline=None)
        @given(data=st.data())
        def test(name: str, data: st.DataObject) -> None:
            promise = ONLY_FOR.get(promises, {}).get(name, anything)
            check(data.draw(systems(name, promise)), data)

        test.__name__, test.__doc__ = check.__name__, check.__doc__
        vars(test)["any_parameters"] = check
        made: Callable[..., None] = test
        return made

    return decorated


def shapes_of(system: RatingSystem, *shapes: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return those of these shapes that the system rates."""
    return [sizes for sizes in shapes if properties_of(system.name).rates(sizes)]


def states_with(system: RatingSystem, ratings: Floats) -> States:
    """Return players with these ratings who are otherwise as uncertain as newcomers."""
    newcomer = system.newcomers(1)
    return states_of(ratings, float(newcomer.deviation[0]), float(newcomer.volatility[0]))


def every_system_with(*shapes: tuple[int, ...], that: str = "") -> pytest.MarkDecorator:
    """Parametrize every system (with this property) with each of these shapes that it rates."""
    return pytest.mark.parametrize(
        ("name", "sizes"),
        [
            (name, sizes)
            for name in SYSTEMS
            for sizes in shapes
            if properties_of(name).rates(sizes) and (not that or getattr(properties_of(name), that))
        ],
    )


@any_parameters(10)
def test_a_history_rated_in_parts_gives_the_same_bits_as_at_once(
    system: RatingSystem, data: st.DataObject
) -> None:
    played = data.draw(histories(rates=properties_of(system.name).rates))
    cuts = data.draw(st.lists(st.integers(0, 12), max_size=3))
    history = History.build(played)
    whole = replay(system, history)

    edges = sorted({0, len(played), *(min(cut, len(played)) for cut in cuts)})
    states = system.newcomers(len(history.players))
    terms: dict[str, list[str]] = {term: [] for term in whole.terms}
    before, after = States.full(0), States.full(0)
    for start, stop in itertools.pairwise(edges):
        portion = replay(system, history.part(start, stop), states)
        states = portion.states
        before, after = before.joined_by(portion.before), after.joined_by(portion.after)
        for term, values in portion.terms.items():
            terms[term] += [number.hex() for number in values.tolist()]

    assert [bits(states), bits(before), bits(after), terms] == all_bits(whole)


@every_system
def test_a_thousand_matches_give_the_same_bits_at_once_and_one_by_one(name: str) -> None:
    system = build(name)
    history = random_duels(1000, players=400)
    states = system.newcomers(400)
    for number in range(len(history)):
        states = replay(system, history.part(number, number + 1), states).states
    assert bits(replay(system, history).states) == bits(states)
    assert bits(final_states(system, history)) == bits(states)


@any_parameters(5)
def test_a_match_gives_the_same_bits_alone_and_in_a_batch(
    system: RatingSystem, data: st.DataObject
) -> None:
    chance = np.random.default_rng(data.draw(st.integers(0, 99)))
    for sizes in shapes_of(system, (1, 1), (5, 5), (1, 1, 1, 1, 1), (2, 3), (1, 2, 1)):
        places = chance.integers(0, 3, (11, len(sizes))).tolist()
        states = states_with(system, chance.uniform(800, 2200, (11, sum(sizes))))
        together = system.rate(states, batch_of(sizes, places))
        for row in range(11):
            one = slice(row, row + 1)
            alone = system.rate(states.take(one), batch_of(sizes, places[one]))
            assert bits(alone.after) == bits(together.after.take(one))
            for term, values in alone.terms.items():
                assert values.tobytes() == together.terms[term][one].tobytes(), term


@any_parameters(12, promises="listing")
def test_the_order_of_sides_and_of_team_mates_does_not_matter(
    system: RatingSystem, data: st.DataObject
) -> None:
    played = data.draw(matches(rates=properties_of(system.name).rates))
    first = History.build([played])
    sides = data.draw(st.permutations(played.sides))
    shuffled = [
        replace(side, participants=data.draw(st.permutations(side.participants))) for side in sides
    ]
    began = None if played.first is None else sides.index(played.sides[played.first])
    second = History.build([replace(played, sides=shuffled, first=began)], players=first.players)
    states = states_with(system, np.linspace(900, 2100, len(first.players)))
    one, other = replay(system, first, states).states, replay(system, second, states).states
    np.testing.assert_allclose(one.rating, other.rating, rtol=1e-10, atol=1e-8)
    np.testing.assert_allclose(one.deviation, other.deviation, rtol=1e-9)
    np.testing.assert_allclose(one.volatility, other.volatility, rtol=1e-9)


@every_system_with((1, 1), (1, 1, 1, 1, 1))
def test_a_better_place_never_gives_a_lower_rating(
    name: str, sizes: tuple[int, ...], chance: np.random.Generator
) -> None:
    system = build(name)
    sides = len(sizes)
    best_first = -1 if system.shows.lowest_first else 1
    ratings = chance.uniform(600, 2600, (200, sides))
    got = []
    for place in range(2 * sides - 1):
        # The others have odd places. Alice takes every place above, between and below them.
        places = [[place, *range(1, 2 * sides - 2, 2)]] * 200
        after = system.rate(states_of(ratings), batch_of(sizes, places)).after
        got.append(best_first * after.rating[:, 0])
    for better, worse in itertools.pairwise(got):
        assert (better >= worse).all()
    # A ladder does not change if the highest wins or the lowest loses. In others everybody moves.
    moved = got[0] > got[-1]
    assert moved.any() if system.shows.lowest_first else moved.all()


@any_parameters(12, promises="places")
def test_a_better_place_lowers_no_rating(system: RatingSystem, data: st.DataObject) -> None:
    best_first = -1 if system.shows.lowest_first else 1
    chance = np.random.default_rng(data.draw(st.integers(0, 99)))
    for sizes in shapes_of(system, (1, 1), (1, 1, 1, 1, 1)):
        sides = len(sizes)
        states = states_with(system, chance.uniform(600, 2600, (20, sides)))
        got = []
        for place in range(2 * sides - 1):
            places = [[place, *range(1, 2 * sides - 2, 2)]] * 20
            after = system.rate(states, batch_of(sizes, places)).after
            got.append(best_first * after.rating[:, 0])
        for better, worse in itertools.pairwise(got):
            assert (better >= worse - 1e-9 * np.abs(worse)).all()


@any_parameters(20)
def test_no_state_becomes_infinite_or_undefined(system: RatingSystem, data: st.DataObject) -> None:
    sizes = data.draw(st.sampled_from(shapes_of(system, (1, 1), (3, 3), (1, 4), (1, 1, 1, 1))))
    members = sum(sizes)

    def drawn(low: float, high: float) -> list[float]:
        one = st.floats(low, high)
        values: list[float] = data.draw(st.lists(one, min_size=members, max_size=members))
        return values

    states = States.full((1, members))
    states.rating[0] = drawn(-1e6, 1e6)
    states.deviation[0] = drawn(1, 1e4)
    states.volatility[0] = drawn(1e-4, 1)
    states.last_played[0] = data.draw(st.sampled_from([NEVER, -(10**16), 0, 10**16]))
    places = [data.draw(st.lists(st.integers(0, 2), min_size=len(sizes), max_size=len(sizes)))]
    outcome = system.rate(states, batch_of(sizes, places, data.draw(st.floats(1e-9, 1e6))))
    assert np.isfinite(outcome.after.rating).all()
    if system.shows.deviation:
        assert (outcome.after.deviation > 0).all()
        assert np.isfinite(outcome.after.deviation).all()
    if system.shows.volatility:
        assert (outcome.after.volatility > 0).all()
        assert np.isfinite(outcome.after.volatility).all()
    for term in system.terms:
        assert outcome.terms[term.name].shape == (1, members)
        assert term.optional or np.isfinite(outcome.terms[term.name]).all(), term.name


@any_parameters(10)
def test_the_terms_include_the_change(system: RatingSystem, data: st.DataObject) -> None:
    played = data.draw(histories(rates=properties_of(system.name).rates))
    replayed = replay(system, History.build(played))
    change = replayed.after.rating - replayed.before.rating
    np.testing.assert_allclose(replayed.terms["change"], change, atol=1e-9)


@any_parameters(8)
def test_a_forecast_sums_to_one_in_any_order_of_sides(
    system: RatingSystem, data: st.DataObject
) -> None:
    chance = np.random.default_rng(data.draw(st.integers(0, 99)))
    for sizes in shapes_of(system, (1, 1), (2, 2), (1, 1, 1), (3, 1, 2)):
        states = states_with(system, chance.uniform(800, 2200, (20, sum(sizes))))
        states.deviation[:] = chance.uniform(30, 350, states.deviation.shape)
        forecast = system.predict(states, sizes)
        assert (forecast.win >= 0).all()
        assert (forecast.draw >= 0).all()
        np.testing.assert_allclose(forecast.win.sum(axis=-1) + forecast.draw, 1.0, rtol=1e-12)

        side_of = batch_of(sizes, [[0] * len(sizes)]).side_of
        sides = reversed(range(len(sizes)))
        backwards = np.concatenate([np.flatnonzero(side_of == side) for side in sides])
        turned = states_with(system, states.rating[:, backwards])
        turned.deviation[:] = states.deviation[:, backwards]
        again = system.predict(turned, sizes[::-1])
        assert again.win[:, ::-1].tobytes() == forecast.win.tobytes()


@every_system
def test_the_stronger_side_is_the_favourite(name: str) -> None:
    system = build(name)
    sizes = shape_of(name, (1, 1, 1), (1, 1))
    ratings = np.sort([1900.0, 1500.0, 1300.0][: len(sizes)])
    strongest_first = ratings if system.shows.lowest_first else ratings[::-1]
    states = states_of(strongest_first[None, :])
    states.volatility[:] = system.newcomers(1).volatility
    win = system.predict(states, sizes).win[0].tolist()
    assert win == sorted(win, reverse=True)
    assert len({*win, 0.0}) == len(sizes) + 1


@any_parameters(20)
def test_a_system_can_be_rebuilt_from_its_parameters(
    system: RatingSystem, data: st.DataObject
) -> None:
    del data
    stored = json.loads(json.dumps(system.parameters.to_json()))
    assert build(system.name, stored).parameters == system.parameters


@every_system
def test_every_parameter_is_fully_declared(name: str) -> None:
    for declared in declarations(SYSTEMS[name].Parameters):
        assert declared.label, declared.name
        assert len(declared.help) > len("too short to help"), declared.name
        assert declared.help.endswith("."), declared.name
        assert declared.source, declared.name
        assert declared.allowed, declared.name


@any_parameters(10)
def test_newcomers_have_no_games_and_a_complete_state(
    system: RatingSystem, data: st.DataObject
) -> None:
    states = system.newcomers(3, population=data.draw(st.integers(0, 10**6)))
    assert len(states) == 3
    assert np.isfinite(states.rating).all()
    assert states.games.tolist() == [0, 0, 0]
    assert states.last_played.tolist() == [NEVER] * 3
    assert np.isnan(states.deviation).all() != system.shows.deviation
    assert np.isnan(states.volatility).all() != system.shows.volatility


@every_system
def test_unsupported_matches_are_rejected(name: str) -> None:
    system = build(name)
    with pytest.raises(UnsupportedMatch, match="two or more sides"):
        system.check_sizes((3,))
    with pytest.raises(UnsupportedMatch, match="at least one player"):
        system.check_sizes((1, 0))
    for sizes in [(1, 1), (2, 2), (1, 3), (1, 1, 1), (2, 1, 2)]:
        if properties_of(name).rates(sizes):
            system.check_sizes(sizes)
        else:
            with pytest.raises(UnsupportedMatch, match=system.label):
                system.check_sizes(sizes)


@pytest.mark.parametrize("name", [name for name in SYSTEMS if not properties_of(name).perf_ceiling])
def test_a_performance_ceiling_is_rejected_if_the_model_has_none(name: str) -> None:
    played = contest(["Alice"], ["Charlie"])
    capped = type(played)("1", 0, played.sides, 1.0, perf_ceiling=1800.0)
    with pytest.raises(UnsupportedMatch, match="no performance ceiling"):
        replay(build(name), History.build([capped]))


@every_system_with((1, 1), (2, 2), (1, 1, 1, 1), that="translation")
def test_only_differences_of_ratings_matter(
    name: str, sizes: tuple[int, ...], chance: np.random.Generator
) -> None:
    system = build(name)
    ratings = chance.uniform(1000, 2000, (20, sum(sizes)))
    places = chance.integers(0, 2, (20, len(sizes))).tolist()
    batch = batch_of(sizes, places)
    here = system.rate(states_of(ratings), batch).after
    there = system.rate(states_of(ratings + 1024), batch).after
    np.testing.assert_allclose(there.rating - 1024, here.rating, atol=1e-9)
    np.testing.assert_allclose(there.deviation, here.deviation, rtol=1e-12)


@every_system_with((1, 1), (2, 2), (3, 1), (1, 1, 1, 1), that="scale")
def test_only_ratios_of_ratings_matter(
    name: str, sizes: tuple[int, ...], chance: np.random.Generator
) -> None:
    system = build(name)
    ratings = chance.uniform(1000, 2000, (20, sum(sizes)))
    batch = batch_of(sizes, chance.integers(0, 2, (20, len(sizes))).tolist())
    here = system.rate(states_of(ratings), batch).after
    there = system.rate(states_of(4 * ratings), batch).after
    np.testing.assert_allclose(there.rating, 4 * here.rating, rtol=1e-14)


@every_system_with((1, 1), that="bounded")
def test_the_effect_of_an_odd_result_is_limited(name: str, sizes: tuple[int, ...]) -> None:
    system = build(name)
    states = states_of(np.array([[0.0, 1e4], [0.0, 1e6]]))
    after = system.rate(states, batch_of(sizes, [[0, 1], [0, 1]])).after
    odd, odder = after.rating[:, 0].tolist()
    assert odder == pytest.approx(odd, rel=1e-3)
    assert 0 < odd < 1000


@every_system_with((1, 1), that="weights")
def test_a_heavier_match_moves_ratings_further(name: str, sizes: tuple[int, ...]) -> None:
    system = build(name)
    states = states_of(np.array([[1500.0, 1500.0]]))
    light, plain, heavy = (
        system.rate(states, batch_of(sizes, [[0, 1]], weight)).after.rating[0, 0]
        for weight in (0.5, 1.0, 2.0)
    )
    assert 1500 < light < plain < heavy
