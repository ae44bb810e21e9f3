"""The key that names this site to push services (VAPID, RFC 8292), shared by all processes.

It is made at its first use and stored encrypted with a password derived from ``SECRET_KEY``. A key
that cannot be decrypted any more is replaced, and the devices of the old one go: their push
services would refuse the new one.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from django.conf import settings
from django.db import transaction

from league.models import PushDevice, PushKey
from league.services.apps import keys as signing_keys
from league.services.core.turns import take_turn

if TYPE_CHECKING:
    from datetime import datetime

VALID_SECONDS = 12 * 3600
"""Push services accept a day at most."""
TURN = "push key"
RAW = (serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def encode(content: bytes) -> str:
    """Return Base64 for addresses, without padding."""
    return urlsafe_b64encode(content).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    """Return what :func:`encode` wrote, with or without padding.

    Raises:
        ValueError: it is not Base64.
    """
    return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))


def current() -> ec.EllipticCurvePrivateKey:
    """Return the site's key. Make one if there is none that can be read."""
    found = read_stored()
    if found is not None:
        return found
    with transaction.atomic():
        take_turn(TURN)
        found = read_stored()
        if found is None:
            found = make()
    return found


def read_stored() -> ec.EllipticCurvePrivateKey | None:
    row = PushKey.objects.first()
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    pem = signing_keys.decrypt(row.pem, secrets) if row else None
    if pem is None:
        return None
    private = serialization.load_pem_private_key(pem.encode(), None)
    return private if isinstance(private, ec.EllipticCurvePrivateKey) else None


def make() -> ec.EllipticCurvePrivateKey:
    private = ec.generate_private_key(ec.SECP256R1())
    password = signing_keys.password(settings.SECRET_KEY)
    pem = private.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(password),
    )
    PushDevice.objects.all().delete()
    PushKey.objects.update_or_create(pk=1, defaults={"pem": pem.decode()})
    return private


def public_text() -> str:
    """Return the public key as browsers take it."""
    return encode(current().public_key().public_bytes(*RAW))


def authorization(endpoint: str, now: datetime) -> str:
    """Return the header by which a push service knows this site."""
    private = current()
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(now.timestamp()) + VALID_SECONDS,
        "sub": settings.SITE_URL,
    }
    signed = ".".join(
        encode(json.dumps(part, separators=(",", ":")).encode())
        for part in ({"typ": "JWT", "alg": "ES256"}, claims)
    )
    one, other = decode_dss_signature(private.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    signature = encode(one.to_bytes(32, "big") + other.to_bytes(32, "big"))
    return f"vapid t={signed}.{signature}, k={encode(private.public_key().public_bytes(*RAW))}"
