"""The arenas of the league on the admin's first page: season, rounds, and reports that are open."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.db.models import Count, Exists, OuterRef, Q

from league.models import Competition, Match, RatingEvent, Season, Status
from league.services.competitions.running.bracket_names import names_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models import Arena

MOST_CARDS = 12
"""The most arenas that the first page shows. The others are found by their names."""
MOST_ROUNDS = 3
"""The most competitions that an arena's card names."""


@dataclass(frozen=True)
class NextRound:
    """The next round of a competition, or its draw."""

    competition: Competition
    at: datetime
    name: str = ""
    """Empty before the draw of the whole competition."""
    is_drawn: bool = True
    is_running: bool = False
    """Whether its fixtures can be played now."""


@dataclass
class Card:
    """An arena at a glance."""

    arena: Arena
    season: Season | None = None
    """The season that is running, else the next that is planned."""
    is_running: bool = False
    has_results: bool = False
    """Whether the season has any."""
    reports: int = 0
    """Results that wait for an answer or a decision."""
    rounds: list[NextRound] = field(default_factory=list)


def order_arenas(arenas: QuerySet[Arena], now: datetime) -> QuerySet[Arena]:
    """Put arenas first in which a season is running, and drafts and closed ones last."""
    running = Season.objects.running(now).filter(arena=OuterRef("pk"))
    return arenas.alias(plays=Exists(running)).order_by(
        "is_draft", "-is_open", "-plays", "sort_name", "pk"
    )


def cards(arenas: Sequence[Arena], now: datetime) -> list[Card]:
    """Return a card for each arena. It takes four statements for any number of them."""
    found = {arena.pk: Card(arena) for arena in arenas}
    if not found:
        return []
    current = Q(opened_at=None) | Q(pk__in=Season.objects.running(now))
    rated = RatingEvent.objects.filter(season=OuterRef("pk"))
    rows = Season.objects.filter(current, arena__in=found).annotate(has_results=Exists(rated))
    for season in rows.order_by("-starts_at"):
        card = found[season.arena_id]  # the earliest comes last: it is running, or the next
        card.season, card.is_running = season, season.opened_at is not None
        card.has_results = season.has_results  # type: ignore[attr-defined] # annotated
    waiting = Match.objects.filter(
        arena__in=found, status__in=[Status.REPORTED, Status.DISPUTED]
    ).order_by()
    for arena, count in waiting.values_list("arena").annotate(Count("pk")):
        found[arena].reports = count
    for one in next_rounds(found):
        rounds = found[one.competition.arena_id].rounds
        if len(rounds) < MOST_ROUNDS:
            rounds.append(one)
    return list(found.values())


def next_rounds(arenas: dict[int, Card]) -> list[NextRound]:
    """Return the next round of each competition that is not over, the soonest first.

    Where nothing is left to open, it is the last round that is open.
    """
    rows = Competition.objects.unfinished().filter(season__arena__in=arenas)
    found = []
    for one in rows.select_related("season__arena").prefetch_related("rounds"):
        if one.state == Competition.State.REGISTRATION:
            found.append(NextRound(one, one.starts_at, is_drawn=False))
            continue
        rounds = one.rounds.all()
        coming = [each for each in rounds if each.opened_at is None]
        running = [each for each in rounds if each.opened_at and each.closed_at is None]
        names = names_of(one, rounds)
        if coming:
            is_drawn = one.format != Competition.Format.SWISS
            found.append(NextRound(one, coming[0].opens_at, names[coming[0].pk], is_drawn))
        elif running:
            last = running[-1]
            found.append(NextRound(one, last.closes_at, names[last.pk], is_running=True))
    return sorted(found, key=lambda each: (each.at, each.competition.pk))
