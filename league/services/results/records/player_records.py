"""A player's records in a season: form, streaks, upsets, rivals, and results by kind."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import Avg, Case, Count, F, OuterRef, Q, Subquery, Value, When
from django.db.models.functions import Coalesce

from league.models import Match, Participant, Player, RatingEvent, Side
from league.services.core.isolation import gettext as _
from league.services.results.records.lines import with_counts
from league.services.results.records.profiles import Opponent, Record, meetings

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models import Season
    from league.services.results.records.profiles import Meeting

FORM = 10
"""The number of latest matches in a player's form."""
RIVALS = 5
LEAST_MEETINGS = 3
"""The least matches that make two players rivals."""
MOST_READ = 500


class Ended(NamedTuple):
    """The end of a match for a player."""

    match_id: int
    played_at: datetime
    place: int
    """From 1."""
    sides: int
    winners: int
    other: int | None = None
    """The player at the head of the other side, if there was one other."""
    others: int = 0
    """The number of players on the other sides."""

    @property
    def outcome(self) -> str:
        """Return ``win``, ``draw`` (first with others) or ``loss``."""
        if self.place > 1:
            return "loss"
        return "win" if self.winners == 1 else "draw"


class Played(NamedTuple):
    """A rated match as a player's records count it."""

    match_id: int
    played_at: datetime
    place: int
    sides: int
    winners: int
    mode: str
    profession: str
    map: str
    """Empty for matches without one."""
    side: int
    """The index of the player's side."""
    rating_before: float
    rating_after: float
    ours: float | None
    """The mean rating of the player's side before a match of two sides."""
    theirs: float | None

    @property
    def outcome(self) -> str:
        return Ended(*self[:5]).outcome


@dataclass(frozen=True)
class Streak:
    """Consecutive matches with the same kind of outcome."""

    count: int
    first: Played
    last: Played


@dataclass(frozen=True)
class Upset:
    """A win against the strongest opposition."""

    match: Played
    ahead: float
    """The other side's lead in the season's ratings."""

    @property
    def ranks_ahead(self) -> int:
        """The difference on a ladder, which has whole ranks."""
        return round(self.ahead)


@dataclass(frozen=True)
class Part:
    """A player's results in one kind of matches."""

    name: str
    record: Record
    change: float
    """The total change of the rating by these matches."""
    played: Sequence[Played]


@dataclass(frozen=True)
class Breakdown:
    """A player's results, grouped by one property of their matches."""

    kind: str
    parts: Sequence[Part]


@dataclass(frozen=True)
class Rivals:
    most_met: Sequence[Meeting]
    closest: Sequence[Meeting]
    """The rivals with the most even record."""


def ended_of(player: Player, matches: Collection[int]) -> dict[int, Ended]:
    """Return how these matches of a player ended, and against whom, by match id. One query."""
    theirs = with_counts(Match.objects.filter(pk__in=matches, participants__player=player))
    facing = Participant.objects.filter(match=OuterRef("pk")).exclude(
        side=OuterRef("participants__side")
    )
    number = facing.order_by().values("match").annotate(count=Count("pk")).values("count")
    rows = theirs.values_list(
        "pk",
        "played_at",
        F("participants__side__place") + 1,
        "side_count",
        "winner_count",
        Case(
            When(
                side_count=2,
                then=Subquery(facing.order_by("side__index", "position").values("player")[:1]),
            )
        ),
        Coalesce(Subquery(number), 0),
    )
    return {row[0]: Ended(*row) for row in rows}


def played_by(season: Season, player: Player) -> list[Played]:
    """Return a player's rated matches of a season in the order in which they were rated."""
    events = RatingEvent.objects.filter(season=season, player=player, match__kind=Match.Kind.GAME)
    own = events.filter(match__participants__player=player)
    sides = Side.objects.filter(match=OuterRef("match")).order_by().values("match")
    seats = RatingEvent.objects.filter(
        season=season, match=OuterRef("match"), match__participants__player=F("player")
    ).annotate(on_side=F("match__participants__side"))
    own_side = OuterRef("match__participants__side")

    def mean_rating(seats: QuerySet[Any]) -> Case:
        mean = seats.order_by().values("match").values(mean=Avg("rating_before"))
        return Case(When(sides=2, then=Subquery(mean)))

    counted = own.annotate(
        sides=Subquery(sides.values(count=Count("pk"))),
        winners=Subquery(sides.values(count=Count("pk", filter=Q(place=0)))),
    )
    rows = counted.order_by("games", "match__rated_order").values_list(
        "match",
        "match__played_at",
        F("match__participants__side__place") + 1,
        "sides",
        "winners",
        "match__mode",
        "match__participants__profession",
        Coalesce("match__map_choice__chosen", Value("")),
        "match__participants__side__index",
        "rating_before",
        "rating_after",
        mean_rating(seats.filter(on_side=own_side)),
        mean_rating(seats.exclude(on_side=own_side)),
    )
    return [Played(*row) for row in rows]


def longest(played: Iterable[Played], *outcomes: str) -> Streak | None:
    """Return the longest run of matches with one of these outcomes, the first of several."""
    runs = (list(run) for fits, run in groupby(played, lambda one: one.outcome in outcomes) if fits)
    best = max(runs, key=len, default=None)
    return Streak(len(best), best[0], best[-1]) if best else None


def biggest_upset(played: Iterable[Played], *, lowest_first: bool) -> Upset | None:
    """Return the win against the side that was furthest ahead, ``None`` if none was ahead."""
    sign = -1 if lowest_first else 1
    upsets = [
        Upset(one, sign * (one.theirs - one.ours))
        for one in played
        if one.outcome == "win" and one.theirs is not None and one.ours is not None
    ]
    best = max(upsets, key=lambda upset: upset.ahead, default=None)
    return best if best and best.ahead > 0 else None


def parts(played: Iterable[Played], name: Callable[[Played], str]) -> list[Part]:
    """Return the results grouped by ``name``, most matches first, without empty names."""
    groups: dict[str, list[Played]] = {}
    for one in played:
        if called := name(one):
            groups.setdefault(called, []).append(one)
    return [
        Part(
            called,
            record_in(found),
            sum(one.rating_after - one.rating_before for one in found),
            found,
        )
        for called, found in sorted(groups.items(), key=lambda group: -len(group[1]))
    ]


def breakdowns(sides_max: int, played: Sequence[Played]) -> list[Breakdown]:
    """Return the results by side, mode, map and profession, where matches have them."""
    names = [_("First side"), _("Second side")]
    by_side = parts(played, lambda one: names[one.side]) if sides_max == 2 else []
    found = [
        Breakdown("side", by_side),
        Breakdown("mode", parts(played, lambda one: one.mode)),
        Breakdown("map", parts(played, lambda one: one.map)),
        Breakdown("profession", parts(played, lambda one: one.profession)),
    ]
    return [one for one in found if one.parts]


def unbeaten_run(season: Season, played: Sequence[Played]) -> Streak | None:
    """Return the longest run without a loss, ``None`` where it is the longest run of wins."""
    drawn = season.arena.sides_max == 2 and season.arena.draws_allowed
    return longest(played, "win", "draw") if drawn else None


def with_players(met: Sequence[Meeting]) -> list[Opponent]:
    """Return meetings with the opponents by their present names. One query."""
    players = Player.ever.in_bulk([one.player_id for one in met])
    return [Opponent(players[one.player_id], one.record) for one in met]


def record_in(played: Iterable[Played]) -> Record:
    outcomes = [one.outcome for one in played]
    return Record(outcomes.count("win"), outcomes.count("draw"), outcomes.count("loss"))


def rivals_of(season: Season, player: Player) -> Rivals:
    """Return a player's rivals in a season. One query."""
    met = [
        one
        for one in meetings(season, player, limit=MOST_READ)
        if one.record.total >= LEAST_MEETINGS
    ]
    return Rivals(met[:RIVALS], sorted(met, key=evenness)[:RIVALS])


def evenness(one: Meeting) -> tuple[float, int]:
    """Return a key that sorts the closest rivals first."""
    record = one.record
    return abs(record.wins - record.losses) / record.total, -record.total
