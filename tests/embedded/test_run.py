"""`make run`, from the first line to the last process."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from embedded.run import wants_simulated_players
from tests.embedded.helpers import PROJECT, data_folder, guardian_pid, processes_of, wait_until
from tests.embedded.site import Site, reserved_port


class Past(NamedTuple):
    """A site that was stopped: what it wrote, and what it ran."""

    output: str
    commands: list[str]


@pytest.fixture(scope="module")
def second(demo_data: Path) -> Iterator[Past]:
    """Start a site for the second time, without players. Kill its parent."""
    with reserved_port() as number:
        site = Site(demo_data, number, LAUREL_DEMO_PLAYERS="0").up()
        commands = list(processes_of(demo_data).values())
        assert site.status("/readyz") == 200
        site.parent.kill()
        site.wait_until_gone()
        yield Past(site.output, commands)


def test_a_second_start_prepares_nothing_again_and_ends_with_its_parent(second: Past) -> None:
    assert "imulated players" not in second.output
    assert not any("demo_players" in text for text in second.commands)
    assert "Collecting the static files" not in second.output
    assert "The demo league exists" in second.output


@pytest.mark.parametrize(
    ("environment", "players"),
    [
        ({}, True),
        ({"DATABASE_URL": "postgresql://db/laurel"}, False),
        ({"REDIS_URL": "redis://broker/0"}, False),
        ({"LAUREL_SITE_URL": "https://league.example"}, False),
        ({"LAUREL_SITE_URL": "https://league.example", "LAUREL_DEMO_PLAYERS": "1"}, True),
        ({"LAUREL_DEMO_PLAYERS": "0"}, False),
        ({"DEMO": "1"}, True),
        ({"DEMO": "0", "LAUREL_DEMO_PLAYERS": "1"}, False),
    ],
)
def test_simulated_players_play_on_a_trial_site_or_when_wanted(
    environment: dict[str, str], players: bool
) -> None:
    assert wants_simulated_players(environment) is players


@pytest.mark.parametrize(
    ("variable", "value", "advice"),
    [
        ("LAUREL_DEMO_PLAYERS", "off", "Use 1 for simulated players or 0 for none"),
        ("DEMO", "no", "Use 0 for no demo league or 1 for one"),
    ],
)
def test_a_switch_with_an_unknown_value_is_refused(
    variable: str, value: str, advice: str, new_data: Path, port: int
) -> None:
    site = Site(new_data, port, **{variable: value})
    assert f"laurel: {variable}={value} is unknown. {advice}, or leave it out." in site.read_rest()
    assert site.parent.returncode == 1


def test_a_site_can_start_without_a_demo_league(bare: Site) -> None:
    first, _, _rest = bare.output.partition("Press Ctrl-C to stop.")
    assert "emo league" not in first
    assert "imulated players" not in bare.output
    assert "This league has no admin yet. Create one at" in first


def test_a_league_set_up_without_the_demo_starts_without_simulated_players(
    bare: Site, port: int
) -> None:
    with data_folder(bare.data) as data:
        create_admin(data)
        site = Site(data, port).up()
        assert "imulated players" not in site.output
        assert not any("demo_players" in text for text in processes_of(data).values())
        site.press_ctrl_c()
        site.wait_until_gone()
        assert "demo_players" not in site.output


def create_admin(data: Path) -> None:
    """Create the first admin, as the first page of a site would with an empty league."""
    given = {"DJANGO_SUPERUSER_PASSWORD": "a quiet harbour in June"}
    subprocess.run(
        [
            sys.executable,
            "manage.py",
            "createsuperuser",
            "--noinput",
            "--username",
            "olga",
            "--email",
            "olga@example.org",
        ],
        cwd=PROJECT,
        env={**os.environ, "LAUREL_DATA": str(data), **given},
        check=True,
        capture_output=True,
    )


def test_a_start_that_is_cancelled_half_way_leaves_nothing(demo_data: Path, port: int) -> None:
    site = Site(demo_data, port)
    wait_until(lambda: any("manage.py" in text for text in processes_of(demo_data).values()))
    assert guardian_pid(demo_data)
    site.press_ctrl_c()
    site.wait_until_gone()
    assert "Traceback" not in site.output


def test_a_taken_port_is_named_before_anything_is_started(new_data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        number = other.getsockname()[1]
        site = Site(new_data, number)
        assert site.read_rest() == (
            f"laurel: Port {number} is used by another program. Stop that program, or choose "
            f"another port with `make run PORT={number + 1}`.\n"
        )
    assert site.parent.returncode == 1
    assert not (new_data / "servers" / "postgres").exists()


def test_an_unusable_data_folder_is_named(new_data: Path, port: int) -> None:
    new_data.write_text("not a folder")
    site = Site(new_data, port)
    assert f"{new_data} is not a folder. Move it away" in site.read_rest()
    assert "Traceback" not in site.output
    assert site.parent.returncode == 1


@pytest.mark.parametrize("wrong", ["0", "65536", "eighty", "-1", "٨٠"])
def test_a_port_that_is_not_valid_is_refused(wrong: str, new_data: Path) -> None:
    site = Site(new_data, wrong)
    assert f"laurel: PORT={wrong} is not a port. Choose a number from 1" in site.read_rest()
    assert site.parent.returncode == 1
