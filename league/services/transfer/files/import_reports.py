"""Say in words what an import does, for its page."""

from __future__ import annotations

from dataclasses import asdict
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Player
from league.models.lists import list_of
from league.models.moments import describe_day
from league.services.core.clock import microseconds, moment
from league.services.core.numbers import write_score
from league.services.seasons.planning import free_name
from league.services.transfer.files.reading import say
from league.services.transfer.files.repeats import ONCE
from league.services.transfer.files.result_lines import MOST_ERRORS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from league.models import Arena, FileImport, Season
    from league.services.replay.diff import Diff
    from league.services.transfer.files.result_lines import Errors, Line
    from league.services.transfer.files.result_plans import Placings, Plan, Sides
    from ratings.files.documents import Found
    from ratings.files.tables import Table

MOST_SHOWN = 200
MOST_MOVERS = 20
MOST_NAMED = 20
"""Lines that a remark names."""


def report_of(file: FileImport, read: Found, found: Plan, season: Season | None) -> dict[str, Any]:
    """Return what a file says, and what is wrong with it, in values for its page."""
    errors, names = found.reader.errors, found.names
    return {
        "remarks": [*map(say, read.remarks), *describe_walkovers(found.reader.walkovers)],
        "zone": file.arena.time_zone,
        "lines": found.reader.count + len({problem.line for problem in read.problems}),
        "new": sum(len(one.new) for one in found.seasons),
        "known": sum(one.known for one in found.seasons),
        "changed": sum(len(one.changed) for one in found.seasons),
        "void": sum(len(one.void) for one in found.seasons),
        "new_players": len(names.new),
        "players": [
            {"folded": folded, "name": name, "near": names.proposals.get(folded, [])}
            for folded, name in sorted(
                names.new.items(), key=lambda item: item[0] not in names.proposals
            )[:MOST_SHOWN]
        ],
        "former": [
            {"written": found.reader.written[folded], "now": name}
            for folded, name in list(names.former.items())[:MOST_SHOWN]
        ],
        "new_season": str(season) if season else "",
        "season_kept": describe_day(season.kept_open_until)
        if season and season.kept_open_until
        else "",
        "missing_season": missing_season(file.arena, found.reader.homeless),
        "season_ids": [one.season.pk for one in found.seasons if not one.nothing],
        "error_count": errors.count,
        "errors": [[line, text] for line, text in sorted(errors.found)],
        "groups": describe_groups(errors),
        "left_out": errors.left,
        "better_order": read.better_order.value if read.better_order else "",
        "repeats": sorted(found.repeats.items())[:MOST_ERRORS],
        "repeat_count": len(found.repeats),
        "repeats_are": file.mapping.get("repeats", ONCE),
        "differences": differences(found),
        "seasons": [],
    }


def describe_groups(errors: Errors) -> list[dict[str, Any]]:
    """Return the kinds of errors, the most frequent first."""
    ordered = sorted(errors.groups.values(), key=lambda group: -group.count)
    return [asdict(group) for group in ordered]


def describe_walkovers(lines: Sequence[int]) -> list[str]:
    """Return a remark on the lines that nobody played, or no remark."""
    if not lines:
        return []
    remark = ngettext(
        "Line %(lines)s is a walkover, which rates nothing, and is left out. Enter it as the "
        "result of its fixture, on the page of its competition.",
        "Lines %(lines)s are walkovers, which rate nothing, and are left out. Enter them as "
        "results of their fixtures, on the pages of their competitions.",
        len(lines),
    )
    shown = list_of(lines[:MOST_NAMED])
    return [remark % {"lines": f"{shown}, …" if len(lines) > MOST_NAMED else shown}]


def missing_season(arena: Arena, homeless: Sequence[int]) -> dict[str, str]:
    """Return the name, the first and the last day of a season for the earliest of these results.

    It ends before the next season begins.
    """
    if not homeless:
        return {}
    first = moment(min(homeless))
    later = arena.seasons.filter(starts_at__gt=first).order_by("starts_at").first()
    bound = microseconds(later.starts_at) if later else max(homeless) + 1
    last = moment(max(time for time in homeless if time < bound))
    starts, ends = (each.astimezone(arena.zone).date() for each in (first, last))
    years = f"{starts:%Y}" if starts.year == ends.year else f"{starts:%Y}/{ends:%y}"
    name = _("Season %(years)s") % {"years": years}
    if arena.seasons.filter(name=name).exists():
        name = free_name(arena)
    return {"name": name, "starts": starts.isoformat(), "ends": ends.isoformat()}


def differences(found: Plan) -> list[dict[str, Any]]:
    """Return the first differences, in the order of lines."""
    written = found.reader.written
    shown: list[dict[str, Any]] = []
    for one in found.seasons:
        for line, result, placings in one.changed:
            shown.append(
                {
                    "line": line.line,
                    "kind": "changed",
                    "match": result.match,
                    "sides": players_in_words(result.sides),
                    "was": placings_in_words(result.placings),
                    "is": placings_in_words(placings),
                }
            )
        for line, result in one.void:
            shown.append(
                {
                    "line": line.line,
                    "kind": "void",
                    "match": result.match,
                    "sides": sides_in_words(line, written),
                }
            )
        room = MOST_SHOWN - len(shown)
        for line, _sides in one.new[: max(room, 0)]:
            shown.append(
                {
                    "line": line.line,
                    "kind": "new",
                    "sides": sides_in_words(line, written),
                    "is": placings_in_words(list(zip(line.places, line.scores, strict=True))),
                }
            )
    return sorted(shown, key=lambda row: row["line"])[:MOST_SHOWN]


def players_in_words(sides: Sides) -> str:
    names = dict(
        Player.ever.filter(pk__in={player for side in sides for player in side}).values_list(
            "pk", "name"
        )
    )
    return " – ".join(list_of(names[player] for player in side) for side in sides)


def sides_in_words(line: Line, written: Mapping[str, str]) -> str:
    return " – ".join(list_of(written[name] for name in side) for side in line.names)


def placings_in_words(placings: Placings) -> str:
    """Return a result as “3:1”, or as places where there are no scores."""
    scores = [write_score(score) for _place, score in placings if score is not None]
    if len(scores) == len(placings):
        return ":".join(scores)
    return " · ".join(_("place %(place)d") % {"place": place + 1} for place, _score in placings)


def effect_in_words(
    found: Diff, new_names: Mapping[int, str] = MappingProxyType({})
) -> dict[str, Any]:
    """Return what differs in a season, with the largest changes.

    ``new_names`` are those of players who are not created yet, by their negative numbers.
    """
    movers = movers_of(found, new_names)
    return {
        "season": found.season.name,
        "id": found.season.pk,
        "rated_again": found.rated_again,
        "players": found.movers,
        "largest": found.largest_change,
        "movers": movers,
        "decimals": found.season.shows.decimals,
        "more": max(found.movers - len(movers), 0),
    }


def movers_of(found: Diff, new_names: Mapping[int, str]) -> list[dict[str, Any]]:
    """Return the players with the largest changes and their shown ratings, ``None`` without one.

    Those who get or lose a rating come last.
    """
    shows = found.season.shows
    size = np.abs(found.after.rating - found.before.rating)
    size[found.gone | found.entered] = np.nan
    order = np.lexsort((found.players, -size))
    listed = order[found.moved[order]][:MOST_MOVERS]
    ids = found.players[listed].tolist()
    names = dict(Player.ever.filter(pk__in=ids).values_list("pk", "name"))

    return [
        {
            "player": names.get(player) or new_names.get(player, ""),
            "was": None if found.entered[row] else shows.show(float(found.before.rating[row])),
            "is": None if found.gone[row] else shows.show(float(found.after.rating[row])),
        }
        for player, row in zip(ids, listed.tolist(), strict=True)
    ]


def small_report(file: FileImport, table: Table, errors: Errors) -> dict[str, Any]:
    """Return the report of a file that brings no results, with nothing in it yet."""
    return {
        "remarks": [say(remark) for remark in table.remarks],
        "zone": file.arena.time_zone,
        "lines": len(table.cells),
        "new": 0,
        "known": 0,
        "changed": 0,
        "void": 0,
        "new_players": 0,
        "players": [],
        "former": [],
        "error_count": errors.count,
        "errors": [[line, text] for line, text in sorted(errors.found)],
        "differences": [],
        "seasons": [],
    }
