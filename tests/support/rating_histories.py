"""Generated histories for tests, and bit-exact comparison of results."""

import itertools
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from hypothesis import strategies as st

from ratings.history import History, Match, Participant, Side
from ratings.replay import Replay
from ratings.types import Batch, Floats, States

DAY = 86_400_000_000
PLAYERS = ["Alice", "Bob", "Charlie", "Dora", "Eve", "Frank", "Grace", "Heidi", "Ivan"]


def duel(winner: str, loser: str, at: int = 0, match_id: str = "1") -> Match:
    return contest([winner], [loser], at=at, match_id=match_id)


def contest(
    *sides: Sequence[str],
    places: Sequence[int] | None = None,
    at: int = 0,
    match_id: str = "1",
    weight: float = 1.0,
    contexts: Iterator[str] | None = None,
    scores: Sequence[float] | None = None,
    first: int | None = None,
) -> Match:
    """Build a match of these sides, best first unless ``places`` are given."""
    contexts = contexts or itertools.repeat("")
    placed = zip(
        places or range(len(sides)),
        sides,
        scores or itertools.repeat(None, len(sides)),
        strict=True,
    )
    return Match(
        match_id=match_id,
        played_at_us=at,
        sides=[
            Side(place, [Participant(name, profession=next(contexts)) for name in names], score)
            for place, names, score in placed
        ],
        weight=weight,
        first=first,
    )


CONTEXTS = st.sampled_from(["", "", "clay", "grass"])
SHAPES = [
    sizes
    for sides in (2, 3, 4)
    for sizes in itertools.product((1, 2, 3), repeat=sides)
    if sum(sizes) <= len(PLAYERS)
]


def any_shape(sizes: Sequence[int]) -> bool:
    """Accept matches of every shape."""
    del sizes
    return True


@st.composite
def matches(
    draw: st.DrawFn,
    at: int = 0,
    number: int = 0,
    rates: Callable[[Sequence[int]], bool] = any_shape,
) -> Match:
    """Generate matches of two to four sides of one to three players, with ties and weights.

    Some have scores, professions, and a first side.

    ``rates`` selects the allowed side sizes.
    """
    sizes = draw(st.sampled_from([sizes for sizes in SHAPES if rates(sizes)]))
    names = iter(draw(st.permutations(PLAYERS)))
    return contest(
        *[[next(names) for _ in range(size)] for size in sizes],
        places=[draw(st.integers(0, 3)) for _ in sizes],
        at=at,
        match_id=str(number),
        weight=draw(st.sampled_from([1.0, 0.25, 3.0])),
        contexts=iter(draw(st.lists(CONTEXTS, min_size=len(PLAYERS), max_size=len(PLAYERS)))),
        scores=[draw(st.integers(0, 9)) for _ in sizes] if draw(st.booleans()) else None,
        first=draw(st.sampled_from([None, 0, 1])) if len(sizes) == 2 else None,
    )


@st.composite
def histories(
    draw: st.DrawFn, most: int = 12, rates: Callable[[Sequence[int]], bool] = any_shape
) -> list[Match]:
    """Generate up to ``most`` matches in order of time, minutes to years apart."""
    gaps = draw(st.lists(st.sampled_from([0, 60_000_000, 4 * DAY, 800 * DAY]), max_size=most))
    at = 1_600_000_000_000_000
    played = []
    for number, gap in enumerate(gaps):
        at += gap
        played.append(draw(matches(at=at, number=number, rates=rates)))
    return played


def random_duels(count: int, players: int, seed: int = 7) -> History:
    rng = np.random.default_rng(seed)
    first = rng.integers(0, players, count)
    second = (first + rng.integers(1, players, count)) % players
    times = np.cumsum(rng.integers(0, DAY, count))
    return History.duels(
        [f"player {number}" for number in range(players)],
        times,
        first,
        second,
        draws=rng.random(count) < 0.2,
    )


def states_of(ratings: Floats, deviation: float = 90.0, volatility: float = 0.06) -> States:
    states = States.full(ratings.shape, deviation=deviation, volatility=volatility)
    states.rating[:] = ratings
    return states


def batch_of(
    sizes: tuple[int, ...],
    places: Sequence[Sequence[int]],
    weight: float = 1.0,
    scores: Sequence[Sequence[float]] | None = None,
) -> Batch:
    """Build matches of these sizes and places, with players numbered from 0 match by match."""
    count, members = len(places), sum(sizes)
    return Batch(
        sizes=sizes,
        players=np.arange(count * members).reshape(count, members),
        places=np.array(places, dtype=np.int64),
        scores=np.full((count, len(sizes)), np.nan) if scores is None else np.array(scores),
        seconds=np.full((count, members), np.nan),
        quits=np.zeros((count, members), dtype=np.bool_),
        professions=np.zeros((count, members), dtype=np.int64),
        times=np.zeros(count, dtype=np.int64),
        weights=np.full(count, weight),
        perf_ceilings=np.full(count, np.inf),
    )


def bits(states: States) -> list[list[str]]:
    """Return every number of the states, to the last bit."""
    return [
        [number.hex() for number in states.rating.ravel().tolist()],
        [number.hex() for number in states.deviation.ravel().tolist()],
        [number.hex() for number in states.volatility.ravel().tolist()],
        [str(number) for number in states.games.ravel().tolist()],
        [str(number) for number in states.last_played.ravel().tolist()],
        [number.hex() for number in states.memory[~np.isnan(states.memory)].tolist()],
    ]


def all_bits(replayed: Replay) -> list[object]:
    """Return every number of a replay, to the last bit."""
    terms = {
        name: [number.hex() for number in values.tolist()]
        for name, values in replayed.terms.items()
    }
    return [bits(replayed.states), bits(replayed.before), bits(replayed.after), terms]
