"""Suggestions of rosters to play against, for one of a player's own rosters."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING, Any

from django.db.models import Count, F, Max, Prefetch, Q

from league.models import Match, Player, Roster, RosterMember, Side, Status
from league.services.following.blocks import parted_from
from league.services.rating.forecasts import forecasts
from league.services.results.forecasts.candidates import (
    CONSIDERED,
    NOBODY,
    RIVALS,
    SUGGESTED,
    Candidate,
    Suggestion,
    choose,
)
from league.services.results.forecasts.stakes import games_of, line_ups_of, own, ratings_of, stakes
from league.services.results.records.player_records import LEAST_MEETINGS
from league.services.results.records.profiles import Record
from league.services.standings import leaderboards

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models import Season

NEAR = 60
"""Rosters are near if one of so many players near in rating plays for them."""


def roster_suggestions(season: Season, me: Player, *, now: datetime) -> list[Suggestion]:
    """Return up to three rosters to play against, empty if the player has no roster there.

    Each roster is expected to play with its captain and its most active members, but with the
    player on their side. The number of statements does not grow with the league.
    """
    mine = own_roster(season, me)
    if mine is None:
        return []
    met = met_by(season, mine)
    rosters = candidates_for(season, me, mine, met, now)
    line_ups = playing(season, me, mine, rosters)
    if not line_ups:
        return []
    matches = {one: ids_of(sides) for one, sides in line_ups.items()}
    held, _flags, newcomers = ratings_of(season, list(matches.values()))
    rows = {**held, **{player: row for new in newcomers for player, row in new.items()}}
    chances = forecasts(season, list(matches.values()), rows, now)
    able = [
        Candidate(one, met.get(one.pk, NOBODY), chance[0] if chance else 0.5)
        for one, chance in zip(matches, chances, strict=True)
    ]
    even = sorted(able, key=lambda one: one.unevenness)[:CONSIDERED]
    rivals = sorted(able, key=lambda one: -one.record.total)[:RIVALS]
    considered = [*even, *(one for one in rivals if one not in even and is_rival(one.record))]
    chosen = choose(considered)
    at_stake = stakes(season, [matches[one.opponent] for one, _kind in chosen], now)
    return [
        Suggestion(
            one.opponent.captain,
            own(found, me.pk, season.shows, line_ups[one.opponent]),
            one.record,
            kind,
            roster=one.opponent,
            mine=mine,
            people=list(one.opponent.members.all()),
        )
        for (one, kind), found in zip(chosen, at_stake, strict=True)
        if found is not None
    ]


def is_rival(record: Record) -> bool:
    return record.total >= LEAST_MEETINGS


def own_roster(season: Season, me: Player) -> Roster | None:
    """Return the roster with which a player played last in a season's arena, or else any."""
    rosters = playable(season).filter(memberships__player=me)
    latest = F("latest").desc(nulls_last=True)
    return rosters.annotate(latest=Max("sides__match")).order_by(latest, "-id").first()


def playable(season: Season) -> QuerySet[Roster]:
    """Return the rosters of an arena, but for those of disbanded teams, with their members."""
    members = Prefetch("members", Player.objects.order_by("id"))
    rosters = Roster.objects.filter(arena=season.arena_id, team__disbanded_at=None)
    return rosters.prefetch_related(members)


def met_by(season: Season, roster: Roster) -> dict[int, Record]:
    """Return a roster's record against each other roster in a season, by its id."""
    played = Side.objects.filter(
        roster=roster,
        match__season=season,
        match__status=Status.RATED,
        match__kind=Match.Kind.GAME,
        match__sides__roster__isnull=False,
    )
    others = played.annotate(other=F("match__sides"), other_place=F("match__sides__place"))
    rows = others.exclude(pk=F("other")).values_list("match__sides__roster").order_by()
    counted = rows.annotate(
        wins=Count("pk", filter=Q(place__lt=F("other_place"))),
        draws=Count("pk", filter=Q(place=F("other_place"))),
        losses=Count("pk", filter=Q(place__gt=F("other_place"))),
    )
    return {other: Record(*counts) for other, *counts in counted}


def candidates_for(
    season: Season, me: Player, mine: Roster, met: Mapping[int, Record], now: datetime
) -> list[Roster]:
    """Return the rosters that could be suggested: rivals, and those with players near in rating."""
    members = {player.pk for player in mine.members.all()}
    rated = leaderboards.ratings_of(members, [season], now=now).values()
    middle = fmean(row.rating for row in rated)
    near = leaderboards.nearest(season, middle, now=now, count=NEAR, without=me.pk)
    theirs = RosterMember.objects.filter(player__in=[row.player_id for row in near])
    rivals = sorted(met, key=lambda one: -met[one].total)[:RIVALS]
    ids = {*rivals, *theirs.filter(roster__arena=season.arena_id).values_list("roster", flat=True)}
    found = playable(season).filter(pk__in=ids, captain__is_unlisted=False)
    rosters = [
        one
        for one in found.select_related("captain__user").order_by("pk")
        if members.isdisjoint(player.pk for player in one.members.all())
    ]
    parted = parted_from(me, [player for one in rosters for player in one.members.all()])
    free = [one for one in rosters if parted.isdisjoint(p.pk for p in one.members.all())]
    reachable = [one for one in free if one.captain.user and one.captain.user.is_active]
    return reachable if len(reachable) >= SUGGESTED else free


def playing(
    season: Season, me: Player, mine: Roster, rosters: Sequence[Roster]
) -> dict[Roster, list[list[Player]]]:
    """Return who would probably play against each of these rosters, where enough players can."""
    members: dict[Any, list[Player]] = {one.pk: list(one.members.all()) for one in (mine, *rosters)}
    everybody = {player.pk for players in members.values() for player in players}
    games = games_of(season, everybody)
    found = {
        one: line_ups_of(season.arena, [(me, mine), (one.captain, one)], members, games)
        for one in rosters
    }
    return {one: sides for one, sides in found.items() if sides is not None}


def ids_of(sides: Sequence[Sequence[Player]]) -> list[list[int]]:
    return [[player.pk for player in side] for side in sides]
