"""Snapshots of a queue for its matcher: read from the database and stored with each tick."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from django.db import connection

from league.models import Ticket, TicketArena, TicketMember
from league.services.core.ranks import rank_of
from league.services.dishonor import discipline
from league.services.queue.blocks import blocked_pairs
from league.services.queue.rank_filters import filters_of
from league.services.queue.regions import choice_of, wishes_of
from league.services.rating.forecasts import newcomer_row
from league.services.rating.rate import states_of
from league.services.standings import ranking
from league.services.standings.percentiles import percentiles_of
from matchmaking import ticket as engine
from matchmaking.rank_filter import RankFilter
from matchmaking.regions import RegionChoice

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from league.models import Arena, Season
    from league.services.queue.regions import Wishes
    from matchmaking.rules.arena import Rules
    from ratings.types import States

WAITING = """(
        SELECT id, queued_at, modes, roster_id, place
        FROM league_ticket WHERE arena_id = %(arena)s AND state = 'waiting'
        UNION ALL
        SELECT one.id, one.queued_at, also.modes, one.roster_id, also.place
        FROM league_ticketarena AS also JOIN league_ticket AS one ON one.id = also.ticket_id
        WHERE also.arena_id = %(arena)s AND one.state = 'waiting'
    )"""
"""The tickets in an arena's queue, with those of other arenas that also wait here."""
# Players are matched by the rating that the board shows: the effective one, if the season decays.
LOAD_MEMBERS = f"""
    SELECT t.id, extract(epoch FROM t.queued_at)::float8, t.modes, t.roster_id IS NOT NULL,
        m.player_id, m.profession,
        {rank_of(source="q.rank_source", arena="q.arena_id", player="m.player_id")}, -shown.key,
        r.id, r.rating, r.deviation, r.volatility, r.games, r.last_played_at, r.memory
    FROM {WAITING} AS t
    JOIN league_arenaqueue AS q ON q.arena_id = %(arena)s
    JOIN league_ticketmember AS m ON m.ticket_id = t.id
    LEFT JOIN league_rating AS r ON r.season_id = %(season)s AND r.player_id = m.player_id
    LEFT JOIN league_standing AS shown ON %(decays)s AND shown.season_id = %(season)s
        AND shown.player_id = m.player_id
    WHERE NOT EXISTS (
        SELECT FROM league_ticketmember AS absent
        WHERE absent.ticket_id = t.id AND absent.seen_at IS NULL)
    ORDER BY t.place, t.id, m.id
"""  # noqa: S608 - expressions of ours
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


class Member(NamedTuple):
    """A member of a waiting roster with their rating in the season, a row of ``LOAD_MEMBERS``."""

    ticket: int
    queued_at: float
    modes: Sequence[str]
    named: bool
    player: int
    profession: str
    rank: float
    shown: float | None
    rating_id: int | None
    rating: float
    deviation: float | None
    volatility: float | None
    games: int
    last_played_at: datetime | None
    memory: Sequence[float]

    def with_rating(self, fresh: tuple[Any, ...]) -> Member:
        """Return this member, with a newcomer's rating if they have none."""
        return self if self.rating_id is not None else Member(*self[:8], None, *fresh[1:])

    @property
    def matched_by(self) -> float:
        return self.rating if self.shown is None else self.shown


@dataclass(frozen=True)
class Snapshot:
    """The tickets of a queue in order, and the pairs (ids) that met in their last match.

    With them, but not stored, is what the tick has read for the forecasts and regions of its
    matches: the ``states`` of the players in order, and their ``wishes`` by id.
    """

    tickets: Sequence[engine.Ticket]
    met: Sequence[tuple[int, int]] = ()
    states: States | None = None
    wishes: Mapping[Any, Wishes] = field(default_factory=dict)
    blocked: Sequence[tuple[int, int]] = ()
    """The pairs (ids) that blocks keep apart for a time."""

    def queue(self) -> engine.Queue:
        """Return the snapshot as arrays."""
        index = {ticket.id: number for number, ticket in enumerate(self.tickets)}
        met, blocked = (
            np.array([(index[one], index[other]) for one, other in pairs], dtype=np.int64).reshape(
                -1, 2
            )
            for pairs in (self.met, self.blocked)
        )
        return replace(engine.Queue.of(self.tickets), met=met, blocked=blocked)

    def to_json(self) -> dict[str, Any]:
        """Return the snapshot as JSON values; :meth:`from_json` is the inverse."""
        tickets = [ticket_to_json(ticket) for ticket in self.tickets]
        met, blocked = ([list(pair) for pair in pairs] for pairs in (self.met, self.blocked))
        return {"tickets": tickets, "met": met, "blocked": blocked}

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> Snapshot:
        return cls(
            [ticket_from_json(entry) for entry in kept["tickets"]],
            [(one, other) for one, other in kept["met"]],
            blocked=[(one, other) for one, other in kept.get("blocked", ())],
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


@dataclass(frozen=True)
class Extras:
    """Facts about waiting players from other tables, by player id."""

    stacks: Mapping[int, int]
    filters: Mapping[int, RankFilter]
    percentiles: Mapping[int, float]
    """Empty if nobody has a filter."""
    wishes: Mapping[int, Wishes]
    """Empty in an arena without regions."""


def take_snapshot(season: Season, rules: Rules, now: datetime) -> Snapshot:
    """Return the tickets waiting in a season's arena, with everything its matcher needs.

    Tickets that want only game modes which the arena no longer has want all of its modes from now
    on.
    """
    members = load_members(season)
    if not members:
        return Snapshot([])
    extras = extras_of(season, {member.player for member in members}, now)
    _ids, states = states_of(member[8:] for member in members)
    tickets = ready_tickets(season, rules, members, states, extras)
    met = meetings(season, [ticket.id for ticket in tickets])
    blocked = blocked_pairs(tickets, rules.team_size, now)
    return Snapshot(tickets, met, states, extras.wishes, blocked=blocked)


def extras_of(season: Season, players: Collection[int], now: datetime) -> Extras:
    """Return what is known of players who wait in a season's arena, apart from their ratings."""
    here = TicketMember.objects.filter(ticket__in=Ticket.objects.waiting().in_arena(season.arena))
    held = discipline.engine_statuses(here.values_list("player", flat=True), now)
    filters = filters_of(season.arena, players)
    return Extras(
        {player: status.stacks for player, status in held.items()},
        filters,
        percentiles_of(season, players) if filters else {},
        wishes_of(season.arena, players) if season.arena.regions else {},
    )


def ready_tickets(
    season: Season, rules: Rules, members: Sequence[Member], states: States, extras: Extras
) -> list[engine.Ticket]:
    """Return the tickets of these members in order, as the matcher gets them.

    Those that want none of the arena's game modes are written to want all of them.
    """
    waiting = waiting_tickets(season, members, deviations(season, members, states), extras)
    adopt_present_modes(season.arena, waiting)
    tickets = in_modes(season.arena, waiting)
    return (
        in_regions(season.arena, rules, tickets, extras.wishes) if season.arena.regions else tickets
    )


def load_members(season: Season) -> list[Member]:
    """Return the members of the waiting rosters whose members are all there, in queue order."""
    decays = ranking.ranking_rules(season).decay is not None
    with connection.cursor() as cursor:
        cursor.execute(
            LOAD_MEMBERS, {"season": season.pk, "arena": season.arena_id, "decays": decays}
        )
        rows = cursor.fetchall()
    if not rows:
        return []
    fresh = newcomer_row(season.system(), season)
    return [Member(*row).with_rating(fresh) for row in rows]


def adopt_present_modes(arena: Arena, tickets: Sequence[engine.Ticket]) -> None:
    """Write the arena's modes to tickets that want none of them."""
    outdated = [ticket.id for ticket in tickets if ticket.modes.isdisjoint(arena.modes)]
    if arena.modes and outdated:
        waiting = Ticket.objects.waiting().filter(pk__in=outdated)
        waiting.filter(arena=arena).update(modes=arena.modes)
        TicketArena.objects.filter(ticket__in=waiting, arena=arena).update(modes=arena.modes)


def in_modes(arena: Arena, tickets: Sequence[engine.Ticket]) -> list[engine.Ticket]:
    """Return the tickets with those of their game modes that the arena has, or else with all."""
    present = frozenset(arena.modes)
    wanted = [ticket.modes & present or present for ticket in tickets]
    return [
        ticket if ticket.modes == modes else replace(ticket, modes=modes)
        for ticket, modes in zip(tickets, wanted, strict=True)
    ]


def in_regions(
    arena: Arena,
    rules: Rules,
    tickets: Sequence[engine.Ticket],
    wishes: Mapping[Any, Wishes],
) -> list[engine.Ticket]:
    """Return the tickets with the regions that they accept."""
    return [
        replace(
            ticket,
            regions=choice_of(
                arena, rules.region, [player.id for player in ticket.players], wishes
            ),
        )
        for ticket in tickets
    ]


def waiting_tickets(
    season: Season, members: Sequence[Member], deviation: Mapping[int, float], extras: Extras
) -> list[engine.Ticket]:
    """Return the tickets of these members, in order.

    Players have their effective ratings of the season, as the board shows them, with their
    deviations of when they joined.
    """
    tickets = []
    for (ticket, queued_at, modes, named), roster in groupby(
        members, key=attrgetter("ticket", "queued_at", "modes", "named")
    ):
        players = tuple(
            engine.Player(
                id=member.player,
                rating=member.matched_by,
                deviation=deviation[member.player],
                rank=member.rank,
                games=member.games,
                profession=member.profession,
                dishonor=extras.stacks.get(member.player, 0),
                percentile=extras.percentiles.get(member.player),
                rank_filter=extras.filters.get(member.player),
            )
            for member in roster
        )
        # The published page calls a named roster that fills its team a guild team.
        guild_team = named and len(players) == season.arena.team_size_max
        tickets.append(engine.Ticket(ticket, queued_at, players, frozenset(modes), guild_team))
    return tickets


def deviations(season: Season, members: Sequence[Member], states: States) -> dict[int, float]:
    """Return the deviations as grown until their players joined, by player id.

    So a deviation stays the same while its player waits. It is 0 in a rating system without.
    """
    system = season.system()
    if not system.shows.deviation:
        return dict.fromkeys((member.player for member in members), 0.0)
    joined = [round(member.queued_at * 1_000_000) for member in members]
    grown = system.at(states, np.array(joined, dtype=np.int64)).deviation
    return dict(zip((member.player for member in members), grown.tolist(), strict=True))


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
