"""Filters of the admin's lists: by date, with few rows to choose from, whatever the league has."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from league.admin.core.reach import MOST_LATEST
from league.models import Arena, Player, Season
from league.models.reach import ARENA_ORGANISER
from league.services.dishonor import bans
from league.services.people import roles
from tests.support.admin_steps import browser_of, staff
from tests.support.cast import NOW
from tests.support.result_steps import user_of
from tests.support.season_steps import win

__all__ = ["staff"]


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
