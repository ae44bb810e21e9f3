"""Killed processes lose no acknowledged write, and the next start works."""

import os
import shutil
import signal
import subprocess
import threading
from pathlib import Path

import psycopg

from tests.embedded.helpers import (
    User,
    connect,
    guardian_pid,
    kill_all_of,
    postmaster_pid,
    processes_of,
    query,
    run_as,
    wait_until,
)


def test_an_acknowledged_write_survives_the_killing_of_everything_at_once(data: Path) -> None:
    alice = User(data).attached()
    with connect(alice.sockets) as connection:
        connection.execute("CREATE TABLE result (number int)")
    acknowledged = 0
    connection = connect(alice.sockets)
    for number in range(1, 200):
        connection.execute("INSERT INTO result VALUES (%s)", [number])
        acknowledged = number
    kill_all_of(data)
    connection.close()
    assert not processes_of(data)
    assert (data / "servers" / "postgres" / "postmaster.pid").exists()

    bob = User(data).attached()
    assert query(bob.sockets, "SELECT max(number) FROM result") == acknowledged
    assert query(bob.sockets, "SELECT count(*) FROM result") == acknowledged


def test_a_pid_file_with_the_number_of_another_process_is_ignored(data: Path) -> None:
    User(data).attached()
    kill_all_of(data)
    owner = (data / "servers" / "postgres").stat()
    bystander = subprocess.Popen(
        ["/bin/sleep", "60"],
        **run_as(owner.st_uid, owner.st_gid),
    )
    try:
        stale = data / "servers" / "postgres" / "postmaster.pid"
        _, *rest = stale.read_text().splitlines(keepends=True)
        stale.write_text("".join([f"{bystander.pid}\n", *rest]))

        assert query(User(data).attached().sockets, "SELECT 1") == 1
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


def test_a_busy_backend_of_a_killed_server_does_not_block_the_next_start(
    data: Path,
) -> None:
    alice = User(data).attached()
    connection = connect(alice.sockets)
    backend = connection.info.backend_pid
    busy = threading.Thread(target=_run_long_query, args=[connection])
    busy.start()
    wait_until(
        lambda: query(
            alice.sockets, f"SELECT state = 'active' FROM pg_stat_activity WHERE pid = {backend}"
        )
    )
    os.kill(guardian_pid(data), signal.SIGSTOP)  # keep it from cleaning up
    os.kill(postmaster_pid(data), signal.SIGKILL)
    os.kill(guardian_pid(data), signal.SIGKILL)
    assert backend in processes_of(data)

    bob = User(data).attached()
    assert query(bob.sockets, "SELECT 1") == 1
    assert backend not in processes_of(data)
    busy.join()


def _run_long_query(connection: "psycopg.Connection[tuple[object, ...]]") -> None:
    try:
        connection.execute("SELECT count(*) FROM generate_series(1, 10000000000)")
    except psycopg.OperationalError:
        connection.close()


def test_a_first_start_that_was_killed_half_way_starts_over(new_data: Path) -> None:
    alice = User(new_data)
    wait_until((new_data / "servers" / "postgres.new" / "PG_VERSION").exists)
    kill_all_of(new_data)
    alice.kill()
    assert not (new_data / "servers" / "postgres").exists()

    bob = User(new_data).attached()
    assert query(bob.sockets, "SELECT current_database()") == "laurel"
    assert not (new_data / "servers" / "postgres.new").exists()


def test_data_survives_the_loss_of_the_temporary_folder(data: Path) -> None:
    alice = User(data).attached()
    with connect(alice.sockets) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    kill_all_of(data)
    shutil.rmtree(alice.sockets)

    bob = User(data).attached()
    assert query(bob.sockets, "SELECT answer FROM kept") == 42
