"""Matches rated event by event."""

import itertools
import math

import numpy as np
import pytest

from ratings.history import History, HistoryError, Match, Participant, Side
from ratings.registry import build
from ratings.replay import replay, steps
from ratings.system import RatingSystem
from tests.support.published import published

SYSTEMS = [("ladder", {}), ("ladder", {"challenge_range": 2}), ("fermi", {}), ("elo", {"T": 200})]


def match(name: str, players: str, *events: str, places: list[int] | None = None) -> Match:
    """Return a free-for-all of one-letter players. The event “ab” says that a beat b."""
    placed = places or list(range(len(players)))
    return Match(
        name,
        1_000_000 * int(name),
        [Side(place, [Participant(one)]) for one, place in zip(players, placed, strict=True)],
        events=[(players.index(pair[0]), players.index(pair[1])) for pair in events],
    )


def duels(players: str, *events: str) -> History:
    matches = [
        Match(str(at), at, [Side(0, [Participant(pair[0])]), Side(1, [Participant(pair[1])])])
        for at, pair in enumerate(events)
    ]
    return History.build(matches, players)


@pytest.mark.parametrize(("name", "parameters"), SYSTEMS)
def test_a_match_with_events_moves_players_as_their_duels_would(
    name: str, parameters: dict[str, object]
) -> None:
    drawn = np.random.default_rng(7)
    pairs = ["".join(drawn.permutation(list("abcde"))[:2]) for _ in range(300)]
    system = build(name, {**parameters, "rate_events": True})
    in_one = replay(system, History.build([match("1", "abcde", *pairs)]))
    one_by_one = replay(system, duels("abcde", *pairs))
    np.testing.assert_allclose(in_one.states.rating, one_by_one.states.rating, atol=1e-9)
    assert in_one.states.games.tolist() == [1] * 5
    change = in_one.after.rating - in_one.before.rating
    np.testing.assert_array_equal(in_one.terms["change"], change)
    if name != "ladder":
        terms = in_one.terms
        explained = terms["stake"] * (terms["actual"] - terms["expected"])
        np.testing.assert_allclose(explained, change, atol=1e-9)
        assert change.sum() == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("weights", ["", "1, 1, 1", "0.7", "2, 0.1", "1, 0.1, 3"])
def test_an_event_counts_as_a_duel_of_the_weight_of_its_kind(weights: str) -> None:
    drawn = np.random.default_rng(3)
    pairs = [tuple(drawn.permutation(5)[:2].tolist()) for _ in range(200)]
    kinds = drawn.integers(1, 4, 200).tolist()
    numbers = [float(part) for part in weights.split(",") if part] + [1.0] * 3
    ratings, stakes = [0.0] * 5, [0.0] * 5
    for (winner, loser), kind in zip(pairs, kinds, strict=True):
        points = numbers[kind - 1] / (1 + math.exp(ratings[winner] - ratings[loser]))
        ratings[winner] += points
        ratings[loser] -= points
        for one in (winner, loser):
            stakes[one] += numbers[kind - 1]
    events = [(*pair, kind) for pair, kind in zip(pairs, kinds, strict=True)]
    sides = [Side(place, [Participant(one)]) for place, one in enumerate("abcde")]
    system = published("fermi:kreimeier", {"rate_events": True, "event_weights": weights})
    rated = replay(system, History.build([Match("1", 0, sides, events=events)]))
    np.testing.assert_allclose(rated.states.rating, ratings, atol=1e-9)
    terms = rated.terms
    np.testing.assert_allclose(terms["stake"], stakes)
    np.testing.assert_allclose(
        terms["stake"] * (terms["actual"] - terms["expected"]), ratings, atol=1e-9
    )
    alike = replay(
        published("fermi:kreimeier", {"rate_events": True}),
        History.build([Match("1", 0, sides, events=pairs)]),
    )
    same = rated.states.rating.tobytes() == alike.states.rating.tobytes()
    assert same == (set(numbers[:3]) == {1.0})


@pytest.mark.parametrize(("name", "parameters"), SYSTEMS)
def test_the_places_decide_without_events_and_where_events_are_not_rated(
    name: str, parameters: dict[str, object]
) -> None:
    fed, plain = match("1", "abc", "ca", "cb"), match("1", "abc")
    on, off = build(name, {**parameters, "rate_events": True}), build(name, parameters)

    def after(system: RatingSystem, one: Match) -> bytes:
        return replay(system, History.build([one])).states.rating.tobytes()

    assert after(off, fed) == after(off, plain) == after(on, plain)
    assert after(on, fed) != after(on, plain)


@pytest.mark.parametrize(("name", "parameters"), SYSTEMS)
def test_a_history_gives_the_same_bits_at_once_in_parts_and_one_by_one(
    name: str, parameters: dict[str, object]
) -> None:
    drawn = np.random.default_rng(11)
    matches = []
    for at in range(60):
        players = "".join(drawn.permutation(list("abcdefghij"))[:4])
        count = int(drawn.choice([0, 3, 40]))
        pairs = ["".join(drawn.permutation(list(players))[:2]) for _ in range(count)]
        matches.append(match(str(at), players, *pairs))
    system = build(name, {**parameters, "rate_events": True})
    history = History.build(matches, "abcdefghij")
    whole = replay(system, history)
    for cuts in ([0, 20, 60], range(61)):
        states, afters = None, []
        for start, stop in itertools.pairwise(cuts):
            part = replay(system, history.part(start, stop), states)
            states = part.states
            afters += part.after.rating.tolist()
        assert afters == whole.after.rating.tolist()
    table = system.newcomers(10)
    for _ in steps(system, history, table):
        pass
    assert table.rating.tolist() == whole.states.rating.tolist()


def test_an_anchor_keeps_its_rating_throughout_a_match() -> None:
    system = published("fermi:kreimeier", {"rate_events": True}).with_anchors(["a"])
    rated = replay(system, History.build([match("1", "ab", "ab", "ab")]))
    assert rated.states.rating[0] == 0
    second = 1 / (1 + np.exp(0.5))  # b, who lost half a point, loses again to the same 0
    assert rated.states.rating[1] == pytest.approx(-0.5 - second)


def test_a_match_of_no_weight_moves_nobody_by_its_events() -> None:
    system = published("fermi:kreimeier", {"rate_events": True})
    history = History.build([match("1", "ab", "ab")])
    history.weights[:] = 1e-9
    assert replay(system, history).states.rating.tolist() == [0, 0]


@pytest.mark.parametrize("pair", [(0, 0), (0, 2), (-1, 0)])
def test_impossible_events_are_refused(pair: tuple[int, int]) -> None:
    sides = [Side(0, [Participant("a")]), Side(1, [Participant("b")])]
    with pytest.raises(HistoryError, match="event 1 must be between two of its 2 sides"):
        History.build([Match("1", 0, sides, events=[pair])])


def test_events_of_teams_are_refused() -> None:
    sides = [Side(0, [Participant("a"), Participant("c")]), Side(1, [Participant("b")])]
    with pytest.raises(HistoryError, match="not teams"):
        History.build([Match("1", 0, sides, events=[(0, 1)])])
