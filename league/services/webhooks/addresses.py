"""Addresses that webhooks may be sent to: public ones, so that nobody reaches our own network.

A name is resolved once, each of its addresses is checked, and the connection goes to a checked
address. So a name whose address changes in between leads nowhere else.
"""

from __future__ import annotations

import re
import socket
import threading
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from league.services.core.errors import Refused

if TYPE_CHECKING:
    from urllib.parse import SplitResult

PORTS = (443, 8443)
"""The ports that are allowed, but for hosts of tests."""
LOOKUP_SECONDS = 5.0
HOST = re.compile(r"[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?|[0-9a-f:.]+")
VISIBLE = re.compile(r"[!-~]+")
SPECIAL = [
    ip_network(text)
    for text in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
        "2001::/23",
        "2001:db8::/32",
        "2002::/16",
        "3fff::/20",
    )
]
"""Networks of no single public host: of IPv6, those within its public part. Some of them lead to
IPv4 addresses: Teredo (2001::) and 6to4 (2002::)."""
PUBLIC_IPV6 = ip_network("2000::/3")
"""The only part of IPv6 that is assigned. NAT64, mapped and local addresses are outside."""


@dataclass(frozen=True)
class Target:
    """The address of a webhook, in parts."""

    secure: bool
    host: str
    port: int
    path: str
    """With the query."""

    @property
    def for_tests(self) -> bool:
        """Whether the settings list its host as one of tests."""
        return self.host in settings.WEBHOOK_TEST_HOSTS

    @property
    def named(self) -> str:
        """The host as the Host header has it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.secure else 80) else f"{host}:{self.port}"


def read(address: str) -> Target:
    """Return the parts of an address, without looking up its host.

    Raises:
        Refused: the address is none, has a name or password, or is not https.
    """
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise wrong(_("Enter an address such as https://example.org/laurel.")) from None
    host = (parts.hostname or "").lower().rstrip(".")
    if not VISIBLE.fullmatch(address) or "\\" in address or not HOST.fullmatch(host):
        raise wrong(_("Enter an address such as https://example.org/laurel."))
    if parts.username is not None or parts.password is not None:
        raise wrong(_("The address must have no user name or password."))
    if parts.fragment:
        raise wrong(_("The address must not contain a fragment (#…)."))
    secure = parts.scheme == "https"
    target = Target(secure, host, port or (443 if secure else 80), path_of(parts))
    if target.for_tests and parts.scheme in {"http", "https"}:
        return target
    if not secure:
        raise wrong(_("The address must begin with https://."))
    if target.port not in PORTS:
        text = _("The port must be one of these: %(ports)s.")
        raise wrong(text % {"ports": ", ".join(str(each) for each in PORTS)})
    return target


def path_of(parts: SplitResult) -> str:
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def resolve(target: Target) -> list[str]:
    """Return the addresses of a host, each of which may be connected to.

    Raises:
        Refused: the host has no address, or one that is not public.
    """
    found = looked_up(target.host, target.port)
    if not found:
        raise wrong(_("The host %(host)s cannot be found.") % {"host": target.host})
    if not target.for_tests and not all(is_public(each) for each in found):
        text = _("The host %(host)s is not on the public internet.")
        raise wrong(text % {"host": target.host})
    return found


def looked_up(host: str, port: int) -> list[str]:
    """Return the IP addresses of a host, none if it has none or nobody answers in time."""
    found: list[str] = []

    def ask() -> None:
        try:
            rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            return
        found.extend(dict.fromkeys(str(row[4][0]) for row in rows))

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(LOOKUP_SECONDS)
    return list(found)


def is_public(text: str) -> bool:
    """Return whether an IP address is that of a single host on the public internet."""
    try:
        address: IPv4Address | IPv6Address = ip_address(text)
    except ValueError:  # such as one with a zone
        return False
    if not address.is_global or address.is_multicast or address.is_reserved:
        return False
    if isinstance(address, IPv6Address) and address not in PUBLIC_IPV6:
        return False
    return not any(address in network for network in SPECIAL)


def wrong(message: str) -> Refused:
    return Refused("address", message, field="address")
