"""The servers live from their first user to their last."""

import os
import select
import signal
import subprocess
from pathlib import Path

import redis

from tests.embedded.people import (
    DEADLINE,
    User,
    answer,
    are_stopped,
    connect,
    pid_of,
    postmaster_of,
    processes_of,
    until,
)


def test_the_first_user_starts_both_servers_and_the_last_stops_them(new_data: Path) -> None:
    data = new_data
    alice = User(data).attached()
    assert answer(alice.sockets, "SELECT current_user || ' ' || current_database()") == (
        "laurel laurel"
    )
    with redis.Redis(unix_socket_path=str(alice.sockets / "valkey.sock")) as valkey:
        assert valkey.ping()
        assert valkey.config_get("appendonly")["appendonly"] == "yes"
        assert valkey.config_get("maxmemory-policy")["maxmemory-policy"] == "noeviction"
    bob = User(data).attached()
    assert bob.sockets == alice.sockets
    started = answer(bob.sockets, "SELECT pg_postmaster_start_time()")

    alice.leave()
    assert answer(bob.sockets, "SELECT pg_postmaster_start_time()") == started

    bob.leave()
    until(lambda: not processes_of(data))
    assert not bob.sockets.exists()


def test_users_who_arrive_at_the_same_instant_share_one_pair_of_servers(data: Path) -> None:
    everybody = [User(data) for _ in range(4)]
    assert len({user.attached().sockets for user in everybody}) == 1
    assert pid_of(data, "guardian.py"), "one guardian, neither none nor two"
    for user in everybody:
        user.leave()
    until(lambda: not processes_of(data))


def test_a_forked_child_is_a_user_too(data: Path) -> None:
    lifeline, ours = os.pipe()
    alice = User(data, environment={"TEST_LIFELINE": str(lifeline)}, pass_fds=[lifeline])
    os.close(lifeline)
    child = alice.attached().told("fork")["pid"]
    alice.leave()
    assert child in processes_of(data)
    assert answer(alice.sockets, "SELECT 1") == 1
    os.close(ours)
    until(lambda: not processes_of(data))


def test_the_servers_keep_none_of_the_files_that_their_first_user_had_open(data: Path) -> None:
    reading, writing = os.pipe()
    alice = User(data, pass_fds=[writing])
    os.close(writing)
    alice.attached()
    bob = User(data).attached()
    alice.leave()
    assert select.select([reading], [], [], DEADLINE)[0], "somebody still holds the other end"
    os.close(reading)
    assert answer(bob.sockets, "SELECT 1") == 1


def test_a_killed_user_is_missed_like_any_other(data: Path) -> None:
    User(data).attached().kill()
    until(lambda: not processes_of(data))


def test_leaving_returns_when_the_servers_have_stopped(data: Path) -> None:
    alice = User(data).attached()
    alice.told("leave")
    assert not [told for told in processes_of(data).values() if told.startswith("postgres")]
    assert not (data / "servers" / "postgres" / "postmaster.pid").exists()
    alice.leave()


def test_leaving_does_not_wait_for_the_others(data: Path) -> None:
    alice, bob = User(data).attached(), User(data).attached()
    alice.told("leave")
    assert answer(bob.sockets, "SELECT 1") == 1
    alice.leave()
    bob.leave()


def test_somebody_who_arrives_while_the_servers_stop_gets_new_ones(data: Path) -> None:
    for _ in range(3):
        alice = User(data).attached()
        alice.kill()  # the next arrives at once, before, while or after the servers stop
        bob = User(data).attached()
        assert answer(bob.sockets, "SELECT 1") == 1
        bob.kill()


def test_a_server_that_dies_under_its_users_is_started_again_at_the_same_address(
    data: Path,
) -> None:
    alice = User(data).attached()
    with connect(alice.sockets) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    for pid in (postmaster_of(data), pid_of(data, "valkey-server")):
        os.kill(pid, signal.SIGKILL)

    bob = User(data).attached()
    assert bob.sockets == alice.sockets
    assert answer(alice.sockets, "SELECT answer FROM kept") == 42
    with redis.Redis(unix_socket_path=str(alice.sockets / "valkey.sock")) as valkey:
        assert valkey.ping()


def test_somebody_who_waits_for_a_server_to_be_back_is_told_where_to_look(data: Path) -> None:
    User(data).attached()
    control = data / "servers" / "postgres" / "global" / "pg_control"
    control.rename(control.with_name("away"))
    os.kill(postmaster_of(data), signal.SIGKILL)
    bob = User(data, stderr=subprocess.PIPE)
    assert "waiting for a server that died to be back" in bob.remark()

    control.with_name("away").rename(control)
    assert answer(bob.attached().sockets, "SELECT 1") == 1


def test_the_servers_do_not_outlive_their_guardian(data: Path) -> None:
    alice = User(data).attached()
    os.kill(pid_of(data, "guardian.py"), signal.SIGKILL)
    until(lambda: are_stopped(data))

    bob = User(data).attached()
    assert bob.sockets == alice.sockets
    assert answer(alice.sockets, "SELECT 1") == 1


def test_a_guardian_that_is_told_to_end_stops_the_servers_in_order(data: Path) -> None:
    User(data).attached()
    os.kill(pid_of(data, "guardian.py"), signal.SIGTERM)
    until(lambda: are_stopped(data))
    assert not (data / "servers" / "postgres" / "postmaster.pid").exists()
