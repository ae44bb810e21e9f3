"""How many proxies in front of the site to trust, from the environment."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import TYPE_CHECKING

from django.core.exceptions import ImproperlyConfigured

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_HOPS = 10
Network = IPv4Network | IPv6Network


def proxy_hops(environment: Mapping[str, str]) -> int:
    """Return the number of trusted proxies, 0 to 10, from ``LAUREL_PROXY_HOPS``.

    Raises:
        ImproperlyConfigured: it is no such number, or the variable that it replaced is set.
    """
    if environment.get("LAUREL_BEHIND_PROXY"):
        raise ImproperlyConfigured(
            "LAUREL_BEHIND_PROXY was replaced: instead, set LAUREL_PROXY_HOPS=1, the number of "
            "proxies in front of the site."
        )
    given = environment.get("LAUREL_PROXY_HOPS") or "0"
    if not (given.isascii() and given.isdigit() and int(given) <= MOST_HOPS):
        raise ImproperlyConfigured(
            f"LAUREL_PROXY_HOPS={given} is not a number from 0 to {MOST_HOPS}. "
            "Set it to the number of proxies in front of the site."
        )
    return int(given)


def proxy_networks(environment: Mapping[str, str]) -> list[Network]:
    """Return the networks of the trusted proxies from ``LAUREL_PROXY_NETWORKS``, empty for any.

    Raises:
        ImproperlyConfigured: it is not a list of addresses and networks, with commas.
    """
    given = environment.get("LAUREL_PROXY_NETWORKS", "")
    try:
        return [ip_network(each.strip()) for each in given.split(",") if each.strip()]
    except ValueError as error:
        raise ImproperlyConfigured(
            f"LAUREL_PROXY_NETWORKS: {error}. Separate addresses and networks by commas, as in "
            "127.0.0.1,10.0.0.0/8,2001:db8::/32."
        ) from error
