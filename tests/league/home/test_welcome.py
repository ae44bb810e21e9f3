"""First steps: what newcomers read after signing up."""

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from league.models import Arena, Player, Season
from league.services.following.blocks import block
from league.services.home.welcome import start_in
from league.services.results.reports.answers import confirm
from tests.support.cast import NOW, beats, put_in_order
from tests.support.web_steps import browser_of, words

SECRET = "correct horse battery staple"


@pytest.fixture
def rated_result(duel: Arena, alice: Player, charlie: Player) -> None:
    now = timezone.now()
    confirm(beats(alice, charlie, duel, now=now).pk, by=charlie, now=now)
    put_in_order()


def test_who_signs_up_comes_to_the_first_steps(duel: Arena, teams: Arena) -> None:
    browser = Client()
    form = {"username": "Newcomer", "password1": SECRET, "password2": SECRET}
    page = words(browser.post("/accounts/signup/", form, follow=True))
    assert "Welcome, Newcomer" in page
    assert page.index("1. Choose an arena") < page.index("Duel One against one")
    assert "2. How ranking works" not in page
    elsewhere = {**form, "username": "Other", "next": duel.get_absolute_url()}
    answer = Client().post("/accounts/signup/", elsewhere)
    assert answer["Location"] == duel.get_absolute_url(), "but not from where they were going"


@pytest.mark.usefixtures("rated_result")
def test_only_players_who_could_answer_are_first_opponents(
    duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    block(alice, eve, now=NOW)
    Player.objects.filter(pk=charlie.pk).update(user=None)
    page = words(browser_of(eve).get("/welcome/", {"arena": "duel"}))
    assert "as strong as a newcomer" not in page


@pytest.mark.usefixtures("rated_result")
def test_home_leads_newcomers_to_the_first_steps(
    alice: Player, eve: Player, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    assert "First steps" in words(browser_of(eve).get("/"))
    assert "First steps" not in words(browser_of(alice).get("/"))
    browser = browser_of(eve)
    assert "Find a first opponent" in words(browser.get("/welcome/", {"arena": "duel"}))
    season = Season.objects.select_related("arena").get()
    with django_assert_max_num_queries(9):
        assert start_in(season, eve, timezone.now()).opponents
