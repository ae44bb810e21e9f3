"""Glicko-2 with a rating for each profession beside the core rating."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.history import History, Match, Participant, Side
from ratings.professions import key, keys
from ratings.replay import replay
from ratings.systems.glicko2.system import Glicko2
from ratings.types import States
from tests.support.effort import examples
from tests.support.published import published
from tests.support.rating_histories import DAY, bits

PLAYERS = ["Alice", "Bob", "Charlie", "Dora", "Eve"]
PROFESSIONS = ["", "Ranger", "Monk", "Thief"]
RANGER, MONK, THIEF = (key(name) for name in PROFESSIONS[1:])


def glicko2(ratio: float, **parameters: object) -> Glicko2:
    system = published("glicko-2:gw2", {"rating_profession_ratio": ratio, **parameters})
    assert isinstance(system, Glicko2)
    return system


def match(*sides: list[tuple[str, str]], at: int = 0, number: int = 0) -> Match:
    """Build a match of sides of ``(player, profession)``, best side first."""
    return Match(
        str(number),
        at,
        [
            Side(place, [Participant(player, profession=played) for player, played in side])
            for place, side in enumerate(sides)
        ],
    )


def random_matches(seed: int, count: int, professions: list[str]) -> list[Match]:
    rng = np.random.default_rng(seed)
    at, played = 0, []
    for number in range(count):
        at += int(rng.integers(0, 9 * DAY))
        size = int(rng.integers(1, 3))
        names = rng.permutation(PLAYERS)[: 2 * size].tolist()
        played.append(
            match(
                *[
                    [(name, str(rng.choice(professions))) for name in side]
                    for side in (names[:size], names[size:])
                ],
                at=at,
                number=number,
            )
        )
    return played


def test_a_profession_has_the_same_key_in_any_history() -> None:
    assert key("") == 0
    assert len({RANGER, MONK, THIEF, 0}) == 4
    assert keys(["", "Monk", "Ranger"]).tolist() == [0, MONK, RANGER]
    assert max(RANGER, MONK, THIEF) <= 2**48


@pytest.mark.parametrize("update", ["match", "period"])
def test_at_ratio_0_profession_ratings_are_kept_and_the_core_has_the_same_bits(update: str) -> None:
    played = History.build(random_matches(1, 60, PROFESSIONS))
    system, without = (glicko2(0, update=update, profession_ratings=kept) for kept in (True, False))
    kept, plain = (replay(one, played).states for one in (system, without))
    for column in ("rating", "deviation", "volatility", "games", "last_played"):
        assert getattr(kept, column).tobytes() == getattr(plain, column).tobytes(), column
    core = plain.memory.shape[-1]
    assert kept.memory[:, :core].tobytes() == plain.memory.tobytes()
    assert set(system.professions(kept, 0)) == {RANGER, MONK, THIEF}
    assert len({one.rating for one in system.professions(kept, 0).values()}) == 3
    assert without.professions(plain, 0) == {}


def test_at_ratio_0_a_match_without_professions_keeps_the_ratings_for_them() -> None:
    system = glicko2(0)
    first = match([("Alice", "Monk")], [("Bob", "Thief")])
    then = match([("Alice", "")], [("Bob", "")], at=DAY, number=1)
    one, both = (
        replay(system, History.build(played)).states for played in ([first], [first, then])
    )
    assert system.professions(both, 0) == system.professions(one, 0)
    assert system.professions(both, 0).keys() == {MONK}
    assert both.rating[0] > one.rating[0]


def test_at_ratio_0_a_profession_rating_is_that_of_matches_with_it_against_the_core() -> None:
    """In her first match Alice meets Bob's core, whichever profession she plays."""
    system = glicko2(0)
    states = replay(system, History.build([match([("Alice", "Monk")], [("Bob", "Thief")])])).states
    mine = system.professions(states, 0)[MONK]
    assert (mine.rating, mine.deviation) == (states.rating[0], states.deviation[0])


@pytest.mark.parametrize("ratio", [0.3, 1.0])
@pytest.mark.parametrize("update", ["match", "period"])
def test_if_everyone_plays_one_profession_all_ratings_equal_the_plain_one(
    ratio: float, update: str
) -> None:
    history = History.build(random_matches(2, 60, ["Ranger"]))
    plain = replay(glicko2(0, update=update), history).states
    system = glicko2(ratio, update=update)
    states = replay(system, history).states
    np.testing.assert_allclose(states.rating, plain.rating, rtol=1e-12)
    np.testing.assert_allclose(states.deviation, plain.deviation, rtol=1e-12)
    for player in range(len(history.players)):
        (ranger,) = system.professions(states, player).values()
        assert ranger.rating == pytest.approx(plain.rating[player], rel=1e-12)
        assert ranger.deviation == pytest.approx(plain.deviation[player], rel=1e-12)
        assert ranger.volatility == pytest.approx(plain.volatility[player], rel=1e-9)


def test_without_professions_the_ratio_has_no_effect() -> None:
    history = History.build(random_matches(3, 40, [""]))
    assert bits(replay(glicko2(0.5), history).states) == bits(replay(glicko2(0), history).states)


def test_professions_of_others_do_not_change_a_bit_of_those_who_played_none() -> None:
    """Alone, a blend of equal ratings could be left out; it differs from them in the last bit."""
    system = glicko2(0.1)
    duels = [match([("Alice", "")], [("Bob", "")], at=at * DAY, number=at) for at in range(1, 9)]
    others = match([("Charlie", "Monk")], [("Dora", "Thief")])
    alone = replay(system, History.build(duels, players=PLAYERS)).states
    among = replay(system, History.build([others, *duels], players=PLAYERS)).states
    for name in ("rating", "deviation", "volatility"):
        assert getattr(alone, name)[:2].tolist() == getattr(among, name)[:2].tolist()


def test_a_duel_of_professions_uses_the_blend_of_the_opponents_ratings() -> None:
    """By hand: ratings of 1200 (core) and 1500 (profession) count as 1350 at ratio ½."""
    system = glicko2(0.5, rating_max_change=100_000)
    states = system.newcomers(2)
    states.rating[:] = [1400.0, 1200.0]
    states.deviation[:] = [100.0, 60.0]
    states.memory = np.array([[RANGER, 1700.0, 200.0, 0.05, 0.0], [MONK, 1500.0, 80.0, 0.07, 0.0]])
    states.last_played[:] = 0
    history = History.build([match([("Alice", "Ranger")], [("Bob", "Monk")])])
    after = replay(system, history, states).states

    plain = published("glicko-2:gw2", {"rating_max_change": 100_000})
    for own, deviation, volatility, got in (
        (1400.0, 100.0, 0.06, (after.rating[0], after.deviation[0])),
        (1700.0, 200.0, 0.05, tuple(after.memory[0, 1:3])),
    ):
        duel = plain.newcomers(2)
        duel.rating[:] = [own, 1350.0]
        duel.deviation[:] = [deviation, 70.0]
        duel.volatility[:] = [volatility, 0.06]
        alone = replay(plain, history, duel).states
        assert got == pytest.approx((alone.rating[0], alone.deviation[0]), rel=1e-13)


def test_effective_ratings_go_from_the_core_to_the_profession() -> None:
    states = States.full(3, rating=1000.0, deviation=100.0, volatility=0.06)
    states.memory = np.tile([RANGER, 2000.0, 50.0, 0.06, 0.0], (3, 1))
    played = np.array([RANGER, MONK, 0])
    blends = [glicko2(ratio).effective(states, played) for ratio in (0, 0.25, 1)]
    assert [state.rating.tolist() for state in blends] == [
        [1000, 1000, 1000],
        [1250, 1050, 1000],
        [2000, 1200, 1000],
    ]
    assert blends[1].deviation.tolist() == [87.5, 162.5, 100]


def test_a_players_professions_settle_at_their_own_strengths() -> None:
    """Alice is 300 points stronger as a Ranger than as a Monk. Bob is in the middle with both."""
    rng = np.random.default_rng(9)
    played = []
    for number in range(3000):
        profession, strength = [("Ranger", 1350.0), ("Monk", 1050.0)][rng.integers(2)]
        wins = rng.random() < 1 / (1 + 10 ** ((1200.0 - strength) / 400))
        sides = [[("Alice", profession)], [("Bob", "Thief")]]
        played.append(match(*(sides if wins else sides[::-1]), at=number, number=number))
    history = History.build(played, players=["Alice", "Bob"])
    for ratio in (0.2, 0.8):
        system = glicko2(ratio)
        states = system.newcomers(2)
        ratings = []
        for start in range(0, 3000, 50):
            states = replay(system, history.part(start, start + 50), states).states
            alice = system.professions(states, 0)
            ratings.append([alice[RANGER].rating, states.rating[0], alice[MONK].rating])
        ranger, core, monk = np.mean(ratings[10:], axis=0)
        assert ranger - monk == pytest.approx(300, abs=60)
        assert core == pytest.approx((ranger + monk) / 2, abs=60)


def test_the_deviation_of_an_unplayed_profession_grows_on_its_own() -> None:
    system = glicko2(1.0)
    daily = [
        match([("Alice", "Ranger")], [("Bob", "Monk")], at=day * DAY, number=day)
        for day in range(20)
    ]
    last = match([("Alice", "Thief")], [("Bob", "Monk")], at=60 * DAY, number=99)
    again = match([("Alice", "Ranger")], [("Bob", "Monk")], at=61 * DAY, number=100)
    history = History.build([*daily, last, again])
    replayed = replay(system, history)
    before = system.professions(replay(system, history.part(0, 21)).states, 0)
    after = system.professions(replayed.states, 0)
    assert after[THIEF] == before[THIEF]
    assert after[RANGER].deviation > 1.3 * before[RANGER].deviation


@settings(max_examples=examples(10), deadline=None)
@given(
    seed=st.integers(0, 10_000),
    count=st.integers(1, 25),
    update=st.sampled_from(["match", "period"]),
)
def test_matches_rated_one_by_one_give_the_same_bits_as_the_whole(
    seed: int, count: int, update: str
) -> None:
    """Each match is its own history, which numbers the professions from the start."""
    system = glicko2(0.4, update=update)
    played = random_matches(seed, count, PROFESSIONS)
    states = system.newcomers(len(PLAYERS))
    for one in played:
        states = replay(system, History.build([one], players=PLAYERS), states).states
    whole = replay(system, History.build(played, players=PLAYERS)).states
    assert bits(states) == bits(whole)
    for player, row in enumerate(whole.memory):
        kept = ~np.isnan(row)
        assert kept[: kept.sum()].all(), "no gap in what is kept"
        for rating in system.professions(whole, player).values():
            assert all(math.isfinite(number) for number in vars(rating).values())
