"""The permission table of teams, on the pages and in the API. Alice leads the team."""

from django.utils import timezone

from league.models import Roster, RosterMember, Side, Team, TeamMember
from league.services.teams import founding, inviting, pictures
from tests.support.permission_objects import Fields, alices_owls, in_teams
from tests.support.permission_roles import LOGGED_IN, OPEN, Row, World, form
from tests.support.pictures import upload
from tests.support.team_steps import COLOURS

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


def two_teams(world: World) -> Fields:
    """The team, and another of Eve's that it has never met."""
    if "other_team" not in world.extras:
        world.extras["other_team"] = founding.found(
            "Foxes", "FOX", COLOURS, by=world.eve, now=timezone.now()
        )
    return of_the_team(world) | {"other_pk": world.extras["other_team"].pk}


def a_season_of_the_team(world: World) -> Fields:
    """A season in which the team has a rated match."""
    barn = Roster.objects.get(pk=a_team_roster(world)["roster_id"])
    Side.objects.filter(match=world.rated, index=0).update(roster=barn)
    return of_the_team(world) | {"season_id": world.rated.season_id}


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
    Row("team_against", "GET", OPEN, where=two_teams),
    Row("team_review", "GET", OPEN, where=a_season_of_the_team),
    Row("team_review_picture", "GET", OPEN, where=a_season_of_the_team),
    Row("team_picture", "GET", OPEN, where=a_picture),
    Row("team_board", "GET", OPEN, where=that_rates_teams),
    Row("my_teams", "GET", LOGGED_IN),
    *form("team_new", LOGGED_IN, LOGGED_IN, data=a_founding),
    *form("team_join", LOGGED_IN, LOGGED_IN, where=a_link),
    *form(
        "team_answer",
        LOGGED_IN,
        REFUSED_BUT_FOR_EVE,
        where=eves_invitation_to_the_team,
        data={"answer": "accept"},
    ),
    *form("team_edit", LEADING, LEADING, where=of_the_team, data=a_founding),
    Row(
        "api:team-picture",
        "PUT",
        LEADING.replace("ok", "refused"),  # JSON is no picture
        where=of_the_team,
    ),
    Row("api:team-picture", "DELETE", LEADING, where=of_the_team),
    *form("team_upload", LOGGED_IN, LEADING, where=of_the_team, data={"action": "remove"}),
    *form("team_manage", LEADING, LEADING, where=of_the_team, data={"player": "Frank"}),
    *form(
        "team_member",
        LOGGED_IN,
        LEADING,
        where=charlies_place,
        data={"action": "role", "role": "coach"},
    ),
    *form("team_captaincy", LOGGED_IN, LEADING, where=of_the_team, data={"answer": "withdraw"}),
    *form("team_withdraw", LOGGED_IN, LEADING, where=withdrawn),
    *form("team_leave", LOGGED_IN, LEAVING, where=of_the_team),
    *form("team_disband", LOGGED_IN, LEADING, where=of_the_team, data={"tag": "OWL"}),
    *form("team_roster_new", LEADING, LEADING, where=of_the_team, data=a_line_up),
    *form("team_roster", LEADING, LEADING, where=a_team_roster, data=a_line_up),
    *form("team_adopt", LOGGED_IN, LEADING, where=of_the_team, data=alices_own_roster),
    *form("stand_in", LOGGED_IN, LOGGED_IN, where=in_teams, data={"offer": "yes"}),
    Row("api:stand-in", "PUT", LOGGED_IN, where=in_teams),
    Row("api:stand-in", "DELETE", LOGGED_IN, where=in_teams),
    *form("api:teams", OPEN, LOGGED_IN, data=a_founding),
    Row("api:team", "GET", OPEN, where=of_the_team),
    Row("api:team", "PATCH", LEADING, where=of_the_team, data=a_founding),
    Row("api:team-board", "GET", OPEN, where=that_rates_teams),
    Row("api:team-follow", "PUT", LOGGED_IN, where=of_the_team),
    Row("api:team-follow", "DELETE", LOGGED_IN, where=of_the_team),
    Row("api:team-disband", "POST", LEADING, where=of_the_team, data={"tag": "OWL"}),
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
        data={"accept": False},
    ),
    *form("api:team-invitations", LEADING, LEADING, where=of_the_team, data={"places": 2}),
    Row("api:team-invitation", "DELETE", LEADING, where=withdrawn_by_program),
    Row("api:team-member", "PATCH", LEADING, where=charlie_in_the_team, data={"role": "coach"}),
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
        data={"accept": False},
    ),
    Row("api:team-join", "POST", LOGGED_IN, data=a_link),
]
