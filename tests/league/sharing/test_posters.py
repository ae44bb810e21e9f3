"""QR codes and short addresses with which people join the league or a competition."""

from datetime import timedelta

import pytest
import segno
from django.conf import settings
from django.test import Client
from django.urls import reverse

from league.models import Arena, Competition, Player
from league.services.core.clock import database_now
from league.services.site.qr_codes import draw_qr_code
from tests.support.competition_steps import opened
from tests.support.web_steps import browser_of, words


@pytest.fixture
def cup(duel: Arena, olga: Player) -> Competition:
    one = opened(duel, olga, "swiss")
    one.starts_at = database_now() + timedelta(days=1)
    one.save()
    return one


def test_the_poster_of_a_competition_leads_to_its_page(cup: Competition, eve: Player) -> None:
    page = Client().get(reverse("competition_poster", args=[cup.season.arena.slug, cup.pk]))
    address = f"{settings.SITE_URL}/j/{cup.pk}"
    assert address.partition("://")[2] in words(page)
    assert draw_qr_code(address) in page.content.decode()
    assert "Enter" in words(browser_of(eve).get(f"/j/{cup.pk}/", follow=True))
    visitor = Client().get(f"/j/{cup.pk}", follow=True)
    assert visitor.redirect_chain == [(cup.get_absolute_url(), 302)]
    assert "Log in to enter" in words(visitor)


def test_the_poster_of_the_league_leads_to_the_sign_up(duel: Arena, eve: Player) -> None:
    page = Client().get(reverse("poster"))
    assert draw_qr_code(f"{settings.SITE_URL}/j") in page.content.decode()
    assert Client().get("/j")["Location"] == reverse("account_signup")
    assert browser_of(eve).get("/j/")["Location"] == reverse("welcome")


def test_a_draft_and_an_unknown_competition_have_no_poster(duel: Arena, cup: Competition) -> None:
    Competition.objects.update(opened_at=None, state=Competition.State.DRAFT)
    for address in (f"/j/{cup.pk}", cup.get_absolute_url() + "poster/", "/j/999999", "/j/x"):
        assert Client().get(address).status_code == 404


def test_a_code_is_an_image_without_styles_or_scripts() -> None:
    drawn = draw_qr_code("https://laurel.example/j/12?<&\"'")
    assert drawn.startswith("<svg ")
    assert "style" not in drawn
    assert "script" not in drawn
    assert "laurel" not in drawn
    assert 'viewBox="0 0 37 37"' in draw_qr_code("https://laurel.example/j/12")
    assert (
        segno.make("https://laurel.example/j/12", error="m", micro=False).symbol_size() == (37,) * 2
    )
