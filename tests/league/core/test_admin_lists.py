"""Long lists of the admin: they are counted up to a number, and searched by an index."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib import admin
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.timezone import override

from league.admin.core import lists
from league.admin.core.months import month_start, periods
from league.admin.core.reach import MOST_LATEST
from league.models import Arena, Player, Roster, Season
from league.models.reach import ARENA_ORGANISER
from league.services.dishonor import bans
from league.services.people import roles
from tests.support.admin_steps import browser_of, errors_of, form_on, messages_of, staff
from tests.support.cast import NOW, account, roster
from tests.support.result_steps import user_of
from tests.support.season_steps import win

__all__ = ["staff"]

PLAYERS = "/admin/league/player/"


@pytest.fixture
def few_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "MOST_COUNTED", 2)


def names_on(page: str) -> list[str]:
    return [one.name for one in Player.objects.all() if f">{one.name}</a>" in page]


def test_a_long_list_says_that_it_has_more_and_offers_no_action_on_all(
    staff: Client, alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admin.site.get_model_admin(Player), "list_per_page", 1)
    page = staff.get(PLAYERS).content.decode()
    assert "3 players" in page
    assert "Select all 3 players" in page
    monkeypatch.setattr(lists, "MOST_COUNTED", 2)
    page = staff.get(PLAYERS).content.decode()
    assert "More than 2 players" in page
    assert "Select all 2 players" not in page
    assert "?p=2" in page
    assert "?p=3" not in page
    assert "1 player" in staff.get(PLAYERS, {"q": "lice"}).content.decode()


def test_nobody_acts_on_all_rows_of_a_long_list(
    staff: Client, alice: Player, bob: Player, charlie: Player, few_are_counted: None
) -> None:
    sent = {"action": "delete_selected", "select_across": "1", "_selected_action": [alice.pk]}
    answer = staff.post(PLAYERS, {**sent, "post": "yes"})
    assert answer.status_code == 302
    assert "too long" in messages_of(answer)
    assert Player.objects.filter(pk=alice.pk).exists()
    filtered = staff.post(f"{PLAYERS}?q=alice", sent)
    assert filtered.status_code == 200
    assert "Alice" in filtered.content.decode()


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("andre", ["André the Great"]),
        ("GREAT andr", ["André the Great"]),
        ("he", ["André the Great"]),
        ("great zeta", []),
        ("%", []),
        ("grea_", []),
    ],
)
def test_players_are_found_by_parts_of_their_name(
    staff: Client, typed: str, found: list[str]
) -> None:
    account("André the Great")
    account("Zeta")
    assert names_on(staff.get(PLAYERS, {"q": typed}).content.decode()) == found


def test_a_word_of_three_letters_is_searched_by_an_index(staff: Client) -> None:
    account("André the Great")
    with CaptureQueriesContext(connection) as asked:
        staff.get(PLAYERS, {"q": "andre"})
    assert any("league_trigrams" in one["sql"] for one in asked.captured_queries)


# Matches by month in the admin, without reading all of them.


def test_the_last_months_and_the_years_before_are_offered() -> None:
    first, last = datetime(2023, 5, 1, tzinfo=UTC), datetime(2026, 2, 9, tzinfo=UTC)
    found = [value for value, _ in periods(first, last)]
    assert found[:3] == ["2026-02", "2026-01", "2025-12"]
    assert found[11:] == ["2025-03", "2025", "2024", "2023"]
    assert [value for value, _ in periods(last, last)] == ["2026-02"]
    with override(UTC):
        assert month_start(2025, 13) == datetime(2026, 1, 1, tzinfo=UTC)


# Filters of the admin's lists: by date, with few rows to choose from, whatever the league has.


INDEXED = {
    "league_arrangement": ("play_at", "arrangement_play_at"),
    "league_player": ("created_at", "player_created"),
    "league_pointentry": ("at", "points_at"),
    "league_user": ("date_joined", "account_joined"),
}
"""Tables that have no limit, with the index of their dates."""


def list_of(model: str) -> str:
    return reverse(f"admin:league_{model}_changelist")


def filters_of(response: Any) -> dict[str, list[str]]:
    """Return the choices of each filter of a list."""
    assert response.status_code == 200
    changes = response.context["cl"]
    return {
        str(each.title): [str(choice["display"]) for choice in each.choices(changes)]
        for each in changes.filter_specs
    }


@pytest.mark.parametrize("table", INDEXED)
def test_an_index_knows_the_dates_of_long_lists(table: str) -> None:
    field, index = INDEXED[table]
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN SELECT count(*) FROM {table} WHERE {field} > now()")
        assert index in str(cursor.fetchall())


def seasons(place: Arena, count: int) -> list[Season]:
    first = place.seasons.get()
    made = [
        Season(
            arena=place,
            name=f"{place.name} {number}",
            starts_at=first.starts_at - timedelta(days=2 * number + 2),
            ends_at=first.starts_at - timedelta(days=2 * number + 1),
            opened_at=first.starts_at - timedelta(days=2 * number + 2),
            archived_at=first.starts_at,
            rating_system=first.rating_system,
            rating_parameters=first.rating_parameters,
            rules=first.rules,
        )
        for number in range(count)
    ]
    return Season.objects.bulk_create(made)


@pytest.mark.parametrize("model", ["rating", "ratingevent", "pointentry"])
def test_the_filter_by_season_names_the_latest_and_the_chosen_one(
    staff: Client, duel: Arena, teams: Arena, model: str
) -> None:
    old, *_others = seasons(duel, MOST_LATEST + 5)
    seasons(teams, MOST_LATEST + 5)
    listed = filters_of(staff.get(list_of(model)))["season"]
    assert len(listed) <= MOST_LATEST + 2
    assert not any("Duel" in name for name in listed)
    here = {"season__arena__id__exact": duel.pk}
    listed = filters_of(staff.get(list_of(model), here))["season"]
    assert not any("Teams" in name for name in listed)
    assert str(old) not in listed
    listed = filters_of(staff.get(list_of(model), {"season__id__exact": old.pk}))["season"]
    assert str(old) in listed


def test_an_organiser_is_offered_only_seasons_of_their_arenas(
    duel: Arena, teams: Arena, bob: Player
) -> None:
    seasons(teams, 3)
    roles.give(user_of(bob), [ARENA_ORGANISER], [duel])
    organiser = browser_of(user_of(Player.objects.get(pk=bob.pk)))
    elsewhere = {"season__id__exact": teams.seasons.earliest("pk").pk}
    for query in ({}, elsewhere, {"season__arena__id__exact": teams.pk}):
        listed = filters_of(organiser.get(list_of("rating"), query)).get("season", [])
        assert not any("Teams" in name for name in listed)


def test_players_are_filtered_by_ban_and_account(
    staff: Client, duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    win(duel, alice, bob)
    Player.objects.create(name="Imported")
    bans.ban(bob, arena=duel, reason="Insults", by=user_of(olga), now=NOW)

    def shown(**query: str) -> set[str]:
        return {row.name for row in staff.get(list_of("player"), query).context["cl"].result_list}

    assert shown(banned="now") == {"Bob"}
    assert shown(user__isempty="1") == {"Imported"}


# Fields of the admin that suggest rows take a whole name where no script runs.


ADD = "/admin/league/roster/add/"


def without_scripts(client: Client, url: str) -> dict[str, str]:
    return {**form_on(client, url, runs_scripts=False), "_save": "Save"}


def page_of(one: Roster) -> str:
    return reverse("admin:league_roster_change", args=[one.pk])


def test_an_unknown_name_is_refused_beside_its_field_and_kept(
    staff: Client, teams: Arena, alice: Player
) -> None:
    form = without_scripts(staff, ADD)
    form |= {"name": "Owls", "arena-name": "Teams", "captain-name": "Alise <3"}
    answer = staff.post(ADD, form)
    assert errors_of(answer) == {"captain": ["“Alise <3” was not found. Give the whole name."]}
    page = answer.content.decode()
    assert 'name="captain-name" value="Alise &lt;3"' in page
    assert 'name="arena-name" value="Teams"' in page


def test_a_number_is_a_name_and_not_the_number_of_a_row(
    staff: Client, teams: Arena, alice: Player
) -> None:
    form = without_scripts(staff, ADD)
    form |= {"name": "Owls", "arena-name": "Teams", "captain-name": str(alice.pk)}
    assert "captain" in errors_of(staff.post(ADD, form))
    assert not Roster.objects.exists()


def test_an_unchanged_form_changes_nothing_and_an_emptied_name_is_missed(
    staff: Client, teams: Arena, alice: Player, bob: Player
) -> None:
    owls = roster(teams, "Owls", alice, bob)
    form = without_scripts(staff, page_of(owls))
    assert form["captain-name"] == "Alice"
    assert staff.post(page_of(owls), form).status_code == 302
    owls.refresh_from_db()
    assert (owls.arena, owls.captain) == (teams, alice)
    missed = staff.post(page_of(owls), {**form, "captain-name": ""})
    assert errors_of(missed) == {"captain": ["This field is required."]}
    changed = staff.post(page_of(owls), {**form, "captain-name": "bob"})
    assert changed.status_code == 302
    owls.refresh_from_db()
    assert owls.captain == bob


def test_an_organiser_of_arenas_cannot_name_another_arena(
    duel: Arena, teams: Arena, alice: Player, bob: Player
) -> None:
    roles.give(user_of(bob), [ARENA_ORGANISER], [duel])
    organiser = browser_of(user_of(bob))
    form = without_scripts(organiser, ADD)
    form |= {"name": "Owls", "arena-name": "Teams", "captain-name": "Alice"}
    assert "arena" in errors_of(organiser.post(ADD, form))
    assert not Roster.objects.exists()


# Every page of the admin obeys the strict content policy.


admin.autodiscover()


@pytest.mark.parametrize("number", ["NaN", "abc"])
def test_a_forged_key_gets_a_message(staff: Client, number: str) -> None:
    forged = {"action": "merge_selected", "_selected_action": [number]}
    answer = staff.post(reverse("admin:league_player_changelist"), forged)
    assert answer.status_code == 400
    assert "text where a number belongs" in answer.text
    answer = staff.post(reverse("admin:league_announcement_add"), {"arena": number})
    assert errors_of(answer)["arena"] == [f"{number} was not found. Give the whole name."]


@pytest.mark.parametrize(
    "sent",
    [
        {"month": "9" * 23},
        {"month": "9999"},
        {"month": "9999-12"},
        {"month": "1"},
        {"q": "9" * 5000},
        {"arena": "9" * 5000},
    ],
)
def test_numbers_of_any_size_in_a_list_are_no_error_of_the_site(
    staff: Client, sent: dict[str, str]
) -> None:
    answer = staff.get(reverse("admin:league_staffaction_changelist"), sent)
    assert answer.status_code in {200, 302, 400}
