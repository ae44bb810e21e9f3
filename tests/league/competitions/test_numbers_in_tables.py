"""Points of tables have the decimal sign of the reader's language, on pages and in no file."""

from django.test import Client
from django.urls import reverse

from league.models import Arena, Player
from league.services.competitions.standings.competition_tables import to_json
from tests.support.competition_steps import begun, crowd, play
from tests.support.web_steps import words


def test_half_a_point(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(2), "swiss", table={"win": 1, "draw": 0.5, "loss": 0})
    play(one.fixtures.with_sides().get(), None)
    address = reverse("competition", args=[duel.slug, one.pk])
    pages = {
        language: words(Client().get(address, {"lang": language})) for language in ("en", "de")
    }
    assert "0.5" in pages["en"]
    assert "0,5" in pages["de"]
    assert "0.5" not in pages["de"]
    assert [line["points"] for board in to_json(one)["boards"] for line in board["lines"]] == [
        "0.5"
    ] * 2
