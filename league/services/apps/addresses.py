"""Redirect URIs of apps: on the app's own site, or on the user's device."""

from __future__ import annotations

import re
from urllib.parse import urlsplit, urlunsplit

from django.utils.translation import gettext as _

from league.services.core.errors import Refused

LONGEST, QUOTED = 500, 100
MOST = 20
VISIBLE = re.compile(r"[!-~]+")
OWN_SCHEME = re.compile(r"[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+")
"""Custom schemes are reversed domain names (RFC 8252), so none is built into browsers."""
LOOPBACK = "127.0.0.1"
ON_THIS_DEVICE = (LOOPBACK, "localhost")


def check_address(address: str, *, is_public: bool, field: str = "redirect_uris") -> None:
    """Refuse an address that no app may register.

    Raises:
        Refused: it could lead to somebody else, or over a connection that others can read.
    """
    if fault := fault_of(address, is_public=is_public):
        text = fault % {"address": address[:QUOTED], "most": LONGEST}
        raise Refused("invalid_redirect_uri", text, field=field)


def fault_of(address: str, *, is_public: bool) -> str:
    """Return what is wrong with an address, empty if nothing is."""
    if len(address) > LONGEST or not VISIBLE.fullmatch(address) or "\\" in address:
        return _("%(address)s: use at most %(most)d visible ASCII characters, and no backslash.")
    if "*" in address or "#" in address:
        return _("%(address)s: enter the exact address, without “*” or “#”.")
    try:
        parts = urlsplit(address)
        host, _port = parts.hostname or "", parts.port
    except ValueError:
        return _("%(address)s is not a valid address.")
    has_capitals = bool(parts.scheme) and not address.startswith(f"{parts.scheme}:")
    if has_capitals or "@" in parts.netloc:
        return _("%(address)s: use a lower-case scheme, and no user name before the host.")
    return fault_of_scheme(parts.scheme, host, is_public=is_public)


def fault_of_scheme(scheme: str, host: str, *, is_public: bool) -> str:
    if (scheme == "https" and host) or (scheme == "http" and host in ON_THIS_DEVICE):
        return ""
    if scheme in {"http", "https", ""}:
        return _(
            "%(address)s: use https://, or http://127.0.0.1/ for a program on the user’s own "
            "computer."
        )
    if not OWN_SCHEME.fullmatch(scheme):
        return _(
            "%(address)s: a custom scheme must be a reversed domain name, such as com.example.app:/"
        )
    return "" if is_public else _("%(address)s: only public apps can use a custom scheme.")


def is_registered(address: str, registered: list[str]) -> bool:
    """Return whether an address exactly matches a registered one.

    Programs on the user's computer may listen on any port (RFC 8252).
    """
    return address in registered or (
        without_port(address) is not None and without_port(address) in map(without_port, registered)
    )


def is_readable(address: str) -> bool:
    """Return whether an address has the parts of one at all."""
    try:
        _port = urlsplit(address).port
    except ValueError:
        return False
    return True


def without_port(address: str) -> str | None:
    """Return a loopback address without its port, ``None`` for any other address."""
    try:
        parts = urlsplit(address)
        _port = parts.port
    except ValueError:
        return None
    if parts.scheme != "http" or parts.hostname != LOOPBACK or "@" in parts.netloc:
        return None
    if not VISIBLE.fullmatch(address) or "\\" in address or "#" in address:
        return None
    return urlunsplit(parts._replace(netloc=LOOPBACK))


def source_of(address: str) -> str:
    """Return the Content-Security-Policy source of an address."""
    parts = urlsplit(address)
    if parts.scheme in {"http", "https"}:
        return f"{parts.scheme}://{parts.netloc}"
    return f"{parts.scheme}:"


def stays_on_device(address: str) -> bool:
    """Return whether an address leads to a program on the user's own device."""
    parts = urlsplit(address)
    return parts.scheme not in {"http", "https"} or parts.hostname in ON_THIS_DEVICE
