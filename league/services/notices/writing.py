"""Write notices: one statement, in the transaction of what they are about.

Only players with an account get them. A notice that repeats an unread one is not written, so that
nobody can fill another player's inbox by inviting or queueing them again and again. There is one
exception: each found match gets a notice, so that a player who missed one does not miss the next.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import connection

from league.models import MAILED, NoticeKind

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from league.models import (
        Arena,
        Arrangement,
        BadgeNote,
        Challenge,
        Competition,
        DishonorAward,
        Letter,
        Match,
        Player,
        Roster,
        Season,
        Team,
    )

MAIL_AFTER = timedelta(minutes=1)
"""The time that a notice waits for its reader on the site before it is mailed."""
MUTED_BY_DEFAULT = [NoticeKind.RATED, NoticeKind.BADGE]
"""The kinds that are mailed only to those who asked for them."""

NEVER_MAILED = [kind for kind in NoticeKind if kind not in MAILED]

MAIL_AT = f"""
    CASE WHEN told.kind = ANY(coalesce(preference.muted, '{{{",".join(MUTED_BY_DEFAULT)}}}'))
            OR preference.pace = 'never' OR told.kind = ANY('{{{",".join(NEVER_MAILED)}}}')
        THEN NULL ELSE told.at + interval '{MAIL_AFTER.total_seconds():.0f} seconds' END
"""
TO_ACCOUNTS = """
    JOIN league_player AS reader ON reader.id = told.player AND reader.user_id IS NOT NULL
    LEFT JOIN league_mailpreference AS preference ON preference.player_id = reader.id
"""
TELL = f"""
    INSERT INTO league_notice (player_id, kind, match_id, challenge_id, roster_id, arena_id,
        arrangement_id, award_id, letter_id, competition_id, team_id, season_id, badge_id,
        actor_id, created_at, mail_at)
    SELECT told.player, told.kind, told.match, told.challenge, told.roster, told.arena,
        told.arrangement, told.award, told.letter, told.competition, told.team, told.season,
        told.badge, told.actor, told.at, {MAIL_AT}
    FROM (SELECT DISTINCT unnest(%(players)s::bigint[]) AS player, %(kind)s::text AS kind,
            %(match)s::bigint AS match, %(challenge)s::bigint AS challenge,
            %(roster)s::bigint AS roster, %(arena)s::bigint AS arena,
            %(arrangement)s::bigint AS arrangement, %(award)s::bigint AS award,
            %(letter)s::bigint AS letter, %(competition)s::bigint AS competition,
            %(team)s::bigint AS team, %(season)s::bigint AS season,
            %(badge)s::bigint AS badge,
            %(actor)s::bigint AS actor, %(now)s::timestamptz AS at) AS told
    {TO_ACCOUNTS}
    WHERE NOT EXISTS (
        SELECT FROM league_notice AS unread
        WHERE told.kind <> 'found' AND unread.seen_at IS NULL
            AND unread.player_id = told.player AND unread.kind = told.kind
            AND unread.match_id IS NOT DISTINCT FROM told.match
            AND unread.challenge_id IS NOT DISTINCT FROM told.challenge
            AND unread.roster_id IS NOT DISTINCT FROM told.roster
            AND unread.arena_id IS NOT DISTINCT FROM told.arena
            AND unread.arrangement_id IS NOT DISTINCT FROM told.arrangement
            AND unread.award_id IS NOT DISTINCT FROM told.award
            AND unread.letter_id IS NOT DISTINCT FROM told.letter
            AND unread.competition_id IS NOT DISTINCT FROM told.competition
            AND unread.team_id IS NOT DISTINCT FROM told.team
            AND unread.season_id IS NOT DISTINCT FROM told.season
            AND unread.badge_id IS NOT DISTINCT FROM told.badge
    )
"""  # noqa: S608 - parts of ours
SEE_REQUESTS = """
    UPDATE league_notice SET seen_at = %(now)s, mail_at = NULL
    WHERE seen_at IS NULL AND kind = 'reported' AND match_id = %(match)s AND player_id IN (
        SELECT captain_id FROM league_side WHERE match_id = %(match)s)
        AND %(kind)s::text IS NOT NULL
"""
"""Answers the requests to confirm a report, as a part of a statement."""
TELL_PLAYERS = f"""
    INSERT INTO league_notice (player_id, kind, match_id, actor_id, created_at, mail_at)
    SELECT told.player, told.kind, told.match, told.actor, told.at, {MAIL_AT}
    FROM (SELECT player_id AS player, %(kind)s::text AS kind, match_id AS match,
            %(actor)s::bigint AS actor, %(now)s::timestamptz AS at
        FROM league_participant WHERE match_id = %(match)s AND %(kind)s::text IS NOT NULL
            AND player_id IS DISTINCT FROM %(actor)s::bigint) AS told
    {TO_ACCOUNTS}
"""  # noqa: S608 - as above
"""Tells everyone in a match except the actor, as a part of a statement; of no kind, nobody."""
TELL_OF_MATCH = f"WITH answered AS ({SEE_REQUESTS}) {TELL_PLAYERS}"


def notify(
    players: Iterable[Player | int],
    kind: NoticeKind,
    now: datetime,
    *,
    actor: Player | None = None,
    match: Match | int | None = None,
    challenge: Challenge | None = None,
    roster: Roster | None = None,
    arena: Arena | int | None = None,
    arrangement: Arrangement | None = None,
    award: DishonorAward | None = None,
    letter: Letter | None = None,
    competition: Competition | None = None,
    team: Team | None = None,
    season: Season | None = None,
    badge: BadgeNote | None = None,
) -> None:
    """Tell players about something. The rows it refers to give it its text."""
    ids = [key(player) for player in players]
    if not ids:
        return
    run(
        TELL,
        {
            "players": ids,
            "kind": kind.value,
            "match": key(match),
            "challenge": key(challenge),
            "roster": key(roster),
            "arena": key(arena),
            "arrangement": key(arrangement),
            "award": key(award),
            "letter": key(letter),
            "competition": key(competition),
            "team": key(team),
            "season": key(season),
            "badge": key(badge),
            "actor": key(actor),
            "now": now,
        },
    )


def notify_of_match(
    match_id: int, kind: NoticeKind, now: datetime, *, actor: int | None = None
) -> None:
    """Tell everyone in a match except ``actor`` what became of its result.

    Requests to confirm it are answered by this.
    """
    run(TELL_OF_MATCH, {"match": match_id, "kind": kind.value, "actor": actor, "now": now})


def key(row: Any) -> int | None:
    """Return the id of a row that may be given as its id."""
    found: int | None = getattr(row, "pk", row)
    return found


def run(statement: str, values: dict[str, Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
