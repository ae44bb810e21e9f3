"""Checks of Discord's requests: signed with the application's key, fresh, and not replayed."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from league.models import DiscordInteraction
from league.services.core.errors import Conflict, Forbidden

if TYPE_CHECKING:
    from datetime import datetime

LARGEST_SKEW = timedelta(minutes=5)
KEPT = 3 * LARGEST_SKEW
"""The time for which an answered request is remembered: longer than it would be accepted."""
SECONDS = re.compile(r"[0-9]{1,12}")
SIGNATURE = re.compile(r"[0-9a-fA-F]{128}")


def check_signature(signature: str, timestamp: str, body: bytes, now: datetime) -> None:
    """Check that Discord has just signed a request.

    Raises:
        Forbidden: the signature is missing or wrong, or the clocks differ too much.
    """
    if not SIGNATURE.fullmatch(signature) or not SECONDS.fullmatch(timestamp):
        raise Forbidden("signature_missing", _("The request has no Discord signature."))
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(settings.DISCORD_PUBLIC_KEY))
    try:
        key.verify(bytes.fromhex(signature), timestamp.encode() + body)
    except InvalidSignature as error:
        text = _("The signature does not match the request.")
        raise Forbidden("signature_wrong", text) from error
    if abs(now.timestamp() - int(timestamp)) > LARGEST_SKEW.total_seconds():
        raise Forbidden("clock_skew", _("The request is too old."))


def use_up(number: str, now: datetime) -> None:
    """Store the ID of a request before it takes effect.

    Raises:
        Conflict: it was sent before.
    """
    try:
        with transaction.atomic():
            DiscordInteraction.objects.create(number=number, at=now)
    except IntegrityError as error:
        raise Conflict("replayed", _("This request was already sent.")) from error


def forget_old(now: datetime) -> int:
    """Delete the IDs of requests that are too old to be replayed. Return how many."""
    return DiscordInteraction.objects.filter(at__lt=now - KEPT).delete()[0]
