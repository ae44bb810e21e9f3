"""Register players, save their rosters and levels, and load them for their pages."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.db.models.functions import Coalesce, Now

from league.models import ArenaQueue, Follow, Player, Roster, RosterMember, Team
from league.services.core.errors import Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.eligibility.reasons import refuse_banned
from league.services.eligibility.rosters import refuse_ineligible, refuse_locked
from league.services.people import invitations

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from league.models import Arena, User

SETS_LEVELS = ("league.change_player", "league.add_match")
"""Of staff and of game servers. Either is enough."""


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


logger = logging.getLogger(__name__)


def check_may_set_levels(by: User) -> None:
    """Raise ``Forbidden`` for accounts that are neither staff nor game servers."""
    if not any(by.has_perm(permission) for permission in SETS_LEVELS):
        raise Forbidden("not_staff", _("Only staff and game servers can set levels."))


def set_level(player: Player, level: int | None, *, by: User) -> None:
    """Set a player's level; ``None`` removes it.

    Raises:
        Forbidden: ``by`` may not set levels, or it is their own.
    """
    check_may_set_levels(by)
    if player.user_id == by.pk:
        raise Forbidden("own_level", _("You cannot set your own level."))
    Player.objects.filter(pk=player.pk).update(level=level)
    player.level = level
    logger.info("Level of player %d set to %s by account %d.", player.pk, level, by.pk)


class Shown(NamedTuple):
    """A player at a moment."""

    player: Player
    """With their profile. They may have been merged into another."""
    now: datetime
    """The database's time."""
    followed: bool
    """Whether the reader follows them, or the one into whom they have been merged."""


def shown_player(pk: int, reader: Player | None) -> Shown:
    """Return a player as a reader sees them.

    Raises:
        Player.DoesNotExist: there is none with this id.
    """
    person = Coalesce(OuterRef("merged_into"), OuterRef("pk"))
    follows = Follow.objects.filter(player=reader and reader.pk, followed=person)
    players = Player.ever.select_related("profile")
    player: Any = players.annotate(now=Now(), followed=Exists(follows)).get(pk=pk)
    return Shown(player, player.now, player.followed)
