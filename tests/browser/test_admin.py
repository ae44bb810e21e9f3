"""Admin pages with serious consequences: accessible, on a phone and in dark mode."""

import pytest
from django.urls import reverse

from league import tasks
from league.models import Arena, Match, Player
from league.services.integrity.ratings import verify
from league.services.merging import requests
from tests.browser.conftest import House
from tests.support.browser_steps import troubles
from tests.support.cast import account
from tests.support.season_steps import win

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.slow]


def test_olga_merges_two_players_and_watches_a_long_merge(
    house: House,
    duel: Arena,
    bob: Player,
    eve: Player,
    olga: Player,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The page asks every second until a worker has merged the players."""
    monkeypatch.setattr(requests, "MOST_AT_ONCE", -1)
    gone = account("Eve of old")
    win(duel, eve, bob)
    win(duel, gone, bob)
    page = house.reader(olga).open(reverse("admin:league_player_changelist"))
    page.get_by_label("Select this object for an action - Eve", exact=True).check()
    page.get_by_label("Select this object for an action - Eve of old").check()
    page.locator("select[name=action]").select_option(label="Merge the two selected players")
    page.get_by_role("button", name="Go").click()
    page.get_by_role("heading", name="Eve of old becomes Eve").wait_for()
    page.get_by_role("row", name="Duel · Season 1").wait_for()
    found = troubles(page)
    page.get_by_label("Reason").fill("Same mail.")
    page.get_by_role("button", name="Merge the players").click()
    page.get_by_text("Eve of old is becoming Eve.").wait_for()
    found += troubles(page)
    tasks.carry_out_merges()
    page.get_by_text("Eve of old is now Eve.").wait_for()
    assert found + troubles(page) == []
    page.get_by_role("link", name="Go to Eve").click()
    page.get_by_role("heading", name="Eve").first.wait_for()
    assert verify(duel.seasons.get()) == []
    assert Match.objects.filter(sides__participants__player=eve).count() == 2


def test_no_column_of_seasons_or_of_an_evening_is_cut_off_on_a_phone(
    house: House, duel: Arena, olga: Player
) -> None:
    """Nothing in them is wider than its place, so nobody has to scroll sideways."""
    Arena.objects.filter(pk=duel.pk).update(modes=["Conquest", "Stronghold"])
    reader = house.reader(olga, width=390)
    for address, table in (
        (reverse("admin:league_arena_change", args=[duel.pk]), "#seasons-group table"),
        (reverse("admin:league_arena_evening", args=[duel.pk]), "table.evening"),
    ):
        cells = reader.open(address).locator(f"{table} :is(td, th, input, select, output)")
        edges = cells.evaluate_all("all => all.map(one => one.getBoundingClientRect().right)")
        assert edges
        assert max(edges) <= 390
