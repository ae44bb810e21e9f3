"""Requests to merge players. Each is made once, even if a process is killed."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from league.models import MergeRequest, Participant, Season
from league.outages import outage_behind
from league.services.core.errors import Conflict, Refused
from league.services.core.isolation import gettext as _
from league.services.core.kill_points import committing
from league.services.merging import checks
from league.services.merging.merging import IN_USE, merge

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Player, User

logger = logging.getLogger(__name__)

State = MergeRequest.State

MOST_AT_ONCE = 4_000
"""Participations that take about a second to rate again."""


def ask(
    kept: Player, gone: Player, *, account: int | None, by: User, reason: str, now: datetime
) -> MergeRequest:
    """Store a request to merge ``gone`` into ``kept``, and return it.

    Asking again returns the same request. ``carry_out`` makes the merge.

    Raises: as :func:`league.services.merging.merging.merge` does, and ``Conflict`` if another merge
        of ``gone`` is waiting.
    """
    checks.check_may_merge(by)
    reason = checks.check_reason(reason)
    checks.check_pair(kept, gone, by)
    checks.check_can_merge(kept, gone, now)
    checks.account_to_keep(kept, gone, account)
    request = MergeRequest(kept=kept, merged=gone, account_id=account, reason=reason, by=by, at=now)
    try:
        with transaction.atomic():
            request.save()
    except IntegrityError:
        earlier = MergeRequest.objects.filter(merged=gone, state=State.WAITING).first()
        if earlier and (earlier.kept_id, earlier.account_id) == (kept.pk, account):
            return earlier
        raise Conflict(
            "merge_waits", _("Another merge of %(player)s is already waiting.") % {"player": gone}
        ) from None
    return request


def carry_out(request_id: int, now: datetime) -> MergeRequest | None:
    """Make a requested merge, or store why it was refused, and return the request.

    Returns ``None`` if another process is working on it. Running it again does nothing. While the
    players or their seasons are in use, or the database cannot store it, the request keeps waiting.
    """
    with committing("merge"):
        requests = MergeRequest.objects.select_for_update(skip_locked=True, of=["self"])
        request = requests.select_related("kept", "merged").filter(pk=request_id).first()
        if request is None or request.state != State.WAITING:
            return request
        try:
            with transaction.atomic():
                merge(
                    request.kept,
                    request.merged,
                    account=request.account_id,
                    by=request.by,
                    reason=request.reason,
                    now=now,
                )
        except Refused as refusal:
            if refusal.code == IN_USE:
                return request
            request.state, request.refusal = State.REFUSED, refusal.message
        except Exception as error:
            if outage_behind(error):
                raise  # it waits until the site works again
            logger.exception(
                "The merge of player %d into %d failed.", request.merged_id, request.kept_id
            )
            request.state = State.REFUSED
            request.refusal = _(
                "Something went wrong and nothing was changed. See the log for details."
            )
        else:
            request.state = State.DONE
        request.finished_at = now
        request.save(update_fields=["state", "refusal", "finished_at"])
    return request


def is_quick(request: MergeRequest) -> bool:
    """Return whether so few results are rated again that a page can wait for it."""
    seasons = Season.objects.filter(archived_at=None, ratings__player=request.merged)
    rated = Participant.objects.filter(match__season__in=seasons, match__rated_order__gt=0)
    return rated.order_by()[: MOST_AT_ONCE + 1].count() <= MOST_AT_ONCE


def waiting() -> list[int]:
    """Return the ids of waiting requests, oldest first."""
    requests = MergeRequest.objects.filter(state=State.WAITING).order_by("pk")
    return list(requests.values_list("pk", flat=True))
