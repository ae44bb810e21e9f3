"""The view of readers on players who hide their history or are unlisted.

Every page, feed, picture and API route about a player asks here. Ranks and single matches belong to
the league and to others too, so they stay public; see docs/privacy.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models import Participant, Player, User
from league.services.core.errors import Forbidden
from league.services.core.isolation import gettext as _

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.contrib.auth.models import AnonymousUser

    from league.models import Match, Season

    Reader = User | AnonymousUser
    """The account of a request."""


def reads_history(player: Player, reader: Reader | None, season: Season | None = None) -> bool:
    """Return whether a reader may see a player's matches as a list, and what adds up to one.

    ``season`` is where arena organisers must be at home to read. ``None`` as the reader is somebody
    unknown, such as a program that reads a feed. No query unless the player hides something.
    """
    person = player.merged_into or player
    if not person.hides_history:
        return True
    if not isinstance(reader, User):
        return False
    return getattr(reader, "player", None) == person or is_staff_reader(reader, season)


def is_staff_reader(reader: User, season: Season | None) -> bool:
    """Return whether an account may read all matches, everywhere or in a season."""
    return reader.is_staff and reader.has_perm("league.view_match", season)


def check_reads_history(
    player: Player, reader: Reader | None, season: Season | None = None, *, field: str = ""
) -> None:
    """Refuse readers who may not see a player's matches as a list.

    Raises:
        Forbidden: the message names the player.
    """
    if not reads_history(player, reader, season):
        text = _("%(player)s hides their match history.")
        raise Forbidden("hidden_history", text % {"player": player}, field=field)


def hides_curve(player: Player, *, field: str = "") -> Forbidden:
    """Return the refusal to show the rating curve of a player who hides their matches."""
    text = _("%(player)s hides their match history, so their ratings cannot be compared.")
    return Forbidden("hidden_history", text % {"player": player}, field=field)


def reads_meetings(one: Player, other: Player, reader: Reader | None) -> bool:
    """Return whether a reader may see the matches of two people against each other.

    Each of the two may, whatever the other hides.
    """
    me = getattr(reader, "player", None)
    if me is not None and me in {one, other}:
        return True
    return reads_history(one, reader) and reads_history(other, reader)


def unlisted_among(players: Iterable[int]) -> set[int]:
    """Return the ids of those who are unlisted. One query.

    Whatever leaves the site by itself, such as embedded parts, feeds and pictures, names none of
    them.
    """
    found = Player.ever.filter(pk__in=list(players), is_unlisted=True)
    return set(found.values_list("pk", flat=True))


def names_unlisted(matches: Iterable[Match]) -> set[int]:
    """Return the ids of those of these matches in which somebody unlisted played. One query."""
    parts = Participant.objects.filter(match__in=[match.pk for match in matches])
    return set(parts.filter(player__is_unlisted=True).values_list("match_id", flat=True))


def set_privacy(player: Player, *, hides_history: bool, is_unlisted: bool) -> None:
    """Set what a player shows of themselves."""
    Player.objects.filter(pk=player.pk).update(hides_history=hides_history, is_unlisted=is_unlisted)
