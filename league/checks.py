"""Checks of the settings for production, run by ``manage.py check --deploy``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.checks import Warning as Problem
from django.core.checks import register
from django.utils.translation import to_locale

if TYPE_CHECKING:
    from pathlib import Path


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


@register(deploy=True)
def translations(**_sent: Any) -> list[Problem]:
    """Warn of languages that are offered and whose translations are not compiled."""
    others = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
    written = [
        settings.LOCALE_PATHS[0] / to_locale(code) / "LC_MESSAGES" / "django.po" for code in others
    ]
    stale = [path.parts[-3] for path in written if not is_compiled(path)]
    if not stale:
        return []
    return [
        Problem(
            f"Translations are not compiled: {', '.join(stale)}. Readers see English.",
            hint="Run .venv/bin/python deploy/translations.py",
            id="league.W003",
        )
    ]


def is_compiled(written: Path) -> bool:
    """Return whether a catalogue was compiled since it was changed."""
    compiled = written.with_suffix(".mo")
    return compiled.exists() and compiled.stat().st_mtime >= written.stat().st_mtime
