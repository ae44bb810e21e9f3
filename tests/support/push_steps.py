"""A browser that gets push messages, and reads them as RFC 8291 has it."""

import base64
import hashlib
import hmac
import json
import secrets
import struct
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.support.webhook_steps import Got


def text_of(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def bytes_of(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def hkdf(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    """HKDF with HMAC alone, for at most 32 bytes."""
    first = hmac.digest(salt, secret, hashlib.sha256)
    return hmac.digest(first, info + b"\1", hashlib.sha256)[:length]


@dataclass
class Browser:
    """The keys of a subscription, as a browser makes them."""

    private: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    auth: bytes = field(default_factory=lambda: secrets.token_bytes(16))

    @property
    def public(self) -> bytes:
        return self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def subscription(self, endpoint: str) -> dict[str, str]:
        return {"endpoint": endpoint, "key": text_of(self.public), "auth": text_of(self.auth)}

    def read(self, body: bytes) -> Any:
        """Decrypt a message, step by step as in section 3.4."""
        salt, (_record, length), rest = body[:16], struct.unpack("!IB", body[16:21]), body[21:]
        sender, sealed = rest[:length], rest[length:]
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self.private.exchange(ec.ECDH(), point)
        secret = hkdf(self.auth, shared, b"WebPush: info\0" + self.public + sender, 32)
        key = hkdf(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
        nonce = hkdf(salt, secret, b"Content-Encoding: nonce\0", 12)
        plain = AESGCM(key).decrypt(nonce, sealed, None)
        assert plain[-1:] == b"\2"
        return json.loads(plain[:-1])


def claims_of(got: Got, public: str) -> Any:
    """Check the signature of a message as a push service does, and return its claims."""
    scheme, parts = got.headers["authorization"].split(" ", 1)
    given = dict(part.strip().split("=", 1) for part in parts.split(","))
    assert scheme == "vapid"
    assert given["k"] == public
    signed, _dot, signature = given["t"].rpartition(".")
    raw = bytes_of(signature)
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), bytes_of(public))
    numbers = (int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    point.verify(encode_dss_signature(*numbers), signed.encode(), ec.ECDSA(SHA256()))
    header, claims = (json.loads(bytes_of(part)) for part in signed.split("."))
    assert header == {"typ": "JWT", "alg": "ES256"}
    return claims
