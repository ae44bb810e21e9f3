"""The front page that everybody sees, kept for a few seconds and shared by all readers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from django.conf import settings
from django.db.models import Count, F, OuterRef, Q, Subquery, Sum, Value
from django.db.models.functions import Coalesce

from league.models import (
    Arena,
    ArenaDay,
    Arrangement,
    Competition,
    FinalStanding,
    Match,
    Season,
    Status,
)
from league.services.guesses.giving import list_open_for
from league.services.home.leading import Leading, movers_in, read_leading, records_in
from league.services.results.records.lines import latest_ids, lines_of
from league.services.standings import leaderboards
from league.services.standings.provisional import provisional_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.db.models import Aggregate, QuerySet

    from league.services.home.leading import Record
    from league.services.standings.leaderboard_rows import LeaderboardRow
    from ratings.system import Shows

LATEST, LIVE, DATES, TO_GUESS = 8, 5, 8, 10
LATELY = timedelta(days=14)
"""The time whose games say how much is played in an arena."""


class Final(NamedTuple):
    """A place in a final standing, named as in a row of the leaderboard."""

    player_id: int
    name: str
    rank: int | None
    rating: float
    picture: str
    provisional: bool = False


@dataclass(frozen=True)
class ArenaEntry:
    """An arena with its running season, or else its last one."""

    arena: Arena
    season: Season | None
    """The running one."""
    last: Season | None
    """The archived one that is shown while no season runs."""
    leader: LeaderboardRow | Final | None
    """The first player, a provisional one while nobody is ranked."""
    players: int
    """The number of ranked players."""
    played: int = 0
    """Rated games of the last two weeks."""
    begins_at: datetime | None = None
    """The start of its next season, if one is planned."""
    live: int = 0
    """Matches that are being played."""
    competition: str = ""
    """The name of its latest competition that is being played."""
    own: LeaderboardRow | None = None
    """The row of the reader, where it is shown."""

    @property
    def is_quiet(self) -> bool:
        """Return whether it has nobody to show yet."""
        return self.leader is None

    @property
    def shows(self) -> Shows:
        shown = self.season or self.last
        return shown.shows_in(self.arena) if shown else self.arena.system().shows


@dataclass(frozen=True, eq=False)
class Front:
    """The front page that everybody sees."""

    seasons: Sequence[Season] = ()
    arenas: Sequence[ArenaEntry] = ()
    latest: Sequence[Match] = ()
    live: Sequence[Match] = ()
    live_dates: Sequence[Arrangement] = ()
    """Those that are being played, as their live score says."""
    dates: Sequence[Arrangement] = ()
    to_guess: Sequence[tuple[Arrangement, float]] = ()
    """The next matches that can be guessed, with their forecasts."""
    movers: Sequence[Leading] = ()
    records: Sequence[Record] = ()
    read_at: float = 0.0

    @cached_property
    def named(self) -> frozenset[int]:
        """The ids of the players who are named, for whom it looks different."""
        led = [entry.leader.player_id for entry in self.arenas if entry.leader]
        moved = [one.player_id for one in self.movers]
        held = [one.holder.player_id for one in self.records]
        played: list[Any] = [*self.latest, *self.live]  # with sides that lines_of has added
        sides = [side for match in played for side in match.best_sides]
        parts = [part.player_id for side in sides for part in side.participants.all()]
        return frozenset([*led, *moved, *held, *parts])


_kept = Front()


def front(now: datetime) -> Front:
    """Return what everybody sees, at most ``settings.FRONT_KEPT_FOR`` seconds old."""
    global _kept  # noqa: PLW0603 - one for the process
    if not settings.FRONT_KEPT_FOR or monotonic() - _kept.read_at > settings.FRONT_KEPT_FOR:
        _kept = read(now)
    return _kept


def clear() -> None:
    """Forget what this process keeps."""
    global _kept  # noqa: PLW0603 - as above
    _kept = Front()


def read(now: datetime) -> Front:
    """Read the front page. The number of statements does not grow with the league."""
    seasons = list(Season.objects.running(now).select_related("arena").order_by("arena__sort_name"))
    matches = latest_and_live(seasons)
    leading = read_leading(seasons, now)
    live_dates, dates = live_and_next_dates(now)
    return Front(
        seasons=seasons,
        arenas=arenas(seasons, now),
        latest=[match for match in matches if match.status != Status.LIVE],
        live=[match for match in matches if match.status == Status.LIVE],
        live_dates=live_dates,
        dates=dates,
        to_guess=[(one, forecast) for one, forecast, _ in list_open_for(None, now, TO_GUESS)],
        movers=movers_in(leading),
        records=records_in(leading),
        read_at=monotonic(),
    )


def arenas(seasons: Sequence[Season], now: datetime) -> list[ArenaEntry]:
    """Return the published arenas with their leaders, or with their last champions.

    Those in which most is played come first, closed ones and those without leaders last.
    """
    running = {season.arena_id: season for season in seasons}
    first = leaderboards.leaders(seasons, now=now, count=1)
    leaders: dict[int, LeaderboardRow | Final] = {pk: row for pk, (row,) in first.items()}
    unranked = [season for season in seasons if season.pk not in leaders]
    for pk, listed in provisional_in(unranked, now=now, count=1).items():
        leaders[pk] = listed[0].row
    counts = leaderboards.ranked_players(seasons)
    lately = ArenaDay.objects.filter(day__gte=(now - LATELY).date())
    coming = Season.objects.filter(arena=OuterRef("pk"), starts_at__gt=now).order_by("starts_at")
    current = Competition.objects.published().running().filter(season__arena=OuterRef("pk"))
    published: list[Any] = list(
        Arena.objects.published()
        .annotate(
            played=in_arena(lately, Sum("matches")),
            begins_at=Subquery(coming.values("starts_at")[:1]),
            live=in_arena(Match.objects.open().filter(status=Status.LIVE), Count("pk"))
            + in_arena(Arrangement.objects.played_now(), Count("pk")),
            competition=Subquery(current.order_by("-starts_at", "-pk").values("name")[:1]),
        )
        .order_by("-is_open", "-played", "sort_name")
    )
    archived = last_seasons([arena.pk for arena in published if arena.pk not in running])
    leaders |= champions(archived)
    entries = []
    for arena in published:
        season, last = running.get(arena.pk), archived.get(arena.pk)
        shown = season or last
        entries.append(
            ArenaEntry(
                arena,
                season,
                last,
                leader=leaders.get(shown.pk) if shown else None,
                players=counts.get(season.pk, 0) if season else 0,
                played=arena.played,
                begins_at=None if season else arena.begins_at,
                live=arena.live,
                competition=arena.competition or "",
            )
        )
    return sorted(entries, key=lambda entry: entry.is_quiet)


def in_arena(rows: QuerySet[Any], what: Aggregate) -> Coalesce:
    """Return a number of rows in the arena of the query around, as a part of its statement.

    Parts are read once for an arena, where joins would read them for each row of the others.
    """
    own = rows.filter(arena=OuterRef("pk")).order_by().values("arena")
    return Coalesce(Subquery(own.annotate(number=what).values("number")), 0)


def last_seasons(arenas: Sequence[int]) -> dict[int, Season]:
    """Return the last archived season of each of these arenas, by arena id."""
    if not arenas:
        return {}
    archived = Season.objects.filter(arena__in=arenas, archived_at__isnull=False)
    latest = archived.order_by("arena_id", "-starts_at", "-id").distinct("arena_id")
    return {season.arena_id: season for season in latest}


def champions(archived: Mapping[int, Season]) -> dict[int, Final]:
    """Return the first player of each archived season, by season id."""
    if not archived:
        return {}
    first = FinalStanding.objects.filter(
        season__in=archived.values(), position=1, rank__isnull=False
    ).annotate(picture=Coalesce(F("player__profile__picture"), Value("")))
    return {
        row.season_id: Final(row.player_id, row.name, row.rank, row.rating, row.picture)
        for row in first
    }


def latest_and_live(seasons: Sequence[Season]) -> list[Match]:
    """Return the latest results and the matches that are being played, latest first.

    Of results of a season with the same time, the one rated last comes first.
    """
    playing = Match.objects.open().filter(status=Status.LIVE, arena__is_draft=False)
    live = playing.order_by("-id").values_list("pk", flat=True)[:LIVE]
    ids = [*live, *latest_ids(seasons, LATEST)]
    lines = lines_of(ids)
    listed = [lines[pk] for pk in ids if pk in lines]
    return sorted(listed, key=lambda match: match.played_at, reverse=True)


def live_and_next_dates(now: datetime) -> tuple[list[Arrangement], list[Arrangement]]:
    """Return the dates with a live score, and the next agreed ones, those of fixtures included."""
    agreed = Arrangement.objects.filter(arena__is_draft=False)
    live = agreed.played_now().order_by("-play_at", "id").values("pk")[:LIVE]
    coming = agreed.accepted().filter(play_at__gt=now).order_by("play_at", "id").values("pk")
    chosen = agreed.filter(Q(pk__in=live) | Q(pk__in=coming[: DATES + LIVE]))
    listed = list(chosen.in_lines().order_by("play_at", "id"))
    playing = [one for one in listed if one.live_scores_shown]
    return playing, [one for one in listed if not one.live_scores_shown][:DATES]
