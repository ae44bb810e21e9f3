"""A new arena takes the time zone of the league, however it is made."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from league.models import Arena, LeagueSettings, Player
from league.services.arenas.presets import PRESETS
from league.services.arenas.starting import from_arena, from_preset
from league.services.demo.building import make_arena
from league.services.site import frame
from tests.support.admin_steps import staff
from tests.support.cast import NOW, OPENING
from tests.support.matchmaking_xml import PUBLISHED
from tests.support.result_steps import user_of

__all__ = ["staff"]

ZONE = "Asia/Kathmandu"


@pytest.fixture(autouse=True)
def league_in_nepal(db: None) -> Iterator[None]:
    LeagueSettings.objects.create(time_zone=ZONE)
    frame.forget()
    yield
    frame.keep(frame.Frame(), 0)


@pytest.mark.parametrize("preset", PRESETS)
def test_an_arena_from_a_preset(preset: str, olga: Player) -> None:
    made = from_preset(PRESETS[preset], name="New", slug="new", by=user_of(olga), now=NOW)
    assert made.time_zone == ZONE


def test_an_arena_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "published.xml"
    file.write_text(PUBLISHED)
    call_command("arena_import", str(file), stdout=StringIO())
    assert set(Arena.objects.values_list("time_zone", flat=True)) == {ZONE}


def test_an_arena_of_the_demo() -> None:
    assert make_arena(starts_at=OPENING, name="Demo", slug="demo").time_zone == ZONE


def test_the_form_of_a_new_arena(staff: Client) -> None:
    page = staff.get("/admin/league/arena/add/")
    assert page.context["adminform"].form["time_zone"].value() == ZONE


def test_a_copy_keeps_the_time_zone_of_its_original(duel: Arena, olga: Player) -> None:
    assert from_arena(duel, name="Copy", slug="copy", by=user_of(olga), now=NOW).time_zone == "UTC"
