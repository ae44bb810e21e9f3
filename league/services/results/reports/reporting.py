"""Reporting results."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import connection

from league.models import Match, Season
from league.services.core.errors import AboutMatch, Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.core.kill_points import committing
from league.services.core.statements import columns, compact, instance
from league.services.core.turns import MEETINGS, TAKE_TURNS, meetings_between, turns_of
from league.services.dishonor.discipline import bans_of
from league.services.eligibility.reasons import refuse_banned
from league.services.notices.writing import TELL_OF_REPORT
from league.services.results.reports import claims, pairing
from league.services.results.reports.agreement import check_captains_report, check_reachable
from league.services.results.reports.consent import check_consent
from league.services.results.reports.digests import lineup_digest, number, report_digest
from league.services.results.reports.pairing import Submission
from league.services.results.reports.situation import situation_of
from league.services.results.rules import formats, meetings
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
    from league.services.core.types import PlayedBy, ReportedSide


CLOCK_TOLERANCE = timedelta(minutes=5)
"""How far in the future the end of a match may be, because clocks differ."""
ATTEMPTS = 5
"""How often a report is tried again because the report that it would answer has just changed."""


TIME_TO_REPORT = timedelta(days=1)
"""How long after a ban others can report matches that were played before it."""


INSERT_REPORT = compact(f"""
    WITH turns AS MATERIALIZED (
        {TAKE_TURNS}
    ), earlier AS MATERIALIZED (
        SELECT *, {MEETINGS} AS met FROM league_earlier_reports(%(arena)s, %(lineup)s,
            %(result_digest)s, %(reporter)s, %(played_at)s, %(now)s,
            %(client_token)s::uuid IS NOT NULL,
            %(pairing_window)s, %(repeat_window)s, %(just_now)s, %(limit_window)s)
        WHERE (SELECT count(*) FROM turns) >= 0
    ), named AS (
        SELECT u.*, account.is_active
        FROM json_to_recordset(%(sides)s::json)
            AS u(index int, place int, score float8, roster bigint, captain bigint)
        JOIN league_player AS leader ON leader.id = u.captain
        LEFT JOIN league_user AS account ON account.id = leader.user_id
    ), report AS (
        INSERT INTO league_match (arena_id, season_id, status, played_at, weight, information, mode,
            client_token, reported_at, reported_by_id, reported_by_side, reported_from,
            confirm_deadline, dispute_reason, settlement, lineup, result_digest, report_digest)
        SELECT %(arena)s, %(season)s, 'reported', %(played_at)s, 1, %(information)s::jsonb,
            %(mode)s, %(client_token)s::uuid, %(now)s, %(reporter)s, %(reporter_side)s,
            %(reported_from)s::uuid, %(deadline)s, '', '',
            %(lineup)s, %(result_digest)s, %(report_digest)s
        FROM earlier
        WHERE repeated IS NULL AND (rivals = '{{}}' OR %(another_game)s)
            AND open_reports < %(most_open)s AND recent_reports < %(most_recent)s
            AND NOT EXISTS (
                SELECT FROM named WHERE is_active IS NOT TRUE AND index <> %(reporter_side)s
            )
        ON CONFLICT (client_token) DO NOTHING
        RETURNING *
    ), sides AS (
        INSERT INTO league_side
            (match_id, index, place, score, roster_id, captain_id, notified_at)
        SELECT report.id, index, place, score, roster, captain,
            CASE WHEN is_active THEN %(now)s::timestamptz END
        FROM report, named
        RETURNING id, index
    ), participants AS (
        INSERT INTO league_participant
            (match_id, side_id, player_id, position, seconds, quit, profession, live,
                stand_in)
        SELECT report.id, sides.id, u.player, u.position, u.seconds, u.quit, u.profession, false,
            u.stand_in
        FROM report, json_to_recordset(%(participants)s::json)
            AS u(side int, player bigint, position int, seconds float8, quit bool,
                profession text, stand_in bool)
        JOIN sides ON sides.index = u.side
    ), notices AS (
        {TELL_OF_REPORT}
    )
    SELECT {columns(Match, "r")}, earlier.repeated, earlier.rivals, earlier.open_reports,
        earlier.recent_reports, earlier.recent_since, earlier.met
    FROM earlier LEFT JOIN report AS r ON true
""")  # noqa: S608 - parts of ours

ALREADY_SENT = """
    SELECT id, report_digest FROM league_match WHERE client_token = %(token)s
    UNION ALL
    SELECT match_id, report_digest FROM league_counterreport WHERE client_token = %(token)s
"""


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
    if earlier := reported_with(client_token, content):
        return earlier
    check_open(arena, mode, now)
    check_captains_report(arena)
    if played_at > now + CLOCK_TOLERANCE:
        raise Refused("future", _("A match cannot end in the future."), field="played_at")
    situation = situation_of(arena, meetings.sides_of(sides), now)
    season = season_of_result(arena, played_at, situation.running)
    reporter_side = next(
        (index for index, side in enumerate(sides) if side.captain == reporter), None
    )
    if reporter_side is None:
        raise Forbidden("not_a_captain", _("Only the captains of the sides can report."))
    formats.check(arena, season.system(), sides)
    sides = with_times(season.system(), sides)
    mode = "" if mode is None else mode_of_result(arena, mode)
    sides = check_consent(arena, sides, now, season.season_rules().teams.stand_ins)
    if situation.may_be_banned:
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
    for _attempt in range(ATTEMPTS):
        filed = file_report(season, submission, information)
        if filed.match:
            return filed.match
        if filed.repeated or (filed.rivals and not answers):
            return Match.objects.get(pk=filed.repeated or filed.rivals[0])
        if answered := pairing.answer(submission, filed.rivals):
            return answered
        if not filed.rivals:
            found = filed.open_reports, filed.recent_reports, filed.recent_since
            check_reports(arena.limited_by(), *found, now)
            check_reachable(sides, reporter)
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
    """Write a report as :func:`insert_report`, unless its opponents have met too often."""
    limits = meetings.limits_of(season)
    filed = insert_report(season, report, information, takes_turns=bool(limits))
    if filed.match:
        meetings.check_limits(limits, report.sides, filed.meetings, report.now)
        if any(part.quit for side in report.sides for part in side.participants):
            claims.ask(filed.match, report.reporter, report.now)
    return filed


def reported_with(token: UUID | None, content: UUID) -> Match | None:
    """Return the match of the report with this token.

    Raises:
        AboutMatch: that report had another content.
    """
    if token is None:
        return None
    with connection.cursor() as cursor:
        cursor.execute(ALREADY_SENT, {"token": token})
        row = cursor.fetchone()
    if row is None:
        return None
    match_id, digest = row
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
    """The match of a report, if it was written, and what ``INSERT_REPORT`` found before."""

    match: Match | None
    repeated: int | None
    rivals: list[int]
    open_reports: int
    recent_reports: int
    recent_since: datetime | None
    meetings: list[meetings.Earlier]
    """The opponents' earlier matches."""


def insert_report(
    season: Season, report: Submission, information: dict[str, str] | None, *, takes_turns: bool
) -> Filed:
    """Write a report in one statement, unless an earlier one or a limit prevents it.

    If opponents can meet only so often, this takes the turns of the players.
    """
    sides, limits = report.sides, report.arena.limited_by()
    turns = turns_of(meetings.sides_of(sides)) if takes_turns else []
    since = report.now - timedelta(seconds=WEEK)
    values: dict[str, Any] = {
        **meetings_between(turns, report.arena.pk, since, settled=False),
        "season": season.pk,
        "played_at": report.played_at,
        "information": json.dumps(information or {}),
        "mode": report.mode,
        "client_token": report.client_token,
        "now": report.now,
        "reporter": report.reporter.pk,
        "reporter_side": report.reporter_side,
        "reported_from": report.sent_from,
        "deadline": report.now + report.arena.confirmation_window,
        "lineup": lineup_digest([part.player.pk for part in side.participants] for side in sides),
        "result_digest": report.result_digest,
        "report_digest": report.report_digest,
        "another_game": report.same_game is False,
        "pairing_window": pairing.PAIRING_WINDOW,
        "repeat_window": pairing.REPEAT_WINDOW,
        "just_now": pairing.JUST_NOW,
        "limit_window": RECENT,
        "most_open": limits.open_reports,
        "most_recent": limits.recent_reports,
        "sides": json.dumps([row_of_side(index, side) for index, side in enumerate(sides)]),
        "participants": json.dumps(
            [
                row_of_part(index, position, part)
                for index, side in enumerate(sides)
                for position, part in enumerate(side.participants)
            ]
        ),
    }
    with connection.cursor() as cursor:
        cursor.execute(INSERT_REPORT, values)
        row = cursor.fetchone()
    *found, met = row[-len(Filed._fields) + 1 :]
    match = instance(Match, row) if row[0] else None
    return Filed._make([match, *found, meetings.read(met)])


def row_of_side(index: int, side: ReportedSide) -> dict[str, Any]:
    return {
        "index": index,
        "place": side.place,
        "score": number(side.score),
        "roster": side.roster.pk if side.roster else None,
        "captain": side.captain.pk,
    }


def row_of_part(side: int, position: int, part: PlayedBy) -> dict[str, Any]:
    return {
        "side": side,
        "player": part.player.pk,
        "position": position,
        "seconds": number(part.seconds),
        "quit": part.quit,
        "profession": part.profession,
        "stand_in": part.stand_in,
    }
