"""What 10,000 idle streams of events take, and how soon a change reaches all of them.

The site as `make run` serves it, with its two web processes. Readers without a log-in watch 100
matches of the demo league. After 30 quiet seconds, all matches change at once, five times. Other
numbers of streams and matches can be given: `python -m benchmarks.idle_streams 10000 1`.
"""

import os
import re
import resource
import select
import socket
import sys
import time
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

from tests.support.running_site import running_site

STREAMS = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
MATCHES = int(sys.argv[2]) if len(sys.argv) > 2 else 100
AT_ONCE = 16
"""Connections that are opened together: as many as threads answer."""
QUIET = 30.0
CHANGES = 5
PATIENCE = 30.0
PAGES = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")


def web_processes() -> list[int]:
    """Return the processes of the web server of this benchmark's site."""
    data = os.environ["LAUREL_DATA"].encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
            if b"gunicorn" in command and data in (folder / "environ").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def database_processes() -> list[int]:
    """Return the processes of PostgreSQL of this benchmark's site, which work in its folder."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if str((folder / "cwd").readlink()).startswith(os.environ["LAUREL_DATA"]):
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def megabytes(processes: list[int]) -> float:
    """Return the memory of processes in MiB, with what they share counted once."""
    total = 0
    for pid in processes:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        total += int(re.findall(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)[0])
    return total / 1024


def kernel_megabytes() -> float:
    """Return the memory of the buffers of all TCP sockets of this machine in MiB."""
    text = Path("/proc/net/sockstat").read_text()
    return int(re.findall(r"TCP:.* mem (\d+)", text)[0]) * PAGES / 2**20


def processor_seconds(processes: list[int]) -> float:
    def of(pid: int) -> float:
        if not Path(f"/proc/{pid}").exists():
            return 0.0
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    return sum(of(pid) for pid in processes)


class Readers:
    """Many clients that read streams."""

    def __init__(self, port: int, matches: list[int]) -> None:
        self.port, self.matches = port, matches
        self.poll = select.epoll()
        self.open: dict[int, socket.socket] = {}
        self.events: dict[int, int] = {}
        self.heads: dict[int, bytes] = {}

    def open_all(self, count: int) -> float:
        """Open streams, and return the seconds until each has its first event."""
        began = time.monotonic()
        for start in range(0, count, AT_ONCE):
            for number in range(start, min(start + AT_ONCE, count)):
                self.open_one(self.matches[number % len(self.matches)])
            self.read_until(len(self.open), 1)
        return time.monotonic() - began

    def open_one(self, match: int) -> None:
        client = socket.create_connection(("127.0.0.1", self.port))
        client.sendall(
            b"GET /api/v1/matches/%d/stream/ HTTP/1.1\r\nHost: localhost\r\n\r\n" % match
        )
        client.settimeout(0)
        self.open[client.fileno()] = client
        self.events[client.fileno()] = 0
        self.poll.register(client.fileno(), select.EPOLLIN)

    def read_until(self, count: int, events: int) -> bool:
        """Read until so many streams have had so many events each. Return whether they have."""
        deadline = time.monotonic() + PATIENCE
        ready = sum(had >= events for had in self.events.values())
        while ready < count and time.monotonic() < deadline:
            for fd, _what in self.poll.poll(0.2):
                data = self.open[fd].recv(2**16)
                if not data:
                    self.close(fd)
                    continue
                had = self.events[fd]
                self.events[fd] += data.count(b"\nevent: match\n")
                ready += had < events <= self.events[fd]
        return ready >= count

    def close(self, fd: int) -> None:
        self.poll.unregister(fd)
        self.open.pop(fd).close()
        self.events.pop(fd)


def change(matches: list[int]) -> None:
    """Change what the API shows of all matches."""
    from django.db.models import F

    from league.models import Match

    seconds = timedelta(seconds=1)
    Match.objects.filter(pk__in=matches).update(played_at=F("played_at") + seconds)


def main() -> None:
    _soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    os.environ |= {"LAUREL_API_STREAMS": "100000", "LAUREL_API_RATE_ANONYMOUS": "1000000"}
    with running_site("idle-streams") as address:
        from league.models import Match

        matches = list(Match.objects.order_by("-pk").values_list("pk", flat=True)[:MATCHES])
        readers = Readers(urlsplit(address).port or 0, matches)
        web = web_processes()
        before, buffers = megabytes(web), kernel_megabytes()
        opened = readers.open_all(STREAMS)
        print(f"{len(readers.open)} streams opened in {opened:.0f} s")
        database = database_processes()
        used, asked = processor_seconds(web), processor_seconds(database)
        readers.poll.close()
        readers.poll = select.epoll()
        time.sleep(QUIET)
        for fd in readers.open:
            readers.poll.register(fd, select.EPOLLIN)
        idle = (processor_seconds(web) - used) / QUIET
        looks = (processor_seconds(database) - asked) / QUIET
        after = megabytes(web)
        print(
            f"memory of the web processes: {before:.0f} MiB before, {after:.0f} MiB now, "
            f"{1024 * (after - before) / STREAMS:.1f} KiB a stream; "
            f"buffers of the kernel {kernel_megabytes() - buffers:.0f} MiB"
        )
        print(f"processor while idle: {100 * idle:.1f} % of a core, PostgreSQL {100 * looks:.1f} %")
        readers.read_until(STREAMS, 1)
        for number in range(CHANGES):
            used, began = processor_seconds(web), time.monotonic()
            change(matches)
            reached = readers.read_until(STREAMS, number + 2)
            delay = time.monotonic() - began
            spent = processor_seconds(web) - used
            told = "reached all" if reached else "did NOT reach all"
            print(f"a change {told} in {delay:.2f} s, with {spent:.2f} s of processor time")
            time.sleep(1.5)
        print(f"{len(readers.open)} streams still open")


if __name__ == "__main__":
    main()
