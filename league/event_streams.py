"""Streams of events: connections that stay open and report changes.

One thread of a web process holds all of its streams, so an idle one costs a file descriptor and
little memory. Once a second the thread compares short versions of everything that is watched. A
thing with a new version is read once, however many watch it, and sent to those who have not seen
it. Changes need not be announced, so none is missed: not that of an import or of a restored
database, and not while the message broker is gone.
"""

from __future__ import annotations

import logging
import os
import random
import resource
import select
import socket
import threading
import time
from abc import ABC, abstractmethod
from collections import Counter, deque
from contextlib import suppress
from functools import partial
from hashlib import md5
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import connections
from django.http import HttpResponse

from league.measuring import recorder

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence

MEDIA_TYPE = "text/event-stream"
HANDS_OVER = "laurel.hands_over"
"""The WSGI environment has this key if the connection can become a stream."""
LOOK_EVERY = 1.0
"""Seconds between two checks of the versions of what is watched, called looks."""
READERS_EVERY = 5
"""Looks between two checks whether readers may still read."""
BEAT_EVERY = 15
"""Looks between two comments on an idle stream, which keep proxies from closing it."""
READ_TOGETHER = 50
"""Changed things that are read together, at most."""
LIFE = 15 * 60.0
"""Seconds after which a stream ends at the latest, and its reader connects again."""
RETRY = (2_000, 6_000)
"""Milliseconds before readers connect again, in a range so that they do not all come at once."""
LATE = 30.0
"""Seconds for which a reader may leave an event unread."""
SENT_AHEAD = 64 * 1024
"""Bytes that the kernel keeps for a reader who reads slowly."""
MOST_STREAMS = 8_000
"""Streams of a process at most, if it may open twice as many files."""
NOTHING_NEW = b": nothing new\n\n"
BEAT = b":\n\n"
log = logging.getLogger(__name__)


class Source(ABC):
    """A kind of thing that can be watched."""

    event: str
    """The name of its events."""

    @abstractmethod
    def versions(self, keys: Collection[Any]) -> Mapping[Any, Hashable]:
        """Return a version of each thing that still exists, which differs after a change."""

    @abstractmethod
    def told(self, keys: Collection[Any]) -> Mapping[Any, bytes]:
        """Return the things as their readers may see them, each as JSON on one line."""


class Told(NamedTuple):
    """The last event about a thing."""

    version: Hashable
    digest: str
    lines: bytes
    """Of the event, without the id."""
    event: bytes
    """The whole event, for those who watch nothing else. All of them share these bytes."""

    @classmethod
    def now(cls, source: Source, key: Any) -> Told | None:
        """Read a thing, ``None`` if there is none. Its version is read first, so that no later
        change goes unnoticed."""
        version = source.versions([key]).get(key)
        data = None if version is None else source.told([key]).get(key)
        return None if data is None else cls.of(source, version, data)

    @classmethod
    def of(cls, source: Source, version: Hashable, data: bytes) -> Told:
        digest = md5(data, usedforsecurity=False).hexdigest()[:16]
        lines = b"event: %b\ndata: %b\n\n" % (source.event.encode(), data)
        return cls(version, digest, lines, mark_of([digest]) + lines)


class Topic:
    """A thing that is watched, and who watches it."""

    __slots__ = ("key", "source", "streams", "told")

    def __init__(self, source: Source, key: Any, told: Told) -> None:
        self.source, self.key, self.told = source, key, told
        self.streams: set[Stream] = set()


class EventStream(HttpResponse):
    """An answer whose connection stays open.

    Under another web server, which cannot hand the connection over, it has the current state and
    ends, so that its reader asks again.
    """

    def __init__(
        self,
        watched: Sequence[tuple[Source, Any]],
        told: Sequence[Told],
        *,
        owner: str,
        reader: Hashable,
        still_allowed: Callable[[Collection[Any]], Collection[Any]],
        seen: str = "",
        is_handed_over: bool = False,
    ) -> None:
        """``told`` has the current event of each thing that is watched. ``owner`` is whose limit of
        streams counts. ``still_allowed`` returns those readers who may read on, and never gets
        ``None``. ``seen`` is the id of the reader's last event.
        """
        self.watched, self.owner = watched, owner
        self.reader, self.still_allowed = reader, still_allowed
        self.told = told
        digests = [one.digest for one in told]
        is_new = seen != ".".join(digests)
        self.seen = [""] * len(told) if is_new else digests
        self.first = b"retry: %d\n\n" % random.randint(*RETRY)  # noqa: S311 - to spread them
        self.first += b"" if is_new else NOTHING_NEW
        events = [mark_of(digests) + one.lines for one in told] if is_new else []
        content = b"" if is_handed_over else b"".join([self.first, *events])
        super().__init__(content, content_type=MEDIA_TYPE)
        self.headers["Cache-Control"] = "no-store"
        self.headers["X-Accel-Buffering"] = "no"


def mark_of(seen: Sequence[str]) -> bytes:
    """Return the id of an event, from the digests of what its reader has then seen."""
    return b"id: %b\n" % ".".join(seen).encode()


class Stream:
    """A connection that stays open."""

    __slots__ = (
        *("event", "fd", "late_since", "owner", "reader", "rest", "seen", "socket"),
        *("still_allowed", "topics", "until"),
    )

    def __init__(self, connection: socket.socket, answer: EventStream, until: float) -> None:
        self.socket, self.fd = connection, connection.fileno()
        self.owner = answer.owner
        self.reader, self.still_allowed = answer.reader, answer.still_allowed
        self.seen = answer.seen
        self.event = answer.watched[0][0].event
        self.until = until
        self.topics: list[Topic] = []
        self.rest: bytes | memoryview = b""
        """The unsent part of an event."""
        self.late_since = 0.0


class Hub:
    """All streams of a process, and the thread that serves them."""

    def __init__(self) -> None:
        self.streams: dict[int, Stream] = {}
        self.topics: dict[tuple[Source, Any], Topic] = {}
        self.owners: Counter[str] = Counter()
        self.arriving: deque[tuple[socket.socket, EventStream]] = deque()
        self.lock = threading.Lock()
        self.thread: threading.Thread | None = None
        self.looks = 0

    def told(self, source: Source, key: Any) -> Told | None:
        """Return the event about a thing, at most a look old, ``None`` if it is not there."""
        topic = self.topics.get((source, key))
        return topic.told if topic else Told.now(source, key)

    def has_room(self) -> bool:
        files, _most = resource.getrlimit(resource.RLIMIT_NOFILE)
        return len(self.streams) + len(self.arriving) < min(MOST_STREAMS, files // 2)

    def adopt(self, connection: socket.socket, answer: EventStream) -> None:
        """Take over a connection on which the headers have been sent."""
        with self.lock:
            if self.thread is None:
                self.wakes, self.waker = os.pipe()
                os.set_blocking(self.wakes, False)
                os.set_blocking(self.waker, False)
                self.poll = select.epoll()
                self.poll.register(self.wakes, select.EPOLLIN)
                self.thread = threading.Thread(target=self.run, name="streams", daemon=True)
                self.thread.start()
        self.arriving.append((connection, answer))
        with suppress(BlockingIOError):
            os.write(self.waker, b"!")

    def run(self) -> None:
        """Serve the streams for as long as the process lives."""
        next_look = time.monotonic() + LOOK_EVERY
        while True:
            for fd, what in self.poll.poll(max(0.0, next_look - time.monotonic())):
                self.handle(fd, what)
            self.take_in()
            if (now := time.monotonic()) >= next_look:
                self.turn(now)
                next_look = time.monotonic() + LOOK_EVERY

    def take_in(self) -> None:
        """Begin the streams of connections that have arrived."""
        while self.arriving:
            connection, answer = self.arriving.popleft()
            until = time.monotonic() + LIFE * random.uniform(0.8, 1.0)  # noqa: S311
            stream = Stream(connection, answer, until)
            try:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENT_AHEAD)
                if connection.family != socket.AF_UNIX:  # these have no such timeout
                    silent = int(2 * LATE * 1000)
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, silent)
                self.poll.register(stream.fd, select.EPOLLIN | select.EPOLLRDHUP)
            except OSError:
                connection.close()
                continue
            self.streams[stream.fd] = stream
            recorder.count("laurel_streams_opened", stream.event)
            self.owners[stream.owner] += 1
            for (source, key), told in zip(answer.watched, answer.told, strict=True):
                topic = self.topics.setdefault((source, key), Topic(source, key, told))
                topic.streams.add(stream)
                stream.topics.append(topic)
            self.send(stream, answer.first)
            self.catch_up(stream)

    def handle(self, fd: int, what: int) -> None:
        """Handle a connection that was closed, was written to, or can take more."""
        if fd == self.wakes:
            os.read(fd, 4096)
            return
        stream = self.streams.get(fd)
        if stream is None:
            return
        if what & select.EPOLLOUT and stream.rest:
            self.flush(stream)
        if what & (select.EPOLLIN | select.EPOLLRDHUP | select.EPOLLHUP | select.EPOLLERR):
            self.end(stream)  # readers must not send anything more

    def turn(self, now: float) -> None:
        """Send changes and heartbeats, and end the streams whose time is up."""
        self.looks += 1
        of_source: dict[Source, list[Topic]] = {}
        for topic in list(self.topics.values()):
            of_source.setdefault(topic.source, []).append(topic)
        for source, topics in of_source.items():
            self.attempt(partial(self.look, source, topics))
        if self.looks % READERS_EVERY == 0:
            self.attempt(self.check_readers)
        connections.close_all()
        place = self.looks % BEAT_EVERY
        for stream in list(self.streams.values()):
            if now >= stream.until or (stream.rest and now - stream.late_since > LATE):
                self.end(stream)
            elif stream.fd % BEAT_EVERY == place and not stream.rest:
                self.send(stream, BEAT)

    def attempt(self, step: Callable[[], None]) -> None:
        """Do a step that needs the database. While it is unavailable, the streams wait."""
        try:
            step()
        except Exception:  # whatever it is, this thread holds the streams of everybody
            log.warning("Streams cannot read what has changed.", exc_info=True)

    def look(self, source: Source, topics: Sequence[Topic]) -> None:
        """Find what has changed, and send it to those who have not seen it."""
        versions = source.versions([topic.key for topic in topics])
        changed = [one for one in topics if versions.get(one.key) != one.told.version]
        for start in range(0, len(changed), READ_TOGETHER):
            self.tell(source, changed[start : start + READ_TOGETHER], versions)

    def tell(
        self, source: Source, topics: Sequence[Topic], versions: Mapping[Any, Hashable]
    ) -> None:
        """Read things again, and send each to those who have not seen it."""
        told = source.told([topic.key for topic in topics if topic.key in versions])
        for topic in topics:
            if topic.key not in told:
                self.end_all(topic.streams)
                continue
            topic.told = Told.of(source, versions[topic.key], told[topic.key])
            for stream in list(topic.streams):
                self.catch_up(stream)

    def catch_up(self, stream: Stream) -> None:
        """Send a reader what they have not seen, unless an earlier event is still on its way."""
        for place, topic in enumerate(stream.topics):
            if stream.rest or stream.fd not in self.streams:
                return
            if stream.seen[place] != topic.told.digest:
                stream.seen[place] = topic.told.digest
                is_alone = len(stream.topics) == 1
                event = topic.told.event if is_alone else mark_of(stream.seen) + topic.told.lines
                self.send(stream, event)

    def check_readers(self) -> None:
        """End the streams of readers who may no longer read, such as with a revoked token."""
        readers: dict[Any, dict[Hashable, list[Stream]]] = {}
        for stream in self.streams.values():
            if stream.reader is not None:
                known = readers.setdefault(stream.still_allowed, {})
                known.setdefault(stream.reader, []).append(stream)
        for still_allowed, streams in readers.items():
            for gone in streams.keys() - set(still_allowed(list(streams))):
                self.end_all(streams[gone])

    def send(self, stream: Stream, data: bytes | memoryview) -> None:
        """Send bytes to a reader who has received everything before."""
        try:
            sent = stream.socket.send(data)
        except BlockingIOError:
            sent = 0
        except OSError:
            self.end(stream)
            return
        if sent < len(data):
            stream.rest, stream.late_since = memoryview(data)[sent:], time.monotonic()
            self.poll.modify(stream.fd, select.EPOLLIN | select.EPOLLRDHUP | select.EPOLLOUT)

    def flush(self, stream: Stream) -> None:
        """Send the rest of an event, then what the reader has missed."""
        data, stream.rest = stream.rest, b""
        self.poll.modify(stream.fd, select.EPOLLIN | select.EPOLLRDHUP)
        self.send(stream, data)
        self.catch_up(stream)

    def end_all(self, streams: Iterable[Stream]) -> None:
        for stream in list(streams):
            self.end(stream)

    def end(self, stream: Stream) -> None:
        """Close a connection, and forget what nobody watches any more."""
        if self.streams.pop(stream.fd, None) is None:
            return
        with suppress(OSError):
            self.poll.unregister(stream.fd)
        recorder.count("laurel_streams_ended", stream.event)
        stream.socket.close()
        stream.rest = b""
        self.owners[stream.owner] -= 1
        if not self.owners[stream.owner]:
            del self.owners[stream.owner]
        for topic in stream.topics:
            topic.streams.discard(stream)
            if not topic.streams:
                self.topics.pop((topic.source, topic.key), None)


hub = Hub()
"""The streams of this process."""
