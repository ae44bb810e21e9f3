"""Challenges that end without a game, as organisers enter it for players without an account."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from league.models import Challenge, StaffAction
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.core.staff_log import of_arena
from league.services.ladder import challenges, forfeits
from league.services.results.rules import own_matches

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import User

State = Challenge.State
ENDINGS = (State.IGNORED, State.DECLINED, State.WITHDRAWN)
"""The challenged player does not come or declines, or the challenger gives up."""


def end(challenge_id: int, ending: str, *, by: User, now: datetime) -> Challenge:
    """End an accepted challenge that was not played, at the cost set by the ladder's rules.

    A challenged player who does not come has ignored the challenge. Giving up costs nothing.

    Raises:
        Forbidden: ``by`` may not enter results, or plays.
        Refused: both have an account, or there is no such ending.
        Conflict: the challenge is over or has a match, or the season is over.
    """
    if ending not in ENDINGS:
        raise Refused("ending", _("Choose how the challenge ended."))
    with transaction.atomic():
        one = challenges.lock(challenge_id)
        if not by.has_perm(own_matches.ENTER, one):
            raise Forbidden("not_staff", _("Only organisers can enter this."))
        accounts = [one.challenger.user_id, one.challenged.user_id]
        if by.pk in accounts:
            raise Forbidden("own", _("You play in this challenge. Ask another organiser."))
        if None not in accounts:
            text = _("Both players have an account. They can report the match or let it lapse.")
            raise Refused("accounts", text)
        if not one.is_agreed:
            raise Conflict("over", _("This challenge is over, or its match has begun."))
        ladder = challenges.ladder_of(one.season)
        if ladder is None or not challenges.is_running(one.season, now):
            raise Conflict("season_over", _("Matches of this season can no longer begin."))
        cost = {
            State.IGNORED: ladder.parameters.ignored_challenge_cost,
            State.DECLINED: challenges.challenge_rules(one.season).decline_cost,
        }.get(State(ending), 0)
        if cost:
            one.match = forfeits.drop(one.season_id, one.challenged, cost, now)
        StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.CHALLENGE,
            details={
                "challenge": one.pk,
                "players": [one.challenger.name, one.challenged.name],
                "name": str(one),
                **of_arena(one.season.arena),
            },
            before={"Challenge": str(one.state)},
            after={"Challenge": str(State(ending))},
            at=now,
        )
        challenges.close(one, State(ending), now)
    return one
