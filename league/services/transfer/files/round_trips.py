"""Export what an arena has as files that can be edited and imported again."""

from __future__ import annotations

import itertools
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from league.models import (
    FileImport,
    Match,
    Participant,
    Player,
    Roster,
    RosterMember,
    Side,
    Team,
    TeamMember,
    TeamRole,
)
from league.models.names import fold
from league.services.transfer.files import fixture_imports
from ratings.files.orders import STEPS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from league.models import Arena

What = FileImport.What
AT_ONCE = 2_000

DUELS = ("match", "played_at", "side_1", "side_2", "score_1", "score_2", "winner", "first", "mode",
         "weight", "void")  # fmt: skip
ORDERS = ("match", "played_at", "order", "result", "mode", "weight", "void")


def export(arena: Arena, what: str) -> tuple[tuple[str, ...], Iterator[tuple[Any, ...]]]:
    """Return the columns and the rows of a file."""
    if what == What.PLAYERS:
        rows = Player.objects.order_by("pk").values_list("pk", "name", "level")
        return ("player", "name", "level"), rows.iterator(AT_ONCE)
    if what == What.ROSTERS:
        return ("roster", "captain", "members"), rosters(arena)
    if what == What.TEAMS:
        return ("team", "captain", "members"), teams()
    if what == What.FIXTURES:
        return fixture_imports.COLUMNS, fixture_imports.export(arena)
    return (ORDERS if arena.sides_max > 2 else DUELS), results(arena)


def rosters(arena: Arena) -> Iterator[tuple[Any, ...]]:
    """Yield the rosters of an arena with their members."""
    members: dict[int, list[str]] = defaultdict(list)
    joined = RosterMember.objects.filter(roster__arena=arena).order_by("pk")
    for roster, pk, name in joined.values_list("roster", "player", "player__name"):
        members[roster].append(safe_name(pk, name, "team"))
    for one in Roster.objects.filter(arena=arena).select_related("captain").order_by("pk"):
        captain = safe_name(one.captain_id, one.captain.name, "team")
        yield one.name, captain, ", ".join(members[one.pk])


def teams() -> Iterator[tuple[Any, ...]]:
    """Yield the teams of the league with their members."""
    members: dict[int, list[str]] = defaultdict(list)
    captains: dict[int, str] = {}
    current = TeamMember.objects.current().order_by("pk")
    for team, pk, name, role in current.values_list("team", "player", "player__name", "role"):
        members[team].append(safe_name(pk, name, "team"))
        if role == TeamRole.CAPTAIN:
            captains[team] = members[team][-1]
    for one in Team.objects.existing().order_by("pk"):
        yield one.name, captains.get(one.pk, ""), ", ".join(members[one.pk])


def results(arena: Arena) -> Iterator[tuple[Any, ...]]:
    """Yield the results of an arena that count, in the order of time."""
    rated = Match.objects.rated().games().filter(arena=arena).order_by("played_at", "pk")
    taken = set(Roster.objects.filter(arena=arena).values_list("folded_name", flat=True))
    batch: list[Match] = []
    for match in rated.iterator(AT_ONCE):
        batch.append(match)
        if len(batch) == AT_ONCE:
            yield from rows_of(arena, batch, taken)
            batch = []
    yield from rows_of(arena, batch, taken)


def rows_of(arena: Arena, batch: list[Match], taken: set[str]) -> Iterator[tuple[Any, ...]]:
    kind = "order" if arena.sides_max > 2 else "team" if arena.team_size_max > 1 else "solo"
    ids = [match.pk for match in batch]
    parts: dict[int, list[tuple[int, str]]] = defaultdict(list)
    playing = Participant.objects.filter(match__in=ids).order_by("side", "position")
    for side_id, pk, name in playing.values_list("side", "player", "player__name"):
        parts[side_id].append((pk, name))
    sides: dict[int, list[Side]] = defaultdict(list)
    for side in Side.objects.filter(match__in=ids).order_by("match", "index"):
        sides[side.match_id].append(side)
    for match in batch:
        names = {side.pk: side_name(parts[side.pk], kind, taken) for side in sides[match.pk]}
        time = match.played_at.astimezone(arena.zone).isoformat(" ")
        end = (match.mode, whole(match.contest_weight), "")
        if kind == "order":
            yield match.pk, time, *in_order(sides[match.pk], names), *end
        else:
            first, second = sides[match.pk]
            scores = whole(first.score), whole(second.score)
            won = "" if says(arena, first, second) else winner(first, second)
            home = "" if match.first_side is None else match.first_side + 1
            yield match.pk, time, names[first.pk], names[second.pk], *scores, won, home, *end


def in_order(sides: list[Side], names: dict[int, str]) -> tuple[str, str]:
    """Return an order of finish, and the scores in the same order."""
    ranked = sorted(sides, key=lambda side: (side.place or 0, side.index))
    text = names[ranked[0].pk]
    for better, worse in itertools.pairwise(ranked):
        text += f" {'=' if better.place == worse.place else '>'} {names[worse.pk]}"
    known = all(side.score is not None for side in ranked)
    return text, ":".join(str(whole(side.score)) for side in ranked) if known else ""


def says(arena: Arena, first: Side, second: Side) -> bool:
    """Return whether the scores alone say how a match of two sides ended."""
    if first.score is None or second.score is None:
        return False
    sign = 1 if arena.result_settings().scores == "lower" else -1
    ahead = sign * (first.score - second.score)
    places = (first.place or 0) - (second.place or 0)
    return (ahead > 0) - (ahead < 0) == (places > 0) - (places < 0)


def winner(first: Side, second: Side) -> str:
    if first.place == second.place:
        return "draw"
    return "1" if (first.place or 0) < (second.place or 0) else "2"


def side_name(players: list[tuple[int, str]], kind: str, taken: set[str]) -> str:
    """Return a side so that an import finds the same players."""
    if len(players) == 1 and kind != "solo" and fold(players[0][1]) in taken:
        return f"#{players[0][0]}"
    return ", ".join(safe_name(pk, name, kind) for pk, name in players)


def safe_name(pk: int, name: str, kind: str) -> str:
    """Return a name, or the number of a player whose name would be read as something else."""
    divided = ("," in name and kind != "solo") or (kind == "order" and STEPS.search(name))
    return f"#{pk}" if divided or name.startswith("#") else name


def whole(value: float | None) -> float | int | None:
    """Return a number without needless decimals."""
    return int(value) if value is not None and value.is_integer() else value
