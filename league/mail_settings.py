"""Django's mail settings from an URL."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

PORTS = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
"""The usual port of each kind of connection: plain, STARTTLS, TLS from the start."""
FORM = "EMAIL_URL must look like smtp+tls://user:password@host:587 (or smtp://, smtps://)."


def mail_from_url(url: str) -> dict[str, str | int | bool]:
    """Return the settings for ``smtp+tls://user:password@host:port``.

    Raises:
        ImproperlyConfigured: it is not such an URL.
    """
    parts = urlsplit(url)
    try:
        port = parts.port or PORTS[parts.scheme]
    except (KeyError, ValueError) as error:
        raise ImproperlyConfigured(FORM) from error
    if not parts.hostname or parts.path.strip("/") or parts.query:
        raise ImproperlyConfigured(FORM)
    return {
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": port,
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": parts.scheme == "smtp+tls",
        "EMAIL_USE_SSL": parts.scheme == "smtps",
    }
