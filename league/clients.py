"""The addresses that requests come from, and the fields that say which page sent a form."""

from __future__ import annotations

import time
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING
from uuid import UUID

from django.conf import settings
from django.utils.crypto import salted_hmac

if TYPE_CHECKING:
    from django.http import HttpRequest
    from rest_framework.request import Request

    Address = IPv4Address | IPv6Address

AUTHOR, TOKEN = "filled_in_by", "csrfmiddlewaretoken"
"""Fields of every form: the account to which its page was shown, and Django's token."""
DAY = 86_400
NETWORK = 64
"""The bits of an IPv6 address that a household has to itself. The others change at will."""


def client_address(request: HttpRequest | Request) -> str | None:
    """Return the address of a client, None if it is unknown. Of IPv6, it is the network.

    Each proxy adds the address that it sees to the end of ``X-Forwarded-For``. Read from there,
    as many entries count as there are trusted proxies (``PROXY_HOPS``), and none beyond one that
    is not in ``PROXY_NETWORKS``. All others come from the visitor and are ignored.
    """
    seen = request.META.get("REMOTE_ADDR") or ""
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    for _hop in range(settings.PROXY_HOPS):
        if not is_trusted(seen):
            break
        seen = forwarded.pop() if forwarded else ""
    address = address_in(seen)
    if not isinstance(address, IPv6Address):
        return str(address) if address else None
    return str(ip_network((int(address), NETWORK), strict=False).network_address)


def address_in(text: str) -> Address | None:
    """Return the address in ``192.0.2.1:80``, ``[2001:db8::1]:443`` and the like, if there is one.

    An IPv4 address inside IPv6 is returned as IPv4.
    """
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return (isinstance(address, IPv6Address) and address.ipv4_mapped) or address


def is_trusted(peer: str) -> bool:
    """Return whether a peer may be one of the proxies. A Unix socket has no address and may be."""
    if not settings.PROXY_NETWORKS or not peer:
        return True
    address = address_in(peer)
    return any(address in network for network in settings.PROXY_NETWORKS if address)


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
