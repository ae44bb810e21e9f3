"""The addresses that requests come from."""

from __future__ import annotations

import time
from ipaddress import IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING
from uuid import UUID

from django.conf import settings
from django.utils.crypto import salted_hmac

if TYPE_CHECKING:
    from django.http import HttpRequest
    from rest_framework.request import Request

DAY = 86_400
NETWORK = 64
"""The bits of an IPv6 address that a household has to itself. The others change at will."""


def client_address(request: HttpRequest | Request) -> str | None:
    """Return the address of a client, None if it is unknown. Of IPv6, it is the network.

    A proxy adds the address that it sees to the end of ``X-Forwarded-For``. What stands before it
    comes from the visitor.
    """
    given = request.META.get("REMOTE_ADDR") or ""
    if settings.BEHIND_PROXY:
        given = request.META.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2]
    try:
        address = ip_address(given.strip())
    except ValueError:
        return None
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ip_network((int(address), NETWORK), strict=False).network_address)


def sent_from(request: HttpRequest | Request) -> UUID | None:
    """Return a keyed hash of a client's address, with a new key each day. None if it is unknown.

    It tells whether a report and its answer came from one address, and nothing about other days.
    """
    address = client_address(request)
    if address is None:
        return None
    today = int(time.time() // DAY)
    hashed = salted_hmac(f"league.clients.{today}", address, algorithm="sha256")
    return UUID(bytes=hashed.digest()[:16])
