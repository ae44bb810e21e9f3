"""The page of an arena leads to everything about it, and says whom its queue keeps out."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, ArenaQueue, Player, Rating
from league.models.reach import ARENA_ORGANISER
from league.services.people import roles
from tests.support.admin_steps import staff
from tests.support.cast import account
from tests.support.competition_steps import competition
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, words

__all__ = ["staff"]


def buttons(client: Client, arena: Arena) -> dict[str, str]:
    """Return the buttons at the top of an arena's page, by name."""
    page = client.get(reverse("admin:league_arena_change", args=[arena.pk]))
    return {str(label): address for address, label in page.context["places"]}


def test_an_arena_leads_to_its_queue_competitions_and_season(
    staff: Client, duel: Arena, teams: Arena
) -> None:
    queue = ArenaQueue.objects.create(arena=duel)
    one = competition(duel)
    found = buttons(staff, duel)
    assert found == {
        "Queue": reverse("admin:league_arenaqueue_change", args=[queue.pk]),
        "Competitions": f"/admin/league/competition/?season__arena__id__exact={duel.pk}",
        "Season": duel.seasons.get().get_absolute_url(),
        "Starting ratings": reverse("starting_list", args=[duel.slug]),
    }
    answers = {
        label: staff.get(address, follow=True).status_code for label, address in found.items()
    }
    assert set(answers.values()) == {200}, answers
    assert one.name in words(staff.get(found["Competitions"]))
    add = buttons(staff, teams)["Add a queue"]
    assert f'<option value="{teams.pk}" selected>' in staff.get(add).content.decode()
    page = staff.get(reverse("admin:league_arena_change", args=[duel.pk]))
    assert duel.get_absolute_url() in page.content.decode()


def test_an_arena_leads_nobody_where_they_may_not_go(duel: Arena, bob: Player) -> None:
    ArenaQueue.objects.create(arena=duel)
    roles.give(user_of(account("Rita")), ["moderator"], [])
    moderator = browser_of(Player.objects.get(name="Rita"))
    assert list(buttons(moderator, duel)) == ["Season"]
    Arena.objects.filter(pk=duel.pk).update(is_draft=True)
    roles.give(user_of(bob), [ARENA_ORGANISER], [duel])
    assert list(buttons(browser_of(bob), duel)) == ["Queue"]


RULES = {"queue": {"rank_min": 20}}


@pytest.mark.parametrize("source", list(ArenaQueue.RankSource))
def test_a_queue_says_if_nobody_has_the_rank_that_it_asks_for(
    staff: Client, duel: Arena, teams: Arena, alice: Player, source: str
) -> None:
    queue = ArenaQueue.objects.create(arena=duel, rules=RULES, rank_source=source)
    page = reverse("admin:league_arenaqueue_change", args=[queue.pk])
    season, other = duel.seasons.get(), teams.seasons.get()
    Rating.objects.create(season=other, player=alice, rating=1500, games=12)
    Rating.objects.create(season=season, player=alice, rating=1500, games=12)
    Player.objects.update(level=19)
    is_out = source != ArenaQueue.RankSource.SITE
    warning = "Nobody has rank 20 yet, so nobody can join this queue."
    assert (warning in words(staff.get(page))) == is_out
    Player.objects.filter(pk=alice.pk).update(level=20)
    Rating.objects.filter(season=season).update(games=20)
    assert warning not in words(staff.get(page))


def test_presets_say_which_rank_they_ask_for(staff: Client, duel: Arena) -> None:
    needs = "It lets players in from rank 20 on, which nobody has in a new league"
    page = words(staff.get(reverse("admin:league_arena_start")))
    assert page.count(needs) == 1
    assert needs in page.partition("as published for Guild Wars 2")[2].partition("Source")[0]
    queue = ArenaQueue.objects.create(arena=duel)
    form = words(staff.get(reverse("admin:league_arenaqueue_change", args=[queue.pk])))
    assert form.count(needs) == 2  # in and between seasons
    assert "Nobody has rank" not in form
