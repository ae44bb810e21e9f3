"""Check that the players in a report agreed to play for its captains."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.db.models import Q

from league.models import Player, RosterMember, StandIn, TeamMember
from league.models.lists import list_of
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.core.isolation import ngettext
from league.services.eligibility.rosters import refuse_ineligible

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Arena, Roster
    from league.services.core.types import ReportedSide

MOST_STAND_INS = 50
"""The most possible stand-ins that a form lists."""


def check_consent(
    arena: Arena, sides: Sequence[ReportedSide], now: datetime, stand_ins: int = 0
) -> list[ReportedSide]:
    """Refuse a report with players who did not agree to play for their side's captain.

    Members of the captain's rosters agreed. So did up to ``stand_ins`` other players of a side who
    are in the roster's team or have offered to stand in, and whose rating lets them join the
    roster. Return the sides with these marked.

    Raises:
        Refused: naming the others.
    """
    known = members_of_captains(arena, sides)
    return [
        with_stand_ins(arena, side, strangers, now, stand_ins) if strangers else side
        for side in sides
        for strangers in [strangers_in(side, known)]
    ]


def members_of_captains(arena: Arena, sides: Sequence[ReportedSide]) -> set[tuple[int, int]]:
    """Return the players of the sides who are in a roster of their captain, as pairs of ids."""
    wanted = Q()
    for side in sides:
        if others := [part.player for part in side.participants if part.player != side.captain]:
            wanted |= Q(roster__captain=side.captain, player__in=others)
    if not wanted:
        return set()
    members = RosterMember.objects.filter(wanted, roster__arena=arena)
    return set(members.values_list("roster__captain", "player"))


def strangers_in(side: ReportedSide, known: set[tuple[int, int]]) -> list[Player]:
    """Return the players of a side who are in no roster of its captain."""
    return [
        part.player
        for part in side.participants
        if part.player != side.captain and (side.captain.pk, part.player.pk) not in known
    ]


def with_stand_ins(
    arena: Arena, side: ReportedSide, strangers: Sequence[Player], now: datetime, most: int
) -> ReportedSide:
    """Return a side with these players marked as stand-ins, if they may be."""
    if not most:
        raise Refused(
            "not_in_a_roster",
            _("In no roster of %(captain)s in %(arena)s: %(players)s. Invite them first.")
            % {"players": list_names(strangers), "captain": side.captain, "arena": arena},
        )
    willing = willing_among(arena, side, strangers)
    if unwilling := [player for player in strangers if player.pk not in willing]:
        raise Refused(
            "no_stand_in",
            _("In no roster of %(captain)s in %(arena)s and not offering to stand in: %(players)s.")
            % {"players": list_names(unwilling), "captain": side.captain, "arena": arena},
        )
    if len(strangers) > most:
        raise Refused(
            "too_many_stand_ins",
            ngettext(
                "A side in %(arena)s can have only %(most)d stand-in. Too many: %(players)s.",
                "A side in %(arena)s can have only %(most)d stand-ins. Too many: %(players)s.",
                most,
            )
            % {"arena": arena, "most": most, "players": list_names(strangers)},
        )
    refuse_ineligible(arena, strangers, now)
    marked = [
        replace(part, stand_in=True) if part.player in strangers else part
        for part in side.participants
    ]
    return replace(side, participants=marked)


def willing_among(arena: Arena, side: ReportedSide, players: Sequence[Player]) -> set[int]:
    """Return which players are in the team of the side's roster or have offered to stand in."""
    team = side.roster.team_id if side.roster else None
    offered = StandIn.objects.filter(arena=arena, player__in=players)
    mates = TeamMember.objects.current().filter(team=team, player__in=players)
    return {*offered.values_list("player", flat=True), *mates.values_list("player", flat=True)}


def possible_stand_ins(arena: Arena, roster: Roster, now: datetime) -> list[Player]:
    """Return players who could stand in for a roster now, from its team or by their own offer."""
    season = arena.current_season(now)
    if season is None or not season.season_rules().teams.stand_ins:
        return []
    mates = TeamMember.objects.current().filter(team=roster.team_id).values("player")
    offers = StandIn.objects.filter(arena=arena).values("player")
    willing = Player.objects.filter(Q(pk__in=mates) | Q(pk__in=offers))
    others = willing.exclude(memberships__roster=roster).order_by("sort_name")
    return list(others[:MOST_STAND_INS])


def list_names(players: Sequence[Player]) -> str:
    return list_of(player.name for player in players)
