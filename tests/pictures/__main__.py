"""Take the pictures of the README from a site of its own, in a real Chromium."""

import sys
from pathlib import Path

from tests.support.running_site import running_site

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "images"


def main() -> None:
    with running_site("pictures", with_players=True) as address:
        from tests.pictures.shots import take_all  # noqa: PLC0415 - once Django is set up

        for name in take_all(address, FOLDER):
            sys.stdout.write(f"{name}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
