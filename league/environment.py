"""The environment variables of Laurel: what each means, and whether its value makes sense.

``docs/configuration.md`` lists them for people. ``read`` finds all mistakes at once.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from league.environment_values import (
    Reader,
    addresses,
    backup_key,
    database_url,
    discord_key,
    email_url,
    folder,
    folder_or_off,
    hosts,
    networks,
    one_of,
    origins,
    redis_url,
    secret_key,
    secret_keys,
    sender,
    site_url,
    switch,
    text,
    whole_number,
)

PREFIX = "LAUREL_"


@dataclass(frozen=True)
class Variable:
    """An environment variable."""

    name: str
    read: Reader
    default: Any
    example: str
    is_secret: bool = False
    """Whether messages must not show the value."""


VARIABLES = [
    Variable("LAUREL_SITE_URL", site_url, "http://localhost:8000", "https://league.example"),
    Variable("SECRET_KEY", secret_key, None, "50 random letters and digits", is_secret=True),
    Variable(
        "SECRET_KEY_FALLBACKS", secret_keys, [], "the SECRET_KEY before this one", is_secret=True
    ),
    Variable(
        "DATABASE_URL",
        database_url,
        "",
        "postgresql://laurel:password@db.example:5432/laurel?sslmode=require",
        is_secret=True,
    ),
    Variable(
        "DATABASE_DIRECT_URL",
        database_url,
        "",
        "postgresql://laurel:password@db1.example,db2.example/laurel",
        is_secret=True,
    ),
    Variable(
        "DATABASE_REPLICA_URL",
        database_url,
        "",
        "postgresql://laurel:password@db2.example/laurel",
        is_secret=True,
    ),
    Variable("REDIS_URL", redis_url, "", "redis://cache.example:6379/0", is_secret=True),
    Variable(
        "EMAIL_URL", email_url, None, "smtp+tls://user:password@mail.example:587", is_secret=True
    ),
    Variable("DEFAULT_FROM_EMAIL", sender, None, "Laurel <noreply@league.example>"),
    Variable("LAUREL_DATA", folder, None, "/var/lib/laurel"),
    Variable("LAUREL_STATIC", folder, None, "/var/lib/laurel/static"),
    Variable("LAUREL_PROXY_HOPS", whole_number(0, 10), 0, "1"),
    Variable("LAUREL_CORS_ORIGINS", origins, [], "https://stats.example,http://localhost:3000"),
    Variable("LAUREL_PROXY_NETWORKS", networks, [], "127.0.0.1,10.0.0.0/8,2001:db8::/32"),
    Variable("LAUREL_OFFLINE", switch, None, "1"),
    Variable("DEMO", switch, None, "0"),
    Variable("LAUREL_DEMO_PLAYERS", switch, None, "0"),
    Variable("PORT", whole_number(1, 65535), None, "8001"),
    Variable("HOST", text, None, "127.0.0.1"),
    Variable("LAUREL_API_RATE_ANONYMOUS", whole_number(1, 1_000_000), 600, "600"),
    Variable("LAUREL_API_RATE_ACCOUNT", whole_number(1, 1_000_000), 1200, "1200"),
    Variable("DISCORD_CLIENT_ID", text, None, "1234567890"),
    Variable("DISCORD_SECRET", text, None, "the secret of the same application", is_secret=True),
    Variable(
        "DISCORD_PUBLIC_KEY",
        discord_key,
        "",
        "c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00",
    ),
    Variable(
        "DISCORD_BOT_TOKEN", text, "", "the bot token of the same application", is_secret=True
    ),
    Variable("STEAM_CLIENT_ID", text, None, "the key of Steam's web API", is_secret=True),
    Variable("LAUREL_BACKUP_FOLDER", folder_or_off, None, "/var/lib/laurel/backups"),
    Variable(
        "LAUREL_BACKUP_KEY",
        backup_key,
        "",
        "AGE-SECRET-KEY-1M8CWJU76EZSW2PAALMSA30M7KJZE7UTMEUTV0KK4UV0VPUANAK5SPUSY3Q",
        is_secret=True,
    ),
    Variable("LAUREL_POSTGRES_BIN", folder, "", "/usr/lib/postgresql/18/bin"),
    Variable("LAUREL_LOG", one_of("text", "json"), "text", "json"),
    Variable("LAUREL_ADMINS", addresses, [], "olga@league.example,frank@league.example"),
    Variable("PROMETHEUS_MULTIPROC_DIR", folder, None, "/run/laurel/metrics"),
    Variable("LAUREL_METRICS_TOKEN", text, "", "a long random text", is_secret=True),
    Variable("LAUREL_WEBHOOK_TEST_HOSTS", hosts, [], "127.0.0.1,receiver.test"),
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
    problems += [
        f"{name} is set but DISCORD_CLIENT_ID is not: Discord needs both."
        for name in ("DISCORD_PUBLIC_KEY", "DISCORD_BOT_TOKEN")
        if environment.get(name) and not environment.get("DISCORD_CLIENT_ID")
    ]
    if environment.get("DATABASE_DIRECT_URL") and not environment.get("DATABASE_URL"):
        problems.append(
            "DATABASE_DIRECT_URL is set but DATABASE_URL is not: it leads past the pooler of the "
            "other, so a pooler needs both."
        )
    if environment.get("DATABASE_REPLICA_URL") and not environment.get("DATABASE_URL"):
        problems.append(
            "DATABASE_REPLICA_URL is set but DATABASE_URL is not: a replica needs both, as the "
            "embedded PostgreSQL has none."
        )
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
