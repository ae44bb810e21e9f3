"""A queue from JSON: its tickets, or all that is wrong with it, by the path of the mistake.

    {"now": 0, "tickets": [{"id": "a", "wait": 12.5, "modes": [], "guild_team": false,
     "players": [{"id": 1, "rating": 1500, "deviation": 80, "rank": 20, "games": 150,
                  "profession": "Mesmer", "dishonor": 0}]}]}

A ticket needs an id, a wait and players, a player an id and a rating. Without the rest a ticket is
for any mode and no guild's, and a player has no deviation, rank, games, profession or dishonor.
A player may also have a ``percentile`` and ``"rank_filter": {"percentiles": 5, "strict": false}``.
"""

from __future__ import annotations

import difflib
import json
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr, ValidationError

from matchmaking.rank_filter import RankFilter
from matchmaking.ticket import Player, Ticket

MOST_PROBLEMS = 20
"""Mistakes that a message names before it says how many more there are."""

_LONGEST_QUOTE = 40
_MOST = 1e9

Id = StrictStr | StrictInt
Amount = Annotated[float, Field(strict=True, ge=0, le=_MOST)]
Text = Annotated[str, Field(strict=True, max_length=200)]


class QueueError(ValueError):
    """A queue that cannot be read: ``problems`` has a sentence for each mistake, path first."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        more = len(problems) - MOST_PROBLEMS
        shown = problems[:MOST_PROBLEMS] + ([f"and {more} more"] if more > 0 else [])
        super().__init__("\n".join(shown))


class WrittenQueue(NamedTuple):
    """The tickets of a file, the first in front, at a time in seconds."""

    now: float
    tickets: list[Ticket]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class _RankFilter(_Strict):
    percentiles: Annotated[float, Field(strict=True, gt=0, le=100)]
    strict: StrictBool = False


class _Player(_Strict):
    id: Id
    rating: Annotated[float, Field(strict=True, ge=-_MOST, le=_MOST)]
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


def read(text: str) -> WrittenQueue:
    """The queue of a JSON text. Raises ``QueueError`` with all that is wrong with it."""
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
        raise QueueError(_sentences(error)) from None
    problems = _repeated(queue)
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
    return WrittenQueue(queue.now, tickets)


def _player(player: _Player) -> Player:
    chosen = player.rank_filter
    rank_filter = None if chosen is None else RankFilter(chosen.percentiles, strict=chosen.strict)
    values = {**dict(player), "profession": player.profession or "", "rank_filter": rank_filter}
    return Player(**values)


def _repeated(queue: _Queue) -> list[str]:
    """Tickets and players that are there twice: nobody can play two matches at once."""
    problems = []
    tickets: dict[Id, str] = {}
    players: dict[Id, str] = {}
    for number, ticket in enumerate(queue.tickets):
        path = f"tickets[{number}]"
        if tickets.setdefault(ticket.id, path) != path:
            problems.append(
                f"{path}.id: {_quoted(ticket.id)} is the id of {tickets[ticket.id]} already; "
                "give each ticket its own"
            )
        for place, player in enumerate(ticket.players):
            path = f"tickets[{number}].players[{place}]"
            if players.setdefault(player.id, path) != path:
                problems.append(
                    f"{path}.id: {_quoted(player.id)} is the player of {players[player.id]} "
                    "already; a player queues once"
                )
    return problems


def _sentences(error: ValidationError) -> list[str]:
    """One sentence for each path that is wrong."""
    sentences: dict[str, str] = {}
    for item in error.errors():
        location = [part for part in item["loc"] if part not in _KINDS]
        sentences.setdefault(_path(location), _sentence(item, location))
    return [f"{path}: {sentence}" for path, sentence in sentences.items()]


_KINDS = {"str", "int", "constrained-str"}
"""What pydantic adds to a location where a value may be of several kinds."""

_WANTED = {
    "": 'an object, such as {"now": 0, "tickets": []}',
    "tickets": "a list of tickets, the first in the queue in front",
    "players": "a list of 1 to 100 players",
    "modes": 'a list of the modes\' names, such as [] or ["conquest"]',
    "id": "a text or a whole number",
    "wait": "the seconds waited, a number from 0 to 1000000000",
    "now": "a time in seconds, a number",
    "rating": "a number from -1000000000 to 1000000000",
    "profession": "a text of at most 200 letters, or null",
    "guild_team": "true or false",
    "strict": "true or false",
    "percentile": "a number from 0 to 100, or null",
    "percentiles": "a number above 0, at most 100",
    "rank_filter": 'such as {"percentiles": 5, "strict": false}, or null',
}


def _sentence(item: Any, location: list[Any]) -> str:
    names = [part for part in location if isinstance(part, str)]
    name = names[-1] if names else ""
    if item["type"] == "extra_forbidden":
        models: tuple[type[BaseModel], ...] = (_Queue, _Ticket, _Player, _RankFilter)
        depth = len(location) - len(names) + ("rank_filter" in names[:-1])
        return f"is not known{_instead(name, models[depth])}"
    if location and isinstance(location[-1], int):
        wanted = {
            "tickets": 'a ticket, such as {"id": 1, "wait": 0, "players": [...]}',
            "players": 'a player, such as {"id": 1, "rating": 1500}',
        }.get(name, "a text of at most 200 letters")
    else:
        wanted = _WANTED.get(name, "a number from 0 to 1000000000")
    if item["type"] == "missing":
        return f"is missing; give {wanted}"
    return f"must be {wanted}; you gave {_quoted(item['input'])}"


def _instead(name: str, model: type[BaseModel]) -> str:
    near = difflib.get_close_matches(name, model.model_fields, n=1)
    if near:
        return f"; did you mean {near[0]}?"
    return f"; known are {', '.join(model.model_fields)}"


def _path(location: list[Any]) -> str:
    path = ""
    for part in location:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    return path or "the queue"


def _quoted(value: object) -> str:
    if value is None:
        return "null"
    try:
        text = json.dumps(value, ensure_ascii=False)
    except ValueError:
        text = str(value)
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"
