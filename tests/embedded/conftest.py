"""Data folders for the tests of the embedded servers."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.embedded.helpers import User, data_folder, processes_of, wait_until


@pytest.fixture(scope="session")
def initialised() -> Iterator[Path]:
    """A data folder with an empty database, to copy: creating one takes most of a second."""
    with data_folder() as folder:
        User(folder).attached().leave()
        wait_until(lambda: not processes_of(folder))
        yield folder


@pytest.fixture
def data(initialised: Path) -> Iterator[Path]:
    """A data folder with an empty database, where every user may enter."""
    with data_folder(initialised) as folder:
        yield folder


@pytest.fixture
def other_data(initialised: Path) -> Iterator[Path]:
    """Another data folder with an empty database."""
    with data_folder(initialised) as folder:
        yield folder


@pytest.fixture
def new_data() -> Iterator[Path]:
    """A data folder that does not exist yet."""
    with data_folder() as folder:
        yield folder
