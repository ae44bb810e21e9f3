"""Signed requests: whoever reads one on the way can neither change it nor send it again.

The second secret of a token follows from its digest and ``SECRET_KEY``. It is not stored, so
reading the database is not enough to sign.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from league.models import UsedNonce
from league.models.access_token import LONGEST_NONCE
from league.services.core.errors import Forbidden

if TYPE_CHECKING:
    from league.models import AccessToken

SALT = "league.services.people.signing"
LARGEST_SKEW = timedelta(minutes=5)
KEPT = 3 * LARGEST_SKEW
"""The time for which a used nonce is kept: longer than any request with it is accepted."""
SHORTEST_NONCE = 16
NONCE = re.compile(rf"[A-Za-z0-9_-]{{{SHORTEST_NONCE},{LONGEST_NONCE}}}")
SECONDS = re.compile(r"[0-9]{1,12}")


def secret_of(token: AccessToken, *, key: str | bytes | None = None) -> str:
    """Return the secret with which requests of a token are signed."""
    return salted_hmac(SALT, token.digest, secret=key, algorithm="sha256").hexdigest()


def signature(
    secret: str, *, method: str, address: str, timestamp: str, nonce: str, body: bytes
) -> str:
    """Return the signature of a request: HMAC-SHA-256 of five lines, in hexadecimal.

    ``address`` is the path with its query, as it is sent.
    """
    digest = hashlib.sha256(body).hexdigest()
    text = "\n".join([timestamp, nonce, method, address, digest])
    return hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()


def check_signature(
    token: AccessToken,
    *,
    method: str,
    address: str,
    timestamp: str,
    nonce: str,
    sent: str,
    body: bytes,
    now: datetime,
) -> None:
    """Check the signature of a request, and use up its nonce.

    Raises:
        Forbidden: a part is missing or malformed, the clocks differ too much, the signature is
            wrong, or the nonce was used before.
    """
    if not (SECONDS.fullmatch(timestamp) and NONCE.fullmatch(nonce) and sent):
        text = _(
            "This token signs its requests: send Laurel-Timestamp in seconds since 1970, a "
            "Laurel-Nonce of %(least)d to %(most)d letters and digits, and Laurel-Signature."
        )
        given = {"least": SHORTEST_NONCE, "most": LONGEST_NONCE}
        raise Forbidden("signature_missing", text % given)
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    if not any(
        constant_time_compare(
            sent,
            signature(
                secret_of(token, key=key),
                method=method,
                address=address,
                timestamp=timestamp,
                nonce=nonce,
                body=body,
            ),
        )
        for key in keys
    ):
        raise Forbidden("signature_wrong", _("The signature does not fit the request."))
    if abs(now.timestamp() - int(timestamp)) > LARGEST_SKEW.total_seconds():
        text = _("Your clock differs from ours by more than 5 minutes: here it is %(now)s.")
        our_time = now.astimezone(UTC).isoformat(timespec="seconds")
        raise Forbidden("clock_skew", text % {"now": our_time})
    try:
        with transaction.atomic():
            UsedNonce.objects.create(token=token, nonce=nonce, used_at=now)
    except IntegrityError as error:
        text = _("This request was sent before. Give each a new nonce.")
        raise Forbidden("replayed", text) from error


def forget_old(now: datetime) -> int:
    """Delete nonces of requests that are too old to be sent again. Return how many."""
    return UsedNonce.objects.filter(used_at__lt=now - KEPT).delete()[0]
