"""The distribution and the sessions of an arena are reached from where they matter."""

from django.test import Client
from django.urls import reverse

from league.models import Arena, Player
from league.services.results.reports.answers import confirm
from tests.support.cast import NOW, account, beats, put_in_order


def test_a_percentile_leads_to_the_distribution_and_an_arena_to_both(
    duel: Arena, alice: Player
) -> None:
    for number in range(12):
        other = account(f"Player {number}")
        confirm(beats(other, alice, duel).pk, by=alice, now=NOW)
    put_in_order()
    distribution = reverse("distribution", args=["duel"])
    page = Client().get(f"/players/{alice.pk}/").content.decode()
    season = duel.seasons.get()
    assert f'href="{distribution}?season={season.pk}"' in page
    assert Client().get(f"{distribution}?season={season.pk}").status_code == 200
    arena = Client().get(duel.get_absolute_url()).content.decode()
    for address in (distribution, reverse("session", args=["duel"])):
        assert f'href="{address}"' in arena
        assert Client().get(address).status_code == 200
