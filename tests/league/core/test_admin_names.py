"""Fields of the admin that suggest rows take a whole name where no script runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from league.models import Arena, Player, Roster
from league.models.reach import ARENA_ORGANISER
from league.services.people import roles
from tests.support.admin_steps import browser_of, errors_of, form_on, may, staff
from tests.support.cast import roster
from tests.support.result_steps import user_of

if TYPE_CHECKING:
    from django.test import Client

__all__ = ["staff"]

pytestmark = pytest.mark.django_db
ADD = "/admin/league/roster/add/"


def without_scripts(client: Client, url: str) -> dict[str, str]:
    return {**form_on(client, url, runs_scripts=False), "_save": "Save"}


def page_of(one: Roster) -> str:
    return reverse("admin:league_roster_change", args=[one.pk])


def test_a_roster_is_made_with_typed_names(
    staff: Client, teams: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    form = without_scripts(staff, ADD)
    form |= {"name": "Owls", "arena-name": "teams", "captain-name": " ALICE "}
    form |= {"memberships-0-player-name": "Bob", "memberships-1-player-name": "Charlie"}
    assert staff.post(ADD, form).status_code == 302
    owls = Roster.objects.get(name="Owls")
    assert (owls.arena, owls.captain) == (teams, alice)
    assert {row.player for row in owls.memberships.all()} == {alice, bob, charlie}


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


def test_with_scripts_the_number_of_the_chosen_row_counts(
    staff: Client, teams: Arena, alice: Player, bob: Player
) -> None:
    owls = roster(teams, "Owls", alice, bob)
    form = form_on(staff, page_of(owls))
    assert "captain-name" not in form
    assert staff.post(page_of(owls), {**form, "captain": bob.pk, "_save": "1"}).status_code == 302
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


def test_the_page_that_merges_players_suggests_them(
    alice: Player, bob: Player, charlie: Player
) -> None:
    address = reverse("admin:league_player_merge_names")
    merger = browser_of(may("Olga", "merge_player", "view_player"))
    found = merger.get(address, {"kept": "LIC"}).content.decode()
    assert 'value="Alice"' in found
    assert "Bob" not in found
    assert 'value="Charlie"' in merger.get(address, {"merged": "char"}).content.decode()
    assert merger.get(address, {"merged": "  "}).content.decode().strip() == ""
    page = merger.get(reverse("admin:league_player_merge")).content.decode()
    assert page.count(f'hx-get="{address}"') == 2
    assert '<datalist id="player-names">' in page
    reader = browser_of(may("Rita", "view_player"))
    assert reader.get(address, {"kept": "al"}).status_code == 403
