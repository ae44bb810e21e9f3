"""Errors say what happened and what to do."""

import resource
import subprocess
from pathlib import Path

from tests.embedded.helpers import AM_ROOT, User, processes_of, wait_until


def test_data_of_another_major_version_is_left_alone(data: Path) -> None:
    version = data / "servers" / "postgres" / "PG_VERSION"
    version.write_text("17\n")
    error = User(data).error()
    assert (
        "was written by PostgreSQL 17, and this Laurel runs PostgreSQL 18. Make a backup" in error
    )
    assert version.read_text() == "17\n"
    wait_until(lambda: not processes_of(data))


def test_a_full_disk_is_named(new_data: Path) -> None:
    """Use a disk of one megabyte where we may mount one, else a limit on the size of files."""
    new_data.mkdir()
    mounted = (
        AM_ROOT
        and not subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=1m,mode=755", "tmpfs", new_data],
            check=False,
            capture_output=True,
        ).returncode
    )
    try:
        if mounted:
            error = User(new_data).error()
            assert f"the disk that holds {new_data / 'servers'} is full. Free some space" in error
        else:
            small = (2**20, 2**20)
            error = User(
                new_data, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, small)
            ).error()
            assert "File too large" in error
        wait_until(lambda: not processes_of(new_data))
        assert not (new_data / "servers" / "postgres").exists()
    finally:
        if mounted:
            wait_until(
                lambda: unmounted(new_data)
            )  # a process that ends holds its files a bit longer


def unmounted(folder: Path) -> bool:
    return not subprocess.run(["umount", folder], check=False, capture_output=True).returncode


def test_a_data_folder_that_may_not_be_written_is_refused(new_data: Path) -> None:
    """Use a folder of the kernel, where even root may not write."""
    forbidden = Path("/proc/laurel") if AM_ROOT else new_data.parent / "closed" / "data"
    if not AM_ROOT:
        forbidden.parent.mkdir(mode=0o500)
    error = User(new_data, environment={"LAUREL_DATA": str(forbidden)}).error()
    assert f"The data folder {forbidden} cannot be used" in error
    assert "LAUREL_DATA" in error


def test_a_database_that_is_linked_but_gone_is_not_replaced_by_an_empty_one(
    new_data: Path,
) -> None:
    new_data.mkdir()
    (new_data / "servers").symlink_to(new_data.parent / "gone")
    error = User(new_data).error()
    assert "is missing" in error
    assert "delete the link to begin with an empty database" in error


def test_a_folder_without_a_database_in_its_place_is_not_overwritten(new_data: Path) -> None:
    (new_data / "servers" / "postgres").mkdir(parents=True)
    (new_data / "servers" / "postgres" / "precious").write_text("mine")
    assert "contains no PostgreSQL data" in User(new_data).error()
    assert (new_data / "servers" / "postgres" / "precious").read_text() == "mine"
