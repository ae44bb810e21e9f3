"""Fields of the admin that suggest rows take a whole name where no script runs."""

from django.test import Client
from django.urls import reverse

from league.models import Arena, Player, Roster
from league.models.reach import ARENA_ORGANISER
from league.services.people import roles
from tests.support.admin_steps import browser_of, errors_of, form_on, staff
from tests.support.cast import roster
from tests.support.result_steps import user_of

__all__ = ["staff"]

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
