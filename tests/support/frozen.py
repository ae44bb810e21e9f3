"""A server that can be frozen: it accepts connections and says nothing, as if it were stopped."""

import select
import socket
import tempfile
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

TICK = 0.05
"""Seconds between looks at whether it is frozen."""


class Freezer:
    """A Unix socket in front of a server's own, which passes everything on unless frozen."""

    def __init__(self, server: Path) -> None:
        self._server = server
        self._folder = tempfile.TemporaryDirectory(prefix="laurel-freezer-")
        self.socket = Path(self._folder.name) / server.name
        self._flows, self._ended = Event(), Event()
        self._flows.set()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.socket))
        self._listener.listen(64)
        Thread(target=self._accept, daemon=True).start()

    def freeze(self) -> None:
        self._flows.clear()

    def thaw(self) -> None:
        self._flows.set()

    def end(self) -> None:
        self._ended.set()
        self.thaw()
        self._listener.close()
        self._folder.cleanup()

    def _accept(self) -> None:
        while not self._ended.is_set():
            self._flows.wait()
            with suppress(OSError, ValueError):
                if not select.select([self._listener], [], [], TICK)[0]:
                    continue
                client, _address = self._listener.accept()
                Thread(target=self._pass_on, args=[client], daemon=True).start()

    def _pass_on(self, client: socket.socket) -> None:
        server = socket.socket(socket.AF_UNIX)
        with client, server, suppress(OSError):
            server.connect(str(self._server))
            other = {client: server, server: client}
            while not self._ended.is_set():
                self._flows.wait()
                for source in select.select([client, server], [], [], TICK)[0]:
                    self._flows.wait()
                    if not (data := source.recv(65536)):
                        return
                    other[source].sendall(data)
