"""Data folders whose database an older PostgreSQL has written: the one that the package carries."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from embedded import binaries, postgres
from embedded.home import Binaries, Home, make_sockets, prepare
from embedded.servers import Servers
from embedded.upgrade import allow, only_user, served
from tests.embedded.helpers import PROJECT

OLD = "16"
CREATE = "CREATE ROLE laurel LOGIN CREATEDB\nCREATE DATABASE laurel OWNER laurel\n"


def programs(home: Home) -> Binaries:
    found = binaries.of_version(OLD)
    assert found
    return binaries.reachable_by(home.account, found)


def create(data: Path) -> None:
    """Create the data folder as an earlier Laurel would have."""
    home = prepare(data)
    old, folder = programs(home), home.make_private("postgres")
    with only_user(home) as keep:
        initdb = (old.initdb, "-D", folder, "--no-sync", "--locale=C", "-E", "UTF8")
        postgres.run_to_end((*initdb, "-U", postgres.SUPERUSER, "-A", "peer"), home, keep)
        single_user = (old.postgres, "--single", "-F", "-D", folder, "postgres")
        postgres.run_to_end(single_user, home, keep, text=CREATE)


@contextmanager
def running(data: Path) -> Iterator[str]:
    """Run the old server, and give the address of its database."""
    home = prepare(data)
    sockets = make_sockets(home)
    with only_user(home) as keep:
        access = allow(home, sockets)
        with served(home, programs(home), home.path("postgres"), access, keep):
            yield Servers(sockets, "").database_url


def manage(data: Path, *words: str, **variables: str) -> str:
    """Run a command of the site on a data folder, and return what it wrote."""
    done = subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=PROJECT,
        env={**os.environ, "LAUREL_DATA": str(data), **variables},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr
