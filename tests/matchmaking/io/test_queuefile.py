"""A queue from JSON, and its errors."""

import json
from typing import Any

import pytest

from matchmaking.io.queuefile import QueueError, read
from matchmaking.rank_filter import RankFilter
from matchmaking.ticket import Player

ALICE = {
    "id": "alice",
    "rating": 1600.5,
    "deviation": 80,
    "rank": 20,
    "games": 150,
    "profession": "Mesmer",
    "dishonor": 3,
}


def a_queue(*tickets: Any, **other: Any) -> str:
    return json.dumps({"now": 100, "tickets": tickets, **other})


def a_ticket(**other: Any) -> dict[str, Any]:
    return {"id": 1, "wait": 30, "players": [ALICE], **other}


def test_a_ticket_is_read_whole() -> None:
    now, (ticket,) = read(a_queue(a_ticket(modes=["conquest"], guild_team=True)))
    assert now == 100
    assert (ticket.id, ticket.queued_at, ticket.guild_team) == (1, 70, True)
    assert ticket.modes == {"conquest"}
    assert ticket.players == (Player("alice", 1600.5, 80, 20, 150, "Mesmer", 3),)


def test_a_player_needs_an_id_and_a_rating() -> None:
    _, (ticket,) = read(
        '{"tickets": [{"id": "t", "wait": 0, "players": [{"id": 7, "rating": 1}]}]}'
    )
    assert ticket.players == (Player(7, 1.0),)
    assert ticket.modes == frozenset()


def test_a_player_may_have_no_profession() -> None:
    _, (ticket,) = read(a_queue(a_ticket(players=[{**ALICE, "profession": None}])))
    assert ticket.players[0].profession == ""


def test_a_player_may_have_a_rank_filter() -> None:
    chosen = {"percentile": 40, "rank_filter": {"percentiles": 5, "strict": True}}
    _, (ticket,) = read(a_queue(a_ticket(players=[{**ALICE, **chosen}])))
    assert ticket.players[0].rank_filter == RankFilter(5, strict=True)


def problems(text: str) -> list[str]:
    with pytest.raises(QueueError) as refused:
        read(text)
    return refused.value.problems


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "line 1, column 1: this is not JSON"),
        ('{"tickets": [\n{"id": 1,]}', "line 2, column"),
        ("[" * 100_000, "this JSON cannot be read"),
        ("[]", 'the queue: must be an object, such as {"now": 0, "tickets": []}; you gave []'),
        ("{}", "tickets: is missing; give a list of tickets"),
        ('{"tickets": {}}', "tickets: must be a list of tickets"),
        (
            '{"tickets": [], "now": "noon"}',
            'now: must be a time in seconds, a number; you gave "noon"',
        ),
        ('{"tickets": [], "then": 1}', "then: is unknown; choose from tickets, now"),
        ('{"tickets": [7]}', "tickets[0]: must be a ticket, such as"),
    ],
)
def test_a_mistake_in_the_file_is_reported(text: str, problem: str) -> None:
    assert problem in "\n".join(problems(text))


@pytest.mark.parametrize(
    ("other", "problem"),
    [
        ({"id": None}, "tickets[0].id: must be text or a whole number; you gave null"),
        ({"id": 1.5}, "tickets[0].id: must be text or a whole number; you gave 1.5"),
        ({"id": True}, "tickets[0].id: must be text or a whole number; you gave true"),
        ({"wait": -1}, "tickets[0].wait: must be the wait in seconds, a number from 0 to"),
        ({"wait": "long"}, "tickets[0].wait: must be the wait in seconds"),
        ({"wait": True}, "tickets[0].wait: must be the wait in seconds"),
        ({"wait": float("inf")}, "tickets[0].wait: must be the wait in seconds"),
        ({"modes": "all"}, "tickets[0].modes: must be a list of mode names"),
        ({"modes": [1]}, "tickets[0].modes[0]: must be text of at most 200 characters"),
        ({"guild_team": 1}, "tickets[0].guild_team: must be true or false; you gave 1"),
        ({"guild": True}, "tickets[0].guild: is unknown; did you mean guild_team?"),
        ({"players": []}, "tickets[0].players: must be a list of 1 to 100 players; you gave []"),
        ({"players": [3]}, "tickets[0].players[0]: must be a player, such as"),
    ],
)
def test_a_mistake_in_a_ticket_is_reported_with_its_path(
    other: dict[str, Any], problem: str
) -> None:
    assert problem in "\n".join(problems(a_queue(a_ticket(**other))))


@pytest.mark.parametrize(
    ("other", "problem"),
    [
        ({"rating": None}, "players[0].rating: must be a number from -1000000000 to 1000000000"),
        ({"rating": float("nan")}, "players[0].rating: must be a number from"),
        ({"rating": 10**400}, "players[0].rating: must be a number from"),
        ({"deviation": -1}, "players[0].deviation: must be a number from 0 to 1000000000"),
        ({"games": "many"}, "players[0].games: must be a number from 0 to 1000000000"),
        (
            {"profession": 5},
            "players[0].profession: must be text of at most 200 characters, or null",
        ),
        ({"proffesion": "Thief"}, "proffesion: is unknown; did you mean profession?"),
        (
            {"rank_filter": {"percentiles": 0}},
            "rank_filter.percentiles: must be a number more than 0",
        ),
        ({"rank_filter": {"percentile": 5}}, "percentile: is unknown; did you mean percentiles?"),
    ],
)
def test_a_mistake_in_a_player_is_reported_with_its_path(
    other: dict[str, Any], problem: str
) -> None:
    assert problem in "\n".join(problems(a_queue(a_ticket(players=[{**ALICE, **other}]))))


def test_a_ticket_or_player_can_queue_only_once() -> None:
    ticket, player = problems(a_queue(a_ticket(), a_ticket()))
    assert ticket == "tickets[1].id: 1 is already the id of tickets[0]; give each ticket its own"
    assert player == (
        'tickets[1].players[0].id: "alice" is already tickets[0].players[0]; '
        "a player can queue only once"
    )


def test_a_thousand_mistakes_make_a_short_message() -> None:
    text = a_queue(*[{"id": number} for number in range(1000)])
    with pytest.raises(QueueError, match="and 1980 more") as refused:
        read(text)
    assert len(str(refused.value).splitlines()) == 21
