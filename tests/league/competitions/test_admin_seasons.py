"""The admin suggests the season of a competition: to organisers, seasons of their own arenas."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import Arena, Competition, Player, Season, User
from league.models.reach import ARENA_ORGANISER
from league.services.people import roles
from tests.support.admin_steps import FormReader, form_on, staff
from tests.support.cast import NOW
from tests.support.result_steps import user_of
from tests.support.web_steps import words

__all__ = ["staff"]

ADD = "/admin/league/competition/add/"
DAY = timedelta(days=1)


def past(arena: Arena, name: str, *, archived: bool = False) -> Season:
    """A season of a day, before the arena's first one."""
    first = arena.seasons.earliest("starts_at").starts_at
    return Season.objects.create(
        arena=arena,
        name=name,
        starts_at=first - DAY,
        ends_at=first,
        opened_at=first,
        archived_at=first if archived else None,
        rating_system="elo",
    )


def coming(arena: Arena, *names: str) -> list[Season]:
    """Seasons of a day each, from tomorrow, when the running one ends."""
    tomorrow = timezone.now() + DAY
    arena.seasons.update(ends_at=tomorrow)
    return [
        Season.objects.create(
            arena=arena,
            name=name,
            starts_at=tomorrow + at * DAY,
            ends_at=tomorrow + (at + 1) * DAY,
            rating_system="elo",
        )
        for at, name in enumerate(names)
    ]


def suggested(client: Client, term: str = "", **query: str) -> list[str]:
    answer = client.get(reverse("admin:league_competition_seasons"), {"term": term, **query})
    assert answer.status_code == 200, answer.status_code
    return [each["text"] for each in answer.json()["results"]]


def typed(client: Client, season: Season, start: datetime) -> dict[str, Any]:
    """The form that adds a competition in a season, as the page has it."""
    return {
        **form_on(client, ADD),
        "name": "Cup",
        "season": season.pk,
        "starts_at_0": start.date().isoformat(),
        "starts_at_1": start.time().isoformat("seconds"),
    }


def account(player: Player, role: str, *arenas: Arena) -> Client:
    roles.give(user_of(player), [role], list(arenas))
    User.objects.filter(player=player).update(is_staff=True)
    client = Client()
    client.force_login(User.objects.get(player=player))
    return client


def test_seasons_are_found_by_words_of_their_name_and_their_arenas(
    staff: Client, duel: Arena, teams: Arena
) -> None:
    coming(duel, "Spring", "Summer")
    coming(teams, "Spring")
    assert suggested(staff, "spring") == ["Duel · Spring", "Teams · Spring"]
    assert suggested(staff, "SPR duel") == ["Duel · Spring"]
    assert suggested(staff, "winter") == []


def test_the_running_season_is_suggested_before_those_to_come(staff: Client, duel: Arena) -> None:
    running = str(duel.seasons.get())
    coming(duel, "Spring", "Summer")
    assert suggested(staff, "duel") == [running, "Duel · Spring", "Duel · Summer"]


def test_a_form_begins_in_the_only_running_season_of_where_people_came_from(
    staff: Client, duel: Arena, teams: Arena, olga: Player
) -> None:
    def chosen(client: Client, **query: str) -> int | None:
        form: Any = client.get(ADD, query).context["adminform"].form
        return form["season"].value()  # type: ignore[no-any-return]

    running = duel.seasons.get()
    coming(duel, "Spring")
    assert chosen(staff) is None
    where = f"season__arena__id__exact={duel.pk}"
    assert chosen(staff, _changelist_filters=where) == running.pk
    assert chosen(staff, _changelist_filters="season__arena__id__exact=x'") is None
    assert chosen(account(olga, ARENA_ORGANISER, duel)) == running.pk
    teams.seasons.all().delete()
    assert chosen(staff) == running.pk
    page = staff.get(ADD, {"season": running.pk}).content.decode()
    assert f"&amp;season={running.pk}" in page, "the presets forget the season"


@pytest.mark.parametrize("archived", [True, False])
def test_seasons_that_are_over_are_not_suggested(
    staff: Client, duel: Arena, archived: bool
) -> None:
    past(duel, "Spring", archived=archived)
    assert suggested(staff, "spring") == []


@pytest.mark.parametrize("archived", [True, False])
def test_a_season_that_is_over_is_refused_with_a_way_on(
    staff: Client, duel: Arena, archived: bool
) -> None:
    over = past(duel, "Spring", archived=archived)
    refused = staff.post(ADD, typed(staff, over, timezone.now() + 2 * DAY))
    [error] = refused.context["adminform"].form.errors["season"]
    assert error.startswith("Duel · Spring is over. Choose a season that is not, or open a new one")
    assert not Competition.objects.exists()


def test_a_season_that_is_over_by_the_first_round_is_refused(staff: Client, duel: Arena) -> None:
    [spring] = coming(duel, "Spring")
    refused = staff.post(ADD, typed(staff, spring, timezone.now() + 3 * DAY))
    [error] = refused.context["adminform"].form.errors["starts_at"]
    assert error.startswith("Duel · Spring is over by then. Choose an earlier first round")
    sent = typed(staff, spring, timezone.now() + 1.5 * DAY)
    page = words(staff.post(ADD, sent, follow=True))
    assert "was added successfully" in page
    assert "This is a draft. Open it for entries, and enter people." in page


def test_a_draft_whose_season_is_over_keeps_it_while_other_things_change(
    staff: Client, duel: Arena
) -> None:
    one = Competition.objects.create(season=past(duel, "Spring"), name="Cup", starts_at=NOW)
    address = reverse("admin:league_competition_change", args=[one.pk])
    assert staff.post(address, {**form_on(staff, address), "name": "Trophy"}).status_code == 302
    assert Competition.objects.get().name == "Trophy"


def test_a_long_list_comes_in_pages_and_not_with_the_form(staff: Client, duel: Arena) -> None:
    coming(duel, *(f"Week {number}" for number in range(45)))
    address = reverse("admin:league_competition_seasons")
    pages = [staff.get(address, {"page": page}).json() for page in (1, 2, 3)]
    assert [len(page["results"]) for page in pages] == [20, 20, 6]
    assert [page["pagination"]["more"] for page in pages] == [True, True, False]
    assert address in staff.get(ADD).content.decode()


@pytest.mark.parametrize("query", [{"term": "\0"}, {"term": "%_" * 4000}, {"page": "-1"}])
def test_a_request_that_makes_no_sense_is_no_fault(
    staff: Client, duel: Arena, query: dict[str, str]
) -> None:
    answer = staff.get(reverse("admin:league_competition_seasons"), query)
    assert answer.status_code in {200, 400, 404}


def test_an_organiser_of_arenas_is_suggested_no_season_of_another(
    duel: Arena, teams: Arena, bob: Player
) -> None:
    [other] = coming(teams, "Spring")
    organiser = account(bob, ARENA_ORGANISER, duel)
    own = duel.seasons.get()
    assert suggested(organiser) == [str(own)]
    assert suggested(organiser, "spring") == []
    assert suggested(organiser, "teams") == []
    assert str(other) not in organiser.get(ADD).content.decode()
    start = timezone.now() + 1.5 * DAY
    refused = organiser.post(ADD, typed(organiser, other, start))
    assert "season" in refused.context["adminform"].form.errors
    assert organiser.post(ADD, typed(organiser, own, start)).status_code == 302
    assert Competition.objects.get().season.arena == duel


def test_who_may_see_all_seasons_but_run_no_competition_is_suggested_none(
    duel: Arena, bob: Player
) -> None:
    referee = account(bob, "referee")
    assert referee.get(reverse("admin:league_competition_seasons")).status_code == 403


def test_the_shared_suggestions_of_the_admin_name_no_seasons(
    duel: Arena, bob: Player, staff: Client
) -> None:
    about = {"app_label": "league", "model_name": "competition", "field_name": "season"}
    for client in (staff, account(bob, ARENA_ORGANISER, duel)):
        assert client.get(reverse("admin:autocomplete"), about).status_code == 403


def plain_part(page: str) -> str:
    """The part of the form that browsers without scripts show."""
    return page.split("<noscript><select", 1)[1].split("</noscript>", 1)[0]


def test_without_scripts_a_season_that_is_not_over_can_be_chosen(
    staff: Client, duel: Arena
) -> None:
    past(duel, "Spring")
    listed = plain_part(staff.get(ADD).content.decode())
    assert str(duel.seasons.latest("starts_at")) in listed
    assert "Spring" not in listed


def test_a_draft_keeps_its_season_and_an_open_competition_offers_no_other(
    staff: Client, duel: Arena
) -> None:
    season = past(duel, "Spring", archived=True)
    one = Competition.objects.create(season=season, name="Cup", starts_at=NOW)
    address = reverse("admin:league_competition_change", args=[one.pk])
    page = staff.get(address).content.decode()
    reader = FormReader()
    reader.feed(page)
    assert reader.values["season"] == str(season.pk)
    assert f'<option value="{season.pk}" selected>' in plain_part(page)
    Competition.objects.update(state=Competition.State.REGISTRATION)
    assert "<noscript><select" not in staff.get(address).content.decode()
