"""Whatever is killed, nothing that was acknowledged is lost, and the next start is an easy one."""

import os
import shutil
import signal
import subprocess
import threading
from pathlib import Path

import psycopg

from tests.embedded.people import (
    User,
    answer,
    as_user,
    connect,
    kill_everything_of,
    pid_of,
    postmaster_of,
    processes_of,
    until,
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
    kill_everything_of(data)
    connection.close()
    assert not processes_of(data)
    assert (data / "servers" / "postgres" / "postmaster.pid").exists()

    bob = User(data).attached()
    assert answer(bob.sockets, "SELECT max(number) FROM result") == acknowledged
    assert answer(bob.sockets, "SELECT count(*) FROM result") == acknowledged


def test_a_pid_file_whose_number_is_somebody_elses_by_now_stops_nobody(data: Path) -> None:
    User(data).attached()
    kill_everything_of(data)
    owner = (data / "servers" / "postgres").stat()
    bystander = subprocess.Popen(
        ["/bin/sleep", "60"],
        **as_user(owner.st_uid, owner.st_gid),
    )
    try:
        stale = data / "servers" / "postgres" / "postmaster.pid"
        _, *rest = stale.read_text().splitlines(keepends=True)
        stale.write_text("".join([f"{bystander.pid}\n", *rest]))

        assert answer(User(data).attached().sockets, "SELECT 1") == 1
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


def test_a_backend_that_is_busy_when_its_server_is_killed_does_not_keep_a_new_one_out(
    data: Path,
) -> None:
    alice = User(data).attached()
    connection = connect(alice.sockets)
    backend = connection.info.backend_pid
    busy = threading.Thread(target=_ask_for_ever, args=[connection])
    busy.start()
    until(
        lambda: answer(
            alice.sockets, f"SELECT state = 'active' FROM pg_stat_activity WHERE pid = {backend}"
        )
    )
    os.kill(pid_of(data, "guardian.py"), signal.SIGSTOP)  # nobody may tidy up before the next start
    os.kill(postmaster_of(data), signal.SIGKILL)
    os.kill(pid_of(data, "guardian.py"), signal.SIGKILL)
    assert backend in processes_of(data)

    bob = User(data).attached()
    assert answer(bob.sockets, "SELECT 1") == 1
    assert backend not in processes_of(data)
    busy.join()


def _ask_for_ever(connection: "psycopg.Connection[tuple[object, ...]]") -> None:
    try:
        connection.execute("SELECT count(*) FROM generate_series(1, 10000000000)")
    except psycopg.OperationalError:
        connection.close()


def test_a_first_start_that_was_killed_half_way_is_begun_anew(new_data: Path) -> None:
    alice = User(new_data)
    until((new_data / "servers" / "postgres.new" / "PG_VERSION").exists)
    kill_everything_of(new_data)
    alice.kill()
    assert not (new_data / "servers" / "postgres").exists()

    bob = User(new_data).attached()
    assert answer(bob.sockets, "SELECT current_database()") == "laurel"
    assert not (new_data / "servers" / "postgres.new").exists()


def test_nothing_of_the_data_is_lost_with_the_temporary_folder(data: Path) -> None:
    alice = User(data).attached()
    with connect(alice.sockets) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    kill_everything_of(data)
    shutil.rmtree(alice.sockets)

    bob = User(data).attached()
    assert answer(bob.sockets, "SELECT answer FROM kept") == 42


def test_a_start_that_takes_long_is_waited_for_and_says_so(data: Path) -> None:
    settings = data / "servers" / "postgres" / "postgresql.auto.conf"
    settings.unlink()
    os.mkfifo(settings)  # PostgreSQL reads it when it starts, and waits for somebody to write
    settings.chmod(0o666)
    alice = User(data, stderr=subprocess.PIPE)
    for _ in range(2):
        assert "waiting for the database to start" in alice.remark()

    with settings.open("w"):
        settings.unlink()
        settings.write_text("")
        settings.chmod(0o666)
    assert answer(alice.attached().sockets, "SELECT 1") == 1
