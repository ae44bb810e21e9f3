"""`make upgrade-database`: upgrade the data to the major version of PostgreSQL of this Laurel.

pg_upgrade makes a copy of the data for the new version. The copy is checked: it has the rows of the
old data, takes the migrations of this Laurel, and passes `manage.py verify_ratings`. Then it
replaces the old data, which stay beside it. After a kill, the next run starts again, or completes
the upgrade if it was killed between the two renames.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from embedded import accounts, binaries, locks, postgres, processes
from embedded.errors import EmbeddedError
from embedded.guardian import wait_for_orphans
from embedded.home import POSTGRES_MAJOR, Binaries, Home, default_data, make_sockets, prepare
from embedded.processes import Log
from embedded.servers import Servers
from embedded.valkey import SOCKET

PROJECT = Path(__file__).resolve().parent.parent
START_TIMEOUT = 120.0  # seconds that a server has to start
STOP_TIMEOUT = 60.0  # seconds that a server has to stop
SPARE = 256 * 2**20
"""Bytes that have to stay free on the disk, in addition to those of the copy."""
COUNT_ROWS = """\
SELECT format('SELECT %L, count(*) FROM %I.%I', oid::regclass, relnamespace::regnamespace, relname)
FROM pg_class WHERE relkind IN ('r', 'm') AND relpersistence = 'p'
AND relnamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
ORDER BY oid::regclass::text
\\gexec
"""


class Versions(NamedTuple):
    """The programs of both versions, where the servers' account can run them."""

    old: Binaries
    new: Binaries


def main(folder: str = "") -> int:
    """Upgrade the data, and return the exit status.

    :param folder: where the programs of the old version are, if the packages do not carry them.
    """
    try:
        upgrade(default_data().absolute(), Path(folder).absolute() if folder else None)
    except EmbeddedError as error:
        sys.stderr.write(f"laurel: {error}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("laurel: Stopped. The data are as they were.\n")
        return 1
    return 0


def upgrade(data: Path, programs: Path | None) -> None:
    """Upgrade the data in `data`, completely or not at all."""
    if not (data / "servers").exists():
        raise EmbeddedError(f"{data} has no database to upgrade. Set LAUREL_DATA to its folder.")
    home = prepare(data)
    began = time.monotonic()
    with only_user(home) as keep:
        complete(home)
        version = postgres.version_of(home)
        if version == POSTGRES_MAJOR:
            shutil.rmtree(home.path("upgrade"), ignore_errors=True)
            write(f"The data already have version {POSTGRES_MAJOR}. There is nothing to do.")
            return
        kept = home.path(f"postgres.{version}")
        check_possible(home, version, kept)
        versions = Versions(old_programs(home, version, programs), new_programs(home))
        write(
            f"Upgrading {home.path('postgres')} from PostgreSQL {version} to {POSTGRES_MAJOR} ..."
        )
        with scratch(home) as sockets:
            copy(home, versions, sockets, keep)
        swap(home, kept)
    write(
        f"Done in {time.monotonic() - began:.0f} s. The old data are in {kept}. Once the site runs "
        f"well, delete them: rm -r {kept}"
    )


@contextmanager
def only_user(home: Home) -> Iterator[int]:
    """Let nobody else start the servers, and yield the open lock that the servers hold.

    :raises EmbeddedError: if they are running.
    """
    opened = [locks.open_lock(home.path(f"{name}.lock")) for name in ("start", "users", "servers")]
    start, users, servers = opened
    try:
        if not all(locks.try_lock(lock, locks.EXCLUSIVE) for lock in (start, users)):
            raise EmbeddedError(
                "The site or one of its commands uses the database. Stop it, with Ctrl-C where "
                "`make run` runs, and try again."
            )
        wait_for_orphans(home, servers, write)
        yield servers
    finally:
        for lock in opened:
            os.close(lock)


def complete(home: Home) -> None:
    """Complete an upgrade that was killed after its copy had been checked."""
    if home.path("postgres").exists() or not (home.upgraded / "PG_VERSION").exists():
        return
    if list(home.folder.glob("postgres.[0-9]*")):
        write("Completing the upgrade that was stopped ...")
        home.upgraded.rename(home.path("postgres"))
        postgres.sync_names(home)


def check_possible(home: Home, version: str, kept: Path) -> None:
    """Raise an error if these data cannot be upgraded here."""
    if int(version) > int(POSTGRES_MAJOR):
        postgres.check_version(home)
    if kept.exists():
        raise EmbeddedError(
            f"{kept} exists: an earlier upgrade kept data there. Delete it or move it away."
        )
    used = sum(path.lstat().st_size for path in home.path("postgres").rglob("*") if path.is_file())
    missing = used + SPARE - shutil.disk_usage(home.folder).free
    if missing > 0:
        raise EmbeddedError(
            f"The copy needs more space: free {missing / 2**20:,.0f} MB on the disk of "
            f"{home.folder}."
        )


def old_programs(home: Home, version: str, folder: Path | None) -> Binaries:
    """Return the programs of the version that wrote the data."""
    new = binaries.find()
    if folder is not None:
        if binaries.version_of(folder / "postgres") != version:
            raise EmbeddedError(f"{folder} has no programs of PostgreSQL {version}.")
        return Binaries(folder / "postgres", new.valkey)
    old = binaries.of_version(version)
    if old is None:
        raise EmbeddedError(
            f"The installed packages do not carry PostgreSQL {version}, which wrote the "
            "data. Install it and name the folder of its programs, as in `make upgrade-database "
            f"OLD=/usr/lib/postgresql/{version}/bin`, or restore a backup into a new data folder "
            "(docs/upgrading.md)."
        )
    return binaries.reachable_by(home.account, old)


def new_programs(home: Home) -> Binaries:
    return binaries.reachable_by(home.account, binaries.find())


@contextmanager
def scratch(home: Home) -> Iterator[Path]:
    """Make folders for the copy, and yield that of the sockets. Stop any server left at the end."""
    folder, sockets = home.path("upgrade"), make_sockets(home)
    shutil.rmtree(folder, ignore_errors=True)  # left by a killed upgrade
    home.make_private("upgrade")
    home.make_private("upgrade/postgres")
    for socket in sockets.glob(".s.PGSQL.*"):  # of pg_upgrade's servers, if they were killed
        socket.unlink()
    try:
        yield sockets
    finally:
        for data in (home.path("postgres"), home.upgraded):
            processes.signal_all_in(data, postgres.FORCE_SIGNAL)
        shutil.rmtree(sockets, ignore_errors=True)


def copy(home: Home, versions: Versions, sockets: Path, keep: int) -> None:
    """Make a copy of the data for the new version, and check it."""
    access = allow(home, sockets)
    postgres.clean_up(home)
    data = home.path("postgres")
    with served(home, versions.old, data, access, keep):  # also recovers from a crash
        rows = count_rows(versions.new, sockets)
    has_checksums = "page checksum version: 0" not in state(versions.old, data)
    create = () if has_checksums else ("--no-data-checksums",)
    postgres.create_cluster(versions.new, home, keep, home.upgraded, *create)
    write("Copying the data ...")
    command: list[str | Path] = [versions.new.postgres.with_name("pg_upgrade")]
    command += ["--username", postgres.SUPERUSER]
    command += ["--old-bindir", versions.old.postgres.parent, "--old-datadir", data]
    command += ["--new-bindir", versions.new.postgres.parent, "--new-datadir", home.upgraded]
    command += ["--socketdir", sockets, "--old-options", access, "--new-options", access]
    run(home, command, keep)
    with served(home, versions.new, home.upgraded, access, keep):
        write("Checking the copy ...")
        if (found := count_rows(versions.new, sockets)) != rows:
            raise EmbeddedError(f"The copy differs: it should have {rows}, and has {found}.")
        check_league(sockets)
        queried(versions.new, sockets, "ANALYZE;\n")  # an upgrade loses some statistics


def allow(home: Home, sockets: Path) -> str:
    """Let this user and the servers' account connect, and return the options for that.

    The files are in a folder without spaces in its path: pg_upgrade passes options through a shell.
    """
    users = {accounts.by_uid(os.geteuid()).pw_name, home.account.pw_name}
    roles = (postgres.ROLE, postgres.SUPERUSER)
    rules = {
        "upgrade_hba.conf": "local all all peer map=upgrade\n",
        "upgrade_ident.conf": "".join(
            f'upgrade "{user}" {role}\n' for user in sorted(users) for role in roles
        ),
    }
    for name, text in rules.items():
        path = sockets / name
        path.write_text(text)
        accounts.give(path, home.account)
    return (
        f"-c hba_file={sockets}/upgrade_hba.conf -c ident_file={sockets}/upgrade_ident.conf "
        "-c max_logical_replication_workers=0"
    )


def state(programs: Binaries, data: Path) -> str:
    """Return what pg_controldata says about a data folder, with single spaces."""
    said = subprocess.run(
        [programs.postgres.with_name("pg_controldata"), data],
        env={"LC_ALL": "C"},
        check=True,
        capture_output=True,
        text=True,
    )
    return re.sub(r" +", " ", said.stdout)


@contextmanager
def served(home: Home, programs: Binaries, data: Path, access: str, keep: int) -> Iterator[None]:
    """Run the server of a data folder, with the socket that clients of the site use."""
    log = Log(home.path("upgrade.log"))
    settings = [*access.split(), "-c", f"unix_socket_directories={home.sockets}"]
    settings += ["-c", "listen_addresses=", "-c", f"port={postgres.PORT}"]
    settings += ["-c", "unix_socket_permissions=0700"]
    server = processes.start_server(
        [programs.postgres, "-D", data, *settings],
        *(home.account, log.path, postgres.STOP_SIGNAL),
        pass_fds=[keep],
    )
    try:
        give_up_at = time.monotonic() + START_TIMEOUT
        while not postgres.has_started(home, data):
            if server.poll() is not None or time.monotonic() > give_up_at:
                raise EmbeddedError(log.explain("PostgreSQL did not start"))
            time.sleep(locks.POLL)
        yield
    finally:
        server.send_signal(postgres.STOP_SIGNAL)
        try:
            server.wait(STOP_TIMEOUT)
        except subprocess.TimeoutExpired:
            server.send_signal(postgres.FORCE_SIGNAL)
            server.wait()


def run(home: Home, command: list[str | Path], keep: int) -> None:
    """Run pg_upgrade in a folder of its own, as it writes to the working directory."""
    log = Log(home.path("upgrade.log"))
    child = processes.start_server(
        *(command, home.account, log.path, signal.SIGKILL),
        pass_fds=[keep],
        cwd=home.path("upgrade"),
    )
    try:
        child.wait()
    finally:
        child.kill()
        child.wait()
    if child.returncode:
        raise EmbeddedError(log.explain("The data could not be upgraded and are as they were"))


def count_rows(programs: Binaries, sockets: Path) -> dict[str, int]:
    """Return the number of rows of each table of the league."""
    lines = (line.split("\t") for line in queried(programs, sockets, COUNT_ROWS).splitlines())
    return {table: int(rows) for table, rows in lines}


def queried(programs: Binaries, sockets: Path, sql: str) -> str:
    """Return what psql answers in the league's database, with a tab between columns."""
    psql = [str(programs.postgres.with_name("psql")), "--no-psqlrc", "--quiet", "--tuples-only"]
    psql += ["--no-align", "--set", "ON_ERROR_STOP=1", "--field-separator", "\t"]
    reached = {"PGHOST": str(sockets), "PGPORT": str(postgres.PORT), "PGUSER": postgres.ROLE}
    answered = subprocess.run(
        psql,
        input=sql,
        env={**os.environ, **reached, "PGDATABASE": postgres.DATABASE},
        capture_output=True,
        text=True,
        check=False,
    )
    if answered.returncode:
        raise EmbeddedError(f"The database could not be queried: {answered.stderr.strip()}")
    return answered.stdout


def check_league(sockets: Path) -> None:
    """Bring the copy's tables up to date and replay its seasons, with the site's own commands."""
    environment = {
        **os.environ,
        "DATABASE_URL": Servers(sockets, "").database_url,
        "REDIS_URL": f"unix://{sockets / SOCKET}?db=0",  # nobody listens there
    }
    # Checks of the code load all pages, and were made before its release.
    migrate = ("migrate", "--noinput", "--skip-checks", "--verbosity", "0")
    for words in (migrate, ("verify_ratings",)):
        command = [sys.executable, "manage.py", *words]
        if subprocess.run(command, cwd=PROJECT, env=environment, check=False).returncode:
            raise EmbeddedError(
                f"The copy failed `manage.py {words[0]}`, as the lines above say. The data are as "
                "they were."
            )


def swap(home: Home, kept: Path) -> None:
    """Replace the data with the checked copy, and keep them in ``kept``."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    home.path("postgres").rename(kept)
    postgres.sync_names(home)
    home.upgraded.rename(home.path("postgres"))
    postgres.sync_names(home)
    shutil.rmtree(home.path("upgrade"), ignore_errors=True)


def write(text: str) -> None:
    """Write a line to standard output at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
