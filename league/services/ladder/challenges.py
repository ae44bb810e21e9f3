"""Challenges on a ladder: made and answered; accepted ones become live matches.

Every change of a challenge locks its row first, then what it needs of matches and the season. New
ones of a season take turns, so that nobody is challenged by more at a time than the rules allow.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import connection, transaction
from django.utils.timesince import timeuntil
from django.utils.translation import gettext as _

from league.models import Challenge, Rating, StaffAction
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.eligibility.reasons import Code, reasons_against, season_to_play_in
from league.services.ladder import forfeits
from league.services.points import grace
from league.services.results import live
from ratings.systems.ladder.events import may_challenge
from ratings.systems.ladder.system import Ladder

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from league.models import Arena, Player, Season, User
    from ratings.seasons.rules import Challenges

TAKE_TURN = "SELECT pg_advisory_xact_lock(hashtextextended('challenges of a season', %s))"


def ladder_of(season: Season) -> Ladder | None:
    """The season's ladder, if it is rated by one."""
    system = season.system()
    return system if isinstance(system, Ladder) else None


def takes_challenges(season: Season) -> bool:
    """Whether the season is a ladder's, in an arena where one plays against one."""
    arena = season.arena
    duels = arena.sides_min <= 2 and arena.team_size_min <= 1
    return duels and ladder_of(season) is not None


def rules_of(season: Season) -> Challenges:
    return season.season_rules().challenges


def is_running(season: Season, now: datetime) -> bool:
    """Whether a match of the season can begin now, so that a challenge makes sense."""
    over = season.ends_at is not None and season.ends_at <= now
    begins = grace.no_start_until(season, now) is None
    return season.arena.is_open and season.archived_at is None and not over and begins


def ranks_of(season: Season, players: Iterable[Player]) -> dict[int, float]:
    """The ranks that players hold, by id; who has none is left out."""
    held = Rating.objects.filter(season=season, player__in=players)
    return dict(held.values_list("player", "rating"))


def rank_to_challenge_from(season: Season, player: Player) -> float:
    """The rank of ``player``; who is not on the ladder yet stands below its bottom."""
    own = ranks_of(season, [player]).get(player.pk)
    return season.ratings.count() + 1.0 if own is None else own


def challenge(arena: Arena, challenged: Player, *, by: Player, now: datetime) -> Challenge:
    """``by`` challenges a player who stands above, within the ladder's range.

    Raises:
        Forbidden: ``by`` is in a timeout or locked.
        Refused: no ladder is running here, or this player cannot be challenged from that rank.
        Conflict: one of the two has as many open challenges as the rules allow, or they have met
            by challenge just now.
    """
    season = season_to_play_in(arena, now)
    season.arena = arena
    ladder = ladder_of(season)
    if ladder is None or not takes_challenges(season):
        raise Refused(
            "no_ladder", _("%(arena)s is no ladder: nobody is challenged here.") % {"arena": arena}
        )
    if challenged == by:
        raise Refused("self", _("Nobody can challenge themselves."), field="player")
    check_able(by, challenged, now)
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(TAKE_TURN, [season.pk])
        check_ranks(season, ladder, by, challenged)
        check_open(season, by, challenged, now)
        return Challenge.objects.create(
            season=season,
            challenger=by,
            challenged=challenged,
            made_at=now,
            answer_by=now + timedelta(seconds=rules_of(season).answer),
        )


def check_able(by: Player, challenged: Player, now: datetime) -> None:
    """Refuse a challenger who may not play, and a challenged player who could not answer."""
    found = reasons_against([by, challenged], now, codes=[Code.LOCKED, Code.TIMEOUT])
    own = {reason.code for reason in found if reason.player == by}
    theirs = {reason.code: reason.message for reason in found if reason.player == challenged}
    if Code.LOCKED in own:
        raise Forbidden("locked", _("Your account is locked."))
    if challenged.user is None or Code.LOCKED in theirs:
        raise Refused(
            "cannot_answer",
            _("%(player)s has no account and could not answer.") % {"player": challenged},
            field="player",
        )
    if Code.TIMEOUT in own:
        raise Forbidden("timeout", _("You are in a timeout. Wait until it ends to challenge."))
    if Code.TIMEOUT in theirs:
        raise Refused("timeout", theirs[Code.TIMEOUT], field="player")


def check_ranks(season: Season, ladder: Ladder, by: Player, challenged: Player) -> None:
    """Refuse who does not stand above ``by`` within the ladder's range."""
    other = ranks_of(season, [challenged]).get(challenged.pk)
    if other is None:
        raise Refused(
            "not_on_the_ladder",
            _("%(player)s is not on the ladder of this season yet.") % {"player": challenged},
            field="player",
        )
    own, reach = rank_to_challenge_from(season, by), ladder.parameters.challenge_range
    if may_challenge(own, other, reach):
        return
    if own <= other:
        raise Refused(
            "below",
            _("%(player)s stands below you, at rank %(rank)d: challenge somebody above.")
            % {"player": challenged, "rank": other},
            field="player",
        )
    raise Refused(
        "out_of_range",
        _("%(player)s is too far above: you are at rank %(own)d and may challenge up to %(best)d.")
        % {"player": challenged, "own": own, "best": own - reach},
        field="player",
    )


def check_open(season: Season, by: Player, challenged: Player, now: datetime) -> None:
    """Refuse more open challenges than the rules allow, and a rematch that comes too soon."""
    rules = rules_of(season)
    these = Challenge.objects.filter(season=season)
    if these.between(by, challenged).pending().exists():
        raise Conflict(
            "pending",
            _("There is a challenge between you and %(player)s already.") % {"player": challenged},
            field="player",
        )
    ends = rest_ends(season, by, challenged)
    if ends is not None and ends > now:
        raise Conflict(
            "rest",
            _("You and %(player)s can challenge each other again in %(time)s.")
            % {"player": challenged, "time": timeuntil(ends, now)},
            field="player",
        )
    if these.to_come().filter(challenger=by).count() >= rules.sent:
        raise Conflict(
            "sent",
            _("You have as many open challenges as the rules allow: %(count)d.")
            % {"count": rules.sent},
        )
    if these.to_come().filter(challenged=challenged).count() >= rules.received:
        raise Conflict(
            "received",
            _("%(player)s has been challenged already: wait until that is settled.")
            % {"player": challenged},
            field="player",
        )


def rest_ends(season: Season, one: Player, other: Player) -> datetime | None:
    """When two may challenge each other again; none if they never have."""
    last = Challenge.objects.filter(season=season).between(one, other).select_related("match")
    before = last.first()
    if before is None:
        return None
    settled = before.match.settled_at if before.match else None
    over = before.closed_at or settled or before.made_at
    return over + timedelta(seconds=rules_of(season).rest)


def accept(challenge_id: int, *, by: Player, now: datetime) -> Challenge:
    """The challenged accepts. The match begins at once, or as soon as both are free.

    Raises:
        Forbidden: ``by`` is not the challenged.
        Conflict: the challenge is not open (any more).
    """
    with transaction.atomic():
        one = open_to(challenge_id, by, now)
        one.state, one.accepted_at = Challenge.State.ACCEPTED, now
        one.play_by = now + timedelta(seconds=rules_of(one.season).play)
        begin(one, now)
        one.save(update_fields=["state", "accepted_at", "play_by", "match"])
    return one


def decline(challenge_id: int, *, by: Player, now: datetime) -> Challenge:
    """The challenged declines, at a cost by the season's rules. Raises as :func:`accept`."""
    with transaction.atomic():
        one = open_to(challenge_id, by, now)
        cost = rules_of(one.season).decline_cost
        one.match = forfeits.drop(one.season_id, one.challenged, cost, now)
        close(one, Challenge.State.DECLINED, now)
    return one


def withdraw(challenge_id: int, *, by: Player, now: datetime) -> Challenge:
    """The challenger takes an unanswered challenge back.

    Raises:
        Forbidden: ``by`` is not the challenger.
        Conflict: the challenge is not open (any more).
    """
    with transaction.atomic():
        one = locked(challenge_id)
        if one.challenger_id != by.pk:
            raise Forbidden("not_the_challenger", _("Only who made a challenge can withdraw it."))
        check_is_open(one, now)
        close(one, Challenge.State.WITHDRAWN, now)
    return one


def call_off(challenge_id: int, *, by: User, reason: str, now: datetime) -> Challenge:
    """Staff end a challenge that has not come to a match, at nobody's cost.

    Raises:
        Forbidden: ``by`` may not decide results.
        Refused: no reason.
        Conflict: it is over, or its match has begun: that can be made void.
    """
    if not by.has_perm("league.decide_match"):
        raise Forbidden("not_staff", _("Only staff can call off a challenge."))
    if not reason.strip():
        raise Refused("no_reason", _("Give the reason: both will read it."), field="reason")
    with transaction.atomic():
        one = locked(challenge_id)
        if one.state != Challenge.State.OPEN and not one.is_agreed:
            raise Conflict("over", _("This challenge is over, or its match has begun."))
        one.action = StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.CHALLENGE,
            reason=reason.strip(),
            details={"challenge": one.pk},
            at=now,
        )
        close(one, Challenge.State.CANCELLED, now)
    return one


def locked(challenge_id: int) -> Challenge:
    """The challenge, locked against everyone else who answers it."""
    rows = Challenge.objects.select_for_update(of=("self",))
    people = ("season__arena", "challenger__user", "challenged__user")
    one = rows.select_related(*people).filter(pk=challenge_id).first()
    if one is None:
        raise Refused("no_challenge", _("There is no such challenge."))
    return one


def open_to(challenge_id: int, player: Player, now: datetime) -> Challenge:
    """The challenge under lock, which ``player`` may answer."""
    one = locked(challenge_id)
    if one.challenged_id != player.pk:
        raise Forbidden("not_challenged", _("Only who is challenged can answer a challenge."))
    check_is_open(one, now)
    return one


def check_is_open(one: Challenge, now: datetime) -> None:
    if one.state != Challenge.State.OPEN:
        raise Conflict(
            str(one.state),
            _("This challenge is not open any more: it is %(state)s.")
            % {"state": one.get_state_display()},
        )
    if one.answer_by <= now:
        raise Conflict("too_late", _("The time to answer this challenge is up."))
    if not is_running(one.season, now):
        raise Conflict("season_over", _("No match of this challenge's season can begin any more."))


def close(one: Challenge, state: Challenge.State, now: datetime) -> None:
    one.state, one.closed_at = state, now
    one.save(update_fields=["state", "closed_at", "match", "action"])


def begin(one: Challenge, now: datetime) -> None:
    """Start the match of an accepted challenge, unless one of the two plays or queues."""
    sides = [live.StartingSide(player, [player]) for player in (one.challenger, one.challenged)]
    try:
        one.match = live.start(one.season.arena, sides, now=now)
    except Conflict:
        one.match = None
