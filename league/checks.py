"""Checks of the settings for production, run by ``manage.py check --deploy``."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import Warning as Problem
from django.core.checks import register


@register(deploy=True)
def mail_server(**_sent: Any) -> list[Problem]:
    """Warn if mails are only printed."""
    if settings.MAIL_DELIVERY != "django.core.mail.backends.console.EmailBackend":
        return []
    return [
        Problem(
            "No mail server is configured, so nobody can reset a password by mail.",
            hint="Set EMAIL_URL, such as smtp+tls://user:password@host:587.",
            id="league.W001",
        )
    ]


@register(deploy=True)
def proxies(**_sent: Any) -> list[Problem]:
    """Warn if no proxy protects the site's threads and ends TLS."""
    if settings.PROXY_HOPS:
        return []
    return [
        Problem(
            "No proxy is configured. Without one, a few slow clients keep everybody else out, and "
            "a site with an https address redirects every request to itself.",
            hint=(
                "Put a proxy in front that buffers requests and ends TLS, as docs/production.md "
                "shows, and set LAUREL_PROXY_HOPS to the number of proxies."
            ),
            id="league.W002",
        )
    ]
