"""Cause one fault after another on a separate site, and print what is lost: nothing."""

from __future__ import annotations

import os
import random
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tests.chaos.disk import enter_own_mounts, small_disk
from tests.embedded.site import Site, reserved_port

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.chaos.disk import SmallDisk

MINUTES = 7.0


def main() -> int:
    """Return 1 if anything acknowledged was lost, or the site did not recover as it should."""
    enter_own_mounts()
    seed = int(os.environ.get("SEED") or random.randrange(10**6))  # noqa: S311 - to repeat a run
    minutes = float(os.environ.get("MINUTES") or MINUTES)
    tell(f"SEED={seed} MINUTES={minutes:g}")
    began = time.monotonic()
    with started_site() as (site, disk):
        from tests.chaos.run import Run  # noqa: PLC0415 - once Django is set up

        run = Run(site, disk, random.Random(seed))  # noqa: S311 - as above
        return run.go(until=began + 60 * minutes)


@contextmanager
def started_site() -> Iterator[tuple[Site, SmallDisk | None]]:
    """Yield a running site without the demo, on a disk that can be filled if possible."""
    with TemporaryDirectory(prefix="laurel-chaos-") as name, reserved_port() as port:
        folder = Path(name)
        folder.chmod(0o755)
        with small_disk(folder) as disk:
            data = folder / "data"
            site = Site(data, port, DEMO="0").up()
            try:
                os.environ["LAUREL_DATA"] = str(data)
                os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
                import django  # noqa: PLC0415 - the environment comes first

                django.setup()
                yield site, disk
            finally:
                site.press_ctrl_c()
                log = site.read_rest()
                Path(os.environ.get("CHAOS_LOG") or os.devnull).write_text(log)


def tell(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
