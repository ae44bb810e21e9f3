"""pg_dump and pg_restore: which ones to run, and how they reach the database."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
from django.conf import settings
from django.db import connections
from django.utils.translation import gettext as _
from psycopg.pq import Conninfo

from embedded import binaries
from embedded.errors import EmbeddedError
from league.database import direct
from league.services.core.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

MAINTENANCE = "postgres"
"""The database to be connected to while others are created, renamed and dropped."""


def tool(name: str, server: int) -> str:
    """Return the path of ``pg_dump`` or ``pg_restore``, not older than the server.

    ``LAUREL_POSTGRES_BIN`` names their folder. Otherwise those of the embedded PostgreSQL are
    taken, or else those on the PATH.

    Raises:
        Refused: there are none, or all are older than the server's major version.
    """
    found = {path: version(path) for path in candidates(name)}
    for path, its in found.items():
        if its >= server:
            return path
    if not found:
        problem = _("%(tool)s was not found.") % {"tool": name}
    else:
        problem = _("%(tool)s is of version %(version)d, and the server of version %(server)d.") % {
            "tool": ", ".join(found),
            "version": max(found.values()),
            "server": server,
        }
    raise Refused(
        "postgres_tools",
        _(
            "%(problem)s Install the client programs of PostgreSQL %(server)d or later, and set "
            "LAUREL_POSTGRES_BIN to their folder if they are not on the PATH."
        )
        % {"problem": problem, "server": server},
    )


def candidates(name: str) -> Iterator[str]:
    if settings.POSTGRES_BIN:
        named = shutil.which(name, path=settings.POSTGRES_BIN)
        if named:
            yield named
        return
    try:
        carried = binaries.find().postgres.with_name(name)
    except EmbeddedError:  # not installed, as with a PostgreSQL of one's own
        carried = Path()
    if carried.is_file():
        yield str(carried)
    if on_path := shutil.which(name):
        yield on_path


@cache
def version(path: str) -> int:
    """Return the major version of a program of PostgreSQL, 0 if it does not tell."""
    try:
        output = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=10, check=False
        ).stdout
    except OSError:
        return 0
    found = re.search(r"\b(\d+)(\.\d+|devel|beta\d+|rc\d+)", output)
    return int(found[1]) if found else 0


def environment(database: str) -> dict[str, str]:
    """Return the environment in which PostgreSQL's programs reach a database of the server.

    Command lines can be read by other users of the machine, and environments cannot.
    """
    names = {each.keyword.decode(): each.envvar for each in Conninfo.get_defaults()}
    given = {**address(direct()), "dbname": database, "application_name": "laurel backup"}
    reached = {name.decode(): str(value) for key, value in given.items() if (name := names[key])}
    return {**os.environ, **reached}


def address(alias: str) -> dict[str, Any]:
    """Return the parameters of libpq with which Django reaches one of its databases."""
    known = {each.keyword.decode() for each in Conninfo.get_defaults()}
    given = connections[alias].settings_dict
    words = {"HOST": "host", "PORT": "port", "USER": "user", "PASSWORD": "password"}
    own = {word: str(given[name]) for name, word in words.items() if given[name]}
    options = {name: value for name, value in given["OPTIONS"].items() if name in known}
    return {**options, **own, "dbname": given["NAME"]}


def connect(database: str) -> psycopg.Connection[Any]:
    """Connect to a database of the server, without Django and its pools.

    The session is this connection's alone: past a pooler.
    """
    own = {**address(direct()), "dbname": database, "client_encoding": "UTF8"}
    return psycopg.connect(**own, autocommit=True)


def own_database() -> str:
    """Return the name of the league's database."""
    return str(connections[direct()].settings_dict["NAME"])


def server_version(server: psycopg.Connection[Any]) -> int:
    """Return the major version of a server."""
    return server.info.server_version // 10_000
