"""Settings of logs."""

from __future__ import annotations

from typing import Any

from pythonjsonlogger.core import RESERVED_ATTRS

JSON = {
    "()": "pythonjsonlogger.json.JsonFormatter",
    "format": "%(asctime)s %(levelname)s %(name)s %(message)s",
    "rename_fields": {"asctime": "time", "levelname": "level", "name": "logger"},
    "datefmt": "%Y-%m-%dT%H:%M:%S%z",
    # Django's request and Celery's data of a task are in the message, as is an outage.
    "reserved_attrs": [*RESERVED_ATTRS, "request", "data", "outage"],
}


def gunicorn_settings() -> dict[str, Any]:
    """Return the settings of gunicorn's own lines, as JSON."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": JSON},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"handlers": ["console"], "level": "WARNING"},
        "loggers": {
            "gunicorn.error": {"level": "INFO", "handlers": ["console"], "propagate": False},
        },
    }


def logging_settings(form: str, *, mails: bool) -> dict[str, Any]:
    """Return the settings of logging, as lines of ``text`` or ``json``."""
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
            "json": JSON,
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
            # Django leaves it to the web server to drop the body of an answer to HEAD.
            "gunicorn.http.wsgi": {"level": "ERROR"},
            # Scanners ask by wrong names all day: that is no error of ours to mail.
            "django.security.DisallowedHost": {"handlers": ["console"], "propagate": False},
            "celery": {"level": "INFO" if form == "json" else "NOTSET", "handlers": with_mails},
            # A line for each task that is received and done. Metrics count them.
            **{
                name: {"level": "WARNING" if form == "json" else "NOTSET"}
                for name in ("celery.worker.strategy", "celery.worker.request", "celery.app.trace")
            },
        },
    }
