"""Live matches, from their start to a captain's report."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from league.models import Match, MatchEvent, NoticeKind, Participant, Side, Status
from league.models.match import LONGEST_MATCH_SECONDS
from league.services.core.constraints import violated_rule
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.kill_points import committing
from league.services.core.types import PlayedBy, ReportedSide
from league.services.eligibility.reasons import (
    Code,
    busy,
    reasons_against,
    refuse_banned,
    season_to_play_in,
)
from league.services.maps import vetoes
from league.services.notices.writing import notify
from league.services.results.reports import claims
from league.services.results.reports.agreement import check_captains_report
from league.services.results.reports.digests import lineup_digest
from league.services.results.rules import challenges, formats
from league.services.results.rules.modes import mode_of_result
from league.services.results.rules.times import complete_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from league.models import Agreement, Arena, Player, Roster, User

SERVERS_TIME = timedelta(hours=6)
"""The time from its start for which a match that is rated by its events waits for its game
server."""
BUSY_RULES = {
    "player_waits_or_plays": Code.QUEUED,
    "player_in_one_live_match": Code.IN_LIVE_MATCH,
}
"""The obstacle that keeps a player from a match, by the constraint that their participation
violates."""


@dataclass(frozen=True)
class StartingSide:
    """A side about to play."""

    captain: Player
    players: Sequence[Player]
    roster: Roster | None = None
    professions: Mapping[int, str] = field(default_factory=dict)
    """The professions that players chose, by player id."""


@dataclass(frozen=True)
class Finish:
    """The result of one side of a live match, with its participants in order."""

    place: int
    score: float | None = None
    played: Sequence[PlayedBy] = ()


def start(
    arena: Arena,
    sides: Sequence[StartingSide],
    *,
    now: datetime,
    agreed_by: Agreement | None = None,
    started_by: User | None = None,
    weight: float = 1.0,
    forecast: float | None = None,
    mode: str = "",
    region: str = "",
    first_side: int | None = None,
) -> Match:
    """Start a match and return it. A player can only be in one live match at a time.

    It is played in the arena's game ``mode``, or its result names one.
    ``agreed_by`` says how its sides agreed to it. ``started_by`` is a game server's account.
    ``weight`` is that of the contest.
    ``first_side`` is the side at home, with White or to serve, on the word of somebody who gains
    nothing by it.
    ``forecast`` is the first of two sides' chance to win, as its players have read it.

    Raises:
        Refused: the sides do not fit the arena, no season is running, or its ladder points end
            too soon.
        Conflict: a player is already in a live match or a queue, or is banned.
    """
    season = season_to_play_in(arena, now)
    formats.check_weight(season.system(), weight)
    formats.check_first_side(len(sides), first_side)
    refuse_banned([player for side in sides for player in side.players], now)
    formats.check_format(
        arena,
        season.system(),
        [
            ReportedSide(
                side.captain,
                [PlayedBy(player) for player in side.players],
                place,
                None,
                side.roster,
            )
            for place, side in enumerate(sides)
        ],
    )
    try:
        with transaction.atomic():
            match = Match.objects.create(
                arena=arena,
                season=season,
                status=Status.LIVE,
                played_at=now,
                mode=mode,
                mode_fixed=bool(mode),
                region=region,
                started_by=started_by,
                began_live=True,
                weight=weight,
                contest_weight=weight,
                first_side=first_side,
                forecast=None if forecast is None else [forecast, 1.0 - forecast],
                lineup=lineup_digest([player.pk for player in side.players] for side in sides),
            )
            rows = Side.objects.bulk_create(
                Side(
                    match=match,
                    index=index,
                    roster=side.roster,
                    captain=side.captain,
                    agreed_at=now if agreed_by else None,
                    agreed_by=agreed_by or "",
                )
                for index, side in enumerate(sides)
            )
            Participant.objects.bulk_create(
                Participant(
                    match=match,
                    side=row,
                    player=player,
                    position=position,
                    profession=side.professions.get(player.pk, ""),
                    live=True,
                )
                for row, side in zip(rows, sides, strict=True)
                for position, player in enumerate(side.players)
            )
            vetoes.begin(match, arena, len(sides), now)
    except IntegrityError as error:
        code = BUSY_RULES.get(violated_rule(error))
        if code is None:
            raise
        players = [player for side in sides for player in side.players]
        reasons = reasons_against(players, now, codes=[code])
        if reasons:
            raise busy(reasons, code) from error
        text = _("One of the players has just joined a queue or a match.")
        raise Conflict(code, text) from error
    return match


def finish(
    match_id: int,
    finishes: Sequence[Finish],
    *,
    reporter: Player,
    now: datetime,
    sent_from: UUID | None = None,
    mode: str = "",
    link: Callable[[Match], object] | None = None,
) -> Match:
    """Report the result of a live match as a captain. The others then have time to answer.

    ``mode`` names its game mode, if that is not known yet. ``link`` is called in the same
    transaction, with the match as it began: its ``played_at`` is still its start.

    Raises:
        Forbidden: ``reporter`` leads no side, or only organisers report here, or the match waits
            for its game server.
        Conflict: the match is not live.
        Refused: the result does not fit the arena, or names no game mode.
    """
    with committing("finished match"):
        match = locked_match(match_id)
        sides = list(match.sides.select_related("captain__user").order_by("index"))
        mine = next((side for side in sides if side.captain_id == reporter.pk), None)
        if mine is None:
            raise Forbidden("not_a_captain", _("Only the captains of the sides can report."))
        check_captains_report(match.arena)
        check_server_is_lost(match, now)
        for side in sides:
            account = side.captain.user
            side.notified_at = now if account and account.is_active else None
        record_result(match, sides, finishes, mode, now)
        if link is not None:
            link(match)
        match.status = Status.REPORTED
        match.played_at = match.reported_at = now
        match.reported_by = reporter
        match.reported_by_side = mine.index
        match.reported_from = sent_from
        match.confirm_deadline = now + match.arena.confirmation_window
        match.save()
        if match.arena.is_ladder:
            challenges.link(match.season_id, [match.pk])
        captains = [side.captain for side in sides if side.captain_id != reporter.pk]
        notify(captains, NoticeKind.REPORTED, now, actor=reporter, match=match)
        claims.ask(match, reporter, now)
    return match


def awaits_server(match: Match, now: datetime) -> bool:
    """Return whether only its game server can report a live match, since its events are rated.

    A captain's report could otherwise come before the first event, and a false one be rated in
    place of the events. After some hours the server counts as lost, or its players could play
    nowhere else. A report then names the places, while the events that came are still rated.
    """
    return (
        match.status == Status.LIVE
        and match.started_by_id is not None
        and now < match.played_at + SERVERS_TIME
        and match.season.system().rates_events
        and match.participants.count() == match.sides.count()
    )


def check_server_is_lost(match: Match, now: datetime) -> None:
    """Refuse captains' reports of a match that still waits for its game server."""
    if awaits_server(match, now):
        text = _(
            "The game server reports this match. If it does not, captains can do so %(hours)d "
            "hours after the start. Until then, organisers can enter or void it."
        )
        hours = SERVERS_TIME // timedelta(hours=1)
        raise Forbidden("servers_match", text % {"hours": hours})


def locked_match(match_id: int) -> Match:
    """Return a match with a row lock."""
    # Only the match: its arena is that of everybody who plays there.
    rows = Match.objects.select_for_update(of=("self",)).select_related("arena")
    return rows.get(pk=match_id)


def record_result(
    match: Match, sides: Sequence[Side], finishes: Sequence[Finish], mode: str, now: datetime
) -> None:
    """Save the result of a live match's sides, and let its players go.

    The caller saves the match, which gets its game mode.

    Raises:
        Conflict: the match is not live, or some of its events are missing.
        Refused: the result does not fit the arena, or names no game mode or no time of a player who
            quit, where that is needed.
    """
    if match.status != Status.LIVE:
        raise Conflict(str(match.status), _("This match has already been reported."))
    if len(finishes) != len(sides):
        raise Refused(
            "placings", _("Give a place for each of the %(n)d sides.") % {"n": len(sides)}
        )
    check_complete(match, now)
    formats.check_result(match.arena, [(finish.place, finish.score) for finish in finishes])
    match.mode = mode_of_result(match.arena, mode, known=match.mode)
    rows = []
    for side, finish in zip(sides, finishes, strict=True):
        side.place, side.score = finish.place, finish.score
        rows.append(with_parts(side, finish.played))
    length = max((now - match.played_at).total_seconds(), 0.0)
    complete_rows(match, rows, min(length, LONGEST_MATCH_SECONDS))
    Side.objects.bulk_update(sides, ["place", "score", "notified_at"])
    everyone = [row for side in rows for row in side]
    Participant.objects.bulk_update(everyone, ["seconds", "quit", "profession"])
    Participant.objects.filter(match=match).update(live=False)


def check_complete(match: Match, now: datetime) -> None:
    """Refuse the result of a match whose single events have gaps: some are still on their way.

    After some hours they are lost, and the events that came are rated.
    """
    missing = missing_events(match)
    if missing and now < match.played_at + SERVERS_TIME:
        raise Conflict(
            "events_missing",
            _("%(missing)d of the events up to number %(last)d are missing. Send them first.")
            % {"missing": missing, "last": missing + match.event_count},
        )


def missing_events(match: Match) -> int:
    """Return how many events before the last one that came are missing."""
    if not match.event_count:
        return 0
    last: int = MatchEvent.objects.filter(match=match).aggregate(last=Max("number"))["last"]
    return last - match.event_count


def with_parts(side: Side, played: Sequence[PlayedBy]) -> list[Participant]:
    """Return a side's participants with the reported times, quits and professions, in the order of
    the report and then those whom it leaves out.

    Players who left by themselves stay leavers whatever the report says. A profession chosen before
    the match stays unless the report has another.
    """
    parts = {part.player.pk: part for part in played}
    participants = list(side.participants.select_related("player"))
    for participant in participants:
        part = parts.get(participant.player_id)
        if part is None:
            continue
        formats.check_part(part)
        if part.seconds is not None:
            participant.seconds = part.seconds
        participant.quit = participant.quit or part.quit
        participant.profession = part.profession or participant.profession
    places = {player: place for place, player in enumerate(parts)}
    return sorted(participants, key=lambda row: places.get(row.player_id, len(places)))
