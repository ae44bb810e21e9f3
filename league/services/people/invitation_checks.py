"""Reasons against inviting somebody to make an account for a player."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from allauth.account.models import EmailAddress
from django.db.models import Count

from league.models import BouncingAddress, Entrant, Player, PlayerInvitation, Rating
from league.services.core.isolation import gettext as _
from league.services.eligibility.reasons import Code, reasons_against

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from league.models import User

INVITES = "league.run_competition"
"""The permission to invite: for a competition in its arena, for others in the whole league."""
SEES_ACCOUNTS = "league.view_user"
PAUSE = timedelta(days=1)
"""The least time between two mails of an invitation."""
MOST_TO_ADDRESS = 3
"""The most invitations that an address gets on a day."""

State = PlayerInvitation.State


@dataclass(frozen=True)
class Wanted:
    """A player and the address of the person who is to get an account for them."""

    line: int
    player: int
    """The id. Zero or negative for a player who will be created."""
    address: str


def find_problems(wanted: Sequence[Wanted], *, by: User, now: datetime) -> dict[int, str]:
    """Return the reason against each invitation that cannot be sent, by its line."""
    players = Player.objects.select_related("user").in_bulk([one.player for one in wanted])
    open_to = open_invitations(wanted, now)
    reasons = [
        {one.line: problem for one in wanted if (problem := why_not(players, one, open_to))},
        ineligible(wanted, players, now),
        outside_reach(wanted, by),
        unwelcome(wanted, now),
        with_account(wanted, by),
        named_twice(wanted),
    ]
    found: dict[int, str] = {}
    for some in reasons:
        found = {**some, **found}
    return found


def why_not(
    players: Mapping[int, Player], one: Wanted, open_to: Mapping[int | str, PlayerInvitation]
) -> str:
    """Return why a player cannot be invited at an address, empty if they can."""
    player = players.get(one.player)
    if player is not None and player.user_id is not None:
        return _("%(player)s has an account.") % {"player": player}
    invited = open_to.get(one.player)
    if invited is not None:
        text = _("%(player)s is invited already. Send it again, or withdraw it first.")
        return text % {"player": player}
    other = open_to.get(one.address)
    if one.address and other is not None:
        text = _("%(address)s is invited already, as %(player)s.")
        return text % {"address": one.address, "player": other.player}
    return ""


def open_invitations(
    wanted: Iterable[Wanted], now: datetime
) -> Mapping[int | str, PlayerInvitation]:
    """Return the open invitations of these players and addresses, by both."""
    rows = PlayerInvitation.objects.open(now).select_related("player")
    found: dict[int | str, PlayerInvitation] = {
        row.player_id: row for row in rows.filter(player__in=[one.player for one in wanted])
    }
    addresses = rows.filter(address__in=[one.address for one in wanted if one.address])
    return found | {row.address: row for row in addresses}


def ineligible(
    wanted: Iterable[Wanted], players: Mapping[int, Player], now: datetime
) -> dict[int, str]:
    """Return the bans of players, by line."""
    reasons = reasons_against(list(players.values()), now, codes=[Code.LOCKED, Code.BANNED])
    banned = {reason.player.pk: reason.message for reason in reasons}
    return {one.line: banned[one.player] for one in wanted if one.player in banned}


def outside_reach(wanted: Iterable[Wanted], by: User) -> dict[int, str]:
    """Return the players who also play where the account organises nothing, by line.

    An organiser of one arena could otherwise give a name from another to somebody.
    """
    arenas = by.arenas_with(INVITES)
    if arenas is None:
        return {}
    ids = [one.player for one in wanted]
    rated = Rating.objects.filter(player__in=ids).exclude(season__arena__in=arenas)
    entered = Entrant.objects.filter(player__in=ids)
    elsewhere = entered.exclude(competition__season__arena__in=arenas)
    beyond = {
        *rated.values_list("player", flat=True),
        *elsewhere.values_list("player", flat=True),
    }
    text = _("This player also plays in other arenas. Ask an organiser of the league.")
    return {one.line: text for one in wanted if one.player in beyond}


def unwelcome(wanted: Iterable[Wanted], now: datetime) -> dict[int, str]:
    """Return the addresses that refuse mails, or had enough of them, by line."""
    addresses = [one.address for one in wanted if one.address]
    rows = PlayerInvitation.objects.filter(address__in=addresses)
    declined = set(rows.filter(state=State.DECLINED).values_list("address", flat=True))
    today = rows.filter(sent_at__gt=now - PAUSE).order_by().values("address")
    many = set(
        today.annotate(count=Count("pk"))
        .filter(count__gte=MOST_TO_ADDRESS)
        .values_list("address", flat=True)
    )
    bouncing = BouncingAddress.objects.filter(address__in=addresses)
    refused = set(bouncing.values_list("address", flat=True))
    texts = [
        (declined, _("Whoever reads %(address)s wants no invitations.")),
        (refused, _("The mail server of %(address)s refuses mails.")),
        (many, _("%(address)s has had enough invitations today.")),
    ]
    return {
        one.line: text % {"address": one.address}
        for one in wanted
        for some, text in texts
        if one.address in some
    }


def with_account(wanted: Iterable[Wanted], by: User) -> dict[int, str]:
    """Return the addresses that an account has confirmed, for those who may see accounts."""
    if not by.has_perm(SEES_ACCOUNTS):
        return {}
    addresses = [one.address for one in wanted if one.address]
    rows = EmailAddress.objects.filter(email__in=addresses, verified=True)
    names = dict(rows.values_list("email", "user__player__name"))
    text = _("%(address)s belongs to the account of %(player)s. Enter that player instead.")
    unnamed = _("%(address)s belongs to an account without a player.")
    return {
        one.line: (text if names[one.address] else unnamed)
        % {"address": one.address, "player": names[one.address]}
        for one in wanted
        if one.address in names
    }


def named_twice(wanted: Iterable[Wanted]) -> dict[int, str]:
    """Return the lines that name a player or an address that an earlier one names."""
    seen: Counter[int | str] = Counter()
    found = {}
    for one in wanted:
        if (one.player and seen[one.player]) or (one.address and seen[one.address]):
            found[one.line] = _("This player or address is on another line, too.")
        seen.update([one.player, one.address])
    return found
