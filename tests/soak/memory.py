"""The resident memory of a site's processes over time, by what they do."""

from __future__ import annotations

import statistics
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.embedded.helpers import processes_of

if TYPE_CHECKING:
    from collections.abc import Mapping

KINDS = {
    "gunicorn": "web",
    "quick@": "worker of ticks and settling",
    "slow@": "worker of slow work",
    "outgoing@": "worker of webhooks",
    " beat ": "beat",
    "demo_players": "simulated players",
    "embedded.run": "make run",
    "embedded.keeper": "keeper",
    "embedded.guardian": "guardian",
    "valkey": "Valkey",
    "postgres": "PostgreSQL",
}
"""What a process does, by a part of its command. The first that fits counts."""
TOTAL = "together"
HOUR = 3600.0


class Kept(NamedTuple):
    """The memory of the processes of one kind at one time."""

    processes: int
    megabytes: float


@dataclass
class Memory:
    """Samples of a site's memory."""

    data: Path
    """The site's data folder, by which its processes are found."""
    samples: list[tuple[float, dict[str, Kept]]] = field(default_factory=list)
    """With their times in seconds of the monotonic clock."""

    def note(self) -> None:
        """Take a sample."""
        self.samples.append((time.monotonic(), by_kind(self.data)))

    @property
    def seconds(self) -> float:
        """The time from the first sample to the last."""
        return self.samples[-1][0] - self.samples[0][0]

    def latest(self) -> str:
        """Return a line with the last sample."""
        found = self.samples[-1][1].items()
        sizes = ", ".join(f"{name} {kept.megabytes:.0f}" for name, kept in found)
        return f"{self.seconds / 60:4.1f} min: {sizes}"

    def table(self, warm_up: float) -> list[str]:
        """Return the lines of a table in Markdown. The warm-up is in seconds."""
        began = self.samples[0][0]
        warm = [sample for sample in self.samples if sample[0] - began >= warm_up]
        names = [*dict.fromkeys(KINDS.values()), TOTAL]
        first, last = (f"after {seconds / 60:.0f} minutes" for seconds in (warm_up, self.seconds))
        lines = [
            f"| MB | processes | start | {first} | {last} | growth an hour |",
            "|---|---|---|---|---|---|",
        ]
        for name in names:
            cells = [found.get(name, Kept(0, 0.0)) for _at, found in self.samples]
            since = [found.get(name, Kept(0, 0.0)).megabytes for _at, found in warm]
            if not any(cell.processes for cell in cells):
                continue
            growth = HOUR * slope([at for at, _found in warm], since)
            lines.append(
                f"| {name} | {cells[-1].processes} | {cells[0].megabytes:.0f} | {since[0]:.0f} "
                f"| {since[-1]:.0f} | {growth:+.1f} |"
            )
        return lines


def slope(times: list[float], values: list[float]) -> float:
    """Return the growth a second by least squares, 0 for a single value."""
    return statistics.linear_regression(times, values).slope if len(set(times)) > 1 else 0.0


def by_kind(data: Path) -> dict[str, Kept]:
    """Return the present memory of a site's processes, by what they do."""
    megabytes: dict[str, float] = defaultdict(float)
    count: Counter[str] = Counter()
    for pid, command in processes_of(data).items():
        kind = next((name for part, name in KINDS.items() if part in command), None)
        size = resident(pid)
        if kind and size is not None and not command.startswith("/bin/sh"):
            for name in (kind, TOTAL):
                megabytes[name] += size
                count[name] += 1
    return {name: Kept(count[name], size) for name, size in megabytes.items()}


def resident(pid: int) -> float | None:
    """Return a process's resident memory in megabytes, ``None`` if it has ended.

    Memory that it shares by name is left out: PostgreSQL's processes all have the same.
    """
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return None
    sizes: Mapping[str, str] = dict(line.split(":", 1) for line in lines if ":" in line)
    if "VmRSS" not in sizes:
        return None
    return (int(sizes["VmRSS"].split()[0]) - int(sizes["RssShmem"].split()[0])) / 1024
