"""Addresses to which an app lets people be sent back: on its own site, or on their own device."""

from __future__ import annotations

import re
from urllib.parse import urlsplit, urlunsplit

from django.utils.translation import gettext as _

from league.services.core.errors import Refused

LONGEST, QUOTED = 500, 100
MOST = 20
VISIBLE = re.compile(r"[!-~]+")
OWN_SCHEME = re.compile(r"[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+")
"""Schemes of apps on a device are host names backwards (RFC 8252), so none is a browser's own."""
LOOPBACK = "127.0.0.1"
ON_THIS_DEVICE = (LOOPBACK, "localhost")


def check(address: str, *, is_public: bool, field: str = "redirect_uris") -> None:
    """Refuse an address that no app may be registered with.

    Raises:
        Refused: it could lead to somebody else, or over a connection that others can read.
    """
    if fault := fault_of(address, is_public=is_public):
        text = fault % {"address": address[:QUOTED], "most": LONGEST}
        raise Refused("invalid_redirect_uri", text, field=field)


def fault_of(address: str, *, is_public: bool) -> str:
    """Return what is wrong with an address, empty if nothing is."""
    if len(address) > LONGEST or not VISIBLE.fullmatch(address) or "\\" in address:
        return _("%(address)s: an address has at most %(most)d visible ASCII characters.")
    if "*" in address or "#" in address:
        return _("%(address)s: write the whole address, without “*” and without a part after “#”.")
    try:
        parts = urlsplit(address)
        host, _port = parts.hostname or "", parts.port
    except ValueError:
        return _("%(address)s is no address.")
    has_capitals = bool(parts.scheme) and not address.startswith(f"{parts.scheme}:")
    if has_capitals or "@" in parts.netloc:
        return _("%(address)s: write the scheme in small letters, and no account before the host.")
    return fault_of_scheme(parts.scheme, host, is_public=is_public)


def fault_of_scheme(scheme: str, host: str, *, is_public: bool) -> str:
    if (scheme == "https" and host) or (scheme == "http" and host in ON_THIS_DEVICE):
        return ""
    if scheme in {"http", "https", ""}:
        return _(
            "%(address)s: use https://, or http://127.0.0.1/ for a program on the reader’s own "
            "computer."
        )
    if not OWN_SCHEME.fullmatch(scheme):
        return _(
            "%(address)s: an app’s own scheme is a host name backwards, such as com.example.app:/"
        )
    return "" if is_public else _("%(address)s: only public apps have a scheme of their own.")


def is_registered(address: str, registered: list[str]) -> bool:
    """Return whether an address is exactly one of those registered.

    Programs on the reader's computer listen at any free port (RFC 8252).
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
    """Return an address at the loopback interface without its port, ``None`` for any other."""
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
    """Return what a Content-Security-Policy names an address by."""
    parts = urlsplit(address)
    if parts.scheme in {"http", "https"}:
        return f"{parts.scheme}://{parts.netloc}"
    return f"{parts.scheme}:"


def stays_on_device(address: str) -> bool:
    """Return whether an address leads to a program on the reader's own device."""
    parts = urlsplit(address)
    return parts.scheme not in {"http", "https"} or parts.hostname in ON_THIS_DEVICE
