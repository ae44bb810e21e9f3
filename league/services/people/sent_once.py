"""A request of a program takes effect once, however often it is sent with the same key.

Its effect and its response are committed together, so a program that does not know what became of
a request sends it again: either it is done now, or it gets the response of the first time. A second
one that comes while the first is still running waits for it, by the unique constraint.
"""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from league.models import SentRequest
from league.services.core.errors import Conflict

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import User

KEPT = timedelta(hours=24)


def digest_of(method: str, address: str, body: bytes) -> str:
    """Return what tells two different requests apart."""
    digest = hashlib.sha256(f"{method} {address}\n".encode())
    digest.update(body)
    return digest.hexdigest()


def begin(user: User, key: str, digest: str, now: datetime) -> tuple[SentRequest, bool]:
    """Return the request that this account sends with a key, and whether it is new.

    Call it in a transaction that stores the response of a new one.

    Raises:
        Conflict: the key belongs to another request.
    """
    SentRequest.objects.filter(user=user, key=key, at__lt=now - KEPT).delete()
    sent, is_new = SentRequest.objects.get_or_create(
        user=user, key=key, defaults={"digest": digest, "at": now}
    )
    if sent.digest != digest:
        text = _("This Idempotency-Key came with another request before. Give each one its own.")
        raise Conflict("key_of_another_request", text)
    return sent, is_new


def forget_old(now: datetime) -> int:
    """Delete requests that are no longer remembered. Return how many."""
    return SentRequest.objects.filter(at__lt=now - KEPT).delete()[0]
