"""The people of an arrangement: its two sides, and who may read what they write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models import Participant, RosterMember

if TYPE_CHECKING:
    from collections.abc import Collection

    from league.models import Arrangement, Player, User


PERMISSION = "league.decide_match"


def is_staff(user: object, one: Arrangement) -> bool:
    """Return whether an account may read and write as staff: it decides matches of the arena."""
    allows = getattr(user, "has_perm", None)
    return allows is not None and allows(PERMISSION, one)


def seen_as_staff(user: object) -> Collection[int] | None:
    """Return the arenas whose arrangements an account sees as staff, ``None`` for all."""
    arenas = getattr(user, "arenas_with", None)
    return arenas(PERMISSION) if arenas else frozenset()


def sides_of(one: Arrangement) -> tuple[set[int], set[int]]:
    """Return the player ids of both sides, the proposer's first.

    They are the captains, the members of their rosters, and those who played.
    """
    first, second = {one.proposer_id}, {one.opponent_id}
    if one.proposer_roster_id or one.opponent_roster_id:
        rosters = [one.proposer_roster_id, one.opponent_roster_id]
        members = RosterMember.objects.filter(roster__in=filter(None, rosters))
        for roster, player in members.values_list("roster", "player"):
            (first if roster == one.proposer_roster_id else second).add(player)
    if one.match_id is not None:
        played = Participant.objects.filter(match=one.match_id)
        for captain, player in played.values_list("side__captain", "player"):
            (first if captain == one.proposer_id else second).add(player)
    return first - {one.opponent_id}, second - {one.proposer_id}


def everybody(one: Arrangement) -> set[int]:
    """Return the player ids of both sides together."""
    first, second = sides_of(one)
    return first | second


def takes_part(one: Arrangement, player: Player | None) -> bool:
    """Return whether a player belongs to one of the sides."""
    if player is None:
        return False
    return one.has(player) or player.pk in everybody(one)


def may_read(one: Arrangement, user: User | None, player: Player | None) -> bool:
    """Return whether an account may read the messages and the reasons: both sides and staff."""
    return is_staff(user, one) or takes_part(one, player)


def others(one: Arrangement, player: Player | None) -> set[int]:
    """Return the players of the other side, or of both sides for somebody of neither or both."""
    sides = sides_of(one)
    theirs = [side for side in sides if player is None or player.pk not in side]
    recipients = {number for side in theirs or sides for number in side}
    return recipients - {player.pk} if player else recipients
