"""Take pictures from a site of its own, in a real Chromium: `readme`, `gw2` or `admin`."""

import sys
from collections.abc import Iterator
from pathlib import Path

from tests.support.running_site import running_site

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "images"


def readme() -> Iterator[str]:
    """Take the pictures of the README."""
    with running_site("pictures", with_players=True) as address:
        from tests.pictures.shots import take_all  # noqa: PLC0415 - once Django is set up

        yield from take_all(address, FOLDER)


def gw2() -> Iterator[str]:
    """Play the season of docs/gw2-season.md in an empty league."""
    with running_site("season", with_demo=False) as address:
        from tests.pictures.gw2_season import play  # noqa: PLC0415 - once Django is set up

        yield from play(address, FOLDER / "gw2")


def admin() -> Iterator[str]:
    """Take the pictures of docs/admin.md, from an empty league on."""
    with running_site("control-room", with_demo=False) as address:
        from tests.pictures.admin import take_all  # noqa: PLC0415 - once Django is set up

        yield from take_all(address, FOLDER / "admin")


ALBUMS = {"readme": readme, "gw2": gw2, "admin": admin}


def main() -> None:
    for line in ALBUMS[sys.argv[1]]():
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
