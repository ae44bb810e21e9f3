"""The permission table of teams, on the pages and in the API. Alice leads the team."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone

from league.models import Roster, RosterMember, Team, TeamMember
from league.services.teams import founding, inviting, pictures
from tests.support.permission_objects import Fields, alices_owls, in_teams
from tests.support.permission_roles import LOGGED_IN, OPEN, Row
from tests.support.pictures import upload
from tests.support.team_steps import COLOURS

if TYPE_CHECKING:
    from tests.support.permission_roles import World

LEADING = "login forbidden ok forbidden forbidden forbidden"
LEAVING = "login forbidden refused ok forbidden forbidden"  # Alice leads it
REFUSED_BUT_FOR_EVE = "login ok refused refused refused refused"


def alices_team(world: World) -> Team:
    """A team that Alice leads and Charlie is in."""
    if "team" not in world.extras:
        now = timezone.now()
        team = founding.found("Night Owls", "OWL", COLOURS, by=world.alice, now=now)
        TeamMember.objects.create(team=team, player=world.charlie, joined_at=now)
        world.extras["team"] = team
    made: Team = world.extras["team"]
    return made


def of_the_team(world: World) -> Fields:
    return {"pk": alices_team(world).pk}


def charlies_place(world: World) -> Fields:
    place = alices_team(world).members.get(player=world.charlie)
    return of_the_team(world) | {"member_id": place.pk}


def eves_invitation_to_the_team(world: World) -> Fields:
    if "team_invitation" not in world.extras:
        world.extras["team_invitation"] = inviting.invite(
            alices_team(world), world.eve, by=world.alice, now=timezone.now()
        )
    return {"pk": world.extras["team_invitation"].pk}


def withdrawn(world: World) -> Fields:
    invitation = eves_invitation_to_the_team(world)["pk"]
    return of_the_team(world) | {"invitation_id": invitation}


def a_link(world: World) -> Fields:
    if "team_link" not in world.extras:
        world.extras["team_link"] = inviting.make_link(
            alices_team(world), 5, by=world.alice, now=timezone.now()
        )
    return {"token": inviting.token_of(world.extras["team_link"])}


def a_picture(world: World) -> Fields:
    team = alices_team(world)
    if not team.picture:
        pictures.upload(team, upload(), by=world.alice, now=timezone.now())
        team.refresh_from_db()
    return of_the_team(world) | {"digest": team.picture}


def a_team_roster(world: World) -> Fields:
    """A roster of the team."""
    if "team_roster" not in world.extras:
        where = alices_owls(world).arena
        barn = Roster.objects.create(
            arena=where, name="Barn", captain=world.alice, team=alices_team(world)
        )
        world.extras["team_roster"] = barn
    return of_the_team(world) | {"roster_id": world.extras["team_roster"].pk}


def alices_own_roster(world: World) -> Fields:
    """A roster that Alice leads without a team."""
    if "strays" not in world.extras:
        where = alices_owls(world).arena
        strays = Roster.objects.create(arena=where, name="Strays", captain=world.alice)
        RosterMember.objects.create(roster=strays, player=world.alice)
        world.extras["strays"] = strays
    return {"roster": world.extras["strays"].pk}


def that_rates_teams(world: World) -> Fields:
    season = alices_owls(world).arena.seasons.get()
    season.rules["teams"] = {"rate": True}
    season.save(update_fields=["rules"])
    return in_teams(world)


def a_founding(_world: World) -> Fields:
    colour, second = COLOURS
    return {"name": "Barn Birds", "tag": "BARN", "colour": colour, "second_colour": second}


def a_line_up(world: World) -> Fields:
    return {
        "arena": alices_owls(world).arena_id,
        "name": "Night Owls",
        "members": [world.alice.pk],
        "captain": world.alice.pk,
    }


def charlie_in_the_team(world: World) -> Fields:
    return of_the_team(world) | {"player": world.charlie.pk}


def offered_to_charlie(world: World) -> Fields:
    team = alices_team(world)
    team.successor = world.charlie
    team.save(update_fields=["successor"])
    return {"pk": team.pk}


def withdrawn_by_program(world: World) -> Fields:
    return of_the_team(world) | {"invitation": eves_invitation_to_the_team(world)["pk"]}


def a_changed_line_up(world: World) -> Fields:
    return {name: value for name, value in a_line_up(world).items() if name != "arena"}


def a_line_up_by_program(world: World) -> Fields:
    return a_line_up(world) | {"arena": alices_owls(world).arena.slug}


def the_roster_by_program(world: World) -> Fields:
    return of_the_team(world) | {"roster": a_team_roster(world)["roster_id"]}


TEAMS = [
    Row("teams", "GET", OPEN),
    Row("team_calendar", "GET", OPEN, where=of_the_team),
    Row("team", "GET", OPEN, where=of_the_team),
    Row("team_picture", "GET", OPEN, where=a_picture),
    Row("team_board", "GET", OPEN, where=that_rates_teams),
    Row("my_teams", "GET", LOGGED_IN),
    Row("team_new", "GET", LOGGED_IN),
    Row("team_new", "POST", LOGGED_IN, data=a_founding),
    Row("team_join", "GET", LOGGED_IN, where=a_link),
    Row("team_join", "POST", LOGGED_IN, where=a_link),
    Row("team_answer", "GET", LOGGED_IN, where=eves_invitation_to_the_team),
    Row(
        "team_answer",
        "POST",
        REFUSED_BUT_FOR_EVE,
        where=eves_invitation_to_the_team,
        data=lambda world: {"answer": "accept"},
    ),
    Row("team_edit", "GET", LEADING, where=of_the_team),
    Row("team_edit", "POST", LEADING, where=of_the_team, data=a_founding),
    Row(
        "api:team-picture",
        "PUT",
        LEADING.replace("ok", "refused"),  # JSON is no picture
        where=of_the_team,
    ),
    Row("api:team-picture", "DELETE", LEADING, where=of_the_team),
    Row("team_upload", "GET", LOGGED_IN, where=of_the_team),
    Row(
        "team_upload",
        "POST",
        LEADING,
        where=of_the_team,
        data=lambda world: {"action": "remove"},
    ),
    Row("team_manage", "GET", LEADING, where=of_the_team),
    Row("team_manage", "POST", LEADING, where=of_the_team, data=lambda world: {"player": "Frank"}),
    Row("team_member", "GET", LOGGED_IN, where=charlies_place),
    Row(
        "team_member",
        "POST",
        LEADING,
        where=charlies_place,
        data=lambda world: {"action": "role", "role": "coach"},
    ),
    Row("team_captaincy", "GET", LOGGED_IN, where=of_the_team),
    Row(
        "team_captaincy",
        "POST",
        LEADING,
        where=of_the_team,
        data=lambda world: {"answer": "withdraw"},
    ),
    Row("team_withdraw", "GET", LOGGED_IN, where=withdrawn),
    Row("team_withdraw", "POST", LEADING, where=withdrawn),
    Row("team_leave", "GET", LOGGED_IN, where=of_the_team),
    Row("team_leave", "POST", LEAVING, where=of_the_team),
    Row("team_disband", "GET", LOGGED_IN, where=of_the_team),
    Row("team_disband", "POST", LEADING, where=of_the_team, data=lambda world: {"tag": "OWL"}),
    Row("team_roster_new", "GET", LEADING, where=of_the_team),
    Row("team_roster_new", "POST", LEADING, where=of_the_team, data=a_line_up),
    Row("team_roster", "GET", LEADING, where=a_team_roster),
    Row("team_roster", "POST", LEADING, where=a_team_roster, data=a_line_up),
    Row("team_adopt", "GET", LOGGED_IN, where=of_the_team),
    Row(
        "team_adopt",
        "POST",
        LEADING,
        where=of_the_team,
        data=alices_own_roster,
    ),
    Row("stand_in", "GET", LOGGED_IN, where=in_teams),
    Row("stand_in", "POST", LOGGED_IN, where=in_teams, data=lambda world: {"offer": "yes"}),
    Row("api:stand-in", "PUT", LOGGED_IN, where=in_teams),
    Row("api:stand-in", "DELETE", LOGGED_IN, where=in_teams),
    Row("api:teams", "GET", OPEN),
    Row("api:teams", "POST", LOGGED_IN, data=a_founding),
    Row("api:team", "GET", OPEN, where=of_the_team),
    Row("api:team", "PATCH", LEADING, where=of_the_team, data=a_founding),
    Row("api:team-board", "GET", OPEN, where=that_rates_teams),
    Row("api:team-follow", "PUT", LOGGED_IN, where=of_the_team),
    Row("api:team-follow", "DELETE", LOGGED_IN, where=of_the_team),
    Row("api:team-disband", "POST", LEADING, where=of_the_team, data=lambda world: {"tag": "OWL"}),
    Row("api:team-leave", "POST", LEAVING, where=of_the_team),
    Row(
        "api:team-captaincy",
        "POST",
        LEADING,
        where=of_the_team,
        data=lambda world: {"player": world.charlie.pk},
    ),
    Row("api:team-captaincy", "DELETE", LEADING, where=of_the_team),
    Row(
        "api:team-captaincy-answer",
        "POST",
        "login refused refused ok refused refused",  # offered to Charlie
        where=offered_to_charlie,
        data=lambda world: {"accept": False},
    ),
    Row("api:team-invitations", "GET", LEADING, where=of_the_team),
    Row("api:team-invitations", "POST", LEADING, where=of_the_team, data=lambda _: {"places": 2}),
    Row("api:team-invitation", "DELETE", LEADING, where=withdrawn_by_program),
    Row(
        "api:team-member",
        "PATCH",
        LEADING,
        where=charlie_in_the_team,
        data=lambda _: {"role": "coach"},
    ),
    Row("api:team-member", "DELETE", LEADING, where=charlie_in_the_team),
    Row("api:team-rosters", "POST", LEADING, where=of_the_team, data=a_line_up_by_program),
    Row("api:team-roster", "PUT", LEADING, where=the_roster_by_program, data=a_changed_line_up),
    Row("api:team-adopt", "POST", LEADING, where=of_the_team, data=alices_own_roster),
    Row("api:my-team-invitations", "GET", LOGGED_IN),
    Row(
        "api:team-invitation-answer",
        "POST",
        "login ok missing missing missing missing",
        where=eves_invitation_to_the_team,
        data=lambda world: {"accept": False},
    ),
    Row("api:team-join", "POST", LOGGED_IN, data=a_link),
]
