"""Valkey: configuration and readiness."""

import signal
import socket
from pathlib import Path

from embedded import places
from embedded.binaries import Binaries
from embedded.places import Home

STOP = signal.SIGTERM
ABANDON = signal.SIGKILL
SOCKET = "valkey.sock"

_SETTINGS = """\
# Written by Laurel at every start: changes made here are lost.
port 0
unixsocket {socket}
unixsocketperm 700
dir {folder}
daemonize no
always-show-logo no
# Every write goes to a file that is synced each second; nothing is ever evicted.
appendonly yes
appendfsync everysec
save ""
maxmemory-policy noeviction
"""


def configure(home: Home, sockets: Path) -> None:
    """Write the configuration: one private socket, an append-only file."""
    places.write(
        _configuration(home),
        _SETTINGS.format(socket=_quoted(sockets / SOCKET), folder=_quoted(home.valkey)),
    )


def _configuration(home: Home) -> Path:
    return home.folder / "valkey.conf"


def _quoted(path: Path) -> str:
    return '"' + str(path).replace("\\", "\\\\").replace('"', '\\"') + '"'


def command(binaries: Binaries, home: Home) -> list[str]:
    """The command that runs the server."""
    return [str(binaries.valkey), str(_configuration(home))]


def is_ready(home: Home) -> bool:
    """Whether the server answers, its data loaded."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(1)
        try:
            connection.connect(str(home.sockets() / SOCKET))
            connection.sendall(b"PING\r\n")
            return connection.recv(64).startswith(b"+PONG")
        except OSError:
            return False
