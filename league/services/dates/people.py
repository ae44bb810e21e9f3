"""The people who meet: the sides of a date, a challenge or a match, and who may read what they
write.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models import Arrangement, Challenge, FillIn, Match, Participant, RosterMember

if TYPE_CHECKING:
    from collections.abc import Collection

    from league.models import Player, User

Meeting = Arrangement | Challenge | Match
"""The subject of messages that people write to each other."""

PERMISSION = "league.decide_match"


def is_staff(user: object, one: Meeting) -> bool:
    """Return whether an account may read and write as staff: it decides matches of the arena."""
    allows = getattr(user, "has_perm", None)
    return allows is not None and allows(PERMISSION, one)


def seen_as_staff(user: object) -> Collection[int] | None:
    """Return the arenas whose arrangements an account sees as staff, ``None`` for all."""
    arenas = getattr(user, "arenas_with", None)
    return arenas(PERMISSION) if arenas else frozenset()


def sides_of(one: Meeting) -> list[set[int]]:
    """Return the player ids of the sides, of a date the proposer's first."""
    if isinstance(one, Arrangement):
        return sides_of_date(one)
    if isinstance(one, Challenge):
        return [{one.challenger_id}, {one.challenged_id}]
    return sides_of_match(one)


def sides_of_date(one: Arrangement) -> list[set[int]]:
    """Return the captains, the members of their rosters, and those who played, of both sides."""
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
    return [first - {one.opponent_id}, second - {one.proposer_id}]


def sides_of_match(one: Match) -> list[set[int]]:
    """Return the players of each side, those included who fill the seats of leavers."""
    sides: dict[int, set[int]] = {}
    played = Participant.objects.filter(match=one).values_list("side", "player")
    filled = FillIn.objects.filter(match=one).values_list("replaces__side", "player")
    for side, player in played.union(filled):
        sides.setdefault(side, set()).add(player)
    return list(sides.values())


def captains_of(one: Meeting) -> set[int]:
    """Return the player ids of those who lead a side."""
    if isinstance(one, Arrangement):
        return {one.proposer_id, one.opponent_id}
    if isinstance(one, Challenge):
        return {one.challenger_id, one.challenged_id}
    return set(one.sides.values_list("captain", flat=True))


def everybody(one: Meeting) -> set[int]:
    """Return the player ids of all sides together."""
    return {player for side in sides_of(one) for player in side}


def takes_part(one: Meeting, player: Player | None) -> bool:
    """Return whether a player belongs to one of the sides."""
    if player is None:
        return False
    if isinstance(one, Arrangement) and one.has(player):
        return True
    return player.pk in everybody(one)


def may_read(one: Meeting, user: User | None, player: Player | None) -> bool:
    """Return whether an account may read the messages and the reasons: the sides and staff."""
    return is_staff(user, one) or takes_part(one, player)


def others(one: Meeting, player: Player | None) -> set[int]:
    """Return the players of the other sides, or of all sides for somebody of none or both."""
    sides = sides_of(one)
    theirs = [side for side in sides if player is None or player.pk not in side]
    recipients = {number for side in theirs or sides for number in side}
    return recipients - {player.pk} if player else recipients
