"""Points for guesses, computed from the results whenever they are read.

A guess earns 100 × (1 − (guess − result)²): 100 for being certain and right, 75 for an even guess
of a match with a winner, 0 for being certain and wrong. This is a Brier score, which rewards
nothing but saying what one believes. The forecast of the same moment earns points by the same
rule, and the difference is the guess's lead. So it costs nothing to guess few matches, sure
matches win nothing, and a copied forecast leads by 0.

Nothing is stored: a corrected result counts as corrected, and a void match does not count.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

from django.db.models import (
    Avg,
    Case,
    Count,
    Exists,
    F,
    FloatField,
    OuterRef,
    Q,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Power
from django.db.models.lookups import Exact, GreaterThan, LessThan

from league.models import Arrangement, Guess, Match, Participant, Player, Side, Status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet

    from league.models import Season

FEWEST = 5
"""Counted guesses from which a player is listed."""
EVEN = 10
"""Matches with a lead of 0 that everybody's average includes, so that no lucky start is first."""
MOST_LISTED = 100
BANDS = ((50, 59), (60, 69), (70, 79), (80, 89), (90, 100))


def guesses_in_time() -> QuerySet[Any]:
    """Return the guesses of rated matches given before they began.

    Guesses of players who took part after all do not count. Archived seasons keep those who were
    merged since, while dates and guesses are of the player whom they were merged into.
    """
    reported = Q(arrangement__match__reported_at=None) | Q(
        arrangement__match__reported_at__gt=F("given_at")
    )
    parts = Participant.objects.filter(match=OuterRef("arrangement__match"))
    player = OuterRef("player")
    # Two conditions, because one with an "or" is looked up for each guess.
    return Guess.objects.filter(
        reported,
        ~Exists(parts.filter(player=player)),
        ~Exists(parts.filter(player__merged_into=player)),
        arrangement__match__status=Status.RATED,
        arrangement__match__kind=Match.Kind.GAME,
        arrangement__match__played_at__gt=F("given_at"),
    )


def result_of(date: str = "") -> Case:
    """Return the result of a date's first side, 1, 0.5 or 0, null if no side is that of a captain.

    ``date`` leads from a row of the query to its date.
    """
    sides = Side.objects.filter(match=OuterRef(f"{date}match")).order_by()
    first, second = (
        Subquery(sides.filter(is_or_was("captain", f"{date}{who}")).values("place")[:1])
        for who in ("proposer", "opponent")
    )
    return Case(
        When(LessThan(first, second), then=Value(1.0)),
        When(GreaterThan(first, second), then=Value(0.0)),
        When(Exact(first, second), then=Value(0.5)),
        output_field=FloatField(),
    )


def counted_guesses() -> QuerySet[Any]:
    """Return the guesses that count, with their results and points. For those of one player."""
    off, forecast_off = F("percent") / 100.0 - F("result"), F("forecast") - F("result")
    counted: QuerySet[Any] = (
        guesses_in_time()
        .annotate(result=result_of("arrangement__"))
        .filter(result__isnull=False)
        .annotate(
            points=100.0 - 100.0 * Power(off, 2),
            forecast_points=100.0 - 100.0 * Power(forecast_off, 2),
        )
        .annotate(lead=F("points") - F("forecast_points"))
    )
    return counted


def is_or_was(field: str, outer: str) -> Q:
    """Return whether a field is a player of the outer query, or somebody merged into them."""
    return Q(**{field: OuterRef(outer)}) | Q(**{f"{field}__merged_into": OuterRef(outer)})


@dataclass(frozen=True)
class Standing:
    """A line of the table: a player, or the forecast itself, whose lead is 0."""

    player: Player | None
    count: int
    points: float
    """On average."""
    forecast_points: float
    lead: float
    rank: int | None = None

    @property
    def missing(self) -> int:
        """Return how many guesses a player needs to be listed."""
        return max(0, FEWEST - self.count)


def standings(season: Season) -> list[Standing]:
    """Return the table of a season, the best first, with the forecast at its place."""
    listed = Q(player__is_unlisted=False, player__user__isnull=False)
    rows = [one for one in lines(listed, season) if one.count >= FEWEST]
    rows.sort(key=lambda one: (-one.lead, one.player))
    rows = rows[:MOST_LISTED]
    people = Player.objects.in_bulk([one.player for one in rows])
    table = [one.standing(people[one.player]) for one in rows]
    if table:
        total = sum(one.count for one in table)
        mean = sum(one.forecast_points * one.count for one in table) / total
        ahead = [one for one in table if one.lead > 0]
        table.insert(len(ahead), Standing(None, total, mean, mean, 0.0))
    ranks, ranked = 0, []
    for one in table:
        ranks += one.player is not None
        ranked.append(
            Standing(
                one.player,
                one.count,
                one.points,
                one.forecast_points,
                one.lead,
                ranks if one.player else None,
            )
        )
    return ranked


def standing_of(player: Player, season: Season) -> Standing | None:
    """Return a player's own line, listed or not, ``None`` without a counted guess."""
    found = lines(Q(player=player), season)
    return found[0].standing(player) if found else None


@dataclass
class Line:
    """The sums of a player's guesses in a season."""

    player: int
    count: int = 0
    points: float = 0.0
    forecast_points: float = 0.0

    @property
    def lead(self) -> float:
        return (self.points - self.forecast_points) / (self.count + EVEN)

    def standing(self, player: Player) -> Standing:
        own, system = self.points / self.count, self.forecast_points / self.count
        return Standing(player, self.count, own, system, self.lead)


def lines(whose: Q, season: Season) -> list[Line]:
    """Return the sums of the guesses of a season, in two statements.

    Each result is read once, however many have guessed it: 100,000 guesses take a second on a busy
    machine, and took 48 with a result read for each.
    """
    dates = Arrangement.objects.filter(match__season=season, match__status=Status.RATED)
    results = dict(dates.values_list("pk", result_of()))
    found: dict[int, Line] = {}
    guesses = guesses_in_time().filter(whose, arrangement__match__season=season)
    for player, date, percent, forecast in guesses.values_list(
        "player", "arrangement", "percent", "forecast"
    ):
        result = results.get(date)
        if result is not None:
            line = found.setdefault(player, Line(player))
            line.count += 1
            line.points += points_of(percent / 100, result)
            line.forecast_points += points_of(forecast, result)
    return list(found.values())


def points_of(chance: float, result: float) -> float:
    return 100 - 100 * (chance - result) ** 2


def counted_of(player: Player) -> QuerySet[Any]:
    """Return a player's counted guesses, the latest match first."""
    people = ("proposer", "opponent", "proposer_roster", "opponent_roster", "arena")
    related = (f"arrangement__{one}" for one in people)
    return (
        counted_guesses()
        .filter(player=player)
        .select_related(*related)
        .order_by("-given_at", "-pk")
    )


@dataclass(frozen=True)
class Band:
    """Guesses of about the same certainty, and how often they came true."""

    low: int
    high: int
    count: int
    said: float
    """The average guess for the side that was favoured, in percent."""
    came: float
    """The average result of that side, in percent."""

    @property
    def verdict(self) -> str:
        """Return ``few``, ``right``, ``sure`` (too sure) or ``careful`` (too careful).

        What chance alone may do, two standard errors, is right.
        """
        if self.count < FEWEST:
            return "few"
        chance = self.said / 100
        error = 100 * sqrt(chance * (1 - chance) / self.count)
        if abs(self.said - self.came) <= 2 * error:
            return "right"
        return "sure" if self.said > self.came else "careful"


def calibration(guesses: Iterable[tuple[int, float]]) -> list[Band]:
    """Return bands of guesses and results, without the empty ones.

    A guess of 30 for one side is one of 70 for the other.
    """
    found: dict[tuple[int, int], list[tuple[int, float]]] = defaultdict(list)
    for percent, result in guesses:
        favoured = (percent, result) if percent >= 50 else (100 - percent, 1 - result)
        band = next(band for band in BANDS if favoured[0] <= band[1])
        found[band].append(favoured)
    return [
        Band(
            *band,
            len(rows),
            sum(said for said, _came in rows) / len(rows),
            100 * sum(came for _said, came in rows) / len(rows),
        )
        for band, rows in sorted(found.items())
    ]


@dataclass(frozen=True)
class Crowd:
    """The guesses of a match together. This is shown once guesses are closed."""

    count: int
    percent: float


def crowd_of(one: Arrangement) -> Crowd | None:
    """Return the average guess of a match that is closed, ``None`` without any."""
    found = one.guesses.aggregate(count=Count("pk"), percent=Avg("percent"))
    return Crowd(found["count"], found["percent"]) if found["count"] else None


def waiting_of(player: Player) -> QuerySet[Guess]:
    """Return a player's guesses of matches that have no result yet, the next match first."""
    people = ("proposer", "opponent", "proposer_roster", "opponent_roster", "arena")
    related = (f"arrangement__{one}" for one in people)
    state = {"arrangement__state": "accepted"}
    return player.guesses.filter(**state).select_related(*related).order_by("arrangement__play_at")
