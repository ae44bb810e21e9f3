"""A process is killed at each kill point, and its work takes effect once."""

import ast
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from league.services.core.clock import database_now
from league.services.core.kill_points import BEFORE
from tests.chaos.kills import MOMENTS, kill
from tests.chaos.scenarios import SCENARIOS
from tests.chaos.victims import Victims
from tests.support.celery_steps import database_url
from tests.support.effort import LONG
from tests.support.merge_steps import all_differences

LEAGUE = Path(__file__).resolve().parents[2] / "league"


@pytest.fixture(scope="module")
def parent(django_db_setup: None) -> Iterator[Victims]:
    """What forks all victims: it opens no connection, and remembers nothing of them."""
    made = Victims(
        {
            **os.environ,
            "DATABASE_URL": database_url(),
            "REDIS_URL": settings.REDIS_URL,
            "DJANGO_SETTINGS_MODULE": "league.settings",
        }
    )
    yield made
    made.end()


@pytest.fixture
def victims(parent: Victims, transactional_db: None) -> Victims:
    return parent


def names_in_the_code() -> list[str]:
    return sorted(
        str(call.args[0].value)
        for file in LEAGUE.rglob("*.py")
        if "committing(" in (text := file.read_text())
        for call in ast.walk(ast.parse(text))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == "committing"
        and isinstance(call.args[0], ast.Constant)
    )


def test_each_kill_point_is_in_one_place_and_has_a_scenario() -> None:
    assert names_in_the_code() == sorted(SCENARIOS)


def test_nothing_in_the_site_watches_kill_points() -> None:
    files = [file for file in LEAGUE.rglob("*.py") if file.name != "kill_points.py"]
    assert not [file for file in files if "kill_points.watch" in file.read_text()]


def test_what_a_killed_process_did_happens_once(victims: Victims) -> None:
    """At one moment of each kill point, in a long run at both."""
    kills = [(name, moment) for name in SCENARIOS for moment in MOMENTS]
    chosen = kills if LONG else [kills[2 * at + at % 2] for at in range(len(SCENARIOS))]
    assert [problem for one in chosen for problem in kill(victims, *one)] == []
    assert all_differences(database_now()) == []


@pytest.mark.parametrize("name", ["confirmation", "refusal", "archive"])
def test_without_a_transaction_a_kill_shows(name: str, victims: Victims) -> None:
    assert kill(victims, name, BEFORE, harm="commit each write")
