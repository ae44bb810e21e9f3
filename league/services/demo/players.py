"""Simulated players of the demo. They queue, accept, play and report through the same services as
people, and write nothing else.

What a player does in a ready check or a match is drawn from a seed and the id of that check or
match, so it is the same in every process and after a restart. Only the players' rests are kept in
memory.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from django.db import InterfaceError, OperationalError

from league.models import Arena, Match, Participant, Player, Status, TicketMember
from league.services.core.errors import Refused
from league.services.core.types import PlayedBy
from league.services.demo.skirmish import (
    GOAL,
    MATCH_NAME,
    chance,
    character,
    first_team_wins,
    points_of_losers,
)
from league.services.dishonor import abandons
from league.services.queue import queueing, ready_checks
from league.services.results.reports import answers, live

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from league.models import Side

logger = logging.getLogger(__name__)

ARENA = "skirmish"
"""The slug of the demo's arena for simulated players."""

ANSWER, COURSE, END, EXIT, REACTION, REST, PARTY = range(7)
"""The purposes of random draws: the answer to a ready check, a match's length and reporter, its
result, leaving it early, the reaction to a report, the length of a rest, queueing with a roster."""

MOST_AT_ONCE = 40
"""At most this many actions in a round, so that a long pause is caught up gradually."""
EAGER = 0.3
"""The share of players who queue at the start."""
SHORTEST_REST, LONGEST_REST = timedelta(seconds=60), timedelta(seconds=320)
AFTER_REFUSAL = timedelta(minutes=2)
PATIENCE = timedelta(minutes=4)
"""The longest wait in the queue before players give up."""
KNOWN_FOR = timedelta(minutes=1)
"""The time for which the list of players is cached."""

UNFIT_RELIABLE, UNFIT_OTHERWISE = 0.003, 0.1
"""The chance that a player misses a ready check: half the time by declining, otherwise by
silence."""
QUITS = 0.15
"""The chance that an unreliable player leaves a match early: half the time on the match's page,
otherwise the report says so."""
SHORTEST_MATCH, LONGEST_MATCH = 18.0, 35.0
"""The length of a match in seconds, in fast motion."""
FORGETS, DISPUTES = 0.06, 0.005
"""The chance that a captain ignores a report or disputes it."""


class Crowd:
    """The simulated players of an arena."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        self.players: dict[int, Player] = {}
        self._known_at: datetime | None = None
        self._rests: dict[int, datetime] = {}
        self._rounds: dict[int, int] = defaultdict(int)
        self._left = 0

    def act(self, now: datetime) -> None:
        """Let every player do what is due.

        Refusals and errors of one player are logged and do not stop the others.

        Raises:
            OperationalError, InterfaceError: the database does not respond.
        """
        self._left = MOST_AT_ONCE
        self._update_players(now)
        in_queue = self._in_queue()
        playing = self._playing()
        self._answer_ready_checks(in_queue, now)
        self._play(playing, now)
        self._answer_reports(now)
        busy = {member.player_id for member in in_queue} | {part.player_id for part in playing}
        self._join_and_leave(in_queue, busy, now)

    def _update_players(self, now: datetime) -> None:
        if self._known_at and abs(now - self._known_at) < KNOWN_FOR:
            return
        self._known_at = now
        self.players = {player.pk: player for player in simulated_players(self.arena)}

    def _in_queue(self) -> list[TicketMember]:
        members = TicketMember.objects.filter(player__in=self.players, open=True)
        return list(members.select_related("ticket__proposal").order_by("pk"))

    def _playing(self) -> list[Participant]:
        parts = Participant.objects.filter(player__in=self.players, live=True)
        return list(parts.select_related("match").order_by("pk"))

    def _answer_ready_checks(self, in_queue: Iterable[TicketMember], now: datetime) -> None:
        for member in in_queue:
            player = self.players[member.player_id]
            if member.seen_at is None:
                self._attempt(partial(queueing.mark_seen, member.ticket, player, now))
            proposal = member.ticket.proposal
            if proposal is None or member.accepted_at is not None:
                continue
            drawn = chance(ANSWER, proposal.pk, player.pk)
            takes = timedelta(seconds=drawn.uniform(1, 5))
            if now < proposal.proposed_at + takes:
                continue
            reliable = character(player.name).is_reliable
            if drawn.random() >= (UNFIT_RELIABLE if reliable else UNFIT_OTHERWISE):
                self._attempt(partial(ready_checks.accept, proposal.pk, by=player, now=now))
            elif drawn.random() < 0.5:
                self._attempt(partial(ready_checks.decline, proposal.pk, by=player, now=now))

    def _play(self, playing: Iterable[Participant], now: datetime) -> None:
        matches: dict[int, Match] = {}
        for part in playing:
            if part.match.arena_id != self.arena.pk:
                continue
            matches[part.match_id] = part.match
            player = self.players[part.player_id]
            exit_ = way_out(part.match, player)
            if exit_ and now >= part.match.played_at + exit_:
                self._attempt(partial(abandons.leave, part.match_id, by=player, now=now))
        for match in matches.values():
            self._end(match, now)

    def _end(self, match: Match, now: datetime) -> None:
        course = chance(COURSE, match.pk)
        if now < match.played_at + length_of(match):
            return
        sides = list(
            match.sides.order_by("index").prefetch_related(
                "participants__player", "participants__match"
            )
        )
        captains = [self.players[s.captain_id] for s in sides if s.captain_id in self.players]
        if not captains:
            return
        reporter = captains[int(course.integers(len(captains)))]
        finishes = ends(sides, match, now)
        self._attempt(partial(live.finish, match.pk, finishes, reporter=reporter, now=now))

    def _answer_reports(self, now: datetime) -> None:
        reports = Match.objects.filter(
            arena=self.arena,
            status=Status.REPORTED,
            sides__captain__in=self.players,
            confirm_deadline__gt=now,
        )
        for match in reports.distinct().order_by("pk").prefetch_related("sides"):
            drawn = chance(REACTION, match.pk)
            reacts_at = (match.reported_at or now) + timedelta(seconds=drawn.uniform(2, 9))
            answering = [
                self.players[side.captain_id]
                for side in match.sides.all()
                if side.index != match.reported_by_side and side.captain_id in self.players
            ]
            if now < reacts_at or not answering or drawn.random() < FORGETS:
                continue
            if drawn.random() < DISPUTES:
                self._attempt(
                    partial(
                        answers.dispute,
                        match.pk,
                        by=answering[0],
                        reason="We counted the points differently. Please check this match.",
                        now=now,
                        revision=match.revision,
                    )
                )
            else:
                confirm = partial(answers.confirm, by=answering[0], revision=match.revision)
                self._attempt(partial(confirm, match.pk, now=now))

    def _join_and_leave(
        self, in_queue: Iterable[TicketMember], busy: set[int], now: datetime
    ) -> None:
        for member in in_queue:
            ticket = member.ticket
            if (
                ticket.proposal_id is None
                and ticket.arena_id == self.arena.pk
                and ticket.captain_id == member.player_id
                and ticket.waiting_time(now) > PATIENCE.total_seconds()
            ):
                player = self.players[member.player_id]
                self._attempt(partial(queueing.leave, ticket.pk, by=player, now=now))
        queue = queueing.queue_of(self.arena)
        if queue is None or not queue.is_open or not queue.arena.is_open:
            return
        for player in self.players.values():
            if player.pk in busy:
                self._rests.pop(player.pk, None)
            elif self._is_rested(player, now):
                self._join(player, busy, now)

    def _is_rested(self, player: Player, now: datetime) -> bool:
        """Return whether the player has rested. Start a rest for a player who is newly free."""
        until = self._rests.get(player.pk)
        if until is not None and until - now <= LONGEST_REST * 2:  # else the clock was set back
            return until <= now
        drawn = chance(REST, player.pk, self._rounds[player.pk])
        self._rounds[player.pk] += 1
        span = (LONGEST_REST - SHORTEST_REST) * drawn.random()
        if self._rounds[player.pk] > 1:
            rest = (SHORTEST_REST + span) / character(player.name).keenness
        else:  # at the start, not all at once
            rest = timedelta() if drawn.random() < EAGER else span
        self._rests[player.pk] = now + rest
        return rest <= timedelta()

    def _join(self, player: Player, busy: set[int], now: datetime) -> None:
        if self._left <= 0:
            return
        drawn = chance(PARTY, player.pk, self._rounds[player.pk])
        roster = player.rosters_led.filter(arena=self.arena).first()
        party: list[Player] = []
        if roster and drawn.random() < 0.7:
            party = list(roster.members.all())
            if busy.intersection(member.pk for member in party):
                party = []
        self._rests[player.pk] = now + AFTER_REFUSAL
        joined = self._attempt(
            partial(
                queueing.join,
                self.arena,
                player,
                party,
                now=now,
                roster=roster if party else None,
            )
        )
        if joined:
            busy.update({player.pk, *(member.pk for member in party)})
            TicketMember.objects.filter(player__in=party, open=True).update(seen_at=now)

    def _attempt(self, action: Callable[[], object]) -> bool:
        """Perform an action of a player. Return whether it succeeded."""
        if self._left <= 0:
            return False
        self._left -= 1
        try:
            action()
        except Refused as refusal:
            logger.debug("A simulated player was refused: %s", refusal)
            return False
        except (OperationalError, InterfaceError):
            raise
        except Exception:
            logger.exception("A simulated player failed; the others go on.")
            return False
        return True


def playground() -> Arena | None:
    """Return the demo's arena in which simulated players play, None without them."""
    arena = Arena.objects.filter(slug=ARENA).first()
    return arena if arena and simulated_players(arena) else None


def simulated_players(arena: Arena) -> list[Player]:
    """Return the players of the demo's invented history in an arena.

    Players who have been given an account since then are left out: they belong to a person now.
    """
    invented = Match.objects.filter(arena=arena, external_id__startswith=MATCH_NAME)
    players = set(invented.values_list("participants__player", flat=True))
    return list(Player.objects.filter(user=None, pk__in=players).order_by("pk"))


def length_of(match: Match) -> timedelta:
    """Return the length of a match."""
    return timedelta(seconds=chance(COURSE, match.pk, 1).uniform(SHORTEST_MATCH, LONGEST_MATCH))


def way_out(match: Match, player: Player) -> timedelta | None:
    """Return after what time ``player`` leaves ``match`` before its end, usually ``None``."""
    if character(player.name).is_reliable:
        return None
    drawn = chance(EXIT, match.pk, player.pk)
    if drawn.random() >= QUITS:
        return None
    return length_of(match) * drawn.uniform(0.2, 0.9)


def ends(sides: Iterable[Side], match: Match, now: datetime) -> list[live.Finish]:
    """Return the result of a match that ends now, drawn by the skills of its teams."""
    drawn = chance(END, match.pk)
    teams = [list(side.participants.all()) for side in sides]
    names = [[part.player.name for part in team] for team in teams]
    first_wins = first_team_wins(names[0], names[1], drawn)
    losers_points = points_of_losers(drawn)
    return [
        live.Finish(
            0 if wins else 1,
            GOAL if wins else losers_points,
            [play_part(part, now) for part in team],
        )
        for team, wins in zip(teams, (first_wins, not first_wins), strict=True)
    ]


def play_part(part: Participant, now: datetime) -> PlayedBy:
    """Return a player's part in a match that ends now.

    If they left on the match's page, the league already knows when.
    """
    match, player = part.match, part.player
    profession = character(player.name).profession
    if part.quit:
        return PlayedBy(player, quit=True, profession=profession)
    seconds = round(max((now - match.played_at).total_seconds(), 0.0), 1)
    return PlayedBy(player, seconds, profession=profession)
