"""The order of a leaderboard in words: why one player is listed ahead of another."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from league.services.core.isolation import gettext as _
from league.services.core.numbers import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.services.standings.leaderboard_rows import LeaderboardRow
    from ratings.system import Shows


def describe_place(
    row: LeaderboardRow, neighbours: Sequence[LeaderboardRow], shows: Shows
) -> list[str]:
    """Return why a ranked player is behind the one right above, and ahead of the one right below.

    ``neighbours`` are rows of the leaderboard in its order, with that of the player.
    """
    ids = [one.player_id for one in neighbours]
    if row.player_id not in ids:
        return []
    at = ids.index(row.player_id)
    above = [behind(row, one, shows) for one in neighbours[max(at - 1, 0) : at]]
    return above + [ahead(row, one, shows) for one in neighbours[at + 1 : at + 2]]


def describe_order(rows: Sequence[LeaderboardRow], shows: Shows) -> dict[int, str]:
    """Return why each ranked row is ahead of the next, by player."""
    pairs = pairwise(row for row in rows if row.rank is not None)
    return {row.player_id: ahead(row, other, shows) for row, other in pairs}


def ahead(row: LeaderboardRow, other: LeaderboardRow, shows: Shows) -> str:
    """Return why a ranked player is listed ahead of another."""
    known = values(row, other, shows)
    if row.rating == other.rating:
        return level(row, other)
    if shows.lowest_first:
        return _("Ahead of %(other)s on the ladder: rank %(own)s to %(theirs)s.") % known
    if known["own"] == known["theirs"]:
        return _("Ahead of %(other)s by a fraction: both ratings read %(own)s.") % known
    if row.before_decay <= other.before_decay:
        return (
            _(
                "Ahead of %(other)s by %(gap)s after decay: rating %(own)s to %(theirs)s. Without "
                "decay it would be %(own_before)s to %(their_before)s."
            )
            % known
        )
    return _("Ahead of %(other)s by %(gap)s: rating %(own)s to %(theirs)s.") % known


def behind(row: LeaderboardRow, other: LeaderboardRow, shows: Shows) -> str:
    """Return why a ranked player is listed behind another."""
    known = values(row, other, shows)
    if row.rating == other.rating:
        return level(row, other)
    if shows.lowest_first:
        return _("Behind %(other)s on the ladder: rank %(own)s to %(theirs)s.") % known
    if known["own"] == known["theirs"]:
        return _("Behind %(other)s by a fraction: both ratings read %(own)s.") % known
    if row.before_decay >= other.before_decay:
        return (
            _(
                "Behind %(other)s by %(gap)s after decay: rating %(own)s to %(theirs)s. Without "
                "decay it would be %(own_before)s to %(their_before)s."
            )
            % known
        )
    return _("Behind %(other)s by %(gap)s: rating %(own)s to %(theirs)s.") % known


def level(row: LeaderboardRow, other: LeaderboardRow) -> str:
    return _(
        "Level with %(other)s: the same rating, so the same rank %(rank)d. The one who joined the "
        "league first is listed first."
    ) % {"other": other.name, "rank": row.rank}


def values(row: LeaderboardRow, other: LeaderboardRow, shows: Shows) -> dict[str, str]:
    """Return the numbers of two rows as pages show them, and the gap between what is shown."""
    decimals = shows.decimals
    own, theirs = (round(shows.show(one.rating), decimals) for one in (row, other))
    return {
        "other": other.name,
        "own": number(own, decimals),
        "theirs": number(theirs, decimals),
        "gap": number(abs(own - theirs), decimals),
        "own_before": number(shows.show(row.before_decay), decimals),
        "their_before": number(shows.show(other.before_decay), decimals),
    }
