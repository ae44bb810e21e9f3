"""Settings of backups, health and logs, from environment variables."""

from __future__ import annotations

import os
from typing import Any

from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email


def number(name: str, default: int, *, least: int = 1) -> int:
    """Return the whole number in an environment variable.

    Raises:
        ImproperlyConfigured: it is not a number or less than ``least``.
    """
    given = os.environ.get(name, "").strip() or str(default)
    if not (given.isascii() and given.isdigit()) or int(given) < least:
        raise ImproperlyConfigured(f"{name}={given} is not a whole number from {least} upwards.")
    return int(given)


def admins() -> list[tuple[str, str]]:
    """Return the people who get mails about errors, as Django's ``ADMINS``.

    Raises:
        ImproperlyConfigured: there is something else than addresses.
    """
    given = os.environ.get("LAUREL_ADMINS", "").replace(",", " ").split()
    for address in given:
        try:
            validate_email(address)
        except ValidationError as error:
            raise ImproperlyConfigured(
                f"LAUREL_ADMINS: {address} is not an email address. Separate addresses by commas."
            ) from error
    return [("", address) for address in given]


def logging_settings(*, mails: bool) -> dict[str, Any]:
    """Return the settings of logging: lines of text, or of JSON with ``LAUREL_LOG=json``.

    Raises:
        ImproperlyConfigured: ``LAUREL_LOG`` is neither.
    """
    form = os.environ.get("LAUREL_LOG", "") or "text"
    if form not in {"text", "json"}:
        raise ImproperlyConfigured(f"LAUREL_LOG={form} is neither text nor json.")
    with_mails = ["mail"] if mails else []
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {
            "ids": {"()": "league.logs.WorkIds"},
            "routine": {"()": "league.logs.WithoutRoutine"},
        },
        "formatters": {
            "text": {"format": "%(levelname)s %(name)s: %(message)s"},
            "json": {
                "()": "pythonjsonlogger.json.JsonFormatter",
                "format": "%(asctime)s %(levelname)s %(name)s %(message)s",
                "rename_fields": {"asctime": "time", "levelname": "level", "name": "logger"},
                "datefmt": "%Y-%m-%dT%H:%M:%S%z",
            },
        },
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": form,
                "filters": ["ids", "routine"],
            },
            "mail": {"class": "league.logs.ErrorMail", "level": "ERROR", "filters": ["ids"]},
        },
        "root": {"handlers": ["console"], "level": "WARNING"},
        "loggers": {
            "league": {"level": "INFO", "handlers": with_mails},
            # Django's own handler mails whole requests, with everything that people sent.
            "django": {"handlers": with_mails},
            # Scanners ask by wrong names all day: that is no error of ours to mail.
            "django.security.DisallowedHost": {"handlers": ["console"], "propagate": False},
            "celery": {"level": "INFO" if form == "json" else "NOTSET", "handlers": with_mails},
            # A line for each task that is received and done. Metrics count them.
            **{
                name: {"level": "WARNING" if form == "json" else "NOTSET"}
                for name in ("celery.worker.strategy", "celery.app.trace")
            },
        },
    }
