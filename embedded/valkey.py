"""Valkey: configuration and readiness."""

import hashlib
import secrets
import signal
import socket
from pathlib import Path

from embedded.home import Binaries, Home
from embedded.processes import Command

TITLE = "Valkey"
STOP_SIGNAL = signal.SIGTERM
FORCE_SIGNAL = signal.SIGKILL
SOCKET = "valkey.sock"
PASSWORD = "valkey.password"  # noqa: S105  the name of its file

_SETTINGS = """\
# Written by Laurel at every start: changes made here are lost.
port 0
unixsocket {socket}
unixsocketperm 700
user default on #{digest} ~* &* +@all
dir {folder}
daemonize no
always-show-logo no
# Append every write to a file that is synced each second, and never evict anything.
appendonly yes
appendfsync everysec
save ""
maxmemory-policy noeviction
"""


def configure(home: Home, sockets: Path) -> None:
    """Write the configuration: one private socket, a password and an append-only file.

    Other programs may run as the servers' account and read what it reads, so the configuration has
    only a digest of the password. The password is random, long, and kept beside it for the owner of
    the home.
    """
    if not password(home):
        home.write(PASSWORD, secrets.token_hex(32), mode=0o600)
    home.write(
        "valkey.conf",
        _SETTINGS.format(
            socket=_quote(sockets / SOCKET),
            folder=_quote(home.path("valkey")),
            digest=hashlib.sha256(password(home).encode()).hexdigest(),
        ),
    )


def password(home: Home) -> str:
    """Return the password, or nothing if the server was started by a version without one."""
    path = home.path(PASSWORD)
    return path.read_text() if path.exists() else ""


def _quote(path: Path) -> str:
    return '"' + str(path).replace("\\", "\\\\").replace('"', '\\"') + '"'


def command(binaries: Binaries, home: Home) -> Command:
    """Return the command that runs the server."""
    return [binaries.valkey, home.path("valkey.conf")]


def is_ready(home: Home) -> bool:
    """Return whether the server answers, its data loaded."""
    words = password(home)
    with socket.socket(socket.AF_UNIX) as connection:
        # The kernel accepts connections even for a server that hangs.
        connection.settimeout(1)
        try:
            connection.connect(str(home.sockets / SOCKET))
            connection.sendall(f"AUTH {words}\r\nPING\r\n".encode() if words else b"PING\r\n")
            answer = b""
            while answer.count(b"\r\n") < (2 if words else 1) and (more := connection.recv(64)):
                answer += more
            return answer.endswith(b"+PONG\r\n")
        except OSError:
            return False
