"""Data folders for the tests of the embedded servers."""

import re
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.embedded.helpers import User, data_folder, processes_of, wait_until
from tests.embedded.site import Site, reserved_port


@pytest.fixture(scope="session")
def empty_data() -> Iterator[Path]:
    """A data folder with an empty database, to copy: creating one takes most of a second."""
    with data_folder() as folder:
        User(folder).attached().leave()
        wait_until(lambda: not processes_of(folder))
        yield folder


@pytest.fixture
def data(empty_data: Path) -> Iterator[Path]:
    """A data folder with an empty database, where every user may enter."""
    with data_folder(empty_data) as folder:
        yield folder


@pytest.fixture
def other_data(empty_data: Path) -> Iterator[Path]:
    """Another data folder with an empty database."""
    with data_folder(empty_data) as folder:
        yield folder


@pytest.fixture
def new_data() -> Iterator[Path]:
    """A data folder that does not exist yet."""
    with data_folder() as folder:
        yield folder


@pytest.fixture
def port() -> Iterator[int]:
    """A port that is reserved for the test."""
    with reserved_port() as number:
        yield number


@pytest.fixture(scope="session")
def bare() -> Iterator[Site]:
    """A site that was started without a demo league, and was stopped with Ctrl-C."""
    with data_folder() as data, reserved_port() as number:
        site = Site(data, number, DEMO="0").up()
        assert site.status("/") == 302
        assert re.search(
            rf"Create one at http://localhost:{number}/setup/\nwith the setup code \S+", site.output
        )
        site.press_ctrl_c()
        site.wait_until_gone()
        assert not (data / "demo-accounts").exists()
        yield site


@pytest.fixture(scope="session")
def demo_data(bare: Site) -> Iterator[Path]:
    """The data folder of a site that was started once with its demo, and stopped with Ctrl-C."""
    with data_folder(bare.data) as data:
        start_with_demo(data, bare.port)
        yield data


def start_with_demo(data: Path, port: int | str) -> None:
    """Start a site on a data folder for the first time with its demo, and stop it."""
    site = Site(data, port).up()
    assert site.status("/readyz") == 200
    assert site.status("/") == 200
    assert f"Laurel is at http://localhost:{port}/" in site.output
    assert "`LAUREL_DEMO_PLAYERS=0 make run`" in site.output
    assert "200 simulated players play in Skirmish 5v5" in site.output
    started = len(site.output)
    site.press_ctrl_c()
    site.wait_until_gone()
    assert "Traceback" not in site.output[started:]
    assert re.search(r"admin: \w+ / \S{8,}", site.output)
    assert stat.S_IMODE((data / "demo-accounts").stat().st_mode) == 0o600
