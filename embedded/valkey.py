"""Valkey: configuration and readiness."""

import signal
import socket
from pathlib import Path

from embedded.home import Binaries, Home
from embedded.processes import Command

TITLE = "Valkey"
STOP_SIGNAL = signal.SIGTERM
FORCE_SIGNAL = signal.SIGKILL
SOCKET = "valkey.sock"

_SETTINGS = """\
# Written by Laurel at every start: changes made here are lost.
port 0
unixsocket {socket}
unixsocketperm 700
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
    """Write the configuration: one private socket and an append-only file."""
    home.write(
        "valkey.conf",
        _SETTINGS.format(socket=_quoted(sockets / SOCKET), folder=_quoted(home.path("valkey"))),
    )


def _quoted(path: Path) -> str:
    return '"' + str(path).replace("\\", "\\\\").replace('"', '\\"') + '"'


def command(binaries: Binaries, home: Home) -> Command:
    """Return the command that runs the server."""
    return [binaries.valkey, home.path("valkey.conf")]


def is_ready(home: Home) -> bool:
    """Return whether the server answers, its data loaded."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(1)
        try:
            connection.connect(str(home.sockets / SOCKET))
            connection.sendall(b"PING\r\n")
            return connection.recv(64).startswith(b"+PONG")
        except OSError:
            return False
