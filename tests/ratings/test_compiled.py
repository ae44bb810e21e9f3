"""Histories rated in compiled code, against the same replay with NumPy."""

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
import scipy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ratings import compiled
from ratings.compiled.numpy_loops import NumpyLoop, keep, numpy_loop, place_of, value
from ratings.history import History
from ratings.registry import build
from ratings.replay import final_states
from ratings.system import UnsupportedMatch
from ratings.systems.trueskill.system import LEAST_LEFT
from ratings.types import Floats
from tests.support.compiled_code import ELO_MMR, by_numpy, history_of, in_compiled_code
from tests.support.effort import examples
from tests.support.rating_histories import bits, contest, histories, random_duels

pytestmark = pytest.mark.slow

PARAMETERS: dict[str, list[dict[str, object]]] = {
    "glicko-2": [
        {},
        {"deviation_period": "1h", "deviation_max": 900, "first_side": 90, "margin": "clear"},
        {"volatility_system_constant": 2.7, "volatility_max": 1, "volatility_min": 0.001},
        {"deviation_growth": "volatility", "deviation_period": "1h", "volatility_max": 0.7},
        {"rating_max_change": 9, "rating_min": 1190, "rating_max": 1230, "deviation_min": 349},
        {"volatility_system_constant": 0.01, "deviation_default": 1, "deviation_min": 1},
    ],
    "bar": [
        {},
        {"beta": 1, "drift": 0, "kappa": 0.9, "first_side": -70, "margin": "goals"},
        {"initial_deviation": 9000, "beta": 0.001, "margin": "log"},
    ],
    "trueskill": [
        {},
        {"draw_probability": 0.2, "empty_seat": 300, "first_side": 50, "margin": "clear"},
        {"draw_probability": 0.9, "beta": 1, "drift": 0, "initial_deviation": 900},
        {"draw_probability": 0.00001, "beta": 3000, "initial_deviation": 1},
    ],
    "elo-mmr": ELO_MMR,
}
CASES = [(name, some) for name, all_of in PARAMETERS.items() for some in all_of]


@pytest.fixture(autouse=True)
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "FEWEST", 1)
    monkeypatch.setattr(compiled, "FEWEST_STARTED", 1)


def duels(sizes: Sequence[int]) -> bool:
    return tuple(sizes) == (1, 1)


@pytest.mark.parametrize(("name", "chosen"), CASES)
@settings(
    max_examples=examples(15),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_duels_get_the_same_bits(name: str, chosen: dict[str, object], data: st.DataObject) -> None:
    system = build(name, chosen)
    played = data.draw(histories(most=30, rates=duels))
    history = history_of(played, data.draw(st.lists(st.integers(0, 30), max_size=4)))
    if len(history):
        assert bits(in_compiled_code(system, history)) == bits(by_numpy(system, history))


@pytest.mark.parametrize("sizes", [(1, 2), (3, 1), (2, 2), (3, 3)])
@pytest.mark.parametrize(
    ("name", "chosen"), [(name, chosen) for name, chosen in CASES if name in ("bar", "trueskill")]
)
@settings(
    max_examples=examples(6),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_teams_get_the_same_bits(
    sizes: tuple[int, int], name: str, chosen: dict[str, object], data: st.DataObject
) -> None:
    system = build(name, chosen)
    played = data.draw(histories(most=30, rates=lambda some: tuple(some) == sizes))
    history = history_of(played, [2])
    if len(history):
        assert bits(in_compiled_code(system, history)) == bits(by_numpy(system, history))


@pytest.fixture(scope="module")
def from_the_files() -> list[str]:
    """Return what another process prints that rates with each system, whose code is in a file."""
    for name in PARAMETERS:
        in_compiled_code(build(name), random_duels(300, 9))
    program = (
        "from ratings import compiled; compiled.FEWEST = 1\n"
        "from ratings.registry import build; from tests.support.rating_histories import *\n"
        f"for name in {list(PARAMETERS)}:\n"
        "    system, history = build(name), random_duels(300, 9)\n"
        "    table = system.newcomers(9)\n"
        "    print(compiled.rate_all(system, history, table), bits(table))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return ran.stdout.splitlines()


@pytest.mark.parametrize("name", list(PARAMETERS))
def test_code_from_the_file_gets_the_same_bits(name: str, from_the_files: list[str]) -> None:
    """Another process does not compile again. What it loads must work, too."""
    rated = in_compiled_code(build(name), random_duels(300, 9))
    assert dict(zip(PARAMETERS, from_the_files, strict=True))[name] == f"True {bits(rated)}"


@pytest.mark.parametrize("name", ["bar", "trueskill"])
@pytest.mark.parametrize("size", [4, 5, 6, 7])
def test_sides_are_added_up_as_numpy_adds(size: int, name: str) -> None:
    rng = np.random.default_rng(size)
    names = [f"player {number}" for number in range(30)]
    played = []
    for at in range(200):
        of_match = rng.permutation(names)[: 2 * size].tolist()
        played.append(contest(of_match[:size], of_match[size:], at=at, match_id=str(at)))
    history = History.build(played)
    system = build(name, {"first_side": 33.3})
    assert bits(in_compiled_code(system, history)) == bits(by_numpy(system, history))


@pytest.mark.parametrize(("name", "chosen"), CASES)
def test_long_histories_get_the_same_bits(name: str, chosen: dict[str, object]) -> None:
    system = build(name, chosen)
    for players, count in ((7, examples(1_000, 4_000)), (300, 4_000)):
        history = random_duels(count, players)
        history = replace(history, first=np.arange(count) % 3 - 1)
        assert bits(final_states(system, history)) == bits(by_numpy(system, history))


@pytest.mark.parametrize(("name", "chosen"), CASES)
def test_parts_get_the_same_bits_as_the_whole(
    monkeypatch: pytest.MonkeyPatch, name: str, chosen: dict[str, object]
) -> None:
    system, history = build(name, chosen), random_duels(500, 20)
    whole = final_states(system, history)
    monkeypatch.setattr(compiled, "PART", 99)
    rated: list[int] = []
    assert bits(final_states(system, history, progress=rated.append)) == bits(whole)
    assert rated == [99] * 5 + [5]
    first = final_states(system, history.part(0, 321))
    assert bits(final_states(system, history.part(321, 500), first)) == bits(whole)


def test_surprises_that_need_glickmans_own_method_get_the_same_bits() -> None:
    """Volatile players who lose to far weaker ones, and steady ones after a whole year."""
    system = build(
        "glicko-2",
        {"volatility_default": 1, "volatility_max": 1, "volatility_system_constant": 3,
         "deviation_default": 30, "rating_max_change": 100_000},
    )  # fmt: skip
    history = random_duels(2_000, 30)
    states = system.newcomers(30)
    states.rating = np.linspace(-20_000.0, 20_000.0, 30)
    states.volatility = np.geomspace(0.04, 1.0, 30)
    assert bits(in_compiled_code(system, history, states)) == bits(
        by_numpy(system, history, states)
    )


def test_times_played_get_the_same_bits() -> None:
    history = random_duels(1_000, 20)
    seconds = np.random.default_rng(8).choice([0.0, 1.0, 90.0, 600.0, np.nan], 2_000)
    system = build("trueskill", {"draw_probability": 0.2})
    rated = in_compiled_code(system, replace(history, seconds=seconds))
    assert bits(rated) == bits(by_numpy(system, replace(history, seconds=seconds)))
    assert bits(rated) != bits(by_numpy(system, history))


@pytest.mark.parametrize(
    ("name", "chosen", "sides"),
    [
        ("glicko-2", {"update": "period"}, [["A"], ["B"]]),
        ("glicko-2", {"rating_profession_ratio": 0.5}, [["A"], ["B"]]),
        ("glicko-2", {}, [["A", "B"], ["C", "D"]]),
        ("glicko-2", {}, [["A"], ["B"], ["C"]]),
        ("bar", {}, [["A"], ["B"], ["C"]]),
        ("bar", {}, [list("ABCDEFGH"), ["I"]]),
        ("trueskill", {}, [["A"], ["B"], ["C"]]),
        ("trueskill", {}, [["A"], list("BCDEFGHI")]),
        ("bar", {"ignore_all_tied": True}, [["A"], ["B"]]),
        ("elo", {}, [["A"], ["B"]]),
        ("elo-mmr", {}, [["A", "B"], ["C"]]),
        ("elo-mmr", {}, [[name] for name in "ABCDEFGHIJKLMNOPQ"]),
        ("elo-mmr", {"rho": 0.5}, [["A"], ["B"]]),
        ("elo-mmr", {"first_side": 30}, [["A"], ["B"]]),
    ],
)
def test_numpy_rates_what_has_no_compiled_loop(
    name: str, chosen: dict[str, object], sides: list[list[str]]
) -> None:
    system, history = build(name, chosen), History.build([contest(*sides)])
    table = system.newcomers(len(history.players))
    assert not compiled.rate_all(system, history, table)
    assert (table.games == 0).all()
    assert (final_states(system, history).games == 1).all()


def test_numpy_rates_anchors_professions_and_different_matches() -> None:
    history = random_duels(10, 4)
    system = build("glicko-2")
    table = system.newcomers(4)
    assert not compiled.rate_all(system.with_anchors(["player 1"]), history, table)
    with_one = replace(history, professions=["", "Thief"], profession=np.arange(20) % 2)
    assert not compiled.rate_all(system, with_one, table)
    mixed = History.build([contest(["A"], ["B"]), contest(["A"], ["C", "D"], match_id="2")])
    assert not compiled.rate_all(build("bar"), mixed, build("bar").newcomers(4))
    assert (table.games == 0).all()


def test_few_matches_are_left_to_numpy_until_the_loop_has_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system, history = build("bar"), random_duels(100, 9)
    monkeypatch.setattr(compiled, "_started", set())
    monkeypatch.setattr(compiled, "FEWEST", 201)
    monkeypatch.setattr(compiled, "FEWEST_STARTED", 200)
    assert not compiled.rate_all(system, history, system.newcomers(9))
    assert compiled.start(system, (3, 2))
    assert compiled.rate_all(system, history, system.newcomers(9))
    assert not compiled.rate_all(system, history.part(0, 99), system.newcomers(9))
    assert not compiled.start(build("elo"))


def test_numpy_rates_everything_without_numba_or_with_one_that_does_not_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system, history = build("glicko-2"), random_duels(100, 9)
    rated = final_states(system, history)
    with monkeypatch.context() as patch:
        patch.setattr(compiled, "INSTALLED", False)
        assert not compiled.rate_all(system, history, system.newcomers(9))
        assert bits(final_states(system, history)) == bits(rated)
    for module in ("numpy_loops", "blocks"):
        monkeypatch.delitem(sys.modules, f"ratings.compiled.{module}")
    monkeypatch.delitem(sys.modules, "ratings.systems.glicko2.compiled")
    monkeypatch.setitem(sys.modules, "numba", None)
    assert not compiled.rate_all(system, history, system.newcomers(9))
    assert bits(final_states(system, history)) == bits(rated)


def test_numba_that_compiles_nothing_is_not_used() -> None:
    told = "import ratings.compiled.numpy_loops"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", told], env=environment, capture_output=True, text=True, check=False
    )
    assert "ImportError: Numba compiles nothing, as NUMBA_DISABLE_JIT is set" in ran.stderr


@pytest.mark.parametrize(("name", "chosen"), CASES)
@pytest.mark.parametrize("margin", ["none", "clear", "goals", "log"])
def test_tiny_weights_and_margins_get_the_same_bits(
    name: str, chosen: dict[str, object], margin: str
) -> None:
    """A match of negligible weight counts for nothing; one made so by its margin still counts."""
    rng, count = np.random.default_rng(4), examples(200, 600)
    history = replace(
        random_duels(count, 12),
        weights=rng.choice([0.0, 5e-324, 1e-6, 1.0000001e-6, 1.5e-6, 1.0, 1e9], count),
        scores=rng.choice([0.3, 0.1 + 0.2, 1.0, 1.0000001, 9.0, 100.0, np.nan], 2 * count),
    )
    system = build(name, {**chosen, "margin": margin})
    assert bits(in_compiled_code(system, history)) == bits(by_numpy(system, history))


def test_a_deviation_never_shrinks_to_nothing_in_one_match() -> None:
    """A draw with somebody well known says so much that nothing would be left in doubles."""
    system = build("trueskill", {"draw_probability": 0.00001, "beta": 1, "drift": 0})
    history = history_of([contest(["a"], ["b"], places=[0, 0])], [])
    states = replace(system.newcomers(2), deviation=np.array([1e9, 1.0]))
    rated = in_compiled_code(system, history, states)
    assert bits(rated) == bits(by_numpy(system, history, states))
    assert rated.deviation[0] == np.sqrt(1e18 * LEAST_LEFT)


@pytest.mark.parametrize("name", list(PARAMETERS))
def test_any_kind_of_arrays_gets_the_same_bits(name: str) -> None:
    system, history = build(name), random_duels(300, 9)
    rated = bits(in_compiled_code(system, history))
    times = history.times.copy()
    times.flags.writeable = False
    other = replace(
        history,
        times=times,
        weights=np.repeat(history.weights, 2)[::2],
        places=history.places.astype(np.int32),
        scores=history.scores.astype(">f8"),
    )
    assert bits(in_compiled_code(system, other)) == rated
    states = system.newcomers(9)
    states.rating = states.rating.astype(np.float32)
    assert not compiled.rate_all(system, history, states)


def test_a_player_on_both_sides_is_refused() -> None:
    history = random_duels(10, 4)
    player = history.player.copy()
    player[15] = player[14]
    for name in PARAMETERS:
        system = build(name)
        with pytest.raises(ValueError, match="twice in a match"):
            compiled.rate_all(system, replace(history, player=player), system.newcomers(4))


def test_scipy_that_raises_errors_is_left_to_numpy() -> None:
    system, history = build("trueskill"), random_duels(10, 4)
    with scipy.special.errstate(all="raise"):
        assert not compiled.rate_all(system, history, system.newcomers(4))


@pytest.mark.parametrize("code", [-1, 4, 10**12])
def test_players_outside_the_table_are_left_to_numpy(code: int) -> None:
    system, history = build("glicko-2"), random_duels(10, 4)
    player = history.player.copy()
    player[7] = code
    assert not compiled.rate_all(system, replace(history, player=player), system.newcomers(4))


def test_what_the_system_cannot_rate_is_refused_before_anything_is_rated() -> None:
    system, history = build("glicko-2"), random_duels(10, 4)
    ceilings = np.full(10, np.inf)
    ceilings[-1] = 1500.0
    table = system.newcomers(4)
    with pytest.raises(UnsupportedMatch, match="no performance ceiling"):
        compiled.rate_all(system, replace(history, perf_ceilings=ceilings), table)
    assert (table.games == 0).all()


def test_code_is_compiled_again_where_no_file_can_be_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("numba.core.caching.CacheImpl._locator_classes", [])
        assert keep(abs_difference)(3.0, 5.0) == 2.0
    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile.save", full)
    assert keep(abs_difference)(3.0, 5.0) == 2.0


def abs_difference(one: float, other: float) -> float:
    return abs(one - other)


@keep
def each(loop: NumpyLoop, numbers: Floats) -> Floats:
    return np.array([value(loop, number) for number in numbers])


@pytest.mark.parametrize("function", [np.exp, np.log, np.tanh, scipy.special.erfcx])
def test_compiled_code_calls_the_functions_of_numpy_and_scipy(function: np.ufunc) -> None:
    numbers = np.random.default_rng(5).uniform(1e-9, 700.0, 10_000)
    assert each(numpy_loop(place_of(function)), numbers).tobytes() == function(numbers).tobytes()
