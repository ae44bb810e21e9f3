"""Playing an accepted challenge: a captain starts its match, or reports it afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from league.models import Agreement, Challenge
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.ladder.challenges import lock
from league.services.results.reports import live
from league.services.results.reports.agreed import already_reported, report_new
from league.services.site.frame import refuse_new_matches

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from uuid import UUID

    from league.models import Match, Player
    from league.services.core.types import ReportedSide


def start(challenge_id: int, *, by: Player, now: datetime) -> Match:
    """Start the match of an accepted challenge as one of its players, and return it.

    Raises:
        Forbidden: ``by`` is neither of the players.
        Conflict: the challenge is not waiting to be played, or a player is in a match or a queue.
        Refused: no match can begin in the arena now.
        Unavailable: during maintenance.
    """
    refuse_new_matches(now)
    with transaction.atomic():
        one = locked_for(challenge_id, by)
        check_to_be_played(one, now)
        sides = [live.StartingSide(player, [player]) for player in players_of(one)]
        one.match = live.start(one.season.arena, sides, now=now, agreed_by=Agreement.CHALLENGE)
        check_season(one, one.match)
        one.save(update_fields=["match"])
    return one.match


def report(
    challenge_id: int,
    sides: Sequence[ReportedSide],
    *,
    reporter: Player,
    played_at: datetime,
    now: datetime,
    client_token: UUID | None = None,
    sent_from: UUID | None = None,
    mode: str = "",
) -> Match:
    """Report the result of an accepted challenge whose match was not started here.

    A repeated ``client_token`` returns the match of the first report.

    Raises:
        Forbidden: ``reporter`` is neither of the players.
        Conflict: the challenge is not waiting to be played, or its match has been reported.
        Refused: the sides are others, or as ``reporting.report`` raises.
    """
    with transaction.atomic():
        one = locked_for(challenge_id, reporter)
        if one.match and client_token and one.match.client_token == client_token:
            return one.match
        if one.match and one.match.reported_by:
            raise already_reported(one.match, reporter)
        check_to_be_played(one, now)
        if {side.captain for side in sides} != set(players_of(one)):
            raise Refused(
                "sides",
                _("This challenge is between %(one)s and %(other)s.")
                % {"one": one.challenger, "other": one.challenged},
            )
        accepted = one.accepted_at or one.made_at
        if played_at < accepted.replace(second=0, microsecond=0):
            raise Refused(
                "before_challenge",
                _("This challenge was accepted later. Report an earlier match on its own."),
                field="played_at",
            )
        one.match = report_new(
            one.season.arena,
            sides,
            reporter=reporter,
            played_at=played_at,
            now=now,
            agreed_by=Agreement.CHALLENGE,
            agreed_at=one.accepted_at,
            client_token=client_token,
            sent_from=sent_from,
            mode=mode,
        )
        check_season(one, one.match)
        one.save(update_fields=["match"])
    return one.match


def players_of(one: Challenge) -> list[Player]:
    return [one.challenger, one.challenged]


def is_player(one: Challenge, player: Player) -> bool:
    return player in players_of(one)


def locked_for(challenge_id: int, player: Player) -> Challenge:
    """Lock a challenge of ``player`` and return it."""
    one = lock(challenge_id)
    check_player(one, player)
    return one


def check_player(one: Challenge, player: Player) -> None:
    if not is_player(one, player):
        raise Forbidden("not_a_captain", _("Only the two players of a challenge can do this."))


def check_to_be_played(one: Challenge, now: datetime) -> None:
    """Refuse challenges that are not accepted, over, started or reported."""
    if not one.is_agreed:
        if one.match_id and one.state == Challenge.State.ACCEPTED:
            raise Conflict("begun", _("The match of this challenge has already begun."))
        raise Conflict(
            str(one.state),
            _("This challenge cannot be played. Its state: %(state)s.")
            % {"state": one.get_state_display()},
        )
    if one.play_by is not None and one.play_by <= now:
        raise Conflict("too_late", _("The time to play this challenge has run out."))


def check_season(one: Challenge, match: Match) -> None:
    """Refuse a match of another season than the challenge's."""
    if match.season_id != one.season_id:
        raise Conflict("season_over", _("Matches of this season can no longer begin."))
