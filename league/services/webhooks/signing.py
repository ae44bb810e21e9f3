"""Signatures of webhooks, as https://www.standardwebhooks.com describes them.

A secret follows from the webhook's seed and ``SECRET_KEY``. It is not stored, so reading the
database is not enough to sign.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.crypto import salted_hmac

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Webhook

SALT = "league.services.webhooks.signing"
PREFIX = "whsec_"


def secret_of(webhook: Webhook) -> str:
    """Return the secret of a webhook, as its receiver needs it."""
    return PREFIX + base64.b64encode(key_of(webhook.secret_seed)).decode()


def key_of(seed: str, *, key: str | bytes | None = None) -> bytes:
    return salted_hmac(SALT, seed, secret=key, algorithm="sha256").digest()


def keys_of(webhook: Webhook, now: datetime) -> list[bytes]:
    """Return the keys that sign now: also that of the secret before, for a day after its change.

    While ``SECRET_KEY`` is being replaced, the key before signs, too.
    """
    seeds = [webhook.secret_seed]
    if webhook.old_secret_seed and webhook.old_until is not None and now < webhook.old_until:
        seeds.append(webhook.old_secret_seed)
    ours = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return [key_of(seed, key=key) for seed in seeds for key in ours]


def headers_of(webhook: Webhook, message_id: str, body: bytes, now: datetime) -> dict[str, str]:
    """Return the headers by which a receiver verifies a message."""
    timestamp = str(int(now.timestamp()))
    text = b".".join([message_id.encode(), timestamp.encode(), body])
    signatures = [
        "v1," + base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()
        for key in keys_of(webhook, now)
    ]
    return {
        "webhook-id": message_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": " ".join(signatures),
    }
