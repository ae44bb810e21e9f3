"""The servers run from their first user to their last."""

import os
import select
import signal
from pathlib import Path

import redis

from embedded.processes import start
from tests.embedded.helpers import (
    DEADLINE,
    User,
    are_stopped,
    connect,
    guardian_pid,
    pid_of,
    postmaster_pid,
    processes_of,
    query,
    wait_until,
)


def test_the_first_user_starts_both_servers_and_the_last_stops_them(new_data: Path) -> None:
    data = new_data
    alice = User(data).attached()
    assert query(alice.sockets, "SELECT current_user || ' ' || current_database()") == (
        "laurel laurel"
    )
    with redis.Redis.from_url(alice.answer["redis_url"]) as valkey:
        assert valkey.ping()
        assert valkey.config_get("appendonly")["appendonly"] == "yes"
        assert valkey.config_get("maxmemory-policy")["maxmemory-policy"] == "noeviction"
    bob = User(data).attached()
    assert bob.sockets == alice.sockets
    started = query(bob.sockets, "SELECT pg_postmaster_start_time()")

    alice.leave()
    assert query(bob.sockets, "SELECT pg_postmaster_start_time()") == started

    bob.leave()
    wait_until(lambda: not processes_of(data))
    assert not bob.sockets.exists()


def test_users_that_start_at_the_same_instant_share_one_pair_of_servers(data: Path) -> None:
    users = [User(data) for _ in range(4)]
    assert len({user.attached().sockets for user in users}) == 1
    assert guardian_pid(data), "one guardian, neither none nor two"
    for user in users:
        user.leave()
    wait_until(lambda: not processes_of(data))


def test_a_forked_child_is_a_user_too(data: Path) -> None:
    lifeline, ours = os.pipe()
    alice = User(data, environment={"TEST_LIFELINE": str(lifeline)}, pass_fds=[lifeline])
    os.close(lifeline)
    child = alice.attached().send("fork")["pid"]
    alice.leave()
    assert child in processes_of(data)
    assert query(alice.sockets, "SELECT 1") == 1
    os.close(ours)
    wait_until(lambda: not processes_of(data))


def test_the_servers_keep_no_open_file_of_their_first_user(data: Path) -> None:
    reading, writing = os.pipe()
    alice = User(data, pass_fds=[writing])
    os.close(writing)
    alice.attached()
    bob = User(data).attached()
    alice.leave()
    assert select.select([reading], [], [], DEADLINE)[0], "a process still holds the other end"
    os.close(reading)
    assert query(bob.sockets, "SELECT 1") == 1


def test_the_servers_stop_after_their_last_user_was_killed(data: Path) -> None:
    User(data).attached().kill()
    wait_until(lambda: not processes_of(data))


def test_leaving_returns_when_the_servers_have_stopped(data: Path) -> None:
    alice = User(data).attached()
    alice.send("leave")
    assert not [text for text in processes_of(data).values() if text.startswith("postgres")]
    assert not (data / "servers" / "postgres" / "postmaster.pid").exists()
    alice.leave()


def test_leaving_returns_when_the_guardian_was_killed(data: Path) -> None:
    alice = User(data).attached()
    os.kill(guardian_pid(data), signal.SIGKILL)
    alice.send("leave")
    alice.leave()


def test_a_user_that_arrives_while_the_servers_stop_gets_new_ones(data: Path) -> None:
    for _ in range(3):
        alice = User(data).attached()
        alice.kill()  # the next arrives at once, before, while or after the servers stop
        bob = User(data).attached()
        assert query(bob.sockets, "SELECT 1") == 1
        bob.kill()


def test_a_server_that_dies_is_restarted_at_the_same_address(
    data: Path,
) -> None:
    alice = User(data).attached()
    with connect(alice.sockets) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    for pid in (postmaster_pid(data), pid_of(data, "valkey-server")):
        os.kill(pid, signal.SIGKILL)

    bob = User(data).attached()
    assert bob.sockets == alice.sockets
    assert query(alice.sockets, "SELECT answer FROM kept") == 42
    with redis.Redis.from_url(alice.answer["redis_url"]) as valkey:
        assert valkey.ping()


def test_the_servers_do_not_outlive_their_guardian(data: Path) -> None:
    alice = User(data).attached()
    os.kill(guardian_pid(data), signal.SIGKILL)
    wait_until(lambda: are_stopped(data))

    bob = User(data).attached()
    assert bob.sockets == alice.sockets
    assert query(alice.sockets, "SELECT 1") == 1


def test_a_guardian_stops_the_servers_in_order_on_sigterm(data: Path) -> None:
    User(data).attached()
    os.kill(guardian_pid(data), signal.SIGTERM)
    wait_until(lambda: are_stopped(data))
    assert not (data / "servers" / "postgres" / "postmaster.pid").exists()


def test_what_starts_in_the_background_still_ends_with_its_parent() -> None:
    """A shell lets background commands ignore SIGQUIT, which would then end no worker."""
    before = signal.signal(signal.SIGQUIT, signal.SIG_IGN)
    try:
        child = start(["sleep", "60"], signal.SIGQUIT)
    finally:
        signal.signal(signal.SIGQUIT, before)
    child.send_signal(signal.SIGQUIT)
    assert child.wait(DEADLINE) == -signal.SIGQUIT
