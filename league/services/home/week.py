"""The week in one page: what a week of play brought, in the whole league or in an arena.

Weeks begin on Monday by the league's clock. Each part is one statement over the matches of the
week, so the page costs the same however long the league has existed. People who hide their matches
or are unlisted are in none of the lists that add up matches.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple
from zoneinfo import ZoneInfo

from cachetools import TTLCache, cached
from django.db.models import Case, Count, Exists, F, Max, Min, OuterRef, Q, Sum, When, Window
from django.db.models.functions import RowNumber, TruncWeek

from league.models import (
    Arena,
    ArenaDay,
    Arrangement,
    Competition,
    Entrant,
    Match,
    Participant,
    Player,
    RatingEvent,
    Season,
    Side,
)
from league.services.results.records.lines import lines_of
from league.services.site import frame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models.match import MatchQuerySet

WEEK = timedelta(days=7)
MOVED, ACTIVE, FACES, NEXT, MOST_COMPETITIONS = 3, 5, 12, 8, 6
"""The most of each list, of those who gained and lost in each season."""
SEASONS = 6
"""The seasons with most matches, which are shown."""
CLEAR = 0.5
"""A winner with a better chance is no surprise."""
SECONDS, KEPT = 60, 64


class Moved(NamedTuple):
    """The change of a player's rating by the matches of a week."""

    season: Season
    player: Player
    games: int
    change: RatingEvent
    """From before the first to after the last. It is not stored."""


class Active(NamedTuple):
    player: Player
    games: int
    wins: int


class Busiest(NamedTuple):
    """An arena that has never had more matches in a week."""

    arena: Arena
    matches: int


@dataclass(frozen=True, eq=False)
class Week:
    """A week of play."""

    monday: date
    begin: datetime
    end: datetime
    games: int = 0
    people: int = 0
    gained: Sequence[Moved] = ()
    lost: Sequence[Moved] = ()
    surprise: Match | None = None
    chance: float = 0.0
    """Of the surprise, for the side that won."""
    best: Match | None = None
    active: Sequence[Active] = ()
    faces: Sequence[Player] = ()
    more_faces: int = 0
    competitions: Sequence[Competition] = ()
    """Those with games in the week, and those that ended, with their ``winners``."""
    records: Sequence[Busiest] = ()
    coming: Sequence[Arrangement] = ()
    """The first dates after the week."""
    earlier: date | None = None
    """The Monday of the last week before with a match."""
    later: date | None = None

    @property
    def last_day(self) -> date:
        return self.monday + timedelta(days=6)

    @property
    def is_empty(self) -> bool:
        return not (self.games or self.competitions)


def monday_of(moment: datetime) -> date:
    """Return the Monday of a moment's week, by the league's clock."""
    day = moment.astimezone(ZoneInfo(frame.current().time_zone)).date()
    return day - timedelta(days=day.weekday())


def bounds(monday: date) -> tuple[datetime, datetime]:
    zone = ZoneInfo(frame.current().time_zone)
    begin = datetime.combine(monday, time(), zone)
    return begin, datetime.combine(monday + WEEK, time(), zone)


def latest_week(now: datetime, arena: Arena | None = None) -> date:
    """Return the Monday of the last week with a rated match, or else of this one."""
    last = games_of(arena).filter(played_at__lte=now).order_by("-played_at", "-id").first()
    return monday_of(last.played_at if last else now)


def games_of(arena: Arena | None) -> MatchQuerySet:
    """Return the rated games of an arena, or of all that are published."""
    found = Match.objects.rated().games()
    return found.filter(arena=arena) if arena else found.filter(arena__is_draft=False)


def week_of(monday: date, arena: Arena | None, now: datetime) -> Week:
    """Return a week, at most a minute old."""
    return read_kept(monday, arena, frame.current().time_zone, monday_of(now))


def key_of(
    monday: date, arena: Arena | None, zone: str, this_week: date
) -> tuple[date, int | None, str, date]:
    return monday, arena.pk if arena else None, zone, this_week


@cached(TTLCache(KEPT, SECONDS), key=key_of, lock=Lock())
def read_kept(monday: date, arena: Arena | None, _zone: str, this_week: date) -> Week:
    return read(monday, arena, this_week)


def read(monday: date, arena: Arena | None, this_week: date) -> Week:
    """Read a week. The number of statements does not grow with the league."""
    begin, end = bounds(monday)
    within = games_of(arena).filter(played_at__gte=begin, played_at__lt=end)
    counts = Counter(dict(within.order_by().values_list("season").annotate(count=Count("pk"))))
    seasons = Season.objects.select_related("arena").in_bulk(
        [season for season, _count in counts.most_common(SEASONS)]
    )
    shown = within.filter(season__in=seasons)
    gained, lost = moved_in(shown, seasons)
    surprise, chance = surprise_in(within)
    best = best_in(within, seasons, counts)
    lines = lines_of([pk for pk in (surprise, best) if pk])
    faces = new_faces(within)
    return Week(
        monday=monday,
        begin=begin,
        end=end,
        games=counts.total(),
        people=people_in(within) if counts else 0,
        gained=gained,
        lost=lost,
        surprise=lines.get(surprise or 0),
        chance=chance,
        best=lines.get(best or 0),
        active=active_in(within) if counts else (),
        faces=faces[:FACES],
        more_faces=max(len(faces) - FACES, 0),
        competitions=competitions_in(arena, begin, end),
        records=records_in(arena, monday),
        coming=coming_after(arena, end),
        earlier=week_before(arena, begin),
        later=week_after(arena, end, this_week) if monday < this_week else None,
    )


def openly(path: str) -> dict[str, Any]:
    """Return the filters for people whose matches may be added up."""
    return {f"{path}hides_history": False, f"{path}is_unlisted": False, f"{path}left_at": None}


def moved_in(matches: MatchQuerySet, seasons: dict[int, Season]) -> tuple[list[Moved], list[Moved]]:
    """Return the players who gained and lost most in each season. Two statements."""
    if not seasons:
        return [], []
    ladders = [pk for pk, season in seasons.items() if season.lowest_first]
    moved = F("rating_after") - F("rating_before")
    events = RatingEvent.objects.filter(
        season__in=seasons, match__in=matches.values("pk"), **openly("player__")
    )
    summed = (
        events.order_by()
        .values("season", "player")
        .annotate(
            games=Count("pk"),
            moved=Sum(Case(When(season__in=ladders, then=-moved), default=moved)),
        )
    )

    def first(order: Any) -> Window:
        return Window(RowNumber(), partition_by=F("season"), order_by=order)

    ranked = summed.annotate(
        up=first([F("moved").desc(), F("player").asc()]),
        down=first([F("moved").asc(), F("player").asc()]),
    )
    rows = list(
        ranked.filter(Q(up__lte=MOVED, moved__gt=0) | Q(down__lte=MOVED, moved__lt=0)).values_list(
            "season", "player", "games", "moved"
        )
    )
    players = Player.ever.select_related("profile").in_bulk([row[1] for row in rows])
    found = []
    for season, player, games, change in rows:
        sign = -1 if seasons[season].lowest_first else 1
        event = RatingEvent(rating_before=0.0, rating_after=sign * change)
        found.append((change, Moved(seasons[season], players[player], games, event)))
    order = list(seasons)
    found.sort(key=lambda one: (order.index(one[1].season.pk), -abs(one[0])))
    return (
        [one for change, one in found if change > 0],
        [one for change, one in found if change < 0],
    )


def surprise_in(matches: MatchQuerySet) -> tuple[int | None, float]:
    """Return the match that the less likely side won by the longest odds, and its chance."""
    decided = Side.objects.filter(match=OuterRef("match"), place__gt=0)
    chance = Case(
        When(index=0, then=F("match__forecast__0")), When(index=1, then=F("match__forecast__1"))
    )
    won = Side.objects.filter(Exists(decided), match__in=matches.values("pk"), place=0)
    hidden = Participant.objects.filter(match=OuterRef("match"), player__is_unlisted=True)
    rows = won.filter(~Exists(hidden), match__forecast__len=2).annotate(chance=chance)
    found = rows.filter(chance__lt=CLEAR).order_by("chance", "match")
    match = found.values_list("match", "chance").first()
    return match or (None, 0.0)


def best_in(matches: MatchQuerySet, seasons: dict[int, Season], counts: Counter[int]) -> int | None:
    """Return the match in which the weakest player was rated highest, of the busiest season.

    Ratings of different seasons cannot be compared.
    """
    if not seasons:
        return None
    season = seasons[counts.most_common(1)[0][0]]
    events = RatingEvent.objects.filter(season=season, match__in=matches.values("pk"))
    weakest = Max("rating_before") if season.lowest_first else Min("rating_before")
    rows = events.order_by().values("match").annotate(weakest=weakest)
    order = "weakest" if season.lowest_first else "-weakest"
    return rows.order_by(order, "match").values_list("match", flat=True).first()


def people_in(matches: MatchQuerySet) -> int:
    parts = Participant.objects.filter(match__in=matches.values("pk"))
    return parts.order_by().values("player").distinct().count()


def active_in(matches: MatchQuerySet) -> list[Active]:
    """Return the players with most matches, if they had several. Two statements."""
    parts = Participant.objects.filter(match__in=matches.values("pk"), **openly("player__"))
    alone = ~Exists(
        Side.objects.filter(match=OuterRef("match"), place=0).exclude(pk=OuterRef("side"))
    )
    counted = (
        parts.order_by()
        .values("player")
        .annotate(games=Count("pk"), wins=Count("pk", filter=Q(alone, side__place=0)))
    )
    rows = list(
        counted.filter(games__gt=1)
        .order_by("-games", "-wins", "player")
        .values_list("player", "games", "wins")[:ACTIVE]
    )
    players = Player.ever.select_related("profile").in_bulk([row[0] for row in rows])
    return [Active(players[player], games, wins) for player, games, wins in rows]


def new_faces(matches: MatchQuerySet) -> list[Player]:
    """Return the players with their first rated match in an arena, by name."""
    first = RatingEvent.objects.filter(match__in=matches.values("pk"), last_played_before=None)
    found = Player.objects.filter(pk__in=first.values("player"), **openly(""))
    return list(found.select_related("profile").order_by("sort_name", "pk"))


def competitions_in(arena: Arena | None, begin: datetime, end: datetime) -> list[Competition]:
    """Return competitions that ended in a week or had games in it, with winners. Two statements."""
    published = Competition.objects.published().filter(season__arena__is_draft=False)
    if arena:
        published = published.filter(season__arena=arena)
    ended = Q(over_at__gte=begin, over_at__lt=end)
    games = Competition.objects.filter(
        pk=OuterRef("pk"),
        fixtures__games__arrangement__match__played_at__gte=begin,
        fixtures__games__arrangement__match__played_at__lt=end,
    )
    found = list(
        published.filter(ended | Exists(games))
        .select_related("season__arena")
        .order_by("-over_at", "pk")[:MOST_COMPETITIONS]
    )
    won = Entrant.objects.filter(competition__in=found, place=1, trophy=True)
    winners: dict[int, list[Entrant]] = {}
    for entrant in won.select_related("player", "roster__team").order_by("pk"):
        winners.setdefault(entrant.competition_id, []).append(entrant)
    for one in found:
        over = one.over_at is not None and begin <= one.over_at < end
        one.winners = winners.get(one.pk, []) if over else []  # type: ignore[attr-defined] # as its page
    return found


def records_in(arena: Arena | None, monday: date) -> list[Busiest]:
    """Return the arenas with more matches than in any week before. Two statements."""
    days = ArenaDay.objects.filter(day__lt=monday + WEEK)
    days = days.filter(arena=arena) if arena else days.filter(arena__is_draft=False)
    weeks = days.annotate(week=TruncWeek("day")).order_by().values("arena", "week")
    sums = weeks.annotate(count=Sum("matches")).values_list("arena", "week", "count")
    most: dict[int, int] = {}
    now: dict[int, int] = {}
    for pk, week, count in sums:
        if week == monday:
            now[pk] = count
        else:
            most[pk] = max(most.get(pk, 0), count)
    broken = {pk: count for pk, count in now.items() if pk in most and count > most[pk]}
    arenas = Arena.objects.in_bulk(list(broken)) if broken else {}
    return [Busiest(arenas[pk], count) for pk, count in broken.items()]


def coming_after(arena: Arena | None, end: datetime) -> list[Arrangement]:
    agreed = Arrangement.objects.accepted().filter(play_at__gte=end, play_at__lt=end + WEEK)
    agreed = agreed.filter(arena=arena) if arena else agreed.filter(arena__is_draft=False)
    return list(agreed.in_lines().order_by("play_at", "id")[:NEXT])


def week_before(arena: Arena | None, begin: datetime) -> date | None:
    last = games_of(arena).filter(played_at__lt=begin).order_by("-played_at", "-id")
    at = last.values_list("played_at", flat=True).first()
    return monday_of(at) if at else None


def week_after(arena: Arena | None, end: datetime, this_week: date) -> date:
    """Return the next week with a match, or else this week."""
    first = games_of(arena).filter(played_at__gte=end).order_by("played_at", "id")
    at = first.values_list("played_at", flat=True).first()
    return monday_of(at) if at and monday_of(at) < this_week else this_week
