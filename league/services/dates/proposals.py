"""Proposing a match for a certain time, and finding another time."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import connection, transaction
from django.db.models import Q

from league.models import Arrangement, ArrangementStep, RosterMember
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.dates.answers import check_seen, open_to
from league.services.dates.limits import (
    HORIZON,
    MOST_A_DAY,
    MOST_A_DAY_IN_ALL,
    MOST_BETWEEN,
    MOST_OPEN,
    MOST_TIMES,
)
from league.services.dates.steps import note
from league.services.eligibility.reasons import Code, reasons_against, refuse_banned
from league.services.following.blocks import refuse_blocked
from league.services.people.captains import hold_rosters

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Arena, Player, Roster

TAKE_TURN = "SELECT pg_advisory_xact_lock(hashtextextended('arrangements of a player', %s))"


def propose(
    arena: Arena,
    opponent: Player,
    play_at: datetime,
    *,
    by: Player,
    now: datetime,
    roster: Roster | None = None,
    opponent_roster: Roster | None = None,
) -> Arrangement:
    """Propose a match against ``opponent`` at ``play_at``, for themselves or for two rosters.

    Raises:
        Forbidden: ``by`` is in a timeout, or their account is locked.
        Refused: the arena, the opponent, a roster or the time does not fit.
        Conflict: there are as many open proposals as the limits allow, or this one already.
    """
    check_arena(arena)
    if opponent == by:
        raise Refused("self", _("You cannot play against yourself."), field="opponent")
    play_at = play_at.replace(microsecond=0)
    with transaction.atomic():
        lock_both(by, opponent)
        led = hold_rosters(each.pk for each in (roster, opponent_roster) if each)
        own, theirs = (led.get(each.pk) if each else None for each in (roster, opponent_roster))
        check_rosters(arena, by, own, opponent, theirs)
        check_able(by, opponent, now)
        refuse_blocked([opponent], by=by, field="opponent")
        check_time(arena, play_at, now)
        check_limits(by, opponent, now)
        check_new(arena, by, opponent, play_at)
        one = Arrangement.objects.create(
            arena=arena,
            proposer=by,
            opponent=opponent,
            proposer_roster=roster,
            opponent_roster=opponent_roster,
            play_at=play_at,
            asked=opponent,
            created_at=now,
        )
        note(one, ArrangementStep.Kind.PROPOSED, now, by=by, play_at=play_at)
    return one


def move(
    arrangement_id: int, play_at: datetime, *, by: Player, seen: int, now: datetime
) -> Arrangement:
    """Answer a proposal with another time. Then it is the other captain's turn.

    ``seen`` is the revision of the proposal that ``by`` answers.

    Raises:
        Forbidden: ``by`` is not the captain who is asked, or may not play now.
        Refused: the time does not fit.
        Conflict: the proposal is no longer open or has changed, or they proposed too many times.
    """
    play_at = play_at.replace(microsecond=0)
    with transaction.atomic():
        one = open_to(arrangement_id, by, now)
        check_seen(one, seen)
        check_arena(one.arena)
        check_able(by, one.other(by), now)
        check_time(one.arena, play_at, now)
        if play_at == one.play_at:
            raise Refused(
                "same_time", _("This is the proposed time. Accept it instead."), field="play_at"
            )
        if one.revision >= MOST_TIMES:
            raise Conflict(
                "times",
                _("You have proposed %(count)d times. Decline, and agree on one elsewhere first.")
                % {"count": one.revision},
            )
        check_new(one.arena, by, one.other(by), play_at)
        one.play_at, one.asked = play_at, one.other(by)
        one.revision += 1
        one.save(update_fields=["play_at", "asked", "revision"])
        note(one, ArrangementStep.Kind.MOVED, now, by=by, play_at=play_at)
    return one


def check_arena(arena: Arena) -> None:
    """Refuse arenas that are closed, or whose matches have more than two sides."""
    if not arena.is_open:
        raise Refused("closed", _("%(arena)s is closed.") % {"arena": arena})
    if arena.sides_min > 2:
        raise Refused(
            "sides",
            _("A match in %(arena)s has more than two sides, so two captains cannot arrange it.")
            % {"arena": arena},
        )


def check_rosters(
    arena: Arena,
    by: Player,
    roster: Roster | None,
    opponent: Player,
    opponent_roster: Roster | None,
) -> None:
    """Refuse rosters that are not led by the captains, and teams without a roster."""
    for captain, theirs, field in (
        (by, roster, "roster"),
        (opponent, opponent_roster, "opponent"),
    ):
        if theirs is None:
            if arena.team_size_min > 1:
                raise Refused(
                    "no_roster",
                    _("Matches in %(arena)s are between rosters.") % {"arena": arena},
                    field=field,
                )
        elif theirs.arena_id != arena.pk or theirs.captain_id != captain.pk:
            raise Refused(
                "roster",
                _("%(captain)s does not lead this roster in %(arena)s.")
                % {"captain": captain, "arena": arena},
                field=field,
            )
        elif theirs.memberships.count() < arena.team_size_min:
            raise Refused(
                "team_size",
                _("%(roster)s has too few players for %(arena)s.")
                % {"roster": theirs, "arena": arena},
                field=field,
            )
    check_apart(roster, opponent_roster, arena)


def check_apart(one: Roster | None, other: Roster | None, arena: Arena) -> None:
    """Refuse two rosters that have too few players of their own to play each other."""
    if one is None or other is None:
        return
    members = RosterMember.objects.filter(roster__in=[one, other])
    everyone = members.values("player").distinct().count()
    if everyone < 2 * arena.team_size_min:
        raise Refused(
            "twice",
            _("%(one)s and %(other)s share too many players to play each other.")
            % {"one": one, "other": other},
            field="opponent",
        )


def check_able(by: Player, opponent: Player, now: datetime) -> None:
    """Refuse a captain who may not play, and an opponent who could not answer or may not play."""
    found = reasons_against([by, opponent], now, codes=[Code.LOCKED, Code.TIMEOUT])
    refuse_banned([opponent], now, by=by, field="opponent")
    own = {reason.code for reason in found if reason.player == by}
    theirs = {reason.code: reason.message for reason in found if reason.player == opponent}
    if Code.LOCKED in own:
        raise Forbidden("locked", _("Your account is locked."))
    if by.user is None:
        raise Forbidden("no_account", _("Only players with an account can arrange matches."))
    if opponent.user is None or Code.LOCKED in theirs:
        raise Refused(
            "cannot_answer",
            _("%(player)s has no account and could not answer.") % {"player": opponent},
            field="opponent",
        )
    if Code.TIMEOUT in own:
        raise Forbidden("timeout", _("You are in a timeout. Wait until it ends to propose."))
    if Code.TIMEOUT in theirs:
        raise Refused("timeout", theirs[Code.TIMEOUT], field="opponent")


def check_time(arena: Arena, play_at: datetime, now: datetime) -> None:
    """Refuse times in the past, beyond the horizon, or without a season."""
    if play_at <= now:
        raise Refused("past", _("Choose a time in the future."), field="play_at")
    if play_at > now + HORIZON:
        raise Refused(
            "too_far",
            _("Choose a time in the next %(days)d days.") % {"days": HORIZON.days},
            field="play_at",
        )
    begun_or_planned = arena.seasons.filter(starts_at__lte=play_at, archived_at=None)
    if not begun_or_planned.filter(Q(ends_at=None) | Q(ends_at__gt=play_at)).exists():
        raise Refused(
            "no_season",
            _("%(arena)s has no season at that time.") % {"arena": arena},
            field="play_at",
        )


def lock_both(one: Player, other: Player) -> None:
    """Let the proposals of these players wait for each other until the transaction ends."""
    with connection.cursor() as cursor:
        for number in sorted([one.pk, other.pk]):
            cursor.execute(TAKE_TURN, [number])


def check_limits(by: Player, opponent: Player, now: datetime) -> None:
    """Refuse more open proposals than a player, or two players, may have."""
    open_ = Arrangement.objects.proposed()
    if open_.filter(proposer=by).count() >= MOST_OPEN:
        raise Conflict(
            "open",
            _("You already have %(count)d proposals without an answer. Withdraw one first.")
            % {"count": MOST_OPEN},
        )
    if open_.between(by, opponent).count() >= MOST_BETWEEN:
        raise Conflict(
            "between",
            _("You and %(player)s already have %(count)d proposals without an answer.")
            % {"player": opponent, "count": MOST_BETWEEN},
            field="opponent",
        )
    made = Arrangement.objects.filter(proposer=by, created_at__gt=now - timedelta(days=1))
    if made.count() >= MOST_A_DAY_IN_ALL:
        raise Conflict(
            "today",
            _("You have proposed %(count)d matches in 24 hours. Try again later.")
            % {"count": MOST_A_DAY_IN_ALL},
        )
    today = made.filter(opponent=opponent)
    if today.count() >= MOST_A_DAY:
        raise Conflict(
            "today",
            _("You have proposed %(count)d matches to %(player)s in 24 hours. Try again later.")
            % {"player": opponent, "count": MOST_A_DAY},
            field="opponent",
        )


def check_new(arena: Arena, by: Player, opponent: Player, play_at: datetime) -> None:
    """Refuse a second match of the same players at the same time."""
    coming = [Arrangement.State.PROPOSED, Arrangement.State.ACCEPTED]
    same = Arrangement.objects.between(by, opponent).filter(arena=arena, play_at=play_at)
    if same.filter(state__in=coming).exists():
        raise Conflict(
            "twice",
            _("You and %(player)s already have a date at that time.") % {"player": opponent},
            field="play_at",
        )
