"""The files of ``deploy/``: systemd accepts them, and what they run and set exists."""

import configparser
import os
import re
import shlex
import shutil
import socket
import stat
import subprocess
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import yaml
from django.core.management import ManagementUtility
from django.urls import reverse

from league.environment import VARIABLES, examine
from league.kinds import KINDS
from league.web.core.uploads import ARCHIVES, LARGEST_ARCHIVE

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).resolve().parents[3]
DEPLOY = PROJECT / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
SERVICES = [unit for unit in UNITS if unit.suffix == ".service"]
GUIDE = (PROJECT / "docs/production.md").read_text()
PROGRAMS = {"gunicorn", "celery", "python"}


class Repeated(dict[str, Any]):
    """Keeps all values of a key that a section repeats, such as two commands."""

    def __setitem__(self, key: str, value: Any) -> None:
        if isinstance(value, list) and key in self:
            self[key].extend(value)
        else:
            super().__setitem__(key, value)


def service_of(unit: Path) -> dict[str, list[str]]:
    parser = configparser.RawConfigParser(dict_type=Repeated, strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign] # the documented way
    parser.read_string(unit.read_text())
    return {key: value.split("\n") for key, value in parser["Service"].items()}


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_each_command_of_a_unit_exists(unit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in service_of(unit)["ExecStart"]:
        program, *given = command.split()
        if program == "/bin/sh":
            script = shlex.split(command)[2].split()[0].removeprefix("/opt/laurel/")
            assert os.access(PROJECT / script, os.X_OK)
            continue
        if program == "/opt/laurel/deploy/manage":
            program, given = "/opt/laurel/.venv/bin/python", ["manage.py", *given]
        assert program.startswith("/opt/laurel/.venv/bin/")
        assert Path(program).name in PROGRAMS
        assert shutil.which(Path(program).name, path=str(PROJECT / ".venv/bin"))
        if "manage.py" in given:
            name = given[given.index("manage.py") + 1]
            ManagementUtility(["manage.py", "help", name]).execute()  # exits for an unknown one
            assert f"manage.py {name}" in capsys.readouterr().out


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_each_unit_is_hardened_and_has_the_settings(unit: Path) -> None:
    service = service_of(unit)
    assert service["User"] == service["Group"] == ["laurel"]
    assert service["EnvironmentFile"] == ["/etc/laurel/laurel.env"]
    assert service["StateDirectory"] == ["laurel"]
    for switch in ("NoNewPrivileges", "ProtectHome", "PrivateTmp", "PrivateDevices"):
        assert service[switch] == ["yes"], switch
    assert service["ProtectSystem"] == ["strict"]
    assert service["CapabilityBoundingSet"] == [""]


def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    """With the programs of this project in place of those in ``/opt/laurel``."""
    systemd = shutil.which("systemd-analyze")
    if systemd is None:
        pytest.skip("No systemd-analyze here.")
    for unit in UNITS:
        text = unit.read_text()
        for part in (".venv", "deploy"):
            text = text.replace(f"/opt/laurel/{part}", str(PROJECT / part))
        (tmp_path / unit.name).write_text(text)
    verified = subprocess.run(
        [systemd, "verify", "--man=no", *sorted(str(unit) for unit in tmp_path.iterdir())],
        capture_output=True,
        text=True,
        check=False,
    )
    ours = [line for line in verified.stderr.splitlines() if "laurel" in line]
    assert (verified.returncode, ours) == (0, [])


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_systemd_finds_little_that_a_unit_exposes(unit: Path) -> None:
    """At most 2.0 of 10."""
    systemd = shutil.which("systemd-analyze")
    if systemd is None:
        pytest.skip("No systemd-analyze here.")
    rated = subprocess.run(
        [systemd, "security", "--offline=true", "--threshold=20", "--no-pager", unit],
        capture_output=True,
        text=True,
        check=False,
    )
    assert rated.returncode == 0, rated.stdout


def probed(port: int) -> int:
    return subprocess.run([DEPLOY / "probe", str(port)], check=False, timeout=60).returncode


def test_the_probe_fails_for_a_web_server_that_is_silent() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        assert probed(port) == 1
    assert probed(port) == 0, "nothing listens: it has ended, or is starting"


def test_the_probe_is_content_with_any_answer() -> None:
    class Busy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_error(503)

        def log_message(self, *_said: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Busy) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        assert probed(server.server_port) == 0
        server.shutdown()


def test_a_silent_web_server_is_killed_in_containers_and_by_systemd() -> None:
    """What is killed is started again, by the restart policy or ``Restart=always``."""
    web = yaml.safe_load((PROJECT / "compose.yaml").read_text())["services"]["web"]
    assert web["healthcheck"]["test"][1].startswith("deploy/probe || kill -KILL")
    assert web["init"], "process 1 of a container cannot be killed from within"
    assert web["restart"] == "unless-stopped"
    assert service_of(DEPLOY / "systemd/laurel-web.service")["Restart"] == ["always"]
    assert "deploy/probe || kill -KILL" in (DEPLOY / "systemd/laurel-probe.service").read_text()
    assert "laurel-probe.timer" in (DEPLOY / "systemd/laurel.target").read_text()


def settings_in(text: str) -> dict[str, str]:
    return dict(re.findall(r"^([A-Z_]+)=(.*)$", text, re.MULTILINE))


def test_the_settings_are_those_that_the_site_reads() -> None:
    given = settings_in((DEPLOY / "laurel.env").read_text())
    documented = (PROJECT / "docs/configuration.md").read_text()
    for name in given:
        assert f"`{name}`" in documented, name
    values, wrong = examine(given)
    assert wrong == []
    assert values["LAUREL_PROXY_HOPS"] == 1
    assert given["SECRET_KEY"] == "", "everybody needs one of their own"


def test_backups_are_scheduled_in_a_folder_that_the_services_may_write_to() -> None:
    """As they may with the value that mistakes of the variable suggest."""
    given = settings_in((DEPLOY / "laurel.env").read_text())["LAUREL_BACKUP_FOLDER"]
    suggested = {variable.name: variable.example for variable in VARIABLES}
    for unit in SERVICES:
        state = Path("/var/lib", *service_of(unit)["StateDirectory"])
        assert state in Path(given).parents
        assert state in Path(suggested["LAUREL_BACKUP_FOLDER"]).parents


def test_commands_in_containers_see_the_volume_of_backups() -> None:
    """Or else a backup would be gone with the container that made it."""
    services = yaml.safe_load((PROJECT / "compose.yaml").read_text())["services"]
    named = re.findall(r"docker compose run --rm ([a-z-]+) python manage\.py", GUIDE)
    assert named
    for name in named:
        folder = services[name]["environment"]["LAUREL_BACKUP_FOLDER"]
        assert f"backups:{folder}" in services[name].get("volumes", ())


NOT_IN_CONTAINERS = {
    **dict.fromkeys(
        ("DEMO", "HOST", "LAUREL_DEMO_PLAYERS", "PORT"),
        "only `make run` reads it",
    ),
    **dict.fromkeys(("LAUREL_DATA", "LAUREL_STATIC"), "the image sets it"),
    **dict.fromkeys(
        ("DATABASE_DIRECT_URL", "DATABASE_REPLICA_URL"), "the containers have one PostgreSQL"
    ),
    **dict.fromkeys(
        ("LAUREL_OFFLINE", "LAUREL_TESTS", "LAUREL_WEBHOOK_TEST_HOSTS"),
        "it is for builds and tests",
    ),
    "LAUREL_POSTGRES_BIN": "the programs of the image are on its path",
}


def test_the_containers_get_every_documented_setting() -> None:
    documented = (PROJECT / "docs/configuration.md").read_text()
    rows = re.findall(r"^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \|", documented, re.MULTILINE)
    named = {name for row in rows for name in re.findall("[A-Z_]+", row)}
    assert named == {variable.name for variable in VARIABLES}
    for name, service in yaml.safe_load((PROJECT / "compose.yaml").read_text())["services"].items():
        if "build" not in service:  # a server of another image
            continue
        given = service["environment"]
        assert given.keys() & NOT_IN_CONTAINERS.keys() == set(), name
        assert given.keys() | NOT_IN_CONTAINERS.keys() == named, name
        for variable, value in given.items():
            passed = re.match(r"\$\{([A-Z_]+)", str(value))
            assert passed is None or passed[1] == variable


def test_manage_runs_a_command_with_the_settings(tmp_path: Path) -> None:
    script = DEPLOY / "manage"
    assert script.stat().st_mode & stat.S_IXUSR
    settings = tmp_path / "laurel.env"
    settings.write_text("LAUREL_OFFLINE=1\nLAUREL_PROXY_HOPS='12'\n# a comment\n")
    ran = subprocess.run(
        [script, "check"],
        env={**os.environ, "LAUREL_ENV": str(settings)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "LAUREL_PROXY_HOPS='12' is not a whole number" in ran.stderr


def test_the_pooler_limits_pages_as_the_site_would() -> None:
    text = (DEPLOY / "pgbouncer.ini").read_text()
    limits = re.findall(r"-c (\w+=\d+)", (PROJECT / "gunicorn.conf.py").read_text())
    assert len(limits) == 2
    for limit in limits:
        assert f"SET {limit.replace('=', ' = ')}" in text
    assert "pool_mode = transaction" in text


def test_each_kind_of_work_has_a_service_of_containers_and_of_systemd() -> None:
    compose = (PROJECT / "compose.yaml").read_text()
    target = (DEPLOY / "systemd/laurel.target").read_text()
    for kind in KINDS:
        assert f'"--queues", "{kind}"' in compose
        assert f"/readyz/worker-{kind}" in compose
        assert f"laurel-worker@{kind}.service" in target


@pytest.mark.parametrize("file", ["Caddyfile", "nginx.conf"])
def test_proxies_pass_on_to_the_port_of_the_site_and_accept_images(file: str) -> None:
    text = (DEPLOY / file).read_text()
    web = service_of(DEPLOY / "systemd/laurel-web.service")["ExecStart"][0]
    assert "127.0.0.1:8000" in text
    assert "--bind 127.0.0.1:8000" in web
    assert re.search(r"20(m|MB)", text)
    assert re.search(r"proxy_request_buffering on|request_buffers 20MB", text)
    assert re.search(r"proxy_buffering on|response_buffers 20MB", text)


@pytest.mark.parametrize(
    ("file", "place"),
    [("Caddyfile", "@archive path {}\n"), ("nginx.conf", "location = {} {{\n")],
)
def test_proxies_accept_the_archive_of_a_league_where_the_site_does(file: str, place: str) -> None:
    text = (DEPLOY / file).read_text()
    assert reverse("setup_archive") == ARCHIVES
    assert place.format(ARCHIVES) in text
    assert re.search(r"max_(body_)?size 5(GB|g;)\n", text)
    assert LARGEST_ARCHIVE < 5 * 10**9


def test_caddy_asks_the_site_for_nothing_compressed() -> None:
    """Otherwise slow readers kept others waiting: Caddy left connections open while it unpacked."""
    assert "compression off" in (DEPLOY / "Caddyfile").read_text()


def test_the_containers_have_a_proxy_with_the_same_settings() -> None:
    services = yaml.safe_load((PROJECT / "compose.yaml").read_text())["services"]
    assert "./deploy/Caddyfile:/etc/caddy/Caddyfile:ro" in services["proxy"]["volumes"]
    read = set(re.findall(r"\{\$(\w+)", (DEPLOY / "Caddyfile").read_text()))
    assert read == services["proxy"]["environment"].keys()
    assert services["web"]["environment"]["LAUREL_PROXY_HOPS"] == "${LAUREL_PROXY_HOPS:-1}"
