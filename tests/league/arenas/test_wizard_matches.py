"""The step of the arena wizard about maps and the queue, and where its settings go from there."""

from datetime import timedelta

import pytest
from django.urls import reverse

from league.models import Arena, ArenaQueue, ArenaText, Player, StaffAction
from league.services.arenas.presets import PRESETS
from league.services.arenas.starting import from_arena, from_preset
from tests.support.admin_steps import FormReader, form_on, staff
from tests.support.cast import NOW
from tests.support.result_steps import user_of
from tests.support.wizard_steps import Organiser, organiser

__all__ = ["organiser", "staff"]
SEVEN = ["Ancient", "Anubis", "Dust II", "Inferno", "Mirage", "Nuke", "Train"]


def draft(olga: Player, preset: str = "gw2-ranked") -> Arena:
    return from_preset(PRESETS[preset], name="New", slug="new", by=user_of(olga), now=NOW)


def step(arena: Arena, name: str = "matches") -> str:
    return reverse("admin:league_arena_step", args=[arena.pk, name])


def test_maps_and_queue_are_set_in_the_wizard_and_said_in_words(
    organiser: Organiser, olga: Player
) -> None:
    arena = draft(olga)
    organiser.at = step(arena)
    organiser.press(
        "review",
        maps="Forest, Temple,  Harbour ",
        map_choice="veto",
        veto_turn="45s",
        pools="apart",
        fills_seats="on",
        ready_window="1m",
        preset="small-community",
    )
    page = organiser.page.text
    for text in (
        "is played on one of these: Forest, Temple, Harbour.",
        "Each ban takes at most 45 seconds, and all of them at most 1 minute 30 seconds.",
        "Players who queue alone only meet each other here",
        "a lone player who has agreed to it takes their place",
        "everyone has 1 minute to accept it",
        "For 10 to 50 players online",
    ):
        assert text in page, text
    arena.refresh_from_db()
    assert (arena.maps, arena.map_choice) == (["Forest", "Temple", "Harbour"], "veto")
    queue = ArenaQueue.objects.get(arena=arena)
    assert (queue.pools, queue.fills_seats, queue.matcher) == ("apart", True, "laurel")
    assert queue.ready_window == timedelta(minutes=1)
    logged = StaffAction.objects.filter(kind="changed").latest("id").after or {}
    assert logged["maps"] == "Forest, Temple, Harbour"
    assert logged["choice of the map"].startswith("alternating veto")
    assert logged["queue: pools"].startswith("apart")
    assert logged["queue: rules"] == "small-community"


def test_rules_of_the_queue_stay_unless_others_are_chosen(
    organiser: Organiser, olga: Player
) -> None:
    arena = draft(olga)
    before = ArenaQueue.objects.get(arena=arena).rules
    organiser.at = step(arena)
    organiser.press("review", pools="apart")
    queue = ArenaQueue.objects.get(arena=arena)
    assert (queue.rules, queue.matcher, queue.pools) == (before, "new", "apart")


def test_an_arena_without_a_queue_has_maps_and_is_led_to_the_queue(
    organiser: Organiser, olga: Player
) -> None:
    arena = draft(olga, "chess-club")
    organiser.at = step(arena)
    organiser.page = organiser.browser.get(organiser.at)
    assert "This arena has no queue. To add one" in organiser.page.text
    assert 'name="pools"' not in organiser.page.text
    organiser.press("review", maps="Hall, Cellar", map_choice="random")
    assert "The map is drawn when the match begins." in organiser.page.text
    organiser.press("publish")
    assert "Hall, Cellar" in organiser.browser.get("/arenas/new/how-it-works/").text
    assert not ArenaQueue.objects.exists()


def test_a_preset_and_a_copy_bring_maps_pools_and_seats(organiser: Organiser, olga: Player) -> None:
    arena = draft(olga, "map-veto")
    ArenaText.objects.create(arena=arena, rules="Be kind.")
    copy = from_arena(arena, name="Copy", slug="copy", by=user_of(olga), now=NOW)
    assert ArenaText.objects.get(arena=copy).rules == "Be kind."
    for one in (arena, copy):
        one.refresh_from_db()
        queue = ArenaQueue.objects.get(arena=one)
        assert (one.maps, one.map_choice) == (SEVEN, "veto")
        assert (queue.pools, queue.fills_seats) == ("apart", True)
    organiser.at = step(copy)
    organiser.page = organiser.browser.get(organiser.at)
    assert ", ".join(SEVEN) in organiser.page.text.replace(",", ", ").replace(",  ", ", ")


MANY = ", ".join(f"Map {number}" for number in range(200))


@pytest.mark.parametrize(
    ("typed", "at", "says"),
    [
        ({"maps": "", "map_choice": "veto"}, "maps", "two or more"),
        ({"maps": "Forest, FOREST,forest", "map_choice": "random"}, "maps", "two or more"),
        ({"maps": MANY}, "maps", "at most 30 names. You have listed 200"),
        ({"maps": "x" * 41}, "maps", "at most 40 characters"),
        ({"maps": "Fo\u202erest, Temple"}, "maps", "visible"),
        ({"maps": "Fo\u200brest, Temple"}, "maps", "visible"),
        ({"maps": "Cafe\u0301, Caf\u00e9", "map_choice": "veto"}, "maps", "two or more"),
        ({"map_choice": "dice"}, "map_choice", "valid choice"),
        ({"veto_turn": "0"}, "veto_turn", "10s"),
        ({"veto_turn": "-1m"}, "veto_turn", "10s"),
        ({"veto_turn": "nan"}, "veto_turn", "10s"),
        ({"veto_turn": "99999999d"}, "veto_turn", "10m"),
    ],
)
def test_bad_maps_are_refused_at_their_field(
    organiser: Organiser, olga: Player, typed: dict[str, str], at: str, says: str
) -> None:
    arena = draft(olga)
    organiser.at = step(arena)
    organiser.press("review", **{"maps": "Forest, Temple", **typed})
    assert organiser.page.redirect_chain == []
    assert says in " ".join(organiser.errors()[at])
    arena.refresh_from_db()
    assert arena.maps == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("pools", "three"),
        ("pools", ""),
        ("preset", "none"),
        ("ready_window", "0"),
        ("ready_window", "1d"),
        ("ready_window", "infinity"),
    ],
)
def test_bad_settings_of_the_queue_are_refused_and_nothing_is_saved(
    organiser: Organiser, olga: Player, name: str, value: str
) -> None:
    arena = draft(olga)
    organiser.at = step(arena)
    organiser.press("review", maps="Forest, Temple", **{name: value})
    assert name in organiser.page.context["form"].of_queue.errors
    arena.refresh_from_db()
    assert arena.maps == []


# Two editors


def opened(organiser: Organiser, arena: Arena, name: str) -> dict[str, str]:
    """Return what a page of the wizard would send that somebody has opened."""
    return form_on(organiser.browser, step(arena, name))


def test_the_second_of_two_editors_is_told_and_reverts_nothing(
    organiser: Organiser, olga: Player
) -> None:
    arena = draft(olga, "map-veto")
    mine = opened(organiser, arena, "matches")
    theirs = {"maps": "One, Two, Three", "pools": "mixed", "veto_turn": "20s"}
    organiser.at = step(arena)
    organiser.press("review", **theirs)

    typed = {**mine, "veto_turn": "50s", "ready_window": "1m", "review": "on"}
    page = organiser.browser.post(step(arena), typed)
    assert page.status_code == 200
    for text in (
        "Changed while you were editing",
        "olga saved this page on",
        "One,Two,Three",
        "not changed by you",
        "Take theirs",
    ):
        assert text in page.text, text
    arena.refresh_from_db()
    assert arena.veto_turn == timedelta(seconds=20)

    reader = FormReader()
    reader.feed(page.text)
    again = {**reader.values, "review": "on"}
    assert organiser.browser.post(step(arena), again).status_code == 302
    arena.refresh_from_db()
    queue = ArenaQueue.objects.get(arena=arena)
    assert (arena.maps, queue.pools) == (["One", "Two", "Three"], "mixed")
    assert arena.veto_turn == timedelta(seconds=50)
    assert queue.ready_window == timedelta(minutes=1)


def test_the_second_editor_can_take_what_the_first_saved(
    organiser: Organiser, olga: Player
) -> None:
    arena = draft(olga)
    mine = opened(organiser, arena, "format")
    organiser.at = step(arena, "format")
    organiser.press("review", description="Theirs.", modes="Conquest")
    sent = {**mine, "description": "Mine.", "review": "on"}
    page = organiser.browser.post(step(arena, "format"), sent)
    assert 'name="_theirs" value="description"' in page.text
    reader = FormReader()
    reader.feed(page.text)
    sent = {**reader.values, "_theirs": "description", "review": "on"}
    assert organiser.browser.post(step(arena, "format"), sent).status_code == 302
    arena.refresh_from_db()
    assert (arena.description, arena.modes) == ("Theirs.", ["Conquest"])


@pytest.mark.parametrize("name", ["format", "rating", "calendar", "divisions"])
def test_every_step_is_saved_at_once_if_nobody_else_was_there(
    organiser: Organiser, olga: Player, name: str
) -> None:
    organiser.at = step(draft(olga), name)
    organiser.press("review")
    assert organiser.page.redirect_chain


def test_two_editors_of_divisions_see_each_others_rows(organiser: Organiser, olga: Player) -> None:
    arena = draft(olga)
    mine = opened(organiser, arena, "divisions")
    organiser.at = step(arena, "divisions")
    organiser.press("review", **{"row-0-colour": "#123456"})
    page = organiser.browser.post(step(arena, "divisions"), {**mine, "review": "on"})
    assert "Changed while you were editing" in page.text
    assert "#123456" in page.text
    forged = {**mine, "_loaded": "nonsense", "review": "on"}
    assert organiser.browser.post(step(arena, "divisions"), forged).status_code == 302
