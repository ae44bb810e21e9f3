"""A queue from JSON. Each mistake is reported with its path.

    {"now": 0, "tickets": [{"id": "a", "wait": 12.5, "modes": [], "guild_team": false,
     "players": [{"id": 1, "rating": 1500, "deviation": 80, "rank": 20, "games": 150,
                  "profession": "Mesmer", "dishonor": 0}]}]}

A ticket needs an id, a wait and players; a player needs an id and a rating. By default a ticket is
for any mode and not a guild team, and a player has no deviation, rank, games, profession or
dishonor. A player may also have a ``percentile`` and ``"rank_filter": {"percentiles": 5, "strict":
false}``.
"""

from __future__ import annotations

import difflib
import json
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr, ValidationError

from matchmaking.rank_filter import RankFilter
from matchmaking.ticket import Player, Ticket

MAX_PROBLEMS = 20
"""Mistakes listed in a message before the rest are only counted."""

_LONGEST_QUOTE = 40
_LARGEST = 1e9

Id = StrictStr | StrictInt
Amount = Annotated[float, Field(strict=True, ge=0, le=_LARGEST)]
Text = Annotated[str, Field(strict=True, max_length=200)]


class QueueError(ValueError):
    """A queue that cannot be read: ``problems`` has a message for each mistake, path first."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        more = len(problems) - MAX_PROBLEMS
        shown = problems[:MAX_PROBLEMS] + ([f"and {more} more"] if more > 0 else [])
        super().__init__("\n".join(shown))


class LoadedQueue(NamedTuple):
    """The tickets of a file, the front first, at a time in seconds."""

    now: float
    tickets: list[Ticket]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class _RankFilter(_Strict):
    percentiles: Annotated[float, Field(strict=True, gt=0, le=100)]
    strict: StrictBool = False


class _Player(_Strict):
    id: Id
    rating: Annotated[float, Field(strict=True, ge=-_LARGEST, le=_LARGEST)]
    deviation: Amount = 0.0
    rank: Amount = 0.0
    games: Amount = 0.0
    profession: Text | None = ""
    dishonor: Amount = 0.0
    percentile: Annotated[float, Field(strict=True, ge=0, le=100)] | None = None
    rank_filter: _RankFilter | None = None


class _Ticket(_Strict):
    id: Id
    wait: Amount
    players: Annotated[list[_Player], Field(min_length=1, max_length=100)]
    modes: list[Text] = []
    guild_team: StrictBool = False


class _Queue(_Strict):
    tickets: list[_Ticket]
    now: Annotated[float, Field(strict=True, ge=-1e12, le=1e12)] = 0.0


def read(text: str) -> LoadedQueue:
    """Return the queue in a JSON text.

    Raises:
        QueueError: The text has mistakes.
    """
    try:
        loaded = json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise QueueError([f"{where}: this is not JSON: {error.msg}"]) from None
    except (RecursionError, ValueError) as error:
        raise QueueError([f"this JSON cannot be read: {error}"]) from None
    try:
        queue = _Queue.model_validate(loaded)
    except ValidationError as error:
        raise QueueError(_messages(error)) from None
    problems = _find_repeated(queue)
    if problems:
        raise QueueError(problems)
    tickets = [
        Ticket(
            id=ticket.id,
            queued_at=queue.now - ticket.wait,
            players=tuple(_player(player) for player in ticket.players),
            modes=frozenset(ticket.modes),
            guild_team=ticket.guild_team,
        )
        for ticket in queue.tickets
    ]
    return LoadedQueue(queue.now, tickets)


def _player(player: _Player) -> Player:
    chosen = player.rank_filter
    rank_filter = None if chosen is None else RankFilter(chosen.percentiles, strict=chosen.strict)
    values = {**dict(player), "profession": player.profession or "", "rank_filter": rank_filter}
    return Player(**values)


def _find_repeated(queue: _Queue) -> list[str]:
    """Report tickets and players that occur twice: nobody can play two matches at once."""
    problems = []
    tickets: dict[Id, str] = {}
    players: dict[Id, str] = {}
    for number, ticket in enumerate(queue.tickets):
        path = f"tickets[{number}]"
        if tickets.setdefault(ticket.id, path) != path:
            problems.append(
                f"{path}.id: {_quote(ticket.id)} is already the id of {tickets[ticket.id]}; "
                "give each ticket its own"
            )
        for place, player in enumerate(ticket.players):
            path = f"tickets[{number}].players[{place}]"
            if players.setdefault(player.id, path) != path:
                problems.append(
                    f"{path}.id: {_quote(player.id)} is already {players[player.id]}; "
                    "a player can queue only once"
                )
    return problems


def _messages(error: ValidationError) -> list[str]:
    """Return one message for each path with a mistake."""
    messages: dict[str, str] = {}
    for item in error.errors():
        location = [part for part in item["loc"] if part not in _UNION_TAGS]
        messages.setdefault(_path(location), _message(item, location))
    return [f"{path}: {message}" for path, message in messages.items()]


_UNION_TAGS = {"str", "int", "constrained-str"}
"""Parts that pydantic adds to a location if a value has several possible types."""

_EXPECTED = {
    "": 'an object, such as {"now": 0, "tickets": []}',
    "tickets": "a list of tickets, the front of the queue first",
    "players": "a list of 1 to 100 players",
    "modes": 'a list of mode names, such as [] or ["conquest"]',
    "id": "text or a whole number",
    "wait": "the wait in seconds, a number from 0 to 1000000000",
    "now": "a time in seconds, a number",
    "rating": "a number from -1000000000 to 1000000000",
    "profession": "text of at most 200 characters, or null",
    "guild_team": "true or false",
    "strict": "true or false",
    "percentile": "a number from 0 to 100, or null",
    "percentiles": "a number more than 0 and at most 100",
    "rank_filter": 'such as {"percentiles": 5, "strict": false}, or null',
}


def _message(item: Any, location: list[Any]) -> str:
    names = [part for part in location if isinstance(part, str)]
    name = names[-1] if names else ""
    if item["type"] == "extra_forbidden":
        models: tuple[type[BaseModel], ...] = (_Queue, _Ticket, _Player, _RankFilter)
        depth = len(location) - len(names) + ("rank_filter" in names[:-1])
        return f"is unknown{_suggestion(name, models[depth])}"
    if location and isinstance(location[-1], int):
        expected = {
            "tickets": 'a ticket, such as {"id": 1, "wait": 0, "players": [...]}',
            "players": 'a player, such as {"id": 1, "rating": 1500}',
        }.get(name, "text of at most 200 characters")
    else:
        expected = _EXPECTED.get(name, "a number from 0 to 1000000000")
    if item["type"] == "missing":
        return f"is missing; give {expected}"
    return f"must be {expected}; you gave {_quote(item['input'])}"


def _suggestion(name: str, model: type[BaseModel]) -> str:
    near = difflib.get_close_matches(name, model.model_fields, n=1)
    if near:
        return f"; did you mean {near[0]}?"
    return f"; choose from {', '.join(model.model_fields)}"


def _path(location: list[Any]) -> str:
    path = ""
    for part in location:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    return path or "the queue"


def _quote(value: object) -> str:
    if value is None:
        return "null"
    try:
        text = json.dumps(value, ensure_ascii=False)
    except ValueError:
        text = str(value)
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"
