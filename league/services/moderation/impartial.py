"""Nobody decides about themselves, their own decisions, or those whom they just played.

As with matches, a moderator may do it if nobody else can. The staff log then says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q

from league.models import Match, Participant, Side, User
from league.models.reach import may
from league.services.core.errors import Forbidden
from league.services.core.isolation import gettext as _
from league.services.results.staff.conduct import MET

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models import Player


def refuse_own(player: Player, by: User) -> None:
    """Refuse a decision of a moderator about their own player. There is no exception.

    Raises:
        Forbidden: it is theirs.
    """
    if player.user_id is not None and player.user_id == by.pk:
        raise Forbidden("own_player", _("Nobody decides about themselves. Ask another moderator."))


def check_impartial(
    player: Player,
    by: User,
    now: datetime,
    *,
    permission: str,
    match: Match | None = None,
    decided_by: int | None = None,
) -> dict[str, bool]:
    """Refuse a decision by somebody who is not impartial. Return details for the staff log.

    ``decided_by`` is the account whose decision it is about. Without a ``match``, those of the last
    days count in which both took part.

    Raises:
        Forbidden: ``by`` is the player, made the decision, or took part in the match, and somebody
            else with the ``permission`` did not.
    """
    refuse_own(player, by)
    matches = matches_of_partial(player, now, match)
    decided, met = decided_by == by.pk, took_part(matches, by)
    if not decided and not met:
        return {}
    if others(player, matches, permission, decided_by).exclude(pk=by.pk).exists():
        if decided:
            text = _("You made this decision. Another moderator has to answer the appeal.")
            raise Forbidden("own_decision", text)
        text = _("You played in a match with %(player)s. Another moderator has to decide.")
        raise Forbidden("own_match", text % {"player": player})
    return {name: True for name, is_so in (("own_decision", decided), ("own_match", met)) if is_so}


def matches_of_partial(player: Player, now: datetime, match: Match | None) -> QuerySet[Match]:
    """Return the matches whose other players are not impartial."""
    if match is not None:
        return Match.objects.filter(pk=match.pk)
    recent = Match.objects.filter(kind=Match.Kind.GAME, played_at__gt=now - MET)
    return recent.filter(participants__player=player)


def took_part(matches: QuerySet[Match], by: User) -> bool:
    played = Q(participants__player__user=by) | Q(sides__captain__user=by)
    return matches.filter(pk__in=Match.objects.filter(played).values("pk")).exists()


def others(
    player: Player, matches: QuerySet[Match], permission: str, decided_by: int | None
) -> QuerySet[User]:
    """Return the accounts that may decide, and have nothing to do with it."""
    played = Participant.objects.filter(match__in=matches.values("pk"), player__user__isnull=False)
    led = Side.objects.filter(match__in=matches.values("pk"), captain__user__isnull=False)
    able = User.objects.filter(may(permission, None))
    concerned_by = Q(pk__in=played.values("player__user")) | Q(pk__in=led.values("captain__user"))
    return able.exclude(concerned_by).exclude(pk__in=[player.user_id or 0, decided_by or 0])
