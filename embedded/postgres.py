"""PostgreSQL: configuration, the first initialisation, readiness, and what its log means."""

import os
import shutil
import signal
import socket
import sys
from pathlib import Path

from embedded import places, processes
from embedded.binaries import POSTGRES_MAJOR, Binaries
from embedded.errors import EmbeddedError
from embedded.places import Home

PORT = 5432
ROLE = "laurel"
DATABASE = "laurel"
SUPERUSER = "postgres"

STOP = signal.SIGINT
"""PostgreSQL's fast shutdown: clients are disconnected, everything is written."""
ABANDON = signal.SIGQUIT
"""Its immediate shutdown: safe, but the next start has to recover."""

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
shared_buffers = {buffers}MB
max_wal_size = 4GB
jit = off
io_method = sync
# One machine, no replicas.
wal_level = minimal
max_wal_senders = 0
max_logical_replication_workers = 0
log_timezone = 'UTC'
log_line_prefix = '%m [%p] '
log_checkpoints = off
# A recovery that says every second how far it is can be waited for without a time limit.
log_startup_progress_interval = 1s
"""

_FIRST_COMMANDS = f"""\
CREATE ROLE {ROLE} LOGIN CREATEDB
CREATE DATABASE {DATABASE} OWNER {ROLE} STRATEGY FILE_COPY
"""


def configure(home: Home, sockets: Path, client: str) -> None:
    """Write the configuration: local sockets only, and peer authentication.

    The kernel tells PostgreSQL who is at the other end of a socket. Only root, the user whom the
    servers run as, and `client`, who starts them, are let in; there is no password to leak.
    """
    hba, ident = home.folder / "pg_hba.conf", home.folder / "pg_ident.conf"
    users = sorted({"root", home.account.name, client})
    places.write(hba, "local all all peer map=laurel\n")
    places.write(
        ident,
        "".join(f'laurel "{user}" {role}\n' for user in users for role in (ROLE, SUPERUSER)),
    )
    places.write(
        _configuration(home),
        _SETTINGS.format(
            hba=_quoted(hba),
            ident=_quoted(ident),
            port=PORT,
            sockets=_quoted(sockets),
            buffers=_buffers(),
        ),
    )


def _buffers() -> int:
    """Megabytes for pages of tables and indexes: a quarter of the machine's, 128 to 1,024.

    They are taken as they are used.
    """
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    return max(128, min(memory // 4, 1024))


def _configuration(home: Home) -> Path:
    return home.folder / "postgresql.conf"


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("\\", "\\\\").replace("'", "''") + "'"


def command(binaries: Binaries, home: Home) -> list[str]:
    """The command that runs the server."""
    return [
        str(binaries.postgres),
        "-D",
        str(home.postgres),
        "-c",
        f"config_file={_configuration(home)}",
    ]


def check_version(home: Home) -> None:
    """Refuse data that another major version has written."""
    version_file = home.postgres / "PG_VERSION"
    try:
        version = version_file.read_text().strip()
    except FileNotFoundError:
        raise EmbeddedError(
            f"{home.postgres} holds no PostgreSQL data (it has no PG_VERSION): put the data back, "
            "or move that folder away to begin with an empty database."
        ) from None
    if version != POSTGRES_MAJOR:
        raise EmbeddedError(
            f"The data in {home.postgres} are PostgreSQL {version}'s, and this Laurel runs "
            f"PostgreSQL {POSTGRES_MAJOR}: dump them with the Laurel that wrote them and restore "
            "them here, or move that folder away to begin with an empty database."
        )


def initialise(binaries: Binaries, home: Home, keep: int) -> None:
    """Make the data folder, with the role and the database, all at once or not at all.

    Nothing is synced to disk on the way: the finished draft is, once, before it gets its name.
    """
    draft = home.postgres_draft
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(mode=0o700)
    if os.geteuid() == 0:
        os.chown(draft, home.account.uid, home.account.gid)
    _run(
        [
            str(binaries.initdb),
            *("-D", str(draft), "-U", SUPERUSER, "-A", "peer", "-E", "UTF8"),
            *("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
            *("--no-sync", "--no-instructions"),
        ],
        home,
        keep,
    )
    _run(
        [str(binaries.postgres), "--single", "-F", "-D", str(draft), "postgres"],
        home,
        keep,
        text=_FIRST_COMMANDS,
    )
    method = "syncfs" if sys.platform == "linux" else "fsync"  # one call, or one for each file
    _run(
        [str(binaries.initdb), "--sync-only", f"--sync-method={method}", "-D", str(draft)],
        home,
        keep,
    )
    draft.rename(home.postgres)
    _sync_entries(home.folder)


def _run(words: list[str], home: Home, keep: int, text: str = "") -> None:
    start = log_size(home)
    child = processes.spawn(
        words,
        home.account,
        log=home.postgres_log,
        keep=keep,
        on_orphaned=signal.SIGKILL,
        text=text,
    )
    status = os.waitpid(child, 0)[1]
    said = log_since(home, start)
    # The single-user server goes on after a failed command and ends well.
    if status != 0 or (text and "ERROR:" in said):
        raise EmbeddedError(explain(home, said, "could not make its data folder"))


def _sync_entries(folder: Path) -> None:
    """Force the names in `folder` to disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def is_ready(home: Home) -> bool:
    """Whether the server accepts connections.

    It says so in a file, which it cannot take back when it is killed: so its socket has to agree.
    """
    try:
        lines = (home.postgres / "postmaster.pid").read_text().splitlines()
    except OSError:
        return False
    return len(lines) > 7 and lines[7].strip() == "ready" and _listens(home)


def _listens(home: Home) -> bool:
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(home.sockets() / f".s.PGSQL.{PORT}"))
        except OSError:
            return False
        return True


def remove_stale_locks(home: Home) -> None:
    """Remove the files in which a server that was killed left its process number.

    Called when no server of ours is alive. The number may be somebody else's by now, or a dead
    process's that nobody has buried: PostgreSQL would take either for a running server.
    """
    (home.postgres / "postmaster.pid").unlink(missing_ok=True)
    (home.sockets() / f".s.PGSQL.{PORT}.lock").unlink(missing_ok=True)


def log_size(home: Home) -> int:
    """How many bytes the log holds."""
    try:
        return home.postgres_log.stat().st_size
    except FileNotFoundError:
        return 0


def log_since(home: Home, start: int) -> str:
    """What the log says from byte `start` on (the last 64 KiB of it)."""
    try:
        with home.postgres_log.open("rb") as log:
            log.seek(max(start, log_size(home) - 65536))
            return log.read().decode(errors="replace")
    except FileNotFoundError:
        return ""


def explain(home: Home, said: str, what: str) -> str:
    """Turn what the log said into a sentence that says what happened and what to do."""
    last = last_line(said)
    if "No space left on device" in said:
        return (
            f"PostgreSQL {what}: the disk that holds {home.folder} is full. Free some space and "
            f"start again. Its log ends: {last}"
        )
    return f"PostgreSQL {what}: see {home.postgres_log} and start again. It ends: {last}"


def last_line(said: str) -> str:
    """The line of a log that says why: the last grave one, else the last."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    grave = [line for line in lines if any(word in line for word in ("FATAL:", "PANIC:", "error:"))]
    return (grave or lines or ["(nothing)"])[-1]
