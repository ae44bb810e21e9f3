"""Folders for the tests of the embedded servers."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.embedded import people


@pytest.fixture(scope="session")
def initialised() -> Iterator[Path]:
    """A data folder with an empty database, to copy from: making one takes most of a second."""
    with people.data_folder() as folder:
        people.User(folder).attached().leave()
        people.until(lambda: not people.processes_of(folder))
        yield folder


@pytest.fixture
def data(initialised: Path) -> Iterator[Path]:
    """A data folder with an empty database, in a folder that anyone may enter."""
    with people.data_folder(initialised) as folder:
        yield folder


@pytest.fixture
def other_data(initialised: Path) -> Iterator[Path]:
    """Another one."""
    with people.data_folder(initialised) as folder:
        yield folder


@pytest.fixture
def new_data() -> Iterator[Path]:
    """A data folder that does not exist yet."""
    with people.data_folder() as folder:
        yield folder
