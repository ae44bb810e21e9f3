"""The environment variables of Laurel: what each means, and whether its value makes sense.

``docs/configuration.md`` lists them for people. ``read`` finds all mistakes at once.
"""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parseaddr
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
from django.core.exceptions import ImproperlyConfigured
from psycopg.conninfo import conninfo_to_dict
from redis.connection import parse_url

from league.mail_settings import mail_from_url

Reader = Callable[[str], Any]
"""Turns a value into what the settings use. Raises ``ValueError`` with what is wrong with it."""


PREFIX = "LAUREL_"
ESCAPES = "In names and passwords, write @ as %40, / as %2F, : as %3A and % as %25"
SSL_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")


@dataclass(frozen=True)
class Variable:
    """An environment variable."""

    name: str
    read: Reader
    default: Any
    example: str
    is_secret: bool = False
    """Whether messages must not show the value."""


def text(value: str) -> str:
    return value


def site_url(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("is not an address that begins with http:// or https://")
    if parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc:
        raise ValueError("has more than a host and a port; the site needs an address of its own")
    _ = parts.port  # raises ValueError
    return value.rstrip("/")


def database_url(value: str) -> str:
    if not value.startswith(("postgresql://", "postgres://")):
        raise ValueError("does not begin with postgresql://")
    try:
        options = conninfo_to_dict(value)
    except psycopg.Error as error:
        # Other messages may quote a part of the password.
        reason = f": {one_line(error)}" if "query parameter" in str(error) else ""
        raise ValueError(f"is not understood by PostgreSQL{reason}. {ESCAPES}") from None
    name, ports = str(options.get("dbname", "")), str(options.get("port", ""))
    if set("@/:") & set(name) or not re.fullmatch(r"[\d,]*", ports):
        raise ValueError(f"has no port or name where one is expected. {ESCAPES}")
    if options.get("sslmode", "prefer") not in SSL_MODES:
        raise ValueError(f"has an sslmode that is none of {', '.join(SSL_MODES)}")
    if not name:
        raise ValueError("names no database: put a slash and its name after the host")
    return value


def redis_url(value: str) -> str:
    if not value.startswith(("redis://", "rediss://", "unix://")):
        raise ValueError("does not begin with redis://, rediss:// or unix://")
    try:
        parse_url(value)  # type: ignore[no-untyped-call] # redis has no types here
    except ValueError:
        raise ValueError("is not understood") from None
    return value


def email_url(value: str) -> dict[str, str | int | bool]:
    try:
        return mail_from_url(value)
    except ImproperlyConfigured:
        raise ValueError("is not the address of a mail server") from None


def sender(value: str) -> str:
    _name, address = parseaddr(value)
    local, _at, host = address.rpartition("@")
    if not local or not host or "\n" in value:
        raise ValueError("has no email address")
    return value


def secret_key(value: str) -> str:
    if len(value) < 20:
        raise ValueError("is shorter than 20 characters, so it could be guessed")
    return value


def folder(value: str) -> Path:
    path = Path(value)
    if path.exists() and not path.is_dir():
        raise ValueError("is a file, not a folder")
    return path


def switch(value: str) -> bool:
    if value not in {"0", "1"}:
        raise ValueError("is neither 1 (on) nor 0 (off)")
    return value == "1"


def whole_number(least: int, most: int) -> Reader:
    def read_number(value: str) -> int:
        if not (value.isascii() and value.isdigit() and least <= int(value) <= most):
            raise ValueError(f"is not a whole number from {least} to {most}")
        return int(value)

    return read_number


def seconds(least: float, most: float, *, or_off: bool = False) -> Reader:
    """Read a number of seconds, with ``or_off`` also 0 for no limit."""
    allowed = f"a number of seconds from {least:g} to {most:g}" + (
        ", or 0 for no limit" if or_off else ""
    )

    def read_seconds(value: str) -> float:
        try:
            number = float(value)
        except ValueError:
            raise ValueError(f"is not {allowed}") from None
        if not (least <= number <= most or (or_off and number == 0)):
            raise ValueError(f"is not {allowed}")
        return number

    return read_seconds


def one_of(*choices: str) -> Reader:
    def read_choice(value: str) -> str:
        if value not in choices:
            raise ValueError(f"is none of {', '.join(choices)}")
        return value

    return read_choice


def one_line(error: Exception) -> str:
    return " ".join(str(error).split())


VARIABLES = [
    Variable("LAUREL_SITE_URL", site_url, "http://localhost:8000", "https://league.example"),
    Variable("SECRET_KEY", secret_key, None, "50 random letters and digits", is_secret=True),
    Variable(
        *("DATABASE_URL", database_url, ""),
        *("postgresql://laurel:password@db.example:5432/laurel?sslmode=require", True),
    ),
    Variable("REDIS_URL", redis_url, "", "redis://cache.example:6379/0", is_secret=True),
    Variable(
        "EMAIL_URL", email_url, None, "smtp+tls://user:password@mail.example:587", is_secret=True
    ),
    Variable("DEFAULT_FROM_EMAIL", sender, None, "Laurel <noreply@league.example>"),
    Variable("LAUREL_DATA", folder, None, "/var/lib/laurel"),
    Variable("LAUREL_STATIC", folder, None, "/var/lib/laurel/static"),
    Variable("LAUREL_BEHIND_PROXY", switch, None, "1"),
    Variable(
        "LAUREL_HSTS", one_of("preload", "subdomains", "host", "off"), "preload", "subdomains"
    ),
    Variable("LAUREL_OFFLINE", switch, None, "1"),
    Variable("LAUREL_SERVER_USER", text, None, "postgres"),
    Variable("LAUREL_DEMO_PLAYERS", switch, None, "0"),
    Variable("PORT", whole_number(1, 65535), None, "8001"),
    Variable("HOST", text, None, "127.0.0.1"),
    Variable("LAUREL_API_RATE_ANONYMOUS", whole_number(1, 1_000_000), 600, "600"),
    Variable("LAUREL_API_RATE_ACCOUNT", whole_number(1, 1_000_000), 1200, "1200"),
    Variable("DISCORD_CLIENT_ID", text, None, "1234567890"),
    Variable("DISCORD_SECRET", text, None, "the secret of the same application", is_secret=True),
    Variable("STEAM_CLIENT_ID", text, None, "the key of Steam's web API", is_secret=True),
    # How long a page waits, below.
    Variable("LAUREL_DB_POOL", whole_number(1, 1000), 8, "8"),
    Variable("LAUREL_DB_POOL_SECONDS", seconds(0.1, 60), 2.0, "2"),
    Variable("LAUREL_DB_CONNECT_SECONDS", whole_number(2, 60), 2, "2"),
    Variable("LAUREL_DB_STATEMENT_SECONDS", seconds(0.1, 600, or_off=True), 3.0, "3"),
    Variable("LAUREL_DB_LONG_STATEMENT_SECONDS", seconds(1, 86400, or_off=True), 60.0, "60"),
    Variable("LAUREL_DB_LOCK_SECONDS", seconds(0.1, 600, or_off=True), 2.0, "2"),
    Variable("LAUREL_CACHE_SECONDS", seconds(0.05, 60), 1.0, "1"),
    Variable("LAUREL_TESTS", one_of("long"), None, "long"),
]


def read(environment: Mapping[str, str]) -> dict[str, Any]:
    """Return the value of each variable, its default where it is unset or empty.

    If any is wrong, print what is wrong with all of them and exit with status 1.
    """
    values, problems = examine(environment)
    if problems:
        lines = "\n".join(f"  - {problem}" for problem in problems)
        sys.stderr.write(
            f"Laurel cannot start with these environment variables:\n{lines}\n"
            "docs/configuration.md explains each of them.\n"
        )
        sys.exit(1)
    return values


def examine(environment: Mapping[str, str]) -> tuple[dict[str, Any], list[str]]:
    """Return the values of the variables, and a sentence about each that is wrong."""
    values, problems = {}, []
    for variable in VARIABLES:
        values[variable.name] = variable.default
        if not (given := environment.get(variable.name, "")):
            continue
        try:
            values[variable.name] = variable.read(given)
        except ValueError as error:
            shown = "" if variable.is_secret else f"={given!r}"
            problems.append(
                f"{variable.name}{shown} {error}. Example: {variable.name}={variable.example}"
            )
    return values, [*problems, *contradictions(environment), *unknown_names(environment)]


def contradictions(environment: Mapping[str, str]) -> list[str]:
    """Return a sentence about each variable that lacks another."""
    problems = []
    for has, lacks in (
        ("DISCORD_CLIENT_ID", "DISCORD_SECRET"),
        ("DISCORD_SECRET", "DISCORD_CLIENT_ID"),
    ):
        if environment.get(has) and not environment.get(lacks):
            problems.append(f"{has} is set but {lacks} is not: the login with Discord needs both.")
    return problems


def unknown_names(environment: Mapping[str, str]) -> list[str]:
    """Return a sentence about each variable that begins like ours but is none."""
    known = [variable.name for variable in VARIABLES]
    problems = []
    for name in sorted(environment):
        if name.startswith(PREFIX) and name not in known:
            close = difflib.get_close_matches(name, known, 1, 0.6)
            meant = f" Did you mean {close[0]}?" if close else ""
            problems.append(f"{name} is not a variable of Laurel.{meant}")
    return problems
