"""Reporting results."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import connection

from league.models import (
    Agreement,
    CounterReport,
    Match,
    NoticeKind,
    Participant,
    Season,
    Side,
    Status,
)
from league.services.core.errors import AboutMatch, Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.core.kill_points import committing
from league.services.core.turns import meetings_between, take_turns, turns_of
from league.services.dishonor.discipline import bans_of
from league.services.eligibility.reasons import refuse_banned
from league.services.notices.writing import notify
from league.services.results.reports import claims, one_game
from league.services.results.reports.agreement import (
    check_captains,
    check_captains_report,
    check_reachable,
)
from league.services.results.reports.consent import check_consent
from league.services.results.reports.digests import number, report_digest
from league.services.results.reports.one_game import Submission
from league.services.results.rules import challenges, formats, meetings
from league.services.results.rules.limits import RECENT, check_reports
from league.services.results.rules.modes import mode_of_result
from league.services.results.rules.times import with_times
from league.services.site.frame import refuse_new_matches
from ratings.seasons.fair_play import WEEK

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from uuid import UUID

    from league.models import Arena, Player
    from league.services.core.types import ReportedSide


CLOCK_TOLERANCE = timedelta(minutes=5)
"""The furthest that the end of a match may lie in the future, because clocks differ."""
ATTEMPTS = 5
"""The number of tries of a report that would answer one that has just changed."""


TIME_TO_REPORT = timedelta(days=1)
"""The time after a ban in which others can report matches that were played before it."""


EARLIER_REPORTS = """
    SELECT * FROM league_earlier_reports(%(arena)s, %(lineup)s, %(result)s, %(reporter)s,
        %(played_at)s, %(now)s, %(has_token)s,
        %(pairing_window)s, %(repeat_window)s, %(just_now)s, %(limit_window)s)
"""
MEETINGS = "SELECT league_meetings(%(arena)s, %(turns)s, %(since)s, %(latest)s, %(settled)s)"


def report(
    arena: Arena,
    sides: Sequence[ReportedSide],
    *,
    reporter: Player,
    played_at: datetime,
    now: datetime,
    client_token: UUID | None = None,
    information: dict[str, str] | None = None,
    sent_from: UUID | None = None,
    answers: bool = True,
    mode: str | None = "",
    same_game: bool | None = None,
) -> Match:
    """Report a result as a captain and return the match. The other sides then have time to answer.

    If another side has already reported the same game, this answers its report: the same result
    confirms it. Another result may be that of another game: ``same_game`` says whether it is the
    same, which disputes that report. The same result as another captain of the own side has
    reported changes nothing. Without ``answers``, the match of such an earlier report is returned
    as it is. A repeated ``client_token`` returns the match of the first report, and so
    does the same report within ten minutes without a token.

    ``sent_from`` is a keyed hash of the client's address. ``mode`` is the game mode, ``None`` for a
    match that nobody played.

    Raises:
        Forbidden: ``reporter`` leads no side, or is banned, or only organisers report here.
        AboutMatch: ``client_token`` belongs to a different report, or another side has an open
            report of these players with another result, and ``same_game`` is ``None``.
        Conflict: another player is banned, or another captain of the own side has reported another
            result.
        LimitReached: ``reporter`` has too many open reports, or too many in a short time.
        Refused: the result does not fit the arena or names no game mode, no season is running, a
            side has players who are in no roster of its captain, nobody can confirm for it, or its
            opponents have met too often.
        Unavailable: during maintenance, unless nobody played the match.
    """
    content = report_digest(arena.pk, reporter.pk, sides, played_at, information, mode)
    # Outside the locks first: most repeated reports end here.
    if earlier := reported_with(client_token, content):
        return earlier
    check_open(arena, mode, now)
    check_captains_report(arena)
    if played_at > now + CLOCK_TOLERANCE:
        raise Refused("future", _("A match cannot end in the future."), field="played_at")
    running = arena.seasons.running(now).first()
    season = season_of_result(arena, played_at, running)
    reporter_side = next(
        (index for index, side in enumerate(sides) if side.captain == reporter), None
    )
    if reporter_side is None:
        raise Forbidden("not_a_captain", _("Only the captains of the sides can report."))
    formats.check_format(arena, season.system(), sides)
    sides = with_times(season.system(), sides)
    mode = "" if mode is None else mode_of_result(arena, mode)
    sides = check_consent(arena, sides, now, season.season_rules().teams.stand_ins)
    check_bans(sides, reporter, played_at, now)
    if any(side.captain not in {part.player for part in side.participants} for side in sides):
        check_reachable(sides, reporter)
    submission = Submission(
        sides,
        reporter,
        reporter_side,
        played_at,
        now,
        arena,
        client_token,
        content,
        mode,
        sent_from,
        same_game,
    )
    # Not one transaction: an answer locks the other report's match, and a new report its players.
    for _attempt in range(ATTEMPTS):
        filed = file_report(season, submission, information)
        if filed.match:
            return filed.match
        if filed.repeated or (filed.rivals and not answers):
            return Match.objects.get(pk=filed.repeated or filed.rivals[0])
        if answered := one_game.answer(submission, filed.rivals):
            return answered
        if earlier := reported_with(client_token, content):
            return earlier
    raise Conflict("busy", _("Others are reporting this game at this moment. Try again."))


def check_open(arena: Arena, mode: str | None, now: datetime) -> None:
    """Refuse reports to a closed arena, and those of played matches during maintenance."""
    if mode is not None:
        refuse_new_matches(now)
    if not arena.is_open:
        raise closed_refusal(arena)


@committing("report")
def file_report(season: Season, report: Submission, information: dict[str, str] | None) -> Filed:
    """Save a report and ask the others to confirm it, unless an earlier report is in the way.

    Reports by one player and of one line-up are filed one after the other, and those of all its
    players if opponents can meet only so often. So nothing that is checked here changes meanwhile.

    Raises:
        LimitReached: the reporter has too many reports.
        Refused: nobody can confirm for a side, or its opponents have met too often.
    """
    limits = meetings.limits_of(season)
    turns = turns_of(meetings.sides_of(report.sides)) if limits else []
    if turns:
        take_turns(turns)
    earlier = earlier_reports(report)
    filed = Filed(None, earlier.repeated, earlier.rivals)
    if earlier.repeated or (earlier.rivals and report.same_game is not False):
        return filed
    check_reports(
        report.arena.limit_settings(),
        earlier.open_reports,
        earlier.recent_reports,
        earlier.recent_since,
        report.now,
    )
    captains = [side.captain for side in report.sides if side.captain != report.reporter]
    check_captains(captains)
    if turns:
        met = earlier_meetings(report, turns)
        meetings.check_limits(limits, report.sides, met, report.now)
    match = save_report(season, report, information)
    if match is None:
        return filed
    for challenge in challenges.link(season.pk, [match.pk]) if season.lowest_first else ():
        match.sides.update(agreed_by=Agreement.CHALLENGE, agreed_at=challenge.accepted_at)
    notify(captains, NoticeKind.REPORTED, report.now, actor=report.reporter, match=match)
    if any(part.quit for side in report.sides for part in side.participants):
        claims.ask(match, report.reporter, report.now)
    return filed._replace(match=match)


def save_report(
    season: Season, report: Submission, information: dict[str, str] | None
) -> Match | None:
    """Save the match of a report with its sides and participants.

    Return ``None`` if another report has just used its token.
    """
    values: dict[str, Any] = {
        "arena": report.arena,
        "season": season,
        "status": Status.REPORTED,
        "played_at": report.played_at,
        "information": information or {},
        "mode": report.mode,
        "reported_at": report.now,
        "reported_by": report.reporter,
        "reported_by_side": report.reporter_side,
        "reported_from": report.sent_from,
        "confirm_deadline": report.now + report.arena.confirmation_window,
        "lineup": report.lineup,
        "result_digest": report.result_digest,
        "report_digest": report.report_digest,
    }
    if report.client_token is None:
        match = Match.objects.create(**values)
    else:
        match, is_new = Match.objects.get_or_create(
            client_token=report.client_token, defaults=values
        )
        if not is_new:
            return None
    sides = Side.objects.bulk_create(
        Side(
            match=match,
            index=index,
            place=side.place,
            score=number(side.score),
            roster=side.roster,
            captain=side.captain,
            notified_at=report.now,
        )
        for index, side in enumerate(report.sides)
    )
    Participant.objects.bulk_create(
        Participant(
            match=match,
            side=side,
            player=part.player,
            position=position,
            seconds=number(part.seconds),
            quit=part.quit,
            profession=part.profession,
            stand_in=part.stand_in,
        )
        for side, reported in zip(sides, report.sides, strict=True)
        for position, part in enumerate(reported.participants)
    )
    return match


def reported_with(token: UUID | None, content: UUID) -> Match | None:
    """Return the match of the report with this token.

    Raises:
        AboutMatch: that report had another content.
    """
    if token is None:
        return None
    sent = Match.objects.filter(client_token=token).values_list("pk", "report_digest")
    answers = CounterReport.objects.filter(client_token=token)
    found = sent.first() or answers.values_list("match", "report_digest").first()
    if found is None:
        return None
    match_id, digest = found
    if digest is not None and digest != content:
        raise AboutMatch(
            "token_used",
            _("This token belongs to a different report. Use a new token for each report."),
            match=match_id,
        )
    return Match.objects.get(pk=match_id)


def check_bans(
    sides: Sequence[ReportedSide], reporter: Player, played_at: datetime, now: datetime
) -> None:
    """Refuse a report by a banned player, or of a match that a banned player played.

    A match that they played just before the ban can still be reported by others.

    Raises:
        Forbidden: ``reporter`` is banned.
        Conflict: another player is.
    """
    others = [part.player for side in sides for part in side.participants]
    bans = bans_of([player.pk for player in others], now)
    earlier = {
        number
        for number, ban in bans.items()
        if played_at < ban.at and now - ban.at <= TIME_TO_REPORT
    }
    barred = [player for player in others if player.pk in bans.keys() - earlier]
    if reporter.pk in bans or barred:
        refuse_banned(barred, now, by=reporter)


def season_of_result(arena: Arena, played_at: datetime, running: Season | None) -> Season:
    """Return the season for which a result counts, while ``running`` is running.

    Raises:
        Refused: the rules of the season in which it was played allow none.
    """
    if running and played_at >= running.starts_at:
        return running
    played_in = Season.objects.played_in(played_at).filter(arena=arena).first()
    late = played_in.season_rules().calendar.late if played_in else "refuse"
    if played_in and late == "its-season" and played_in.archived_at is None:
        return played_in
    if running and late == "running":
        return running
    if running is None:
        raise closed_refusal(arena)
    raise Refused(
        "before_season",
        _("This match was played before the season started (%(start)s).")
        % {"start": running.starts_at.date().isoformat()},
        field="played_at",
    )


def closed_refusal(arena: Arena) -> Refused:
    return Refused("closed", _("No season is running in %(arena)s.") % {"arena": arena})


class Filed(NamedTuple):
    """The match of a report if it was saved, or the earlier reports that are in its way."""

    match: Match | None
    repeated: int | None
    rivals: list[int]


class EarlierReports(NamedTuple):
    """The columns of ``league_earlier_reports``."""

    repeated: int | None
    """The match of the same report, sent before."""
    rivals: list[int]
    """Matches of open reports of these players by other captains, the nearest in time first."""
    open_reports: int
    recent_reports: int
    recent_since: datetime | None


def earlier_reports(report: Submission) -> EarlierReports:
    """Wait for other reports by this player or of these players, and return the earlier ones."""
    values: dict[str, Any] = {
        "arena": report.arena.pk,
        "lineup": report.lineup,
        "result": report.result_digest,
        "reporter": report.reporter.pk,
        "played_at": report.played_at,
        "now": report.now,
        "has_token": report.client_token is not None,
        "pairing_window": one_game.PAIRING_WINDOW,
        "repeat_window": one_game.REPEAT_WINDOW,
        "just_now": one_game.JUST_NOW,
        "limit_window": RECENT,
    }
    with connection.cursor() as cursor:
        cursor.execute(EARLIER_REPORTS, values)
        return EarlierReports(*cursor.fetchone())


def earlier_meetings(report: Submission, turns: list[int]) -> list[meetings.Earlier]:
    """Return the matches of the last week between players whose turns were taken."""
    since = report.now - timedelta(seconds=WEEK)
    with connection.cursor() as cursor:
        cursor.execute(MEETINGS, meetings_between(turns, report.arena.pk, since, settled=False))
        (found,) = cursor.fetchone()
    return meetings.read(found)
