"""Encrypt a message so that only one browser can read it (RFC 8291, with RFC 8188).

The push service in between sees its length only.
"""

from __future__ import annotations

import secrets
import struct

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from league.services.push.keys import RAW, decode

RECORD = 4096
"""The size of a record. A message is a single one."""
LONGEST = 3_000
"""The most bytes of a message: push services take 4,096 with everything around it."""
LAST = b"\x02"


def encrypt(content: bytes, key: str, auth: str) -> bytes:
    """Return a message for the browser with these keys, which it gave as Base64."""
    private = ec.generate_private_key(ec.SECP256R1())
    return encrypt_with(content, decode(key), decode(auth), private, secrets.token_bytes(16))


def encrypt_with(
    content: bytes, key: bytes, auth: bytes, private: ec.EllipticCurvePrivateKey, salt: bytes
) -> bytes:
    receiver = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)
    sender = private.public_key().public_bytes(*RAW)
    shared = private.exchange(ec.ECDH(), receiver)
    secret = derive(shared, auth, b"WebPush: info\0" + key + sender, 32)
    content_key = derive(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derive(secret, salt, b"Content-Encoding: nonce\0", 12)
    sealed = AESGCM(content_key).encrypt(nonce, content + LAST, None)
    return salt + struct.pack("!IB", RECORD, len(sender)) + sender + sealed


def derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)
