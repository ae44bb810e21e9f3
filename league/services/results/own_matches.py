"""Nobody decides a match that they played in, unless nobody else can decide it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils.translation import gettext as _

from league.models import Match, Participant, Side, User
from league.services.core.errors import Forbidden

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

PERMISSION = "league.decide_match"
BACKEND = "django.contrib.auth.backends.ModelBackend"
"""Knows the permissions of accounts and groups."""


def check(match: Match, by: User) -> dict[str, bool]:
    """Refuse decisions about an organiser's own match. Return details for the staff log.

    They say so if ``by`` played in the match, and nobody else can decide it.

    Raises:
        Forbidden: ``by`` played in the match, and somebody else can decide it.
    """
    if not is_own(match, by):
        return {}
    if others_can_decide(match):
        raise Forbidden(
            "own_match", _("You played in this match. Ask another organiser to decide it.")
        )
    return {"own_match": True}


def may_decide(match: Match, user: User | AnonymousUser) -> bool:
    """Return whether an account may decide a match, whatever its state."""
    if not isinstance(user, User) or not user.has_perm(PERMISSION):
        return False
    return not is_own(match, user) or not others_can_decide(match)


def is_own(match: Match, user: User) -> bool:
    """Return whether an account's player played in a match or led a side.

    Nobody plays steps of decay, which concern all players of a season.
    """
    if match.kind == Match.Kind.DECAY:
        return False
    return (
        match.participants.filter(player__user=user).exists()
        or match.sides.filter(captain__user=user).exists()
    )


def others_can_decide(match: Match) -> bool:
    """Return whether anybody who may decide matches took no part in this one."""
    deciding = User.objects.with_perm(PERMISSION, backend=BACKEND)
    played = Participant.objects.filter(match=match, player__user__isnull=False)
    led = Side.objects.filter(match=match, captain__user__isnull=False)
    took_part = Q(pk__in=played.values("player__user")) | Q(pk__in=led.values("captain__user"))
    return deciding.exclude(took_part).exists()
