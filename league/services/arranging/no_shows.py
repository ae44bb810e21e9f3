"""No-shows: a captain who waited claims one, and the other agrees or denies it.

A claim changes nothing by itself. Agreeing makes it a confirmed result, denying a disputed one,
which staff decide. Without an answer it lapses with the date, so silence costs nobody anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Agreement, ArrangementStep
from league.services.arranging.playing import check_takes_report, link
from league.services.arranging.rules import claims_from
from league.services.arranging.steps import locked_for, note
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.types import PlayedBy, ReportedSide
from league.services.results import answers
from league.services.results.agreed import report_new

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Arrangement, Match, Player


def claim(arrangement_id: int, *, by: Player, now: datetime) -> Arrangement:
    """Claim that the other side did not come, after waiting for it.

    Raises:
        Forbidden: ``by`` is not one of the captains.
        Conflict: the date is not due, or over, or a no-show is already claimed.
        Refused: sides here have several players, who cannot win or lose a match without playing.
    """
    with transaction.atomic():
        one = locked_for(arrangement_id, by)
        check_takes_report(one, now)
        if one.arena.team_size_min > 1:
            raise Refused("teams", _("No-shows can only be claimed where sides can be one player."))
        if one.claimed_by is not None:
            raise Conflict("claimed", _("A no-show is already claimed. Answer it instead."))
        if now < claims_from(one):
            raise Conflict("too_early", _("Wait a little longer for the other side."))
        one.claimed_by, one.claimed_at = by, now
        one.save(update_fields=["claimed_by", "claimed_at"])
        note(one, ArrangementStep.Kind.CLAIMED, now, by=by)
    return one


def concede(arrangement_id: int, *, by: Player, now: datetime) -> Match:
    """Agree to a claim: the captain who was there wins. Return the match, which is rated.

    Raises:
        Forbidden: ``by`` is not the captain who is said to have been away.
        Conflict: there is no claim to answer.
    """
    with transaction.atomic():
        one = claimed_against(arrangement_id, by, now)
        match = report_forfeit(one, by, now)
        note(one, ArrangementStep.Kind.CONCEDED, now, by=by)
        return answers.confirm(match.pk, by=by, now=now)


def deny(arrangement_id: int, *, by: Player, reason: str, now: datetime) -> Match:
    """Deny a claim, so that staff decide. Return the match, which is disputed.

    Raises as :func:`concede`, and ``Refused`` without a reason.
    """
    with transaction.atomic():
        one = claimed_against(arrangement_id, by, now)
        match = report_forfeit(one, by, now)
        note(one, ArrangementStep.Kind.DENIED, now, by=by)
        return answers.dispute(match.pk, by=by, reason=reason, now=now)


def claimed_against(arrangement_id: int, player: Player, now: datetime) -> Arrangement:
    """Lock an arrangement with an open claim against ``player``, and return it."""
    one = locked_for(arrangement_id, player)
    check_takes_report(one, now)
    if one.claimed_by_id is None:
        raise Conflict("no_claim", _("Nobody has claimed a no-show."))
    if one.claimed_by_id == player.pk:
        raise Forbidden("own_claim", _("You claimed this. The other side has to answer it."))
    return one


def report_forfeit(one: Arrangement, absent: Player, now: datetime) -> Match:
    """Report the match as won by the captain who was there, and link it."""
    claimant = one.other(absent)
    match = report_new(
        one.arena,
        [
            ReportedSide(captain, [PlayedBy(captain)], int(captain == absent), None, roster)
            for captain, roster in one.captains
        ],
        reporter=claimant,
        played_at=one.play_at,
        now=now,
        agreed_by=Agreement.DATE,
        agreed_at=one.accepted_at,
        by=absent,
    )
    link(one, match)
    return match
