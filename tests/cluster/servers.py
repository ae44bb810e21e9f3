"""PostgreSQL with a standby, PgBouncer, Valkey and HAProxy, each on machines of its own."""

from __future__ import annotations

import shutil
import time
from typing import TYPE_CHECKING

import psycopg

from embedded import accounts, binaries
from tests.cluster.needs import PATH
from tests.cluster.network import NETWORK, Command
from tests.support.running_site import PROJECT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cluster.network import Machine

STARTS_WITHIN = 60.0
POSTGRES = """
listen_addresses = '*'
unix_socket_directories = ''
max_connections = 100
shared_buffers = 128MB
hot_standby = on
wal_level = replica
max_wal_senders = 5
wal_keep_size = 256MB
wal_receiver_timeout = 5s
wal_sender_timeout = 5s
timezone = 'UTC'
jit = off
cluster_name = '{name}'
synchronous_standby_names = ''
"""
POOLER = {
    "auth_type = scram-sha-256": "auth_type = trust",
    "/etc/pgbouncer/userlist.txt": "{folder}/users.txt",
    "db1.example": "{primary}",
}
"""Differences from ``deploy/pgbouncer.ini``."""
BALANCER = """
global
    maxconn 2000
defaults
    mode http
    timeout connect 1s
    timeout client 30s
    timeout server 30s
    option forwardfor
    option redispatch 1
    retries 2
    retry-on conn-failure empty-response
frontend visitors
    bind *:80
    default_backend web
backend web
    option httpchk GET /healthz
    http-request disable-l7-retry if !{ method GET }
    default-server check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
"""


def wait_for(condition: Callable[[], object], what: str, seconds: float = STARTS_WITHIN) -> None:
    """Wait until something is true."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise SystemExit(f"Not after {seconds:.0f} s: {what}.")
        time.sleep(0.1)


class Postgres:
    """A server of PostgreSQL, whose programs come from the wheel of ``make run``."""

    def __init__(self, machine: Machine, folder: Path) -> None:
        self.machine = machine
        self.account = accounts.for_servers(folder)
        self.programs = binaries.reachable_by(self.account, binaries.find()).postgres.parent
        self.data = folder / machine.name

    @property
    def url(self) -> str:
        return f"postgresql://laurel@{self.machine.address}/laurel"

    def create(self) -> None:
        """Create an empty league and serve it."""
        self.as_server(
            "initdb",
            "-D",
            self.data,
            "-U",
            "laurel",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C",
            "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8",
            "--no-sync",
        )
        with (self.data / "pg_hba.conf").open("a") as rules:
            rules.write(f"host all laurel {NETWORK} trust\n")
            rules.write(f"host replication laurel {NETWORK} trust\n")
        self.configure()
        self.start()
        with self.session("postgres") as session:
            session.execute("CREATE DATABASE laurel")

    def follow(self, primary: Postgres) -> None:
        """Copy another server, stream its changes, and make each of its commits wait for this one.

        A commit is acknowledged once both have it on disk.
        """
        self.as_server(
            "pg_basebackup",
            "-D",
            self.data,
            "-R",
            "--checkpoint=fast",
            "--no-sync",
            "-X",
            "stream",
            "-d",
            f"host={primary.machine.address} user=laurel",
        )
        self.configure()
        self.start()
        with primary.session() as session:
            session.execute(
                f"ALTER SYSTEM SET synchronous_standby_names = '{self.machine.name}'".encode()
            )
            session.execute("SELECT pg_reload_conf()")
            wait_for(
                lambda: session.execute(
                    "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
                ).fetchone(),
                "the standby follows",
            )

    def promote(self) -> None:
        """Promote this standby, and let it wait for no standby of its own."""
        with self.session() as session:
            session.execute("SELECT pg_promote()")
            session.execute("ALTER SYSTEM SET synchronous_standby_names = ''")
            session.execute("SELECT pg_reload_conf()")

    def configure(self) -> None:
        settings = POSTGRES.format(name=self.machine.name)
        (self.data / "postgresql.conf").write_text(settings)

    def start(self) -> None:
        self.machine.start("postgres", self.dropped("postgres", "-D", self.data))
        wait_for(self.answers, f"PostgreSQL answers on {self.machine.name}")

    def answers(self) -> bool:
        try:
            self.session("postgres").close()
        except psycopg.OperationalError:
            return False
        return True

    def session(self, database: str = "laurel") -> psycopg.Connection:
        return psycopg.connect(
            host=self.machine.address,
            user="laurel",
            dbname=database,
            autocommit=True,
            connect_timeout=2,
        )

    def as_server(self, program: str, *words: str | Path) -> None:
        self.machine.run(self.dropped(program, *words))

    def dropped(self, program: str, *words: str | Path) -> list[str | Path]:
        """Return a command that runs without privileges."""
        user = f"--reuid={self.account.pw_uid}"
        return ["setpriv", user, "--clear-groups", self.programs / program, *words]


class Pooler:
    """PgBouncer in transaction mode: ``laurel_web`` limits statements, ``laurel`` does not."""

    def __init__(self, machine: Machine, folder: Path) -> None:
        self.machine = machine
        self.folder = folder / "pooler"
        self.account = accounts.for_servers(folder)
        self.folder.mkdir()
        self.folder.chmod(0o755)
        (self.folder / "users.txt").write_text('"laurel" ""\n')

    def url(self, database: str) -> str:
        return f"postgresql://laurel@{self.machine.address}:6432/{database}"

    def point_to(self, primary: Postgres) -> None:
        """Write the address of the server, for PgBouncer to read at its start or reload."""
        text = (PROJECT / "deploy/pgbouncer.ini").read_text()
        for written, here in POOLER.items():
            text = text.replace(
                written, here.format(folder=self.folder, primary=primary.machine.address)
            )
        (self.folder / "pgbouncer.ini").write_text(text)

    def start(self) -> None:
        program = shutil.which("pgbouncer", path=PATH) or "pgbouncer"
        user = f"--reuid={self.account.pw_uid}"
        command: Command = [
            "setpriv",
            user,
            "--clear-groups",
            program,
            self.folder / "pgbouncer.ini",
        ]
        self.machine.start("pgbouncer", command)
        wait_for(self.answers, "PgBouncer answers")

    def answers(self) -> bool:
        try:
            psycopg.connect(self.url("laurel"), connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def reload(self) -> None:
        """Let PgBouncer reload its file and drop the connections to a lost server."""
        # The console supports neither parameters nor transactions.
        address = self.url("pgbouncer")
        with psycopg.connect(address, autocommit=True, cursor_factory=psycopg.ClientCursor) as it:
            it.execute("RELOAD")
            it.execute("RECONNECT")


def start_broker(machine: Machine) -> str:
    """Start Valkey and return its URL."""
    account = accounts.for_servers(machine.folder)
    program = binaries.reachable_by(account, binaries.find()).valkey
    options = ["--protected-mode", "no", "--save", "", "--bind", "*"]
    machine.start(
        "valkey",
        ["setpriv", f"--reuid={account.pw_uid}", "--clear-groups", program, *options],
        cwd="/",
    )
    return f"redis://{machine.address}:6379/0"


def start_balancer(machine: Machine, webs: list[Machine]) -> None:
    """Start HAProxy in front of the web machines."""
    lines = [f"    server {web.name} {web.address}:8000" for web in webs]
    file = machine.folder / "haproxy.cfg"
    file.write_text("\n".join([BALANCER.rstrip(), *lines, ""]))
    machine.start("haproxy", ["haproxy", "-db", "-f", file])
