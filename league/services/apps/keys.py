"""The keys that sign ID tokens, stored encrypted and shared by all processes.

A key is encrypted with a password derived from ``SECRET_KEY``, so reading the database is not
enough to forge ID tokens.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from django.conf import settings
from django.db import transaction
from django.utils.crypto import salted_hmac

from league.models import SigningKey
from league.services.core.turns import take_turn

if TYPE_CHECKING:
    from datetime import datetime

SALT = "league.services.apps.keys"
BITS = 2048
CACHED_FOR = timedelta(hours=1)
"""The time for which apps may cache the list of keys. A new key signs only after that."""
ACCEPTED_AFTER = timedelta(days=1)
"""The time for which the old key stays in the list once the new one signs."""
TURN = "signing keys of apps"
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Key:
    """A key that this site can sign with."""

    pem: str
    made_at: datetime
    signs_from: datetime
    ends_at: datetime | None

    def signs_at(self, now: datetime) -> bool:
        """Return whether it signs. Another process may have made it just after ``now``."""
        return self.signs_from <= max(now, self.made_at)


def current(now: datetime) -> list[Key]:
    """Return the keys that are valid now, oldest first. Make one if none can sign."""
    found = readable(now)
    if any(key.signs_at(now) for key in found):
        return found
    with transaction.atomic():
        take_turn(TURN)
        found = readable(now)
        if not any(key.signs_at(now) for key in found):
            make(now, signs_from=now)
            found = readable(now)
    return found


def rotate(now: datetime, *, at_once: bool = False) -> SigningKey:
    """Make a new key. The others expire a day after it signs, or now with ``at_once``."""
    with transaction.atomic():
        take_turn(TURN)
        signs_from = now if at_once else now + CACHED_FOR
        ends_at = now if at_once else signs_from + ACCEPTED_AFTER
        rows = SigningKey.objects.filter(ends_at=None)
        rows.update(ends_at=ends_at)
        if at_once:
            SigningKey.objects.filter(ends_at__gt=now).update(ends_at=now)
        return make(now, signs_from=signs_from)


def make(now: datetime, *, signs_from: datetime) -> SigningKey:
    private = rsa.generate_private_key(public_exponent=65537, key_size=BITS)
    encryption = serialization.BestAvailableEncryption(password(settings.SECRET_KEY))
    pem = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption
    )
    return SigningKey.objects.create(pem=pem.decode(), made_at=now, signs_from=signs_from)


def readable(now: datetime) -> list[Key]:
    """Return the stored keys that are valid and can be decrypted here."""
    keys = []
    for row in SigningKey.objects.all():
        if not row.is_valid_at(now):
            continue
        if pem := decrypt(row.pem, (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)):
            keys.append(Key(pem, row.made_at, row.signs_from, row.ends_at))
        else:
            log.warning("The signing key of %s was encrypted with another SECRET_KEY.", row)
    return keys


@lru_cache(maxsize=16)
def decrypt(pem: str, secrets: tuple[str | bytes, ...]) -> str | None:
    """Return a key in plain text, ``None`` if no secret decrypts it."""
    for secret in secrets:
        try:
            private = serialization.load_pem_private_key(pem.encode(), password(secret))
        except ValueError:
            continue
        return private.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ).decode()
    return None


def password(secret: str | bytes) -> bytes:
    return salted_hmac(SALT, "pem", secret=secret, algorithm="sha256").hexdigest().encode()


def forget_old(now: datetime) -> int:
    """Delete expired keys. Return how many."""
    return SigningKey.objects.filter(ends_at__lte=now).delete()[0]
