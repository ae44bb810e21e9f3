"""Steps of tests about teams."""

from datetime import timedelta
from uuid import uuid4

from league.models import Arena, Match, Player, Roster, Team, TeamMember
from league.services.core.types import PlayedBy, ReportedSide
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import report
from league.services.teams import founding
from league.services.teams.rosters import line_up
from tests.support.cast import NOW, RANKED_AT_ONCE, account, arena

COLOURS = ("#1c6a47", "#e3bd62")


def team_of(captain: Player, name: str = "Night Owls", tag: str = "OWL") -> Team:
    return founding.found(name, tag, COLOURS, by=captain, now=NOW)


def joined(team: Team, *players: Player) -> Team:
    """Add players to a team as if they had accepted invitations."""
    for player in players:
        TeamMember.objects.create(team=team, player=player, joined_at=NOW)
    return team


def current(team: Team) -> dict[str, str]:
    """Return the present members of a team and their roles, by name."""
    members = TeamMember.objects.current().filter(team=team)
    return dict(members.order_by("player__name").values_list("player__name", "role"))


def team_arena(**rules: object) -> Arena:
    """Return an arena for two against two whose season has these rules of teams."""
    return arena("clubs", team_size_min=1, team_size_max=2, **arena_settings(rules))


def arena_settings(rules: dict[str, object]) -> dict[str, object]:
    return {
        "season_rules": {**RANKED_AT_ONCE, "teams": rules},
        "rating_system": "elo",
        "rating_parameters": {"T": 90.0, "max_gain": 48.0, "mean": 1000.0},
    }


def club(where: Arena, name: str, tag: str) -> Roster:
    """Return the roster of a new team of two, named after it."""
    captain, mate = account(f"{name} one"), account(f"{name} two")
    team = joined(team_of(captain, name, tag), mate)
    return line_up(team, where, name, [captain, mate], captain, by=captain, now=NOW)


def meet(one: Roster, other: Roster, places: tuple[int, int] = (0, 1)) -> Match:
    """Report a match of two rosters and confirm it."""
    sides = [
        ReportedSide(
            roster.captain,
            [PlayedBy(player) for player in roster.members.all()],
            place,
            None,
            roster,
        )
        for roster, place in zip((one, other), places, strict=True)
    ]
    reported = report(
        one.arena,
        sides,
        reporter=one.captain,
        played_at=NOW - timedelta(hours=1),
        now=NOW,
        client_token=uuid4(),
    )
    return confirm(reported.pk, by=other.captain, now=NOW)
