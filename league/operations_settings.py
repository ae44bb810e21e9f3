"""Settings of backups, health and logs, from environment variables."""

from __future__ import annotations

import os

from django.core.exceptions import ImproperlyConfigured


def number(name: str, default: int, *, least: int = 1) -> int:
    """Return the whole number in an environment variable.

    Raises:
        ImproperlyConfigured: it is not a number or less than ``least``.
    """
    given = os.environ.get(name, "").strip() or str(default)
    if not (given.isascii() and given.isdigit()) or int(given) < least:
        raise ImproperlyConfigured(f"{name}={given} is not a whole number from {least} upwards.")
    return int(given)
