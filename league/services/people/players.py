"""Registering players and saving rosters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from league.models import ArenaQueue, Player, Roster, RosterMember
from league.services.core.errors import Forbidden, Refused
from league.services.eligibility.reasons import refuse_banned
from league.services.people import invitations

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from league.models import Arena, User


def register(user: User, name: str) -> Player:
    """Create the player of a new account.

    Raises:
        ValidationError: the name cannot be used or is too similar to a taken one.
    """
    player = Player(user=user, name=name)
    player.full_clean()
    save_named(player)
    return player


def save_named(row: Player | Roster) -> None:
    """Save a row with a checked name. Raises ``ValidationError`` if it was taken meanwhile."""
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError as error:
        raise ValidationError({"name": [_("This name has just been taken.")]}) from error


def save_roster(
    arena: Arena,
    captain: Player,
    name: str,
    members: Iterable[Player],
    *,
    now: datetime,
    roster: Roster | None = None,
) -> Roster:
    """Create or change a roster. Its captain is always a member.

    New ``members`` are invited and join when they accept. Members who are no longer named leave.

    Raises:
        Forbidden: ``captain`` does not lead ``roster``, or is banned.
        Refused: there are too few members, or one of them declined recently.
        ValidationError: the name cannot be used.
    """
    if roster is not None and roster.captain_id != captain.pk:
        raise Forbidden("not_the_captain", _("Only the captain can change a roster."))
    refuse_banned([], now, by=captain)
    players = list(dict.fromkeys([captain, *members]))
    # A queue fills teams from several rosters.
    if len(players) < arena.team_size_min and not ArenaQueue.objects.filter(arena=arena).exists():
        raise Refused(
            "too_few",
            _("A side in %(arena)s needs at least %(least)d players.")
            % {"arena": arena, "least": arena.team_size_min},
            field="members",
        )
    roster = roster or Roster(arena=arena, captain=captain)
    roster.name = name
    roster.full_clean()
    with transaction.atomic():
        save_named(roster)
        roster.memberships.exclude(player__in=players).delete()
        RosterMember.objects.get_or_create(roster=roster, player=captain)
        invitations.withdraw(roster, keep=players)
        invitations.invite(roster, players, now)
    return roster
