"""Nobody decides a match that they played in, unless nobody else can decide it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils.translation import gettext as _

from league.models import Match, Participant, Side, User
from league.models.reach import may
from league.services.core.errors import Forbidden

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

DECIDE = "league.decide_match"
ENTER = "league.enter_result"
CORRECT = "league.correct_match"
VOID = "league.void_match"
"""The permissions of staff about results: to decide disputes, enter results, correct and void rated
ones."""


def check_own_match(match: Match, by: User, permission: str = DECIDE) -> dict[str, bool]:
    """Refuse decisions about an organiser's own match. Return details for the staff log.

    They say so if ``by`` played in the match, and nobody else can decide it.

    Raises:
        Forbidden: ``by`` played in the match, and somebody else can decide it.
    """
    if not is_own(match, by):
        return {}
    if others_can(match, permission):
        raise Forbidden(
            "own_match", _("You played in this match. Ask another organiser to decide it.")
        )
    return {"own_match": True}


def may_decide(match: Match, user: User | AnonymousUser, permission: str = DECIDE) -> bool:
    """Return whether an account may decide a match, whatever its state."""
    if not isinstance(user, User) or not user.has_perm(permission, match):
        return False
    return not is_own(match, user) or not others_can(match, permission)


def may_change_rated(match: Match, user: User | AnonymousUser) -> bool:
    """Return whether an account may correct or void a match, or reject an objection to it."""
    if not isinstance(user, User):
        return False
    held = [one for one in (CORRECT, VOID, DECIDE) if user.has_perm(one, match)]
    if not held or not is_own(match, user):
        return bool(held)
    return not all(others_can(match, permission) for permission in held)


def check_permission(by: User | AnonymousUser, permission: str, match_id: int, text: str) -> None:
    """Raise ``Forbidden``, with this text, unless an account holds a permission for a match."""
    if not by.has_perm(permission, Match.objects.only("arena").get(pk=match_id)):
        raise Forbidden("not_staff", text)


def is_own(match: Match, user: User) -> bool:
    """Return whether an account's player played in a match or led a side.

    Nobody plays steps of decay, which concern all players of a season.
    """
    if match.kind == Match.Kind.DECAY:
        return False
    played = match.participants.filter(player__user=user).order_by().values_list("pk")
    led = match.sides.filter(captain__user=user).order_by().values_list("pk")
    return bool(played.union(led, all=True)[:1])


def others_can(match: Match, permission: str) -> bool:
    """Return whether anybody who holds the permission in its arena took no part in a match."""
    deciding = User.objects.filter(may(permission, match.arena_id))
    played = Participant.objects.filter(match=match, player__user__isnull=False)
    led = Side.objects.filter(match=match, captain__user__isnull=False)
    took_part = Q(pk__in=played.values("player__user")) | Q(pk__in=led.values("captain__user"))
    return deciding.exclude(took_part).exists()
