"""Staff change teams in the admin."""

from django.test import Client
from django.urls import reverse

from league.models import Player, StaffAction, TeamMember
from league.services.teams import founding, membership
from tests.support.admin_steps import send, staff
from tests.support.cast import NOW
from tests.support.team_steps import current, joined, team_of

__all__ = ["staff"]


def test_staff_appoint_a_captain_and_the_staff_log_says_so(
    staff: Client, alice: Player, bob: Player, eve: Player
) -> None:
    team = joined(team_of(alice), bob, eve)
    ids = dict(TeamMember.objects.current().filter(team=team).values_list("player__name", "pk"))
    membership.offer_captaincy(team, ids["Eve"], by=alice, now=NOW)
    page = reverse("admin:league_team_change", args=[team.pk])
    send(staff, page, {"captain": str(ids["Bob"]), "_reason": "Alice is gone."})
    team.refresh_from_db()
    assert (current(team)["Bob"], team.successor) == ("captain", None)
    assert StaffAction.objects.filter(reason="Alice is gone.").exists()


def test_staff_read_a_team_that_was_disbanded(staff: Client, alice: Player) -> None:
    team = founding.disband(team_of(alice), by=alice, now=NOW)
    answer = staff.get(reverse("admin:league_team_change", args=[team.pk]))
    assert answer.status_code == 200
    assert staff.get(reverse("admin:league_team_changelist"), {"q": "owl"}).status_code == 200
