"""Registering players and saving rosters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from league.models import ArenaQueue, Player, Roster, RosterMember, Team
from league.services.core.errors import Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.eligibility.reasons import refuse_banned
from league.services.eligibility.rosters import refuse_ineligible, refuse_locked
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


def save_named(row: Player | Roster | Team) -> None:
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
        Refused: there are too few members, one of them declined recently, or the season keeps the
            captain of a new roster out.
        Conflict: rosters are locked.
        ValidationError: the name cannot be used.
    """
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
    with transaction.atomic():
        if roster is None:
            refuse_locked(arena, now)
            refuse_ineligible(arena, [captain], now)
            roster = Roster(arena=arena, captain=captain)
        else:
            roster = own_roster(roster, captain)
        roster.name = name
        roster.full_clean()
        save_named(roster)
        left = roster.memberships.exclude(player__in=players)
        if left.exists():
            refuse_locked(arena, now, field="members")
        left.delete()
        RosterMember.objects.get_or_create(roster=roster, player=captain)
        invitations.withdraw(roster, keep=players)
        invitations.invite(roster, players, now)
    return roster


def own_roster(roster: Roster, captain: Player) -> Roster:
    """Lock a roster that a player leads without a team.

    Raises:
        Forbidden: they do not lead it.
        Refused: it plays for a team.
    """
    rosters = Roster.objects.select_for_update(of=("self",)).select_related("arena", "captain")
    locked = rosters.get(pk=roster.pk)
    if locked.captain_id != captain.pk:
        raise Forbidden("not_the_captain", _("Only the captain can change a roster."))
    if locked.team is not None:
        raise Refused(
            "of_a_team",
            _("%(roster)s plays for a team. Change it on the page of %(team)s.")
            % {"roster": locked, "team": locked.team},
        )
    return locked
