"""Merge two players who are one person, in one transaction, and preview it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import OperationalError, transaction
from django.db.models import Q
from psycopg.errors import DeadlockDetected, LockNotAvailable

from league.models import (
    Arrangement,
    FormerName,
    Match,
    Player,
    Rating,
    Roster,
    Season,
    StaffAction,
    User,
)
from league.models.own_words import Why, own_words
from league.services.core.errors import Conflict
from league.services.core.isolation import gettext as _
from league.services.core.staff_log import of_arenas
from league.services.merging import checks, rerating
from league.services.merging.moving import Moved, move_all
from league.services.seasons.given_ratings import pass_on

if TYPE_CHECKING:
    from datetime import datetime

IN_USE = "in_use"
"""The code of the refusal while others work with one of the players or seasons."""
ATTEMPTS = 50
PAUSE = 0.1
"""Seconds between attempts to lock players and seasons.

A merge may wait only while it holds none of its locks, and PostgreSQL wakes nobody for several at
once: a statement that waits for one lock keeps those that it has. So the merge lets go of all, lets
others finish, and tries again.
"""


@dataclass(frozen=True)
class Merge:
    """The effects of a merge, made or tried."""

    kept: Player
    merged: Player
    account: User | None
    """The account that acts for the player who stays."""
    locked: User | None
    """The other account, which is locked."""
    moved: list[Moved]
    seasons: list[rerating.RatedAgain]
    archived: int
    """Archived seasons of the merged player, which stay as they are."""


def preview(kept: Player, gone: Player, *, account: int | None, by: User, now: datetime) -> Merge:
    """Return what merging ``gone`` into ``kept`` would do. The merge is made and undone.

    Raises: as :func:`merge` does.
    """
    checks.check_may_merge(by)
    with transaction.atomic():
        found = merge_players(kept, gone, account=account, by=by, why=Why("–"), now=now)
        transaction.set_rollback(True)
    return found


def merge(
    kept: Player, gone: Player, *, account: int | None, by: User, reason: str, now: datetime
) -> Merge:
    """Merge ``gone`` into ``kept`` as staff: one person, one player, one account, one history.

    ``account`` is the id of the account that stays, None for the only one or that of ``kept``.

    Raises:
        Forbidden: ``by`` may not merge players, or one of them is their own.
        Refused: there is no reason, or the choice makes no sense.
        Conflict: something that the two have in common or in progress stands in the way.
    """
    checks.check_may_merge(by)
    reason = checks.check_reason(reason)
    return merge_players(kept, gone, account=account, by=by, why=Why(reason), now=now)


def merge_players(
    kept: Player, gone: Player, *, account: int | None, by: User, why: Why, now: datetime
) -> Merge:
    """Merge two players for a decision that staff have made."""
    try:
        return merge_now(kept, gone, account=account, by=by, why=why, now=now)
    except OperationalError as error:
        if isinstance(error.__cause__, DeadlockDetected):
            raise in_use() from error
        raise


def in_use() -> Conflict:
    return Conflict(IN_USE, _("One of these players or their seasons is in use. Try again soon."))


def merge_now(
    kept: Player, gone: Player, *, account: int | None, by: User, why: Why, now: datetime
) -> Merge:
    with transaction.atomic():
        checks.check_pair(kept, gone, by)
        kept, gone, seasons = lock(kept, gone)
        checks.check_pair(kept, gone, by)
        checks.check_can_merge(kept, gone, now)
        stays = checks.account_to_keep(kept, gone, account)
        for season in seasons:
            pass_on(season, kept, gone)
        rated = [done for season in seasons if (done := rerating.rate_as_one(season, kept, gone))]
        leaves = join_accounts(kept, gone, stays)
        Player.ever.filter(pk=gone.pk).update(merged_into=kept)
        moved = move_all(kept, gone)
        for done in rated:
            rerating.write(done, kept, by=by, reason=why.text, now=now)
        FormerName.objects.create(player=kept, name=gone.name, given_up_at=now)
        archived = Rating.objects.filter(player=gone).count()
        StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.MERGED,
            reason=why.text,
            details={
                **why.details,
                "players": [kept.name, gone.name],
                "kept": kept.pk,
                "merged": gone.pk,
                "account": stays.username if stays else None,
                "locked": leaves.username if leaves else None,
                **of_arenas(season.arena for season in seasons),
            },
            before={"Players": f"{kept.name}, {gone.name}"},
            after={"Players": kept.name, "Former name": gone.name},
            at=now,
        )
        return Merge(kept, gone, stays, leaves, moved, rated, archived)


def lock(kept: Player, gone: Player) -> tuple[Player, Player, list[Season]]:
    """Lock both players and the seasons of the second, or wait and try again for some seconds.

    Never waits with a lock in hand, so that it cannot deadlock with results of these players.

    Raises:
        Conflict: one of them has been merged, or something else keeps them locked.
    """
    for _attempt in range(ATTEMPTS):
        try:
            with transaction.atomic():
                return lock_now(kept, gone)
        except OperationalError as error:
            # Only a lock that is held passes by itself.
            if not isinstance(error.__cause__, LockNotAvailable):
                raise
        # Outside the transaction, whose end has released what it had locked.
        time.sleep(PAUSE)
    raise in_use()


def lock_now(kept: Player, gone: Player) -> tuple[Player, Player, list[Season]]:
    rows = Player.objects.select_for_update(nowait=True, of=("self",)).select_related("user")
    players = {row.pk: row for row in rows.filter(pk__in=[kept.pk, gone.pk]).order_by("pk")}
    for player in (kept, gone):
        if player.pk not in players:
            raise Conflict("merged", _("%(player)s has been merged.") % {"player": player})
    rated = Q(pk__in=Rating.objects.filter(player=gone).values("season"))
    played = Q(pk__in=Match.objects.filter(participants__player=gone).values("season"))
    seasons = Season.objects.select_for_update(nowait=True, of=("self",)).select_related("arena")
    listed = ~Q(starting_ratings={})
    open_ = list(seasons.filter(rated | played | listed, archived_at=None).order_by("pk"))
    hold_still(gone)
    return players[kept.pk], players[gone.pk], open_


def hold_still(gone: Player) -> None:
    """Lock what others may hold while they wait for the players or seasons, or raise."""
    reports = Q(reported_by=gone) | Q(disputed_by=gone) | Q(confirmed_by=gone)
    led = Q(proposer=gone) | Q(opponent=gone)
    for rows in (
        Match.objects.filter(reports),
        Arrangement.objects.filter(led),
        Roster.objects.filter(captain=gone),
    ):
        list(rows.select_for_update(nowait=True, no_key=True, of=("self",)).order_by("pk"))


def join_accounts(kept: Player, gone: Player, stays: User | None) -> User | None:
    """Let the account that stays act for ``kept``. Lock and return the other one."""
    leaves = next((p.user for p in (kept, gone) if p.user is not None and p.user != stays), None)
    if leaves is not None:
        User.objects.filter(pk=leaves.pk).update(is_active=False)
        leaves.end_programs()
    Player.objects.filter(pk=gone.pk).update(user=None)
    Player.objects.filter(pk=kept.pk).update(
        user=stays, created_at=min(kept.created_at, gone.created_at)
    )
    return leaves


def follow_claim(
    sender: Any, claimed: Player, own: Player, by: User, now: datetime, **_signal: Any
) -> None:
    """Merge the empty player of an account whose claim was approved into the claimed player."""
    del sender
    why = own_words("claimed", player=claimed)
    merge_players(claimed, own, account=None, by=by, why=why, now=now)
