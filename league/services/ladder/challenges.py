"""Challenges on a ladder: sending, answering and withdrawing them.

Accepted challenges are to be played by a date; ``playing`` starts and reports their matches. Every
change locks the challenge first, then matches and the season as needed. New challenges of a season
take turns, so that nobody receives more at a time than the rules allow.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction

from league.models import Challenge, NoticeKind, Rating, StaffAction
from league.services.core.durations import describe_duration
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.core.turns import take_turn
from league.services.eligibility.reasons import (
    Code,
    reasons_against,
    refuse_banned,
    season_to_play_in,
)
from league.services.ladder import forfeits
from league.services.notices.reading import mark_answered
from league.services.notices.writing import notify
from league.services.points import grace
from league.services.site.frame import refuse_new_matches
from ratings.systems.ladder.events import may_challenge
from ratings.systems.ladder.system import Ladder

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from league.models import Arena, Player, Season, User
    from ratings.seasons.challenges import Challenges

TURN = "challenges of a season"


def ladder_of(season: Season) -> Ladder | None:
    """Return the season's ladder system, if a ladder rates it."""
    system = season.system()
    return system if isinstance(system, Ladder) else None


def takes_challenges(season: Season) -> bool:
    """Return whether the season is a ladder of duels."""
    arena = season.arena
    duels = arena.sides_min <= 2 and arena.team_size_min <= 1
    return duels and ladder_of(season) is not None


def challenge_rules(season: Season) -> Challenges:
    return season.season_rules().challenges


def is_running(season: Season, now: datetime) -> bool:
    """Return whether a match of the season can begin now."""
    over = season.ends_at is not None and season.ends_at <= now
    begins = grace.no_start_until(season, now) is None
    return season.arena.is_open and season.archived_at is None and not over and begins


def ranks_of(season: Season, players: Iterable[Player]) -> dict[int, float]:
    """Return ranks by player id, without players who have none."""
    held = Rating.objects.filter(season=season, player__in=players)
    return dict(held.values_list("player", "rating"))


def rank_to_challenge_from(season: Season, player: Player) -> float:
    """Return the rank of ``player``, one below the bottom for newcomers."""
    return ranks_of(season, [player]).get(player.pk) or below_bottom(season)


def below_bottom(season: Season) -> float:
    """Return the rank from which newcomers challenge."""
    return season.ratings.count() + 1.0


def challenge(arena: Arena, challenged: Player, *, by: Player, now: datetime) -> Challenge:
    """Challenge a player ranked above ``by``, within the ladder's range.

    Raises:
        Forbidden: ``by`` is in a timeout, or their account is locked.
        Refused: no ladder is running here, or ``by`` cannot challenge this player.
        Conflict: one of them already has as many open challenges as the rules allow, or their
            last challenge was too recent.
        Unavailable: during maintenance.
    """
    refuse_new_matches(now)
    season, ladder = ladder_to_play_on(arena, now)
    if challenged == by:
        raise Refused("self", _("You cannot challenge yourself."), field="player")
    check_able(by, challenged, now)
    with transaction.atomic():
        take_turn(TURN, season.pk)
        check_ranks(season, ladder, by, challenged)
        check_open(season, by, challenged, now)
        return send(season, by, challenged, now)


def reason_against(
    season: Season, challenged: Player, *, by: Player, now: datetime
) -> Refused | None:
    """Return why :func:`challenge` would refuse this player in a running season of a ladder now.

    Nothing is locked, so somebody else can still come first.
    """
    ladder = ladder_of(season)
    if ladder is None or not takes_challenges(season) or challenged == by:
        return None
    try:
        refuse_new_matches(now)
        check_ranks(season, ladder, by, challenged)
        check_open(season, by, challenged, now)
        check_able(by, challenged, now)
    except Refused as refusal:
        return refusal
    return None


def send(
    season: Season, by: Player, challenged: Player, now: datetime, *, drawn_from: int | None = None
) -> Challenge:
    """Write a challenge that has passed all checks, and tell the challenged player."""
    sent = Challenge.objects.create(
        season=season,
        challenger=by,
        challenged=challenged,
        made_at=now,
        answer_by=now + timedelta(seconds=challenge_rules(season).answer),
        drawn_from=drawn_from,
    )
    notify([challenged], NoticeKind.CHALLENGED, now, actor=by, challenge=sent)
    return sent


def ladder_to_play_on(arena: Arena, now: datetime) -> tuple[Season, Ladder]:
    """Return the arena's running season and its ladder.

    Raises:
        Refused: no ladder is running here.
    """
    season = season_to_play_in(arena, now)
    season.arena = arena
    ladder = ladder_of(season)
    if ladder is None or not takes_challenges(season):
        raise Refused(
            "no_ladder", _("%(arena)s is not a ladder, so it has no challenges.") % {"arena": arena}
        )
    return season, ladder


def check_able(by: Player, challenged: Player, now: datetime) -> None:
    """Refuse a challenger who may not play, and a challenged player who could not answer."""
    found = reasons_against([by, challenged], now, codes=[Code.LOCKED, Code.TIMEOUT])
    refuse_banned([challenged], now, by=by, field="player")
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
    """Refuse players who are not above ``by`` within the ladder's range."""
    ranks = ranks_of(season, [by, challenged])
    other = ranks.get(challenged.pk)
    if other is None:
        raise Refused(
            "not_on_the_ladder",
            _("%(player)s is not on this season’s ladder yet.") % {"player": challenged},
            field="player",
        )
    own, reach = ranks.get(by.pk) or below_bottom(season), ladder.parameters.challenge_range
    if may_challenge(own, other, reach):
        return
    if own <= other:
        raise Refused(
            "below",
            _("%(player)s is below you, at rank %(rank)d. Challenge somebody above you.")
            % {"player": challenged, "rank": other},
            field="player",
        )
    raise Refused(
        "out_of_range",
        _("%(player)s is too far above you. From rank %(own)d you can challenge up to %(best)d.")
        % {"player": challenged, "own": own, "best": own - reach},
        field="player",
    )


def check_open(season: Season, by: Player, challenged: Player, now: datetime) -> None:
    """Refuse more open challenges than the rules allow, and a rematch that comes too soon."""
    check_pair(season, by, challenged, now)
    these, most = Challenge.objects.filter(season=season), challenge_rules(season).sent
    if these.to_come().chosen().filter(challenger=by).count() >= most:
        raise Conflict(
            "sent",
            _("You already have %(count)d open challenges, the most that the rules allow.")
            % {"count": most},
        )
    check_today(season, by, now)
    check_received(season, challenged)


def check_pair(season: Season, by: Player, challenged: Player, now: datetime) -> None:
    """Refuse a second challenge between two players, and a rematch that comes too soon."""
    these = Challenge.objects.filter(season=season)
    if these.between(by, challenged).pending().exists():
        raise Conflict(
            "pending",
            _("There is already a challenge between you and %(player)s.") % {"player": challenged},
            field="player",
        )
    ends = rest_ends(season, by, challenged)
    if ends is not None and ends > now:
        raise Conflict(
            "rest",
            _("You and %(player)s can challenge each other again in %(time)s.")
            % {"player": challenged, "time": describe_duration(ends - now)},
            field="player",
        )


def check_today(season: Season, by: Player, now: datetime) -> None:
    """Refuse more challenges in 24 hours than the arena allows."""
    these = Challenge.objects.filter(season=season)
    lately = these.filter(challenger=by, made_at__gt=now - timedelta(days=1)).order_by("-made_at")
    most = season.arena.limit_settings().challenges_per_day
    sent = list(lately.values_list("made_at", flat=True)[:most])
    if len(sent) == most:
        raise Conflict(
            "challenges_today",
            _("You have sent %(count)d challenges in 24 hours. Send the next one in %(time)s.")
            % {"count": most, "time": describe_duration(sent[-1] + timedelta(days=1) - now)},
        )


def check_received(season: Season, challenged: Player) -> None:
    """Refuse to challenge a player who has as many challenges as the rules allow."""
    received = Challenge.objects.filter(season=season).to_come().filter(challenged=challenged)
    if received.count() >= challenge_rules(season).received:
        raise Conflict(
            "received",
            _("%(player)s has already been challenged. Wait until that is settled.")
            % {"player": challenged},
            field="player",
        )


def rest_ends(season: Season, one: Player, other: Player) -> datetime | None:
    """Return when two players may challenge each other again, ``None`` if they never have."""
    last = Challenge.objects.filter(season=season).between(one, other).select_related("match")
    before = last.first()
    if before is None:
        return None
    settled = before.match.settled_at if before.match else None
    over = before.closed_at or settled or before.made_at
    return over + timedelta(seconds=challenge_rules(season).rest)


def accept(challenge_id: int, *, by: Player, now: datetime) -> Challenge:
    """Accept a challenge. Both players then have the rules' time to play it.

    Raises:
        Forbidden: ``by`` is not the challenged player, or is banned.
        Conflict: the challenge is not open, or the challenger is banned.
    """
    with transaction.atomic():
        one = open_to(challenge_id, by, now)
        refuse_banned([one.challenger], now, by=by)
        one.state, one.accepted_at = Challenge.State.ACCEPTED, now
        one.play_by = now + timedelta(seconds=challenge_rules(one.season).play)
        one.save(update_fields=["state", "accepted_at", "play_by"])
        notify([one.challenger], NoticeKind.ANSWERED, now, challenge=one)
    return one


def decline(challenge_id: int, *, by: Player, now: datetime) -> Challenge:
    """Decline a challenge, at the cost set by the season's rules. Raises as :func:`accept`."""
    with transaction.atomic():
        one = open_to(challenge_id, by, now)
        cost = challenge_rules(one.season).decline_cost
        one.match = forfeits.drop(one.season_id, one.challenged, cost, now)
        close(one, Challenge.State.DECLINED, now)
    return one


def withdraw(challenge_id: int, *, by: Player, now: datetime) -> Challenge:
    """Withdraw an unanswered challenge.

    Raises:
        Forbidden: ``by`` is not the challenger.
        Conflict: the challenge is not open.
    """
    with transaction.atomic():
        one = lock(challenge_id)
        if one.challenger_id != by.pk:
            raise Forbidden(
                "not_the_challenger", _("Only the challenger can withdraw a challenge.")
            )
        check_is_open(one, now)
        close(one, Challenge.State.WITHDRAWN, now)
    return one


def call_off(challenge_id: int, *, by: User, reason: str, now: datetime) -> Challenge:
    """Call off a challenge without a match, as staff and at no cost to the players.

    Raises:
        Forbidden: ``by`` may not decide results.
        Refused: there is no reason.
        Conflict: it is over, or its match has begun. Staff can void the match instead.
    """
    if not reason.strip():
        raise Refused("no_reason", _("Give a reason. Both players will read it."), field="reason")
    with transaction.atomic():
        one = lock(challenge_id)
        if not by.has_perm("league.decide_match", one):
            raise Forbidden("not_staff", _("Only staff can call off a challenge."))
        if one.state != Challenge.State.OPEN and not one.is_agreed:
            raise Conflict("over", _("This challenge is over, or its match has begun."))
        was = str(one.state)
        one.action = StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.CHALLENGE,
            reason=reason.strip(),
            details={
                "challenge": one.pk,
                "players": [one.challenger.name, one.challenged.name],
                "arena_id": one.season.arena_id,
            },
            before={"Challenge": was},
            after={"Challenge": str(Challenge.State.CANCELLED)},
            at=now,
        )
        close(one, Challenge.State.CANCELLED, now)
    return one


def lock(challenge_id: int) -> Challenge:
    """Lock a challenge against other answers and return it."""
    # Not its season, which results hold while they are settled.
    rows = Challenge.objects.select_for_update(of=("self",))
    people = ("season__arena", "challenger__user", "challenged__user")
    one = rows.select_related(*people).filter(pk=challenge_id).first()
    if one is None:
        raise Refused("no_challenge", _("There is no such challenge."))
    return one


def open_to(challenge_id: int, player: Player, now: datetime) -> Challenge:
    """Lock an open challenge that ``player`` may answer, and return it."""
    one = lock(challenge_id)
    if one.challenged_id != player.pk:
        raise Forbidden("not_challenged", _("Only the challenged player can answer."))
    check_is_open(one, now)
    mark_answered(player, NoticeKind.CHALLENGED, now, challenge=one)
    return one


def check_is_open(one: Challenge, now: datetime) -> None:
    if one.state != Challenge.State.OPEN:
        raise Conflict(
            str(one.state),
            _("This challenge is no longer open. Its state: %(state)s.")
            % {"state": one.get_state_display()},
        )
    if one.answer_by <= now:
        raise Conflict("too_late", _("The time to answer this challenge has run out."))
    if not is_running(one.season, now):
        raise Conflict("season_over", _("Matches of this season can no longer begin."))


def close(one: Challenge, state: Challenge.State, now: datetime) -> None:
    one.state, one.closed_at = state, now
    one.save(update_fields=["state", "closed_at", "match", "action"])
    recipients = [one.challenger, one.challenged]
    if state in {Challenge.State.DECLINED, Challenge.State.WITHDRAWN}:  # the other one knows
        recipients = recipients[:1] if state == Challenge.State.DECLINED else recipients[1:]
    notify(recipients, NoticeKind.ANSWERED, now, challenge=one)
