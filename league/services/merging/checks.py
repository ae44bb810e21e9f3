"""Reasons against merging two players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q

from league.models import (
    Anchor,
    Arrangement,
    Challenge,
    Match,
    Participant,
    Player,
    Season,
    Status,
    Team,
    User,
)
from league.models.lists import list_of
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.eligibility.reasons import BUSY, busy, reasons_against
from league.services.merging.moving import unsettled_matches

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

MOST_LISTED = 3
"""The most matches that a refusal lists."""


def check_may_merge(by: User) -> None:
    """Raise ``Forbidden`` unless the account may merge players."""
    if not by.has_perm("league.merge_player"):
        raise Forbidden("not_staff", _("You need the permission to merge players."))


def check_reason(reason: str) -> str:
    """Return the reason without surrounding space. Raises ``Refused`` if it is empty."""
    if not reason.strip():
        raise Refused("no_reason", _("Give a reason. It stays in the record."), field="reason")
    return reason.strip()


def check_pair(kept: Player, gone: Player, by: User) -> None:
    """Refuse one player twice, and the players of the account that asks."""
    if kept.pk == gone.pk:
        raise Refused("same_player", _("Choose two different players."), field="merged")
    if by.pk in {kept.user_id, gone.user_id}:
        raise Forbidden("own_player", _("Somebody else must merge your own player."))


def check_can_merge(kept: Player, gone: Player, now: datetime) -> None:
    """Refuse players who are busy, met each other, or have open business that cannot be joined.

    Raises:
        Conflict: with the reason.
    """
    if found := reasons_against([kept, gone], now, codes=BUSY):
        raise busy(found)
    if met := list_matches(shared_matches(kept, gone)):
        raise Conflict(
            "played_together",
            _(
                "%(kept)s and %(merged)s both played in %(matches)s, so they seem to be two "
                "people. If they are one person, void these matches first."
            )
            % {"kept": kept, "merged": gone, "matches": met},
        )
    if waiting := list_matches(unsettled_matches(gone)):
        raise Conflict(
            "unsettled",
            _("%(merged)s has open results: %(matches)s. Settle or void them first.")
            % {"merged": gone, "matches": waiting},
        )
    check_anchors(kept, gone)
    check_challenges(kept, gone)
    check_teams(kept, gone)
    pending = [Arrangement.State.PROPOSED, Arrangement.State.ACCEPTED]
    if Arrangement.objects.between(kept, gone).filter(state__in=pending).exists():
        raise Conflict(
            "date_between",
            _("%(kept)s and %(merged)s have a date with each other. It must be over first.")
            % {"kept": kept, "merged": gone},
        )


def check_anchors(kept: Player, gone: Player) -> None:
    """Refuse players whose rating is held fixed somewhere, now or in a season."""
    both = [kept.pk, gone.pk]
    fixed = Anchor.objects.filter(player__in=both).select_related("player").first()
    if fixed or Season.objects.filter(anchors__overlap=both).exists():
        raise Conflict(
            "anchor",
            _("One of these players is an anchor, and anchors cannot be merged."),
        )


def check_challenges(kept: Player, gone: Player) -> None:
    """Refuse pending challenges of each other, and open ones of both with the same player."""
    pending = Challenge.objects.pending()
    names = {"kept": kept, "merged": gone}
    if pending.between(kept, gone).exists():
        raise Conflict(
            "challenge_between",
            _("%(kept)s and %(merged)s have a challenge with each other. Call it off first.")
            % names,
        )
    for mine, theirs in (("challenger", "challenged"), ("challenged", "challenger")):
        of_gone = Challenge.objects.open().filter(**{mine: gone}).values("season", theirs)
        for one in of_gone:
            same = {"season": one["season"], mine: kept, theirs: one[theirs]}
            if Challenge.objects.open().filter(**same).exists():
                raise Conflict(
                    "same_challenge",
                    _(
                        "%(kept)s and %(merged)s both have an open challenge with the same player. "
                        "Call one off first."
                    )
                    % names,
                )


def check_teams(kept: Player, gone: Player) -> None:
    """Refuse two members of one team, which would have the player twice."""
    if team := Team.objects.of(kept).filter(pk__in=Team.objects.of(gone).values("pk")).first():
        raise Conflict(
            "same_team",
            _("%(kept)s and %(merged)s are both in the team %(team)s. One has to leave it first.")
            % {"kept": kept, "merged": gone, "team": team},
        )


def shared_matches(kept: Player, gone: Player) -> QuerySet[Match]:
    """Return matches with both players that count or may count. Nobody plays steps of decay."""
    own = Participant.objects.filter(player=kept).values("match")
    both = Match.objects.filter(participants__player=gone, pk__in=own)
    return both.exclude(Q(status=Status.VOID) | Q(kind=Match.Kind.DECAY))


def list_matches(matches: QuerySet[Match]) -> str:
    """Return matches as “match 3, match 7 and others”, empty for none."""
    found = list(matches.order_by("pk")[: MOST_LISTED + 1])
    names = list_of(_("match %(number)d") % {"number": one.pk} for one in found[:MOST_LISTED])
    if len(found) > MOST_LISTED:
        return _("%(matches)s and others") % {"matches": names}
    return names


def account_to_keep(kept: Player, gone: Player, account_id: int | None) -> User | None:
    """Return the account that stays. Without a choice it is the only one, or that of ``kept``.

    Raises:
        Refused: the chosen account is neither player's.
        Conflict: the other account is locked or of staff.
    """
    accounts = [player.user for player in (kept, gone) if player.user is not None]
    if account_id is None:
        chosen = accounts[0] if accounts else None
    else:
        chosen = next((one for one in accounts if one.pk == account_id), None)
        if chosen is None:
            raise Refused(
                "account", _("Choose the account of one of the two players."), field="account"
            )
    for other in accounts:
        if other == chosen or chosen is None:
            continue
        if other.is_staff or other.is_superuser:
            raise Conflict(
                "staff_account",
                _("%(account)s is an account of staff. Keep that one.") % {"account": other},
                field="account",
            )
        if chosen.is_active and not other.is_active:
            raise Conflict(
                "locked_account",
                _("The account %(account)s is locked. Unlock it first, or keep that one.")
                % {"account": other},
                field="account",
            )
    return chosen
