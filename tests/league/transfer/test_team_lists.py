"""Olga pastes the teams of a league with their members, who have no account."""

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from league.models import (
    Arena,
    FileImport,
    Notice,
    Player,
    Roster,
    RosterMember,
    Team,
    TeamMember,
)
from league.services.teams import founding, moderating
from league.services.transfer.files import round_trips
from league.services.transfer.files.team_imports import free_tag
from tests.league.transfer.test_admin_imports import press
from tests.league.transfer.test_pasted_lists import columns, paste
from tests.support.admin_steps import staff
from tests.support.cast import NOW, account, roster
from tests.support.team_steps import current, joined, team_of

__all__ = ["staff"]

LIST = "Owls: Ann, Bob, Cem\nRed Kites: Dan, Eva"


def bring(staff: Client, arena: Arena, text: str) -> FileImport:
    """Paste a list of teams, check it and import it."""
    file = paste(staff, arena, text, "teams")
    press(staff, file, columns(file))
    press(staff, file, {"import": "1"})
    return file


def roles(name: str) -> dict[str, str]:
    return current(Team.objects.get(name=name))


def everything() -> list[list[object]]:
    """Return all that an import of teams may write."""
    return [
        list(Team.objects.order_by("pk").values_list("name", "tag")),
        list(TeamMember.objects.order_by("pk").values_list("team__name", "player__name", "role")),
        list(Roster.objects.order_by("pk").values_list("name", "captain__name", "team__name")),
        list(RosterMember.objects.order_by("pk").values_list("roster__name", "player__name")),
        list(Player.objects.order_by("pk").values_list("name", flat=True)),
    ]


def test_the_list_of_teams_leads_to_the_import(staff: Client, teams: Arena) -> None:
    address = reverse("admin:league_arena_import", args=[teams.pk]) + "?what=teams"
    page = staff.get(reverse("admin:league_team_changelist")).content.decode()
    assert address in page
    assert '<option value="teams" selected>' in staff.get(address).content.decode()


def test_teams_are_pasted_checked_brought_and_undone(staff: Client, teams: Arena) -> None:
    before = everything()
    file = paste(staff, teams, LIST, "teams")
    seen = press(staff, file, columns(file))
    assert "new team" in seen
    assert "Ann, Bob, Cem" in seen
    assert everything() == before
    press(staff, file, {"import": "1"})
    assert roles("Owls") == {"Ann": "captain", "Bob": "player", "Cem": "player"}
    assert roles("Red Kites") == {"Dan": "captain", "Eva": "player"}
    owls = Roster.objects.get(name="Owls")
    assert (owls.team, str(owls.captain), owls.arena) == (
        Team.objects.get(name="Owls"),
        "Ann",
        teams,
    )
    assert sorted(map(str, owls.members.all())) == ["Ann", "Bob", "Cem"]
    assert set(Team.objects.values_list("tag", flat=True)) == {"OWL", "RK"}
    press(staff, file, {"undo": "1", "reason": "The wrong list."})
    assert everything() == before


def test_where_everyone_plays_alone_teams_have_no_rosters(staff: Client, duel: Arena) -> None:
    bring(staff, duel, LIST)
    assert roles("Owls") == {"Ann": "captain", "Bob": "player", "Cem": "player"}
    assert not Roster.objects.exists()


def test_new_members_join_a_team_that_is_there_and_leave_by_undoing(
    staff: Client, teams: Arena, alice: Player, bob: Player
) -> None:
    team = joined(team_of(alice), bob)
    before = everything()
    file = bring(staff, teams, f"{team.name}: Bob, Cem")
    assert current(team) == {"Alice": "captain", "Bob": "player", "Cem": "player"}
    assert sorted(map(str, Roster.objects.get(team=team).members.all())) == ["Bob", "Cem"]
    press(staff, file, {"undo": "1", "reason": "The wrong list."})
    assert everything() == before


def test_a_roster_without_a_team_becomes_one_of_the_new_team(
    staff: Client, teams: Arena, alice: Player, bob: Player
) -> None:
    own = roster(teams, "Owls", alice, bob)
    before = everything()
    wrong = paste(staff, teams, "Owls: Alice, Cem", "teams")
    assert "has other members: Bob" in press(staff, wrong, columns(wrong))
    file = bring(staff, teams, "Owls: Alice, Bob, Cem")
    own.refresh_from_db()
    assert own.team == Team.objects.get(name="Owls")
    assert own.members.count() == 3
    press(staff, file, {"undo": "1", "reason": "The wrong list."})
    assert everything() == before


def test_the_same_list_again_changes_nothing(staff: Client, teams: Arena) -> None:
    bring(staff, teams, LIST)
    before = everything()
    file = paste(staff, teams, LIST, "teams")
    assert "2 are already here and stay as they are" in press(staff, file, columns(file))
    assert everything() == before


def test_an_exported_list_changes_nothing(staff: Client, teams: Arena) -> None:
    bring(staff, teams, LIST)
    header, rows = round_trips.export(teams, "teams")
    lines = ["\t".join(header), *("\t".join(map(str, row)) for row in rows)]
    file = paste(staff, teams, "\n".join(lines), "teams")
    assert "2 are already here" in press(staff, file, columns(file))


def test_a_likely_double_can_be_chosen(staff: Client, teams: Arena) -> None:
    known = account("Inès Solé")
    file = paste(staff, teams, "Owls: Ines Sole, Ben", "teams")
    assert "Inès Solé" in press(staff, file, columns(file))
    press(staff, file, {"names": "1", "name-0": str(known.pk)})
    press(staff, file, {"import": "1"})
    assert roles("Owls") == {"Inès Solé": "captain", "Ben": "player"}
    assert Notice.objects.filter(player=known, kind="team_changed").exists()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Owls: Ann, Bob\nKites: Bob, Cem", "plays for Owls in this arena"),
        ("Old Owls: Ann", "Old Owls was disbanded."),
        (f"{'x' * 200}: Ann", "at most 60 characters"),
        ("Owls: Ann\nOw1s: Bob", ""),
        ("Owls: " + ", ".join(f"Player {n}" for n in range(101)), "at most 100 members"),
        ("Owls:", "Name the roster and its members."),
    ],
)
def test_wrong_lines_are_named_and_change_nothing(
    staff: Client, teams: Arena, alice: Player, text: str, problem: str
) -> None:
    old = founding.found("Old Owls", "OO", ("#112233", "#445566"), by=alice, now=NOW)
    moderating.disband(old, NOW)
    before = everything()
    file = paste(staff, teams, text, "teams")
    seen = press(staff, file, columns(file))
    assert problem in seen
    assert everything() == before


def test_what_was_used_since_cannot_be_undone(staff: Client, teams: Arena) -> None:
    file = bring(staff, teams, LIST)
    team = Team.objects.get(name="Owls")
    moderating.make_captain(team, team.members.get(player__name="Bob"), NOW)
    before = everything()
    answer = staff.post(
        reverse("admin:league_fileimport_change", args=[file.pk]), {"undo": "1", "reason": "No."}
    )
    assert answer.status_code == 302
    assert everything() == before


@given(st.lists(st.text("ab ßŉ1-日🎲ǆ", min_size=1, max_size=20), max_size=30))
@pytest.mark.django_db
def test_every_team_gets_a_tag_of_its_own(names: list[str]) -> None:
    taken: set[str] = set()
    for name in names:
        tag = free_tag(name, taken)
        assert tag == tag.upper()
        assert 2 <= len(tag) <= 5
        assert tag.casefold() not in taken
        taken.add(tag.casefold())
