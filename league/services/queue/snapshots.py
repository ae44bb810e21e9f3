"""Snapshots of a queue for its matcher: read from the database and stored with each tick."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import groupby, permutations
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from django.db.models import Exists, OuterRef, Subquery
from django.db.models.functions import Coalesce

from league.models import Match, Participant, Status, Ticket, TicketArena, TicketMember
from league.services.core.id_lists import any_of
from league.services.core.shown_ratings import decayed_ratings
from league.services.dishonor import discipline
from league.services.queue.blocks import blocked_pairs
from league.services.queue.rank_filters import filters_of
from league.services.queue.ranks import ranks_of
from league.services.queue.regions import choice_of, wishes_of
from league.services.rating.forecasts import newcomer_row
from league.services.rating.rate import states_of
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


STATE = ("id", "rating", "deviation", "volatility", "games", "last_played_at", "memory")


class Member(NamedTuple):
    """A member of a waiting roster with their rating in the season, or a newcomer's."""

    ticket: int
    queued_at: float
    modes: Sequence[str]
    named: bool
    player: int
    profession: str
    rank: float
    shown: float | None
    """The rating after decay, which the board shows, ``None`` if it is the stored one."""
    rating_id: int
    rating: float
    deviation: float | None
    volatility: float | None
    games: int
    last_played_at: datetime | None
    memory: Sequence[float]

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
    also = TicketArena.objects.filter(ticket=OuterRef("ticket"), arena=season.arena_id)
    absent = TicketMember.objects.filter(ticket=OuterRef("ticket"), seen_at=None)
    waiting = Ticket.objects.waiting().in_arena(season.arena)
    members = list(
        TicketMember.objects.filter(~Exists(absent), ticket__in=waiting)
        .annotate(
            modes=Coalesce(Subquery(also.values("modes")), "ticket__modes"),
            place=Coalesce(Subquery(also.values("place")), "ticket__place"),
        )
        .select_related("ticket")
        .order_by("place", "ticket_id", "pk")
    )
    if not members:
        return []
    players = [member.player_id for member in members]
    ratings = season.ratings.filter(player__in=any_of(players)).values_list("player", *STATE)
    states = {player: state for player, *state in ratings}
    fresh = newcomer_row(season.system(), season)
    ranks = ranks_of(season.arena.queue, players)
    shown = decayed_ratings(season, players)
    return [
        Member(
            one.ticket_id,
            one.ticket.queued_at.timestamp(),
            one.modes,
            one.ticket.roster_id is not None,
            one.player_id,
            one.profession,
            ranks[one.player_id],
            shown.get(one.player_id),
            *states.get(one.player_id, fresh),
        )
        for one in members
    ]


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
    """Return pairs of ticket ids with members who were opponents in the last match of either.

    Only matches in the season's arena count.
    """
    played = Participant.objects.filter(
        player=OuterRef("player"), match__arena=season.arena_id, match__kind=Match.Kind.GAME
    ).exclude(match__status=Status.VOID)
    last = Subquery(played.order_by("-match_id").values("match")[:1])
    members = TicketMember.objects.filter(ticket__in=any_of(tickets))
    waiting = {
        player: (ticket, match)
        for player, ticket, match in members.values_list("player", "ticket", last)
    }
    parts = Participant.objects.filter(
        match__in=any_of({match for _ticket, match in waiting.values() if match}),
        player__in=any_of(waiting),
    )
    found = set()
    rows = parts.order_by("match_id").values_list("match", "side", "player")
    for match, group in groupby(rows, key=itemgetter(0)):
        for (_match, side, mine), (_same, other_side, theirs) in permutations(group, 2):
            (ticket, latest), (other, _latest) = waiting[mine], waiting[theirs]
            if latest == match and side != other_side and ticket != other:
                found.add((min(ticket, other), max(ticket, other)))
    return sorted(found)
