"""Names are sorted and found as readers expect, in pages, API and admin alike."""

import re
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyuca.collator import Collator_10_0_0  # type: ignore[import-untyped] # it has no types

import league
from league.models import Arena, ArenaQueue, Competition, Player, Roster, Scope, Team
from league.models.collation import LONGEST_KEY, sort_key
from league.models.lookalikes import SortField
from league.models.skeletons import without_accents
from league.services.results.reports.suggestions import opponents
from league.services.search.finding import find
from league.services.teams.founding import found
from tests.support.api_steps import by_token
from tests.support.cast import NOW, account, arena, roster
from tests.support.competition_steps import competition
from tests.support.team_steps import COLOURS
from tests.support.web_steps import words

COLLATOR = Collator_10_0_0()
EXPECTED = [
    "12 Monkeys",
    "Ångström",
    "étienne",
    "Eugene",
    "Łukasz",
    "Luther",
    "O’Neill",
    "Oneida",
    "Straße",
    "Stratton",
    "Zoë",
    "Ωμέγα",
    "Ярослав",
    "張偉",
]
"""As in a phone book. By code points, étienne, Łukasz and Ångström would come after Zoë."""
TYPED = [
    ("O'Neill", "O’Neill"),
    ("O’Neill", "O'Neill"),
    ("Lukasz", "Łukasz"),
    ("Zoe", "Zoë"),
    ("strasse", "Straße"),
    ("STRASSE", "Straße"),
    ("angstrom", "Ångström"),
    ("Jean-Luc", "Jean–Luc"),
    ("d`Arc", "d’Arc"),
]


def in_order_of(names: Sequence[str], text: str) -> list[str]:
    """Return the names in the order in which they first stand in a text."""
    return sorted(names, key=text.index)


def test_lists_are_those_of_a_phone_book(olga: Player, duel: Arena, teams: Arena) -> None:
    shuffled = [*EXPECTED[1::2], *EXPECTED[-2::-2]]
    captain = account("Captain")
    bulk = [Player(name=name, folded_name=name.casefold()) for name in shuffled[::2]]
    Player.objects.bulk_create(bulk)
    for name in shuffled[1::2]:
        account(name)
    latin = [name for name in EXPECTED if name < "Α"]
    for number, name in enumerate(sorted(latin)):
        found(f"{name} Club", f"T{number}", COLOURS, by=account(f"founder {number}"), now=NOW)
        roster(teams, f"{name} Crew", captain)
    everyone = {*EXPECTED}

    assert [one.name for one in Player.objects.all() if one.name in everyone] == EXPECTED
    assert [one.name.removesuffix(" Club") for one in Team.objects.all()] == latin
    assert [one.name.removesuffix(" Crew") for one in Roster.objects.all()] == latin
    api, address = by_token(captain, Scope.READ), "/api/v1/players/"
    listed: list[str] = []
    while address:
        page = api.get(address, {"page_size": 5} if not listed else None).json()
        listed += [one["name"] for one in page["results"]]
        address = page["next"]
    assert [name for name in listed if name in everyone] == EXPECTED
    staff = Client()
    assert olga.user
    staff.force_login(olga.user)
    rows = staff.get("/admin/league/player/").content.decode()
    assert in_order_of(EXPECTED, rows) == EXPECTED
    assert in_order_of(latin, words(Client().get("/teams/"))) == latin


def test_arenas_and_competitions_are_sorted_alike(olga: Player) -> None:
    latin = [name for name in EXPECTED if name < "Α"]
    for number, name in enumerate(sorted(latin)):
        place = arena(f"a-{number}")
        place.name = f"{name} arena"
        place.save()
        ArenaQueue.objects.create(arena=place)
    for name in sorted(latin):
        cup = competition(Arena.objects.get(name="Zoë arena"))
        Competition.objects.filter(pk=cup.pk).update(name=f"{name} cup", opened_at=NOW)
    named = Arena.objects.filter(name__endswith=" arena")
    assert [one.name.removesuffix(" arena") for one in named] == latin
    assert in_order_of(latin, words(Client().get("/"))) == latin
    listed = by_token(olga, Scope.READ).get("/api/v1/arenas/").json()["results"]
    names = [one["name"] for one in listed if one["name"].endswith(" arena")]
    assert [name.removesuffix(" arena") for name in names] == latin
    assert [one.name.removesuffix(" arena") for one in find("arena", count=50).arenas] == latin
    cups = find("cup", count=50).competitions
    assert [one.name.removesuffix(" cup") for one in cups] == latin
    staff = Client()
    assert olga.user
    staff.force_login(olga.user)
    for page in ("arena/", "arena/?o=0", "arenaqueue/"):
        rows = staff.get(f"/admin/league/{page}").content.decode()
        assert in_order_of(latin, rows[rows.index("<tbody") :]) == latin, page


def test_nothing_is_sorted_by_a_name_whose_place_is_stored() -> None:
    plain = re.compile(r"""order_by\([^)]*["']-?(?:\w+__)?name["']""")
    found = [
        f"{path}: {match[0]}"
        for path in Path(league.__file__).parent.rglob("*.py")
        for match in plain.finditer(path.read_text())
        if "migrations" not in path.parts
    ]
    assert found == []
    for model in apps.get_app_config("league").get_models():
        if any(isinstance(column, SortField) for column in model._meta.local_fields):
            assert "name" not in (model._meta.ordering or ())


@pytest.mark.parametrize(("typed", "name"), TYPED)
def test_names_are_found_as_they_are_typed(
    typed: str, name: str, olga: Player, duel: Arena, teams: Arena
) -> None:
    account(name)
    captain = account("Captain")
    found(f"{name} Club", "NYC", COLOURS, by=captain, now=NOW)
    roster(teams, f"{name} Crew", captain)
    Arena.objects.filter(pk=duel.pk).update(name=f"{name} Arena")
    together = find(typed, count=5)
    assert [len(one) for one in (together.players, together.teams, together.arenas)] == [1, 1, 1]
    assert name in words(Client().get("/players/", {"q": typed}))
    api = by_token(captain, Scope.READ)
    for path in ("players", "teams"):
        rows = api.get(f"/api/v1/{path}/", {"search": typed}).json()["results"]
        assert name in rows[0]["name"]
    assert [one.name for one in opponents(duel, typed)] == [name]
    assert [one.name for one in opponents(teams, typed)] == [f"{name} Crew"]
    staff = Client()
    assert olga.user
    staff.force_login(olga.user)
    for path in ("player", "team", "roster"):
        assert name in words(staff.get(f"/admin/league/{path}/", {"q": typed}))


def test_who_is_renamed_moves(alice: Player, bob: Player) -> None:
    account("Zoe")
    alice.name = "Žofie"
    alice.save()
    assert Player.objects.last() == alice


def test_the_migration_fills_the_names_that_are_there(
    alice: Player, olga: Player, owls: Roster
) -> None:
    Player.ever.filter(pk=alice.pk).update(name="Łukasz’s", sort_name="", search_name="x")
    Player.ever.filter(pk=olga.pk).update(sort_name="", merged_into=alice, user=None)
    Arena.objects.filter(pk=owls.arena_id).update(sort_name="")
    Roster.objects.update(sort_name="")
    with connection.schema_editor() as editor:
        import_module("league.migrations.0005_sort_names").fill(apps, editor)
        import_module("league.migrations.0008_sort_arenas").fill(apps, editor)
    assert Arena.objects.get(pk=owls.arena_id).sort_name == sort_key(owls.arena.name)
    alice.refresh_from_db()
    assert (alice.sort_name, alice.search_name) == (sort_key("Łukasz’s"), "lukasz's")
    assert Player.ever.get(pk=olga.pk).sort_name == sort_key(olga.name)
    assert Roster.objects.get().sort_name == sort_key(owls.name)
    assert Player.objects.search("lukasz's").get() == alice


@given(st.lists(st.text(max_size=60), min_size=2, max_size=6))
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_keys_are_in_the_order_of_the_collation_algorithm(names: list[str]) -> None:
    """And PostgreSQL stores each of them."""
    collator = COLLATOR
    assert sorted(names, key=sort_key) == sorted(
        names, key=lambda name: collator.sort_key(name)[:LONGEST_KEY]
    )
    for name in names:
        assert "\0" not in sort_key(name)
        assert len(sort_key(name).encode()) < 2700


@given(st.text(max_size=60))
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_what_is_found_is_found_by_itself(name: str) -> None:
    assert without_accents(without_accents(name)) == without_accents(name)
