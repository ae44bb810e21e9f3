"""Read the archives of seasons: pages of final standings, an arena's seasons, exports."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from league.models import Award, FinalStanding, Player, Season
from league.services.core.exports import MOST_SHEET_ROWS, csv_lines, xlsx_pieces
from league.services.core.pages import Page
from league.services.seasons import errata

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from league.models import Arena

PER_PAGE = 50

COLUMNS = (
    "position", "rank", "name", "player_id", "percentile", "division", "rating", "deviation",
    "games", "wins", "draws", "losses", "streak", "gain",
)  # fmt: skip
"""The columns of an export, in this order."""


@dataclass(frozen=True)
class Run:
    """A season in the list of an arena's seasons."""

    season: Season
    state: str
    winners: list[Award]


def standings_page(season: Season, number: int) -> Page[FinalStanding]:
    """Return a page of the final standings, equally fast at any depth. Two queries."""
    rows = FinalStanding.objects.filter(season=season)
    last = rows.order_by("-position").values_list("position", flat=True).first() or 0

    def cut(part: slice) -> list[FinalStanding]:
        within = rows.filter(position__gt=part.start, position__lte=part.stop)
        return list(within.order_by("position"))

    return Page.cut(number, last, PER_PAGE, cut)


def page_of(season: Season, player: Player) -> int | None:
    """Return the number of the page that a player is on, ``None`` if they are not listed."""
    mine = FinalStanding.objects.filter(season=season, player=player).first()
    return (mine.position - 1) // PER_PAGE + 1 if mine else None


def seasons_of(arena: Arena, now: datetime) -> list[Run]:
    """Return an arena's seasons, newest first, with the winners of archived ones. Two queries."""
    seasons = list(Season.objects.filter(arena=arena).order_by("-starts_at"))
    won = Award.objects.filter(season__in=seasons, kind=Award.Kind.TOP, value=1).order_by("id")
    winners: dict[int, list[Award]] = {}
    for award in won:
        winners.setdefault(award.season_id, []).append(award)
    return [Run(season, state_of(season, now), winners.get(season.pk, [])) for season in seasons]


def awards_of(player: Player) -> list[Award]:
    """Return a person's awards, latest first, including those of players merged into them."""
    mine = Award.objects.filter(player__in=Player.ever.of_person(player))
    return list(mine.select_related("season__arena").order_by("-season__ends_at", "id"))


def state_of(season: Season, now: datetime) -> str:
    """Return a season's state in words."""
    if season.archived_at is not None:
        return _("archived")
    if season.opened_at is None:
        return _("planned")
    if season.ends_at is not None and season.ends_at <= now:
        return _("over, late results still count") if takes_late_results(season) else _("over")
    return _("running")


def takes_late_results(season: Season) -> bool:
    return season.season_rules().calendar.wait > 0


def as_csv(season: Season) -> Iterator[str]:
    """Yield the final standings as lines of CSV."""
    return csv_lines(columns(season), values(season))


def as_xlsx(season: Season) -> Iterator[bytes]:
    """Yield the bytes of a spreadsheet with what the CSV has."""
    return xlsx_pieces(columns(season), values(season))


def fits_a_sheet(season: Season) -> bool:
    return FinalStanding.objects.filter(season=season).count() <= MOST_SHEET_ROWS


def as_json(season: Season) -> Iterator[str]:
    """Yield the season, its awards and its final standings as parts of a JSON text."""
    head = {
        "arena": season.arena.name,
        "season": season.name,
        "starts_at": season.starts_at.isoformat(),
        "ends_at": season.ends_at.isoformat() if season.ends_at else None,
        "archived_at": season.archived_at.isoformat() if season.archived_at else None,
        "rating_system": season.rating_system,
        "rating_parameters": season.rating_parameters,
        "rules": season.rules,
        "awards": list(season.awards.values("kind", "player_id", "name", "value")),
        "errata": errata.to_rows(season),
    }
    yield json.dumps(head, ensure_ascii=False)[:-1] + ', "standings": ['
    names = columns(season)
    for number, row in enumerate(values(season)):
        comma = ",\n" if number else "\n"
        yield comma + json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False)
    yield "\n]}\n"


def columns(season: Season) -> tuple[str, ...]:
    """Return the names of an export's columns; what people see is one if it is not the rating."""
    return COLUMNS if season.shows.numbers is season.shows else (*COLUMNS, "shown")


def values(season: Season) -> Iterator[tuple[object, ...]]:
    rows = FinalStanding.objects.filter(season=season).order_by("position")
    found = rows.values_list(*COLUMNS).iterator(chunk_size=2_000)
    shows = season.shows
    if shows.numbers is shows:
        return found
    at = COLUMNS.index("rating")
    return ((*row, round(shows.show(row[at]), shows.decimals)) for row in found)
