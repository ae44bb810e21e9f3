"""Badges: named moments in a person's record, derived from rated matches whenever they are read.

Nothing is stored, so corrections, merges and imports need no steps of their own: a badge that the
results no longer show is gone. What friends could trade among themselves earns nothing: a match
counts here only if it counts at least half for ratings, and as one of the first few against the
same opponents within a week.
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass, field
from datetime import timedelta
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from cachetools import TTLCache
from django.db.models import Count, Min
from django.db.models.functions import Coalesce

from league.models import Award, Match, Participant, Player, RatingEvent, Side, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models import Season
    from league.services.results.records.profiles import SeasonPlayed

LEAST_SHARE = 0.5
"""The least share of its weight with which a match counts."""
MEETINGS, MEETINGS_WITHIN = 3, timedelta(days=7)
"""The most matches against the same opponents that count, and in which time."""
FEW_SIDES = 8
"""The most sides in an arena where players are compared. Of more nobody chooses their opponents."""
STREAK, TURN = 5, 3
"""The wins in a row, and the losses and then wins of a comeback."""
DIFFERENT = 2
"""The fewest different opponents in a run of wins."""
LONG_ODDS = 0.2
"""The most that a giant-killer's chance was."""
SETTLED = 5
"""The fewest earlier matches of everybody in a match whose odds count."""
CENTURY = 100
RIVALRY_WEEKS, RIVALRY_WINS = 10, 3
PODIUM = 3
KINDS = ("first_win", "streak", "giant", "comeback", "rivalry", "century", "podium")
"""In the order of pages."""
KEPT, SECONDS = 200, 60
"""The number of people whose badges a process keeps, and the most seconds."""


class Result(NamedTuple):
    """A rated match of a person."""

    match_id: int
    season_id: int
    arena_id: int
    played_at: datetime
    outcome: str
    share: float
    """Of its weight, as ratings count it."""
    chance: float | None
    """Their side's chance to win by the forecast, in a match of two sides."""
    opponents: frozenset[int]
    """Empty in a match of many sides."""
    is_duel: bool


@dataclass(frozen=True)
class Badge:
    """A badge, and the first match or season that earned it."""

    kind: str
    at: datetime
    season_id: int
    match_id: int | None = None
    """``None`` for a place on the podium."""
    value: float = 0.0
    """The chance of a giant-killer, the rank on a podium."""
    rival: str = ""


@dataclass
class Run:
    """The latest results in an arena."""

    wins: int = 0
    losses: int = 0
    """In a row, right before these wins."""
    won: bool = False
    """Whether there was a win after the losses, even one that does not count."""
    beaten: set[frozenset[int]] = field(default_factory=set)

    @property
    def is_varied(self) -> bool:
        """Return whether several opponents were beaten. Those of a large match always differ."""
        return len(self.beaten) >= DIFFERENT or frozenset() in self.beaten


@dataclass
class Rivalry:
    weeks: set[tuple[int, int]] = field(default_factory=set)
    wins: int = 0
    losses: int = 0

    @property
    def is_long(self) -> bool:
        fewest = min(self.wins, self.losses)
        return len(self.weeks) >= RIVALRY_WEEKS and fewest >= RIVALRY_WINS


def badges_of(
    person: Player, seasons: Sequence[SeasonPlayed], awards: Sequence[Award]
) -> list[Badge]:
    """Return a person's badges. No query while their ratings are as when last computed, else
    five."""
    versions = tuple(one.version for one in seasons)
    found = read_cache(person.pk, versions)
    if found is None:
        found = compute_badges(person, {one.season.pk: one.season for one in seasons})
        with _lock:
            _cache[person.pk] = versions, found
    podium = best_podium(awards)
    return [*found, podium] if podium else list(found)


_cache: TTLCache[int, tuple[tuple[object, ...], list[Badge]]] = TTLCache(KEPT, SECONDS)
_lock = Lock()


def read_cache(person: int, versions: tuple[object, ...]) -> list[Badge] | None:
    with _lock:
        kept = _cache.get(person)
    return kept[1] if kept and kept[0] == versions else None


def clear_cache() -> None:
    """Forget the badges that this process keeps."""
    with _lock:
        _cache.clear()


def compute_badges(person: Player, seasons: Mapping[int, Season]) -> list[Badge]:
    """Return the badges that a person's matches have earned, in the order of pages."""
    if not seasons:
        return []
    return first_moments(results_of(person), seasons, name_of)


def first_moments(
    results: Sequence[Result],
    seasons: Mapping[int, Season],
    name_rival: Callable[[frozenset[int]], str],
) -> list[Badge]:
    """Return the badge of each kind that these results earned first, in the order of pages.

    One query for wins at long odds, and what ``name_rival`` takes.
    """
    moments: dict[str, list[Result]] = defaultdict(list)
    for kind, one in find_moments(results):
        moments[kind].append(one)
    moments["giant"] = with_settled_odds(moments["giant"], seasons)
    found = []
    for kind in KINDS:
        if not moments[kind]:
            continue
        one = moments[kind][0]
        value = (one.chance or 0.0) if kind == "giant" else 0.0
        rival = name_rival(one.opponents) if kind == "rivalry" else ""
        found.append(Badge(kind, one.played_at, one.season_id, one.match_id, value, rival))
    return found


def name_of(opponents: frozenset[int]) -> str:
    return str(Player.ever.only("name").get(pk__in=opponents))


def best_podium(awards: Iterable[Award]) -> Badge | None:
    """Return the badge of a person's best place in an archived season, the first of several."""
    places = [one for one in awards if one.kind == Award.Kind.TOP and one.count <= PODIUM]
    if not places:
        return None
    best = min(places, key=lambda one: (one.count, ended_at(one.season)))
    return Badge("podium", ended_at(best.season), best.season_id, value=best.count)


def ended_at(season: Season) -> datetime:
    return season.ends_at or season.archived_at or season.starts_at


def find_moments(results: Iterable[Result]) -> Iterator[tuple[str, Result]]:
    """Yield every match that would earn a badge with its kind, in the order of the matches.

    Of those at long odds, the ratings may not have been settled.
    """
    runs: dict[int, Run] = defaultdict(Run)
    rivalries: dict[frozenset[int], Rivalry] = defaultdict(Rivalry)
    games = 0
    for one, counts in with_counting(results):
        if counts:
            games += 1
            if games == CENTURY:
                yield "century", one
            if one.is_duel and extend(rivalries[one.opponents], one):
                yield "rivalry", one
        run = runs[one.arena_id]
        if one.outcome == "win":
            run.won = True
            if counts:
                yield from moments_of_win(run, one)
        elif one.outcome == "draw":
            runs[one.arena_id] = Run()
        else:
            runs[one.arena_id] = Run(losses=1 if run.won else run.losses + 1)


def with_counting(results: Iterable[Result]) -> Iterator[tuple[Result, bool]]:
    """Yield the matches, and whether each counts for badges."""
    latest: dict[frozenset[int], deque[datetime]] = defaultdict(lambda: deque(maxlen=MEETINGS))
    for one in results:
        before = latest[one.opponents]
        too_often = (
            bool(one.opponents)
            and len(before) == MEETINGS
            and one.played_at - before[0] < MEETINGS_WITHIN
        )
        counts = one.share >= LEAST_SHARE and not too_often
        if counts:
            before.append(one.played_at)
        yield one, counts


def moments_of_win(run: Run, one: Result) -> Iterator[tuple[str, Result]]:
    run.wins += 1
    run.beaten.add(one.opponents)
    yield "first_win", one
    if run.wins >= STREAK and run.is_varied:
        yield "streak", one
    if run.losses >= TURN and run.wins >= TURN and run.is_varied:
        yield "comeback", one
    if one.chance is not None and one.chance <= LONG_ODDS:
        yield "giant", one


def extend(rivalry: Rivalry, one: Result) -> bool:
    """Add a match to a rivalry. Return whether that is a long one."""
    year, week, _day = one.played_at.isocalendar()
    rivalry.weeks.add((year, week))
    rivalry.wins += one.outcome == "win"
    rivalry.losses += one.outcome == "loss"
    return rivalry.is_long


def results_of(person: Player) -> list[Result]:
    """Return a person's rated matches in all arenas, oldest first. Three queries."""
    own = Participant.objects.filter(
        player__in=Player.ever.of_person(person),
        match__status=Status.RATED,
        match__kind=Match.Kind.GAME,
        match__arena__is_draft=False,
    )
    seats, shared = seats_in(own), shared_wins(own)
    rows = own.order_by("match__played_at", "match__rated_order").values_list(
        "match",
        "match__season",
        "match__arena",
        "match__played_at",
        "side__place",
        "match__weight",
        "match__contest_weight",
        "match__forecast",
        "side__index",
        "side",
    )
    found = []
    for match, season, arena, at, place, weight, whole, forecast, index, side in rows:
        met = seats.get(match, ())
        two_sided = len({seat for _player, seat in met}) == 2
        found.append(
            Result(
                match_id=match,
                season_id=season,
                arena_id=arena,
                played_at=at,
                outcome="loss" if place else "draw" if match in shared else "win",
                share=weight / whole,
                chance=forecast[index] if forecast and two_sided else None,
                opponents=frozenset(player for player, seat in met if seat != side),
                is_duel=two_sided and len(met) == 2,
            )
        )
    return found


def seats_in(own: QuerySet[Participant]) -> dict[int, list[tuple[int, int]]]:
    """Return the people of these matches with their sides, by match; none of large ones."""
    few = Participant.objects.filter(
        match__in=own.values("match"), match__arena__sides_max__lte=FEW_SIDES
    )
    found: dict[int, list[tuple[int, int]]] = defaultdict(list)
    person = Coalesce("player__merged_into", "player")
    for match, player, side in few.values_list("match", person, "side"):
        found[match].append((player, side))
    return found


def shared_wins(own: QuerySet[Participant]) -> set[int]:
    """Return those of these matches that the person's side and others came first in."""
    others = Side.objects.filter(match__in=own.filter(side__place=0).values("match"), place=0)
    counted = others.order_by().values("match").annotate(count=Count("pk"))
    return set(counted.filter(count__gt=1).values_list("match", flat=True))


def with_settled_odds(results: Sequence[Result], seasons: Mapping[int, Season]) -> list[Result]:
    """Return the matches before which everybody had played enough in the season. One query."""
    if not results:
        return []
    events = RatingEvent.objects.filter(
        season__in={one.season_id for one in results},
        match__in=[one.match_id for one in results],
    )
    fewest = dict(
        events.order_by().values("match").annotate(least=Min("games")).values_list("match", "least")
    )
    return [
        one
        for one in results
        if fewest.get(one.match_id, 0) > least_before(seasons.get(one.season_id))
    ]


def least_before(season: Season | None) -> int:
    """Return how many matches make odds credible in a season."""
    placement = season.season_rules().ranked.placement_matches if season else 0
    return max(placement, SETTLED)
