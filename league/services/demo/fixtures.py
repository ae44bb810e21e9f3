"""Competitions of the demo: begun in the past and played up to now.

Rounds, draws and dates are those of the services. Only the results are imported, a round at
once, because hundreds of reports and confirmations would take too long.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from league.models import Arrangement, Competition, Entrant, Match, Player, Roster, Side
from league.services.competitions import progress
from league.services.competitions.locking import lock
from league.services.competitions.pairing.swiss import at_least_cost
from league.services.competitions.running import swiss_rounds
from league.services.competitions.running.starting import start
from league.services.core.clock import microseconds
from league.services.transfer.files.result_files import ResultFile
from league.services.transfer.histories.imports import import_history
from ratings import history
from ratings.history import History, Participant

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from numpy.random import Generator

    from league.models import Arena, Season

DAY, WEEK = timedelta(days=1), timedelta(weeks=1)
PLAYED_AFTER = 6 * DAY
"""The time from the beginning of a round until its default date is over."""
DATES = {"round_length": "7d", "default_after": "5d", "unplayed": "draw"}
State = Competition.State


@dataclass(frozen=True)
class Form:
    """The way in which results are drawn."""

    strength: Mapping[str, float]
    """By the captain's name."""
    draws: float
    """The chance of a draw between equal sides where it is possible."""
    chance: Generator

    def scores(self, home: str, away: str, *, needs_winner: bool) -> tuple[float, float]:
        """Draw the result of a game: 1, ½ or 0 for each side."""
        lead = self.strength[home] - self.strength[away]
        if not needs_winner and self.chance.random() < self.draws / (1 + abs(lead)):
            return 0.5, 0.5
        won = self.chance.random() < 1 / (1 + math.exp(-1.5 * lead))
        return (1.0, 0.0) if won else (0.0, 1.0)


def enter_all(
    season: Season,
    name: str,
    format_: Competition.Format,
    sides: Sequence[Player | Roster],
    *,
    starts_at: datetime,
    seed: int,
    **rules: dict[str, Any],
) -> Competition:
    """Create a competition, enter players or rosters, and draw it at the time of its start."""
    one = Competition(
        season=season,
        name=name,
        format=format_,
        rules=rules,
        seed=seed,
        state=State.REGISTRATION,
        starts_at=starts_at,
        opened_at=starts_at - 7 * DAY,
    )
    one.full_clean()
    one.save()
    Entrant.objects.bulk_create(
        Entrant(
            competition=one,
            player=side.captain if isinstance(side, Roster) else side,
            roster=side if isinstance(side, Roster) else None,
            name=side.name,
            entered_at=starts_at - 6 * DAY,
        )
        for side in sides
    )
    start(one.pk, now=starts_at)
    return one


def play_all(arena: Arena, form: Form, begins_at: datetime, until: datetime) -> None:
    """Play the arena's competitions, whose rounds begin in the same week."""
    week = begins_at
    while week <= until:
        running = Competition.objects.running().filter(season__arena=arena).order_by("pk")
        for number in running.values_list("pk", flat=True):
            one = lock(number)
            draw_quickly(one, week)
            progress.advance(one, week)
        play_due(arena, form, min(week + PLAYED_AFTER, until))
        week += WEEK


def draw_quickly(one: Competition, now: datetime) -> None:
    """Draw the next round of a Swiss as in large fields: the FIDE system takes seconds for 64."""
    round_ = swiss_rounds.next_round(one) if one.format == Competition.Format.SWISS else None
    if round_ and round_.opens_at <= now:
        paired = at_least_cost(swiss_rounds.standing_of(one, round_))
        swiss_rounds.write(one, round_, paired, now)


def play_due(arena: Arena, form: Form, now: datetime) -> None:
    """Import a result for each fixture that was due an hour ago."""
    dates = due_dates(arena, now)
    if not dates:
        return
    matches = [match_of(date, form) for date in dates]
    results = ResultFile(History.build(matches), [{} for _ in matches])
    import_history(arena, results, now=now)
    known = Match.objects.filter(arena=arena, external_id__in=results.history.match_ids)
    ids = dict(known.values_list("external_id", "pk"))
    for date in dates:
        date.match_id, date.state = ids[name_of(date)], Arrangement.State.PLAYED
    Arrangement.objects.bulk_update(dates, ["match", "state"])
    name_rosters(dates)


def due_dates(arena: Arena, now: datetime) -> list[Arrangement]:
    """Return the dates that were due an hour ago, with the players of both sides."""
    due = Arrangement.objects.accepted().filter(arena=arena, play_at__lte=now - timedelta(hours=1))
    people = ("proposer", "opponent", "proposer_roster", "opponent_roster")
    with_people = due.select_related("arena", "game__fixture__round", *people)
    members = ("proposer_roster__members", "opponent_roster__members")
    return list(with_people.prefetch_related(*members).order_by("pk"))


def match_of(date: Arrangement, form: Form) -> history.Match:
    """Return a result of a date, drawn by the strength of both sides."""
    needs_winner = date.game.fixture.round.is_in_bracket or not date.arena.draws_allowed
    scores = form.scores(date.proposer.name, date.opponent.name, needs_winner=needs_winner)
    return history.Match(
        match_id=name_of(date),
        played_at_us=microseconds(date.play_at),
        sides=[
            history.Side(
                place=0 if mine >= max(scores) else 1,
                score=mine,
                participants=[Participant(player.name) for player in players_of(captain, roster)],
            )
            for mine, captain, roster in (
                (scores[0], date.proposer, date.proposer_roster),
                (scores[1], date.opponent, date.opponent_roster),
            )
        ],
    )


def name_of(date: Arrangement) -> str:
    return f"fixture-{date.pk}"


def players_of(captain: Player, roster: Roster | None) -> list[Player]:
    """Return the players of a side, the captain first."""
    members = sorted(roster.members.all(), key=lambda player: player.pk) if roster else []
    return [captain, *(player for player in members if player != captain)]


def name_rosters(dates: Sequence[Arrangement]) -> None:
    """Write the rosters that played into the sides of the imported matches."""
    rosters = {
        (date.match_id, captain): roster
        for date in dates
        for captain, roster in (
            (date.proposer_id, date.proposer_roster_id),
            (date.opponent_id, date.opponent_roster_id),
        )
        if roster is not None
    }
    sides = list(Side.objects.filter(match__in={match for match, _captain in rosters}))
    for side in sides:
        side.roster_id = rosters[side.match_id, side.captain_id]
    Side.objects.bulk_update(sides, ["roster"])
