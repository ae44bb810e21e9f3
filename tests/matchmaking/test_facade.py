"""``Queue`` and ``Matcher``, and the match function for Open Match."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import matchmaking as library
from matchmaking import Matcher, Player, Queue, QueueError, UnknownName, Workload
from matchmaking.matchers import MATCHERS
from matchmaking.openmatch import make_matches
from matchmaking.presets import PRESETS
from matchmaking.ticket import Queue as Snapshot

NOW = datetime(2024, 5, 1, 12, tzinfo=UTC)


def filled(count: int = 24) -> Queue:
    """Return a queue of single players and pairs with random ratings."""
    chance, queue = np.random.default_rng(1), Queue()
    for number in range(count):
        party = [
            Player(f"{number}.{seat}", float(chance.normal(1500, 120)))
            for seat in range(1 + number % 2)
        ]
        queue.join(party, at=number, modes=["arena"])
    return queue


@pytest.mark.parametrize("name", MATCHERS)
def test_it_makes_the_matches_of_the_matcher(name: str) -> None:
    rules = PRESETS["recommended-2v2"].rules()
    queue = filled()
    snapshot = Snapshot.of(list(queue))
    generator = np.random.default_rng(7)
    expected = MATCHERS[name].match(snapshot, rules, now=300.0, generator=generator)
    matches = Matcher(name, rules="recommended-2v2", seed=7).tick(queue, now=300.0)
    assert len(matches) == len(expected.matches) > 3
    for match, wanted in zip(matches, expected.matches, strict=True):
        assert match.tickets == tuple(snapshot.ids[ticket] for ticket in wanted.tickets)
        assert len(match.team1) == len(match.team2) == 2
        assert match.mode == "arena"
        shares = MATCHERS[name].explain(snapshot, rules, wanted, now=300.0)
        assert [pick.shares for pick in match.explain()] == shares
        assert [pick.score for pick in match.explain()] == [pick.score for pick in wanted.picks]
        for pick in match.explain():
            assert sum(pick.shares.values()) == pytest.approx(pick.score)
        assert match.waits == tuple(301.0 - int(str(ticket)) for ticket in match.tickets)
    assert [ticket.id for ticket in queue] == [snapshot.ids[left] for left in expected.left]
    playing = {player.id for match in matches for player in match.team1 + match.team2}
    assert not any(player in queue for player in playing)


def test_opponents_do_not_meet_again_at_once() -> None:
    queue, matcher = Queue(), Matcher("laurel", rules="recommended-1v1")
    players = {name: Player(name, 1500 + 10 * n) for n, name in enumerate(("Ann", "Bob", "Cem"))}
    met = []
    queue.join(players["Cem"], at=1000)
    for round_ in range(4):
        for name in ("Ann", "Bob", "Cem"):
            if name not in queue:
                queue.join(players[name], at=1000 * (round_ + 1))
        (match,) = matcher.tick(queue, now=1000 * (round_ + 1) + 100)
        met.append(frozenset(player.id for player in match.team1 + match.team2))
    assert all(one != other for one, other in pairwise(met))


def test_the_chance_is_that_of_ratings_and_deviations() -> None:
    queue, matcher = Queue(), Matcher("laurel", rules="recommended-1v1")
    queue.join(Player("Ann", 1560, deviation=200), at=0)
    queue.join(Player("Bob", 1500), at=0)
    (match,) = matcher.tick(queue, now=400)
    ann_first = match.team1[0].id == "Ann"
    g = 0.8442  # for a deviation of 200, of Glickman's example of 1999 with 100: 0.9531
    chance = 1 / (1 + 10 ** (-g * 60 / 400))
    assert match.chance == pytest.approx(chance if ann_first else 1 - chance, abs=1e-4)


def test_a_program_can_bring_its_own_forecast() -> None:
    """Equal ratings, but the program knows that the first to queue always wins."""
    queue = Queue()
    for name in ("Ann", "Bob"):
        queue.join(Player(name, 1500), at=0)
    sure = Matcher(rules="recommended-1v1", forecast=lambda _queue: lambda _all, _first: np.ones(1))
    assert not sure.tick(queue, now=4000)
    unsure = Matcher(
        rules="recommended-1v1", forecast=lambda _queue: lambda _all, _first: np.full(1, 0.45)
    )
    (match,) = unsure.tick(queue, now=4000)
    assert match.chance == 0.45


def test_a_simulation_says_what_rules_lead_to() -> None:
    evening = Workload(online=40, hours=0.5)
    first, again = (
        Matcher(team_size=2, rules="small-community").simulate(evening, seed=3) for _ in range(2)
    )
    assert first == again
    assert first.matches > 5
    assert first.fair == 1.0


def test_impossible_parties_are_refused() -> None:
    queue = filled(2)
    for party, why in (
        ([], "at least one player"),
        (Player("0.0", 1500), "0.0 is in the queue already"),
        ([Player("x", 1500), Player("x", 1500)], "twice"),
        (Player("x", float("nan")), "x needs a rating"),
        (Player("x", 1500, deviation=-1), "x needs a rating"),
    ):
        with pytest.raises(QueueError, match=why):
            queue.join(party, at=0)
    with pytest.raises(QueueError, match="number of seconds"):
        queue.join(Player("x", 1500), at=float("inf"))
    with pytest.raises(TypeError, match="Player objects"):
        queue.join(["x"], at=0)  # type: ignore[list-item]
    with pytest.raises(QueueError, match="ticket 1 is in the queue already"):
        queue.join(Player("x", 1500), at=0, ticket=1)
    with pytest.raises(QueueError, match="ticket 2 has 2 players, and a team has 1"):
        Matcher(team_size=1).tick(queue, now=10)
    queue.leave(2)
    assert len(queue) == 1
    with pytest.raises(QueueError, match="not in the queue"):
        queue.leave(2)


def test_unknown_names_and_sizes_are_refused() -> None:
    with pytest.raises(UnknownName, match="no matcher “best”; choose from new, old, laurel"):
        Matcher("best")
    with pytest.raises(UnknownName, match="no preset “mine”"):
        Matcher(rules="mine")
    with pytest.raises(ValueError, match="from 1 to 100; you gave 0"):
        Matcher(team_size=0)
    with pytest.raises(AttributeError, match="no attribute 'Matcher_'"):
        library.Matcher_  # noqa: B018
    for name in library.__all__:
        assert getattr(library, name).__name__ == name


def om_ticket(name: str, rating: float, seconds: int = 300, **numbers: float) -> dict[str, Any]:
    return {
        "id": name,
        "searchFields": {"doubleArgs": {"rating": rating, **numbers}, "tags": ["mode.arena"]},
        "createTime": f"{(NOW - timedelta(seconds=seconds)).isoformat()[:-6]}.123456789Z",
    }


def test_a_match_function_proposes_matches_of_each_pool() -> None:
    pools = {
        "near": [om_ticket("a", 1500), om_ticket("b", 1505), om_ticket("c", 1510, players=2)],
        "all": [om_ticket("a", 1500), om_ticket("d", 1400, players=2), om_ticket("e", 1400)],
    }
    matcher = Matcher("laurel", rules="recommended-2v2")
    (proposal,) = make_matches({"name": "arena"}, pools, matcher, NOW)
    assert proposal["matchProfile"] == "arena"
    assert {ticket["id"] for ticket in proposal["tickets"]} == {"a", "b", "c"}
    assert proposal["tickets"][0] in pools["near"]
    teams = proposal["extensions"]["teams"]
    assert teams["@type"] == "type.googleapis.com/google.protobuf.Struct"
    assert sorted(map(sorted, teams["value"]["teams"])) == [["a", "b"], ["c"]]
    assert teams["value"]["chance"] == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize(
    ("ticket", "why"),
    [
        ({"id": "a"}, "ticket a has no number “rating”"),
        (om_ticket("a", 1500, players=1.5), "from 1 to 100 players"),
        ({**om_ticket("a", 1500), "createTime": "now"}, "at “now”, not a time"),
    ],
)
def test_a_match_function_names_the_ticket_that_it_cannot_read(
    ticket: dict[str, Any], why: str
) -> None:
    with pytest.raises(QueueError, match=why):
        make_matches({"name": "arena"}, {"all": [ticket]}, Matcher(), NOW)
