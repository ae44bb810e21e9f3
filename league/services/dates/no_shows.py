"""No-shows: a captain who waited claims one, and the other agrees or denies it.

A claim alone does not count. If the other captain agrees, it becomes a confirmed result, and if
they deny it, a disputed one, which staff decide. Without an answer it lapses with the date, so
silence costs nobody anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from league.models import Agreement, Arrangement, ArrangementStep, NoShowPlayer, NoticeKind
from league.models.lists import list_of
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.core.types import PlayedBy, ReportedSide
from league.services.dates.changing import end
from league.services.dates.limits import claims_from
from league.services.dates.playing import check_takes_report, hold_players, link
from league.services.dates.steps import end_request, locked_for, note
from league.services.eligibility.reasons import refuse_banned
from league.services.notices.reading import mark_answered
from league.services.notices.writing import notify
from league.services.results.reports import answers
from league.services.results.reports.agreed import report_new
from league.services.results.reports.agreement import check_captains_report
from league.services.results.reports.consent import check_consent
from league.services.results.reports.reporting import closed_refusal, season_of_result
from league.services.results.rules import formats

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Arena, Match, Player


def claim(
    arrangement_id: int,
    *,
    by: Player,
    now: datetime,
    came: Sequence[Player] = (),
    absent: Sequence[Player] = (),
) -> Arrangement:
    """Claim that the other side did not come, after waiting for it.

    As in a report, the claim names the players of both sides: those of ``by`` who ``came``, and
    the ``absent`` ones. Without names, each captain is alone.

    Raises:
        Forbidden: ``by`` is not one of the captains, or is banned, or only organisers report here.
        Conflict: the date is not due, or over, or a no-show is already claimed.
        Refused: the players do not fit the arena or are not in the rosters, or no season runs.
    """
    with transaction.atomic():
        one = locked_for(arrangement_id, by)
        check_takes_report(one, now)
        refuse_banned([], now, by=by)
        if one.claimed_by is not None:
            raise Conflict("claimed", _("A no-show is already claimed. Answer it instead."))
        if now < claims_from(one):
            raise Conflict("too_early", _("Wait a little longer for the other side."))
        check_line_ups(one, by, came or [by], absent or [one.other(by)], now)
        end_request(one)  # or the absent side could still accept it
        one.claimed_by, one.claimed_at = by, now
        one.save(update_fields=["claimed_by", "claimed_at"])
        one.no_show_players.bulk_create(
            NoShowPlayer(arrangement=one, player=player, came=is_there)
            for players, is_there in ((came or [by], True), (absent or [one.other(by)], False))
            for player in players
        )
        note(one, ArrangementStep.Kind.CLAIMED, now, by=by)
    return one


def sides_of_claim(
    one: Arrangement, claimant: Player, came: Sequence[Player], absent: Sequence[Player]
) -> list[ReportedSide]:
    """Return the result of a claim: the side that came has won."""
    return [
        ReportedSide(captain, [PlayedBy(player) for player in players], place, None, roster)
        for captain, roster in one.captains
        for players, place in [(came, 0) if captain == claimant else (absent, 1)]
    ]


def check_line_ups(
    one: Arrangement,
    claimant: Player,
    came: Sequence[Player],
    absent: Sequence[Player],
    now: datetime,
) -> None:
    """Refuse a claim that could not be reported, or names others than the rosters' players."""
    if not one.arena.is_open:
        raise closed_refusal(one.arena)
    check_captains_report(one.arena)
    season = season_of_result(one.arena, one.play_at, one.arena.current_season(now))
    for captain, roster in one.captains:
        players, field = (came, "came") if captain == claimant else (absent, "absent")
        members = set(roster.memberships.values_list("player", flat=True)) if roster else set()
        strangers = [p.name for p in players if p != captain and p.pk not in members]
        if strangers:
            raise Refused(
                "not_in_the_roster",
                _("Not in %(side)s: %(players)s.")
                % {"side": roster or captain, "players": list_of(strangers)},
                field=field,
            )
        check_size(one.arena, len(players), field)
    sides = sides_of_claim(one, claimant, came, absent)
    formats.check_format(one.arena, season.system(), sides)
    check_consent(one.arena, sides, now)


def check_size(arena: Arena, size: int, field: str) -> None:
    """Refuse a side of a claim with too few or too many players."""
    if not arena.team_size_min <= size <= arena.team_size_max:
        raise Refused(
            "team_size",
            _("A side in %(arena)s has %(range)s players. You selected %(size)d.")
            % {
                "arena": arena,
                "range": formats.between(arena.team_size_min, arena.team_size_max),
                "size": size,
            },
            field=field,
        )


def concede(arrangement_id: int, *, by: Player, now: datetime) -> Match | None:
    """Agree to a claim: the captain who was there wins. Return the match, which is rated.

    A fixture is won by forfeit instead: its date ends, and ratings do not change.

    Raises:
        Forbidden: ``by`` is not the captain who is said to have been away.
        Conflict: there is no claim to answer.
    """
    with transaction.atomic():
        hold_claimed(arrangement_id, now)
        one = claimed_against(arrangement_id, by, now)
        if one.play_until is not None:
            end(one, now)
            note(one, ArrangementStep.Kind.CONCEDED, now, by=by)
            notify([one.other(by)], NoticeKind.FIXTURE, now, arena=one.arena, arrangement=one)
            return None
        match = report_forfeit(one, by, now)
        note(one, ArrangementStep.Kind.CONCEDED, now, by=by)
        return answers.confirm(match.pk, by=by, now=now)


def deny(arrangement_id: int, *, by: Player, reason: str, now: datetime) -> Match:
    """Deny a claim, so that staff decide. Return the match, which is disputed.

    Raises as :func:`concede`, and ``Refused`` without a reason.
    """
    with transaction.atomic():
        hold_claimed(arrangement_id, now)
        one = claimed_against(arrangement_id, by, now)
        match = report_forfeit(one, by, now)
        note(one, ArrangementStep.Kind.DENIED, now, by=by)
        return answers.dispute(match.pk, by=by, reason=reason, now=now)


def hold_claimed(arrangement_id: int, now: datetime) -> None:
    """Hold what the report of a claim locks before its date, as any report of a date does."""
    one = Arrangement.objects.filter(pk=arrangement_id).first()
    if one is not None:
        named = one.no_show_players.values_list("player", flat=True)
        hold_players(one.pk, {one.proposer_id, one.opponent_id, *named}, one.play_at, now)


def claimed_against(arrangement_id: int, player: Player, now: datetime) -> Arrangement:
    """Lock an arrangement with an open claim against ``player``, and return it."""
    one = locked_for(arrangement_id, player)
    check_takes_report(one, now)
    if one.claimed_by_id is None:
        raise Conflict("no_claim", _("Nobody has claimed a no-show."))
    if one.claimed_by_id == player.pk:
        raise Forbidden("own_claim", _("You claimed this. The other side has to answer it."))
    mark_answered(player, NoticeKind.WAITING, now, arrangement=one)
    return one


def report_forfeit(one: Arrangement, absent: Player, now: datetime) -> Match:
    """Report the match as won by the captain who was there, and link it."""
    claimant = one.other(absent)
    rows = one.no_show_players.select_related("player")
    named = {
        came: [row.player for row in rows if row.came == came] for came in (True, False)
    }  # claims of earlier versions name nobody: then each captain is alone
    match = report_new(
        one.arena,
        sides_of_claim(one, claimant, named[True] or [claimant], named[False] or [absent]),
        reporter=claimant,
        played_at=one.play_at,
        now=now,
        agreed_by=Agreement.DATE,
        agreed_at=one.accepted_at,
        by=absent,
        mode=None,
    )
    link(one, match)
    return match
