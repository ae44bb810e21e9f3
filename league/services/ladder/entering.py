"""Challenges that organisers enter for players without an account."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import override

from league.models import Challenge, NoticeKind, StaffAction
from league.services.core.durations import describe_duration
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.core.staff_log import of_arena
from league.services.core.turns import take_turn
from league.services.eligibility.reasons import refuse_banned
from league.services.ladder import challenges
from league.services.notices.writing import notify
from league.services.results.rules import own_matches
from league.services.site.frame import refuse_new_matches
from ratings.systems.ladder.events import may_challenge

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Arena, Player, Season, User
    from ratings.systems.ladder.system import Ladder


def enter(
    arena: Arena, challenger: Player, challenged: Player, *, by: User, now: datetime
) -> Challenge:
    """Enter a challenge that is accepted at once, to be played by the rules' deadline.

    Raises:
        Forbidden: ``by`` may not enter results.
        Refused: both have an account, the ranks do not allow it, or no ladder is running.
        Conflict: one is banned, the rules allow no more challenges, or the last was too recent.
        Unavailable: during maintenance.
    """
    if not by.has_perm(own_matches.ENTER, arena):
        raise Forbidden("not_staff", _("Only organisers can enter challenges."))
    refuse_new_matches(now)
    season, ladder = challenges.ladder_to_play_on(arena, now)
    if challenger == challenged:
        raise Refused("self", _("Name two different players."), field="challenged")
    if challenger.user_id is not None and challenged.user_id is not None:
        raise Refused(
            "accounts", _("Both players have an account. They can challenge each other themselves.")
        )
    refuse_banned([challenger, challenged], now)
    with transaction.atomic():
        take_turn(challenges.TURN, season.pk)
        check_ranks(season, ladder, challenger, challenged)
        check_open(season, challenger, challenged, now)
        play = timedelta(seconds=challenges.challenge_rules(season).play)
        one = Challenge.objects.create(
            season=season,
            challenger=challenger,
            challenged=challenged,
            made_at=now,
            answer_by=now,
            state=Challenge.State.ACCEPTED,
            accepted_at=now,
            play_by=now + play,
        )
        with override("en"):  # for the staff log
            name = str(one)
        StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.CREATED,
            details={"challenge": one.pk, "name": name, **of_arena(arena)},
            after={"Challenge": str(one.state)},
            at=now,
        )
        notify([challenger, challenged], NoticeKind.ANSWERED, now, challenge=one)
    return one


def check_ranks(season: Season, ladder: Ladder, challenger: Player, challenged: Player) -> None:
    """Refuse a challenged player who is not above the challenger within the ladder's range."""
    other = challenges.ranks_of(season, [challenged]).get(challenged.pk)
    own = challenges.rank_to_challenge_from(season, challenger)
    reach = ladder.parameters.challenge_range
    pair = {"challenger": challenger, "challenged": challenged, "reach": reach}
    if other is None or other >= own:
        text = _("%(challenged)s is not above %(challenger)s on this ladder.")
        raise Refused("below", text % pair, field="challenged")
    if not may_challenge(own, other, reach):
        text = _(
            "%(challenged)s is too far above %(challenger)s. Challenges reach up to %(reach)d "
            "ranks up."
        )
        raise Refused("out_of_range", text % pair, field="challenged")


def check_open(season: Season, challenger: Player, challenged: Player, now: datetime) -> None:
    """Refuse more open challenges than the rules allow, and a rematch that comes too soon."""
    these, pair = Challenge.objects.filter(season=season), {"one": challenger, "other": challenged}
    if these.between(challenger, challenged).pending().exists():
        raise Conflict(
            "pending", _("There is already a challenge between %(one)s and %(other)s.") % pair
        )
    ends = challenges.rest_ends(season, challenger, challenged)
    if ends is not None and ends > now:
        raise Conflict(
            "rest",
            _("%(one)s and %(other)s can challenge each other again in %(time)s.")
            % {**pair, "time": describe_duration(ends - now)},
        )
    most = challenges.challenge_rules(season).sent
    if these.to_come().chosen().filter(challenger=challenger).count() >= most:
        raise Conflict(
            "sent",
            _("%(player)s has as many open challenges as the rules allow.")
            % {"player": challenger},
        )
    challenges.check_received(season, challenged)
