"""The results of a season as a file: a row for each player of a match, as imports read them.

Unlisted players are not named, and the ratings of players who hide their history are left out:
copies of a file are beyond the reach of any setting.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Avg, Count, OuterRef, Q, Subquery

from league.models import Match, Participant, RatingEvent
from league.services.core.exports import MOST_SHEET_ROWS, csv_lines, xlsx_pieces

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from django.db.models import QuerySet

    from league.models import Season

COLUMNS = (
    "match",
    "date",
    "mode",
    "side",
    "place",
    "score",
    "player",
    "profession",
    "quit",
    "rating_before",
    "rating_after",
    "first",
    "weight",
)
AT_ONCE = 2_000
"""Rows that are read together."""


def rows(season: Season) -> Iterator[tuple[object, ...]]:
    """Yield the values of ``COLUMNS``, in the order of rating. Sides and places begin with 1.

    Forfeits and decay steps are left out: an import would rate them as games.
    """
    event = RatingEvent.objects.filter(
        season=season, match=OuterRef("match"), player=OuterRef("player"), superseded_by=None
    )
    parts = (
        parts_of(season)
        .select_related("match", "side", "player__merged_into")
        .annotate(
            before=Subquery(event.values("rating_before")[:1]),
            after=Subquery(event.values("rating_after")[:1]),
        )
        .order_by("match__rated_order", "match", "side__index", "position")
    )
    for part in parts.iterator(chunk_size=AT_ONCE):
        people = [one for one in (part.player, part.player.merged_into) if one]
        is_unlisted = any(one.is_unlisted for one in people)
        is_hidden = is_unlisted or any(one.hides_history for one in people)
        yield (
            part.match_id,
            part.match.played_at.isoformat(),
            part.match.mode,
            part.side.index + 1,
            None if part.side.place is None else part.side.place + 1,
            part.side.score,
            None if is_unlisted else part.player.name,
            part.profession,
            part.quit,
            None if is_hidden else part.before,
            None if is_hidden else part.after,
            1 if part.match.first_side == part.side.index else None,
            None if part.match.contest_weight == 1 else part.match.contest_weight,
        )


def parts_of(season: Season) -> QuerySet[Participant]:
    return Participant.objects.filter(match__in=Match.objects.rated().games().filter(season=season))


def as_csv(season: Season) -> Iterator[str]:
    """Yield the results as lines of CSV."""
    return csv_lines(COLUMNS, rows(season))


def as_xlsx(season: Season) -> Iterator[bytes]:
    """Yield the bytes of a spreadsheet with what the CSV has."""
    return xlsx_pieces(COLUMNS, rows(season))


def fits_a_sheet(season: Season) -> bool:
    return parts_of(season).count() <= MOST_SHEET_ROWS


def as_json(season: Season) -> Iterator[str]:
    """Yield the results as parts of a JSON list."""
    yield "["
    for number, row in enumerate(rows(season)):
        comma = ",\n" if number else "\n"
        yield comma + json.dumps(dict(zip(COLUMNS, row, strict=True)), ensure_ascii=False)
    yield "\n]\n"


class Places(NamedTuple):
    """The number of first, second and third places of a player, shared or not, and the average
    place.
    """

    first: int
    second: int
    third: int
    average: float


def places_of(season: Season, players: Collection[int]) -> dict[int, Places]:
    """Return the places of these players in a season's rated matches, by player id."""
    matches = Match.objects.rated().games().filter(season=season)
    played = Participant.objects.filter(player__in=players, match__in=matches)
    counted = played.values("player").annotate(
        first=Count("pk", filter=Q(side__place=0)),
        second=Count("pk", filter=Q(side__place=1)),
        third=Count("pk", filter=Q(side__place=2)),
        average=Avg("side__place") + 1.0,
    )
    rows = counted.values_list("player", "first", "second", "third", "average")
    return {player: Places(*row) for player, *row in rows}
