"""Snapshots of a queue for its matcher: read from the database and stored with each tick."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import connection

from league.models import Rating, Ticket, TicketMember
from league.services.core.id_lists import any_of
from league.services.core.ranks import rank_of
from league.services.dishonor import discipline
from league.services.queue.rank_filters import filters_of
from league.services.queue.regions import choice_of, wishes_of
from league.services.rating.rate import states_of
from league.services.standings import rules
from league.services.standings.percentiles import percentiles_of
from matchmaking import ticket as engine
from matchmaking.rank_filter import RankFilter
from matchmaking.regions import RegionChoice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from league.models import Arena, Season
    from matchmaking.rules.arena import Rules

STATE = ("rating", "deviation", "volatility", "games", "last_played_at", "memory")
"""A rating's columns as ``states_of`` takes them after the id."""

# Players are matched by the rating that the board shows: the effective one, if the season decays.
LOAD_QUEUE = f"""
    SELECT t.id, extract(epoch FROM t.queued_at)::float8, t.modes, t.roster_id IS NOT NULL,
        m.player_id, m.profession, coalesce(-shown.key, r.rating), coalesce(r.games, 0),
        {rank_of(source="q.rank_source", arena="q.arena_id", player="m.player_id")}
    FROM league_ticket AS t
    JOIN league_arenaqueue AS q ON q.arena_id = t.arena_id
    JOIN league_ticketmember AS m ON m.ticket_id = t.id
    LEFT JOIN league_rating AS r ON r.season_id = %(season)s AND r.player_id = m.player_id
    LEFT JOIN league_standing AS shown ON %(decays)s AND shown.season_id = %(season)s
        AND shown.player_id = m.player_id
    WHERE t.arena_id = %(arena)s AND t.state = 'waiting' AND NOT EXISTS (
        SELECT FROM league_ticketmember AS absent
        WHERE absent.ticket_id = t.id AND absent.seen_at IS NULL)
    ORDER BY t.place, t.id, m.id
"""  # noqa: S608 - an expression of ours
# Each waiting player's last match in the arena, and the waiting players who opposed them in it.
LOAD_MEETINGS = """
    WITH waiting AS (
        SELECT m.ticket_id, m.player_id FROM league_ticketmember AS m
        JOIN league_ticket AS t ON t.id = m.ticket_id
        WHERE t.id = ANY(%(tickets)s)
    ), latest AS (
        SELECT w.ticket_id, p.match_id, p.side_id FROM waiting AS w CROSS JOIN LATERAL (
            SELECT part.match_id, part.side_id FROM league_participant AS part
            JOIN league_match AS g ON g.id = part.match_id
            WHERE part.player_id = w.player_id AND g.arena_id = %(arena)s AND g.status <> 'void'
                AND g.kind = 'game'
            ORDER BY part.match_id DESC LIMIT 1) AS p
    )
    SELECT DISTINCT least(l.ticket_id, w.ticket_id), greatest(l.ticket_id, w.ticket_id)
    FROM latest AS l
    JOIN league_participant AS o ON o.match_id = l.match_id AND o.side_id <> l.side_id
    JOIN waiting AS w ON w.player_id = o.player_id AND w.ticket_id <> l.ticket_id
    ORDER BY 1, 2
"""


@dataclass(frozen=True)
class Snapshot:
    """The tickets of a queue in order, and the pairs (ids) that met in their last match."""

    tickets: Sequence[engine.Ticket]
    met: Sequence[tuple[int, int]] = ()

    def queue(self) -> engine.Queue:
        """Return the snapshot as arrays."""
        index = {ticket.id: number for number, ticket in enumerate(self.tickets)}
        pairs = [(index[one], index[other]) for one, other in self.met]
        met = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return replace(engine.Queue.of(self.tickets), met=met)

    def to_json(self) -> dict[str, Any]:
        """Return the snapshot as JSON values; :meth:`from_json` is the inverse."""
        tickets = [ticket_to_json(ticket) for ticket in self.tickets]
        return {"tickets": tickets, "met": [list(pair) for pair in self.met]}

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> Snapshot:
        return cls(
            [ticket_from_json(entry) for entry in kept["tickets"]],
            [(one, other) for one, other in kept["met"]],
        )


def player_to_json(player: engine.Player) -> dict[str, Any]:
    """Return a player as JSON values; :func:`player_from_json` is the inverse."""
    filtered = player.rank_filter
    return {**vars(player), "rank_filter": vars(filtered) if filtered else None}


def player_from_json(entry: dict[str, Any]) -> engine.Player:
    filtered = entry["rank_filter"]
    return engine.Player(**{**entry, "rank_filter": RankFilter(**filtered) if filtered else None})


def ticket_to_json(ticket: engine.Ticket) -> dict[str, Any]:
    """Return a ticket as JSON values; :func:`ticket_from_json` is the inverse."""
    entry = {
        **vars(ticket),
        "modes": sorted(ticket.modes),
        "players": [player_to_json(player) for player in ticket.players],
    }
    choice = entry.pop("regions")
    if choice is not None:
        entry["regions"] = [sorted(choice.now), sorted(choice.later)]
    return entry


def ticket_from_json(entry: dict[str, Any]) -> engine.Ticket:
    players = tuple(map(player_from_json, entry["players"]))
    regions = entry.get("regions")
    choice = None if regions is None else RegionChoice(*map(frozenset, regions))
    modes = frozenset(entry["modes"])
    return engine.Ticket(**{**entry, "modes": modes, "players": players, "regions": choice})


def take_snapshot(season: Season, rules: Rules, now: datetime) -> Snapshot:
    """Return the tickets waiting in a season's arena, with everything its matcher needs.

    Tickets that want only game modes which the arena no longer has want all of its modes from now
    on.
    """
    waiting = waiting_tickets(season, now)
    adopt_present_modes(season.arena, waiting)
    tickets = in_regions(season.arena, rules, in_modes(season.arena, waiting))
    return Snapshot(tickets, meetings(season, [ticket.id for ticket in tickets]))


def adopt_present_modes(arena: Arena, tickets: Sequence[engine.Ticket]) -> None:
    """Write the arena's modes to tickets that want none of them."""
    outdated = [ticket.id for ticket in tickets if ticket.modes.isdisjoint(arena.modes)]
    if arena.modes and outdated:
        Ticket.objects.waiting().filter(pk__in=outdated).update(modes=arena.modes)


def in_modes(arena: Arena, tickets: Sequence[engine.Ticket]) -> list[engine.Ticket]:
    """Return the tickets with those of their game modes that the arena has, or else with all."""
    present = frozenset(arena.modes)
    wanted = [ticket.modes & present or present for ticket in tickets]
    return [
        ticket if ticket.modes == modes else replace(ticket, modes=modes)
        for ticket, modes in zip(tickets, wanted, strict=True)
    ]


def in_regions(
    arena: Arena, rules: Rules, tickets: Sequence[engine.Ticket]
) -> Sequence[engine.Ticket]:
    """Return the tickets with the regions that they accept, if the arena has any."""
    if not arena.regions or not tickets:
        return tickets
    wishes = wishes_of(arena, (player.id for ticket in tickets for player in ticket.players))
    return [
        replace(
            ticket,
            regions=choice_of(
                arena, rules.region, [player.id for player in ticket.players], wishes
            ),
        )
        for ticket in tickets
    ]


def waiting_tickets(season: Season, now: datetime) -> list[engine.Ticket]:
    """Return the waiting tickets whose members are all there, in queue order.

    Players have their effective ratings of the season, as the board shows them, with their
    deviations of when they joined.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            LOAD_QUEUE,
            {
                "season": season.pk,
                "arena": season.arena_id,
                "decays": rules.ranking_rules(season).decay is not None,
            },
        )
        rows = cursor.fetchall()
    if not rows:
        return []
    fresh_rating, fresh_deviation = newcomer_rating(season)
    team = season.arena.team_size_max
    everybody = {row[4] for row in rows}
    grown = deviations(season, {row[4]: row[1] for row in rows})
    here = TicketMember.objects.filter(
        ticket__in=Ticket.objects.waiting().filter(arena=season.arena)
    )
    held = discipline.engine_statuses(here.values_list("player", flat=True), now)
    filters = filters_of(season.arena, everybody)
    percentiles = percentiles_of(season, everybody) if filters else {}
    tickets = []
    for (ticket, queued_at, modes, named), members in groupby(rows, key=itemgetter(0, 1, 2, 3)):
        players = tuple(
            engine.Player(
                id=player,
                rating=fresh_rating if rating is None else rating,
                deviation=fresh_deviation if rating is None else grown.get(player, 0.0),
                rank=rank,
                games=games,
                profession=profession,
                dishonor=held[player].stacks if player in held else 0,
                percentile=percentiles.get(player),
                rank_filter=filters.get(player),
            )
            for *_ticket, player, profession, rating, games, rank in members
        )
        # The published page calls a named roster that fills its team a guild team.
        guild_team = named and len(players) == team
        tickets.append(engine.Ticket(ticket, queued_at, players, frozenset(modes), guild_team))
    return tickets


def deviations(season: Season, joined: Mapping[int, float]) -> dict[int, float]:
    """Return the deviations of rated players as grown until they joined, by player id.

    ``joined`` has seconds since 1970 by player id. So a deviation stays the same while its player
    waits. Empty for a rating system without deviations.
    """
    system = season.system()
    if not system.shows.deviation:
        return {}
    held = Rating.objects.filter(season=season, player__in=any_of(joined))
    rows = list(held.values_list("player", "pk", *STATE))
    if not rows:
        return {}
    _ids, states = states_of(row[1:] for row in rows)
    times = np.array([round(joined[row[0]] * 1_000_000) for row in rows], dtype=np.int64)
    grown = system.at(states, times).deviation
    return dict(zip((row[0] for row in rows), grown.tolist(), strict=True))


def newcomer_rating(season: Season) -> tuple[float, float]:
    """Return a newcomer's rating and deviation in a season (deviation 0 where there is none)."""
    system = season.system()
    population = season.ratings.count() if system.ranks_population else 0
    state = system.newcomers(1, population)
    return float(state.rating[0]), float(np.nan_to_num(state.deviation[0]))


def meetings(season: Season, tickets: Sequence[Any]) -> list[tuple[int, int]]:
    """Return pairs of ticket ids with members who were opponents in the last match of either."""
    with connection.cursor() as cursor:
        cursor.execute(LOAD_MEETINGS, {"tickets": list(tickets), "arena": season.arena_id})
        return [(one, other) for one, other in cursor.fetchall()]
