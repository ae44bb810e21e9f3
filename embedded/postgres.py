"""PostgreSQL: configuration, first initialisation and readiness."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

from embedded import accounts, processes
from embedded.errors import EmbeddedError
from embedded.home import POSTGRES_MAJOR, Binaries, Home
from embedded.processes import Command, Log

TITLE = "PostgreSQL"
PORT = 5432
ROLE = "laurel"
DATABASE = "laurel"
SUPERUSER = "postgres"

SYNC_METHOD = "syncfs" if sys.platform == "linux" else "fsync"
"""The way to sync all files: by one call, or one for each of two thousand files."""
STOP_SIGNAL = signal.SIGINT
"""Fast shutdown: disconnect clients and write everything."""
FORCE_SIGNAL = signal.SIGQUIT
"""Immediate shutdown: safe, but the next start must recover."""

_SETTINGS = """\
# Written by Laurel at every start: changes made here are lost.
hba_file = {hba}
ident_file = {ident}
listen_addresses = ''
port = {port}
unix_socket_directories = {sockets}
unix_socket_permissions = 0700
max_connections = 100
timezone = 'UTC'
lc_messages = 'C'
# A quarter of the memory, from 128 to 1,024 MB, taken only as it is used.
shared_buffers = {buffers}MB
max_wal_size = 4GB
jit = off
# What is read is mostly in memory or on an SSD: an index pays even for small tables.
random_page_cost = 1.1
io_method = sync
# One machine, no replicas.
wal_level = minimal
max_wal_senders = 0
max_logical_replication_workers = 0
# With any, each checkpoint writes a new file, and PostgreSQL crashes if the disk is full.
max_active_replication_origins = 0
log_timezone = 'UTC'
log_line_prefix = '%m [%p] '
log_checkpoints = off
# A recovery that logs its progress every second can be waited for without a time limit.
log_startup_progress_interval = 1s
recovery_init_sync_method = {sync}
"""

_FIRST_COMMANDS = f"""\
CREATE ROLE {ROLE} LOGIN CREATEDB
CREATE DATABASE {DATABASE} OWNER {ROLE} STRATEGY FILE_COPY
"""


def configure(home: Home, sockets: Path, client: str) -> None:
    """Write the configuration: local sockets only, and peer authentication.

    The kernel tells PostgreSQL which user is at the other end of a socket. Only root, the owner of
    the home and `client`, the user that starts the servers, may connect. When root has started
    them, their account may not: it is often `nobody`, as which other programs run, too. There is no
    password to leak.
    """
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    users = sorted({"root", accounts.by_uid(home.folder.stat().st_uid).pw_name, client})
    home.write("pg_hba.conf", "local all all peer map=laurel\n")
    home.write(
        "pg_ident.conf",
        "".join(f'laurel "{user}" {role}\n' for user in users for role in (ROLE, SUPERUSER)),
    )
    home.write(
        "postgresql.conf",
        _SETTINGS.format(
            hba=_quote(home.path("pg_hba.conf")),
            ident=_quote(home.path("pg_ident.conf")),
            port=PORT,
            sockets=_quote(sockets),
            buffers=max(128, min(memory // 4, 1024)),
            sync=SYNC_METHOD,
        ),
    )


def _quote(path: Path) -> str:
    return "'" + str(path).replace("\\", "\\\\").replace("'", "''") + "'"


def command(binaries: Binaries, home: Home) -> Command:
    """Return the command that runs the server."""
    config = f"config_file={home.path('postgresql.conf')}"
    return [binaries.postgres, "-D", home.path("postgres"), "-c", config]


def version_of(home: Home) -> str:
    """Return the major version of PostgreSQL that has written the data."""
    data = home.path("postgres")
    try:
        return (data / "PG_VERSION").read_text().strip()
    except FileNotFoundError:
        raise EmbeddedError(
            f"{data} contains no PostgreSQL data (PG_VERSION is missing). Put the data back, or "
            "move that folder away to begin with an empty database."
        ) from None


def check_version(home: Home) -> None:
    """Raise an error if another major version has written the data."""
    version = version_of(home)
    if version == POSTGRES_MAJOR:
        return
    problem = (
        f"The data in {home.path('postgres')} was written by PostgreSQL {version}, and this Laurel "
        f"runs PostgreSQL {POSTGRES_MAJOR}."
    )
    if int(version) > int(POSTGRES_MAJOR):
        raise EmbeddedError(f"{problem} Run the Laurel that wrote it, or a later one.")
    raise EmbeddedError(
        f"{problem} Make a backup with the Laurel that wrote it. Then set LAUREL_DATA to a new "
        "folder, and restore the backup there with `manage.py restore FILE`."
    )


def initialise(binaries: Binaries, home: Home, keep: int) -> None:
    """Create the data folder with the role and the database, completely or not at all.

    Nothing is synced to disk on the way. The finished draft is, before it gets its name.
    """
    # A draft of a process that was killed.
    shutil.rmtree(home.path("postgres.new"), ignore_errors=True)
    draft = home.make_private("postgres.new")
    locale = ("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
    options = ("-U", SUPERUSER, "-A", "peer", "-E", "UTF8", "--no-sync", "--no-instructions")
    run_to_end((binaries.initdb, "-D", draft, *options, *locale), home, keep)
    # Needs no running server, so nobody can connect before role and database are there.
    single_user = (binaries.postgres, "--single", "-F", "-D", draft, "postgres")
    run_to_end(single_user, home, keep, text=_FIRST_COMMANDS)
    sync = ("--sync-only", f"--sync-method={SYNC_METHOD}")
    run_to_end((binaries.initdb, "-D", draft, *sync), home, keep)
    draft.rename(home.path("postgres"))
    sync_names(home)


def sync_names(home: Home) -> None:
    """Write to the disk which folders the home has."""
    folder = os.open(home.folder, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


def run_to_end(words: Command, home: Home, keep: int, text: str = "") -> None:
    """Run a program that works on a data folder, with the open lock `keep` and this input."""
    log = Log(home.path("postgres.log"))
    options = {"pass_fds": [keep], "stdin": subprocess.PIPE}
    child = processes.start_server(words, home.account, log.path, signal.SIGKILL, **options)
    # Its end is the end of its input: the single-user server stops there.
    child.communicate(text.encode())
    # The single-user server continues after a failed command and exits with 0.
    if child.returncode or (text and "ERROR:" in log.text()):
        raise EmbeddedError(log.explain("PostgreSQL could not create its data folder"))


def is_ready(home: Home) -> bool:
    """Return whether the server accepts connections."""
    return has_started(home, home.path("postgres"))


def has_started(home: Home, data: Path) -> bool:
    """Return whether the server of a data folder accepts connections.

    It writes this to a file, but cannot correct the file when it is killed, so the socket must
    agree.
    """
    try:
        lines = _pid_file(data).read_text().splitlines()
        if len(lines) < 8 or lines[7].strip() != "ready":
            return False
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(home.sockets / f".s.PGSQL.{PORT}"))
            return True
    except OSError:
        return False


def clean_up(home: Home) -> None:
    """Remove what a killed server has left: its backends, and the files with its process number.

    Call it when no server runs. Backends keep the old server's memory, and a new one cannot start
    beside it. The process number may belong to another process by now, or to one that is dead but
    not reaped; PostgreSQL would take either for a running server.
    """
    data = home.path("postgres")
    if _pid_file(data).exists():
        processes.signal_all_in(data, FORCE_SIGNAL)
    _pid_file(data).unlink(missing_ok=True)
    (home.sockets / f".s.PGSQL.{PORT}.lock").unlink(missing_ok=True)


def _pid_file(data: Path) -> Path:
    return data / "postmaster.pid"
