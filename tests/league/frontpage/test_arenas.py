"""The arenas on the admin's first page: what is on, what waits, and what may be done."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.models import Arena, Competition, Player, Season
from league.models.reach import ARENA_ORGANISER
from league.services.core.clock import database_now
from league.services.frontpage.arenas import MOST_CARDS
from league.services.people import roles
from league.services.results.reports.answers import dispute
from tests.support.admin_steps import staff
from tests.support.cast import account, arena, beats
from tests.support.competition_steps import begun, crowd, opened
from tests.support.logins import log_in
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, words

__all__ = ["staff"]


def arena_part(client: Client) -> str:
    """Return the words of the page above what waits."""
    page = words(client.get("/admin/"))
    return page.partition("Your arenas")[2].partition("What needs your attention")[0]


def links(client: Client) -> str:
    answer: str = client.get("/admin/").content.decode()
    return answer


def run_page(one: Competition) -> str:
    return reverse("competition_run", args=[one.season.arena.slug, one.pk])


def draw_of(client: Client, one: Competition) -> bool:
    """Return whether the page has a button that leads to the draw of a competition."""
    assert client.get(run_page(one)).status_code == 200
    return f'<a class="button" href="{run_page(one)}"' in links(client)


def with_role(player: Player, role: str, *arenas: Arena) -> Client:
    user = user_of(player)
    roles.give(user, [role], arenas)
    client = Client()
    log_in(client, type(user).objects.get(pk=user.pk))
    return client


def test_an_empty_league_has_no_cards(staff: Client) -> None:
    assert "Your arenas" not in words(staff.get("/admin/"))


def test_a_card_names_the_season_and_what_waits(
    staff: Client, duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel, now=database_now())
    dispute(match.pk, by=charlie, reason="It was a draw.", now=database_now())
    beats(charlie, alice, duel, now=database_now())
    season = duel.seasons.get()
    shown = arena_part(staff)
    assert f"{season.name}, without an end." in shown
    assert "2 open reports" in shown
    assert "Enter results Starting ratings New competition Open" in shown
    page = links(staff)
    assert f"{reverse('admin:league_competition_add')}?season={season.pk}" in page
    assert reverse("admin:league_arena_evening", args=[duel.pk]) in page
    reports = f"/admin/league/match/?arena__id__exact={duel.pk}&status__in=reported%2Cdisputed"
    assert reports.replace("&", "&amp;") in page
    assert "2 matches" in words(staff.get(reports))


def test_a_card_without_a_season_offers_to_open_one(staff: Client, duel: Arena) -> None:
    now = database_now()
    Season.objects.update(ends_at=now - timedelta(minutes=1))
    assert "No season is running. Open a new season Open" in arena_part(staff)
    coming = Season.objects.get()
    coming.pk, coming.opened_at, coming.ends_at = None, None, None
    coming.name, coming.starts_at = "Season 2", now + timedelta(days=2)
    coming.save()
    assert "Season 2 starts on" in arena_part(staff)
    Season.objects.filter(opened_at=None).update(starts_at=now + timedelta(days=9))
    Season.objects.exclude(opened_at=None).update(ends_at=now + timedelta(days=3))
    assert f"{duel.seasons.earliest('pk').name}, until" in arena_part(staff)


@pytest.mark.parametrize(
    ("format_", "name"), [("swiss", "Round 2"), ("table", "Round 2"), ("single", "Final")]
)
def test_draw_leads_to_the_draw_that_is_next(
    staff: Client, duel: Arena, olga: Player, format_: str, name: str
) -> None:
    one = opened(duel, olga, format_)
    assert "Spring Cup : the draw is on" in arena_part(staff)
    assert draw_of(staff, one)
    one.delete()
    one = begun(duel, olga, crowd(4), format_)
    assert f"Spring Cup : {name}, from" in arena_part(staff)
    assert draw_of(staff, one) == (format_ == "swiss")
    one.rounds.filter(opened_at=None).delete()
    assert one.rounds.get().opened_at
    assert re.search(r"Spring Cup : (Round 1|Semi-finals), until", arena_part(staff))
    Competition.objects.update(state=Competition.State.CANCELLED)
    assert "Spring Cup" not in arena_part(staff)


def test_each_account_sees_its_arenas_and_what_it_may_do(
    duel: Arena, teams: Arena, olga: Player, alice: Player, bob: Player, eve: Player
) -> None:
    one = opened(duel, olga, "swiss")
    start = run_page(one)
    organiser = with_role(alice, ARENA_ORGANISER, duel)
    assert duel.name in arena_part(organiser)
    assert teams.name not in arena_part(organiser)
    assert start in links(organiser)
    elsewhere = with_role(bob, ARENA_ORGANISER, teams)
    assert duel.name not in arena_part(elsewhere)
    assert start not in links(elsewhere)
    referee = with_role(account("Rita"), "referee")
    shown = arena_part(referee)
    assert duel.name in shown
    assert teams.name in shown
    assert "Enter results" in shown
    assert "Draw" not in shown
    assert one.get_absolute_url() in links(referee)
    moderator = with_role(account("Mona"), "moderator")
    assert "Enter results" not in arena_part(moderator)
    assert "Enter results" not in arena_part(with_role(eve, "editor"))
    plain = user_of(account("Piet"))
    plain.is_staff = True
    plain.save()
    assert "Your arenas" not in words(browser_of(plain.player).get("/admin/"))


def test_drafts_come_last_and_lead_to_their_review(
    staff: Client, duel: Arena, teams: Arena
) -> None:
    Arena.objects.filter(pk=duel.pk).update(is_draft=True)
    shown = arena_part(staff)
    assert shown.index(teams.name) < shown.index(duel.name)
    assert "A draft, which only staff see. Review and publish" in shown
    referee = with_role(account("Rita"), "referee")
    assert duel.name not in arena_part(referee)


def test_a_hundred_arenas_take_no_more_statements_than_one(
    staff: Client, duel: Arena, olga: Player
) -> None:
    opened(duel, olga, "swiss")
    staff.get("/admin/")
    with CaptureQueriesContext(connection) as few:
        assert "Find another arena" not in arena_part(staff)
    for number in range(99):
        opened(arena(f"hall-{number:02}"), olga, "swiss")
    with CaptureQueriesContext(connection) as many:
        shown = arena_part(staff)
    assert len(many) <= len(few)
    assert shown.count("Enter results") == MOST_CARDS
    assert "Find another arena" in shown


def test_arenas_that_play_come_first(staff: Client) -> None:
    now = database_now()
    for number in range(MOST_CARDS + 3):
        over = arena(f"away-{number}")
        Season.objects.filter(arena=over).update(ends_at=now - timedelta(minutes=1))
    arena("zebra")
    assert arena_part(staff).split()[0] == "Zebra"


def test_people_and_competitions_come_before_what_programmers_need(staff: Client) -> None:
    page = words(staff.get("/admin/"))
    groups = ["Play", "Competitions", "People", "Fair play", "Messages", "The league", "Advanced"]
    places = [page.index(f" {group} ") for group in groups]
    assert places == sorted(places)
    assert page.index("Rating events") > places[-1]
