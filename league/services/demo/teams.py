"""The demo's team league: teams with pictures of ours, their rosters and a table in progress."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from PIL import Image, ImageDraw

from league.models import Competition, Player, TeamMember, TeamRole
from league.services.demo.building import make_arena
from league.services.demo.fixtures import DATES, DAY, Form, enter_all, play_all
from league.services.demo.names import invent_names
from league.services.teams import founding, pictures, rosters
from league.services.transfer.histories.imports import find_players
from ratings.history import History, Match, Participant, Side

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Arena, Roster, Team

NAME = "Team league"
TEAMS, SIZE = 8, 3
PLACES = ("Harbour", "Quarry", "Lantern", "Orchard", "Northgate", "Saltmarsh", "Mill", "Vineyard")
KINDS = ("Gulls", "Hounds", "Foxes", "Rooks", "Owls", "Otters", "Wrens", "Badgers")
COLOURS = (
    ("#12355b", "#f4c95d"),
    ("#5b2333", "#f7f4f3"),
    ("#1c6a47", "#e3bd62"),
    ("#3d2c8d", "#f2a65a"),
    ("#20302b", "#8fd3b6"),
    ("#7a3b0e", "#ffe0b5"),
    ("#0b5563", "#f2c6de"),
    ("#6b2d5c", "#b5e2a8"),
)
SIDE = 256


def seed_teams(now: datetime) -> None:
    """Create teams of three, and a league of which they have played more than half."""
    day = now.replace(hour=19, minute=0, second=0, microsecond=0) - DAY
    arena = make_arena(
        slug="team-league",
        name=NAME,
        description="Teams of three in a league of seven rounds. The teams are rated, too. Teams, "
        "players and results are invented.",
        rating_system="glicko-2",
        team_size_min=SIZE,
        team_size_max=SIZE,
        season_rules={"teams": {"rate": True}},
        starts_at=day - 60 * DAY,
    )
    chance = np.random.default_rng(38)
    players = create_players(invent_names(TEAMS * SIZE, chance))
    founded_at = day - 50 * DAY
    line_ups = [
        line_up(arena, number, players[number * SIZE :][:SIZE], founded_at)
        for number in range(TEAMS)
    ]
    strength = {roster.captain.name: float(chance.normal()) for roster in line_ups}
    begins_at = day - 31 * DAY
    enter_all(
        arena.seasons.get(),
        "Spring league",
        Competition.Format.TABLE,
        line_ups,
        starts_at=begins_at,
        seed=38,
        dates=DATES,
        play={"promoted": 1, "relegated": 1},
    )
    play_all(arena, Form(strength, 0.2, chance), begins_at, day)


def create_players(names: Sequence[str]) -> list[Player]:
    """Create players with these names, and return them in the order of the names."""
    sides = [Side(place=at, participants=[Participant(name)]) for at, name in enumerate(names)]
    ids, _new = find_players(History.build([Match(match_id="", played_at_us=0, sides=sides)]))
    return [Player.objects.get(pk=number) for number in ids]


def line_up(arena: Arena, number: int, members: Sequence[Player], now: datetime) -> Roster:
    """Found a team of the league, and return its roster in the arena."""
    place = PLACES[number]
    kinds = (*KINDS[number:], *KINDS[:number])
    names = [(f"{place} {kind}", place[:3] + kind[0]) for kind in kinds]
    return found_with_roster(arena, names, number, members, now)


def found_with_roster(
    arena: Arena,
    names: Sequence[tuple[str, str]],
    number: int,
    members: Sequence[Player],
    now: datetime,
) -> Roster:
    """Found a team with a picture, and return its roster in the arena.

    It gets the first of ``names``, each with a tag, that is free.
    """
    captain = members[0]
    team = found(names, COLOURS[number % len(COLOURS)], captain, now)
    TeamMember.objects.bulk_create(
        TeamMember(
            team=team,
            player=player,
            role=TeamRole.VICE if at == 0 else TeamRole.PLAYER,
            joined_at=now,
        )
        for at, player in enumerate(members[1:])
    )
    pictures.upload(team, ContentFile(draw_picture(number), "picture.png"), by=captain, now=now)
    return rosters.line_up(team, arena, team.name, members, captain, by=captain, now=now)


def found(
    names: Sequence[tuple[str, str]], colours: tuple[str, str], captain: Player, now: datetime
) -> Team:
    """Found a team with the first name and tag that are free."""
    for name, tag in names:
        try:
            return founding.found(name, tag, colours, by=captain, now=now)
        except ValidationError:
            continue
    raise ValueError(f"these names are taken: {names}")


def draw_picture(number: int) -> bytes:
    """Return a picture in a team's colours: a shape of its own, as PNG."""
    back, fore = COLOURS[number % len(COLOURS)]
    image = Image.new("RGB", (SIDE, SIDE), back)
    draw = ImageDraw.Draw(image)
    corners, turn = 3 + number // 2, 30 * (number % 2)
    draw.ellipse((24, 24, SIDE - 24, SIDE - 24), outline=fore, width=10)
    draw.regular_polygon((SIDE / 2, SIDE / 2, 78), corners, rotation=turn, fill=fore)
    draw.ellipse((104, 104, SIDE - 104, SIDE - 104), fill=back)
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()
