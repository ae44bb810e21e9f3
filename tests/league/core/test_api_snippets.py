"""The programs of the API's reference, run: all languages send the same request."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from league.api.core.reference import groups, operation_called
from league.api.core.snippets import TOKEN, command_of, javascript_of, python_of, snippets_of
from league.models import Profile, Scope
from tests.support.api_steps import a_token
from tests.support.node import NODE
from tests.support.pictures import halves, saved
from tests.support.result_steps import user_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_django import Settings
    from pytest_django.live_server_helper import LiveServer

    from league.api.core.reference import Operation
    from league.models import Arena, Player

pytestmark = pytest.mark.django_db(transaction=True)
LANGUAGES: dict[str, tuple[Callable[[Operation], str], list[str]]] = {
    "curl": (command_of, ["bash", "-c"]),
    "Python": (python_of, [sys.executable, "-c"]),
    "JavaScript": (javascript_of, [str(NODE), "--input-type=module", "-e"]),
}


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def token(alice: Player, live_server: LiveServer, settings: Settings) -> str:
    settings.SITE_URL = live_server.url
    return a_token(user_of(alice), Scope.READ, Scope.ACCOUNT, Scope.REPORT)[1]


def ran(language: str, operation: str, token: str, folder: Path, *, before: str = "") -> str:
    """Run the program of an operation, and return what it prints."""
    write, run = LANGUAGES[language]
    one = operation_called(operation)
    assert one
    program = write(one).replace(TOKEN, f"Bearer {token}").replace("curl ", "curl -s ")
    done = subprocess.run(
        [*run, before + program], capture_output=True, cwd=folder, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def test_something_public_is_read(language: str, token: str, duel: Arena, tmp_path: Path) -> None:
    [one] = json.loads(ran(language, "arenas", token, tmp_path))["results"]
    assert one["slug"] == "duel"


def test_something_of_ones_own_is_read(language: str, token: str, tmp_path: Path) -> None:
    found = json.loads(ran(language, "profile", token, tmp_path))
    assert found["player"]["name"] == "Alice"


def test_a_body_is_sent_as_all_languages_send_it(token: str, tmp_path: Path) -> None:
    """The body to start from is read and refused for an empty name, which people fill in."""
    rated = [json.loads(ran(each, "rate", token, tmp_path)) for each in LANGUAGES]
    assert "matches.0.sides.0.0" in rated[0]["detail"]
    assert rated == [rated[0]] * len(LANGUAGES)


def test_a_file_is_sent(language: str, token: str, alice: Player, tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_bytes(saved(halves()))
    chosen = (
        'import { openAsBlob } from "node:fs";\nconst file = await openAsBlob("picture.png");\n'
    )
    before = chosen if language == "JavaScript" else ""
    ran(language, "upload_picture", token, tmp_path, before=before)
    assert Profile.objects.get(player=alice).picture


def test_every_operation_has_a_program_in_each_language() -> None:
    for group in groups():
        for line in group.operations:
            one = operation_called(line.name)
            assert one
            programs = snippets_of(one)
            assert list(programs) == ["Command line", "Python", "JavaScript"]
            compile(programs["Python"], one.name, "exec")
            assert all(one.path in program for program in programs.values())
