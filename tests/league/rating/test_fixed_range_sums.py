"""In a fixed range, means and sums of changes are those of the numbers that pages show."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, Player
from league.services.standings.distributions import measure
from tests.support.cast import arena, put_in_order
from tests.support.season_steps import win
from tests.support.web_steps import words


@pytest.fixture
def pit(alice: Player, bob: Player) -> Arena:
    """Bob loses to Alice, whose rating is held fixed. Ratings are shown in a fixed range."""
    made = arena("pit", rating_system="fermi", display={"scale": "fixed-range"}, modes=["Day"])
    season = made.seasons.get()
    season.anchors = [alice.pk]
    season.save()
    win(made, bob, alice)
    put_in_order()
    return made


def shown_change(text: str, name: str) -> float:
    found = re.search(rf"{name} .*?([+−±])([\d.]+)", text)
    assert found, text
    return float(found[2]) * (-1 if found[1] == "−" else 1)


def test_drift_is_what_the_matches_show(pit: Arena, bob: Player) -> None:
    match = pit.seasons.get().matches.get()
    moved = shown_change(
        words(Client().get(match.get_absolute_url())).partition("changes")[2], "Bob"
    )
    drift = words(Client().get(reverse("distribution", args=["pit"]))).partition("Drift")[2]
    assert moved > 100  # of 10,000
    assert f"ratings changed by +{moved} " in drift
    records = words(Client().get(reverse("player_records", args=[bob.pk])))
    assert f"First side 1 1 · 0 · 0 100 % +{moved}" in records


def test_the_first_results_move_the_range_little(
    pit: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    """Three players who are close together do not stretch it to its ends."""
    season = pit.seasons.get()
    strong = 0.9
    before = season.shows.show(strong)
    for _match in range(3):
        win(pit, bob, charlie)
    put_in_order()
    measure(season)
    season.refresh_from_db()
    assert season.shown_width is not None
    assert abs(season.shows.show(strong) - before) < 500
