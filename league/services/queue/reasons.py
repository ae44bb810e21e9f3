"""The reasons for a match, from the tick that found it.

Players read what the matcher weighed: figures of both teams, and what each of them counted in the
score. About individual players, they see only their own figures: nobody learns the stacks,
latencies or filters of others, not even as a difference. So the score has no sum, and the shares of
dishonor are left out.

Nothing is said before everybody has accepted. Waits and figures would tell accomplices that they
have found each other, and others whom to avoid.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import chain
from statistics import fmean
from typing import TYPE_CHECKING, Any

from django.db.models import Exists, OuterRef

from league.models import Proposal, Tick, TicketMember
from league.services.queue import kept_ticks, statistics
from league.services.queue.regions import wishes_of
from league.services.queue.snapshots import Snapshot
from matchmaking.matchers import MATCHERS
from matchmaking.rules.arena import Rules
from matchmaking.tick import Match, Pick

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from league.models import Match as Played
    from league.models import Player
    from matchmaking.ticket import Player as Waiting
    from matchmaking.ticket import Ticket

PRIVATE = frozenset({"dishonor_distance", "dishonor_stack"})
"""Shares of the score from which others' stacks could be read."""


@dataclass(frozen=True)
class Team:
    """Figures of a team when its match was found."""

    rating: float
    """The mean rating, as the matcher had it."""
    games: float | None
    """The mean number of rated matches, where the matcher weighs it."""
    waited: timedelta
    """The mean wait of its parties."""
    largest: int
    """Players in its largest party."""

    @classmethod
    def of(cls, parties: Sequence[Ticket], now: float, rules: Rules) -> Team:
        weighs_games = rules.matcher.games_distance != 0 or rules.choices.games != "config"
        players = [player for party in parties for player in party.players]
        return cls(
            rating=fmean(player.rating for player in players),
            games=fmean(player.games for player in players) if weighs_games else None,
            waited=round_seconds(fmean(waiting_time(party, now) for party in parties)),
            largest=max(len(party.players) for party in parties),
        )


@dataclass(frozen=True)
class Why:
    """The figures that the matcher weighed, for one of the players."""

    mine: Team
    theirs: Team
    team_size: int
    own_wait: timedelta
    longest: timedelta
    """The longest wait of any party."""
    chance: float | None
    """The forecast of the player's team."""
    fair: tuple[float, float] | None
    """The chances that the matcher allows, ``None`` if it promises none."""
    spread: float | None
    """Rating points between the highest and the lowest party, where the matcher weighs them."""
    allowed: float | None
    """The number that their waits made up for, ``None`` if that did not decide."""
    first: bool
    """Whether a party came before all others, as it had waited too long."""
    reach: float | None
    """The reach of the search from the party around which a match was built."""
    repeats: int | None
    """Pairs of opponents who were opponents in their last match, where the matcher weighs them."""
    professions: int | None
    """Professions that both teams have, where the matcher weighs them."""
    filter: float | None
    """The percentiles that the player's own filter spanned."""
    stacks: int
    """The player's own, where the matcher puts players with stacks together."""
    latency: float | None
    """The player's own, in milliseconds."""
    parties: int
    """Parties that were waiting."""
    players: int
    counted: Mapping[str, float] = field(default_factory=dict)
    """The share of each metric in the score, of matchers that score a whole match."""

    @property
    def whole_reach(self) -> int | None:
        return None if self.reach is None else round(self.reach)


def is_known(match: Played, player: Player) -> bool:
    """Return whether a player can read why their match was made. One query."""
    return Proposal.objects.filter(
        Exists(Tick.objects.filter(arena=OuterRef("arena"), at=OuterRef("proposed_at"))),
        Exists(TicketMember.objects.filter(ticket__proposal=OuterRef("pk"), player=player)),
        match=match,
    ).exists()


def why(proposal: Proposal, player: Player) -> Why | None:
    """Return why a player's match was made.

    ``None`` if it is not theirs or its tick is no longer kept. Up to four queries.
    """
    seats = list(chain.from_iterable(proposal.seats))
    if not TicketMember.objects.filter(ticket__in=seats, player=player).exists():
        return None
    tick = Tick.objects.filter(arena=proposal.arena_id, at=proposal.proposed_at).first()
    if tick is None:
        return None
    rules, queue = Rules.model_validate(tick.rules), kept_ticks.inflate(tick.queue)
    found = only(queue, seats)
    waiting = {ticket.id: ticket for ticket in found.tickets}
    if len(waiting) < len(seats):
        return None
    teams = [[waiting[ticket] for ticket in team] for team in proposal.seats]
    own = [
        (number, party, member)
        for number, team in enumerate(teams)
        for party in team
        for member in party.players
        if member.id == player.pk
    ]
    if not own:  # merged with another player since
        return None
    now = tick.at.timestamp()
    waits = [waiting_time(party, now) for party in found.tickets]
    [(number, party, member)] = own
    chance = proposal.forecast
    return Why(
        mine=Team.of(teams[number], now, rules),
        theirs=Team.of(teams[1 - number], now, rules),
        team_size=rules.team_size,
        own_wait=round_seconds(waiting_time(party, now)),
        longest=round_seconds(max(waits)),
        chance=chance if chance is None or number == 0 else 1 - chance,
        filter=filter_of(member, waiting_time(party, now), rules),
        stacks=round(member.dishonor) if rules.matcher.dishonor_distance < 0 else 0,
        latency=latency_of(proposal, player),
        parties=len(queue["tickets"]),
        players=sum(len(ticket["players"]) for ticket in queue["tickets"]),
        professions=professions(teams, rules),
        **by_matcher(tick, rules, found, proposal.seats, waits),
    )


def by_matcher(
    tick: Tick, rules: Rules, found: Snapshot, seats: list[list[Any]], waits: list[float]
) -> dict[str, Any]:
    """Return what only one kind of matcher weighs."""
    if tick.matcher != "laurel":
        target = next(ticket for ticket in found.tickets if ticket.id == seats[0][0])
        window = statistics.window(rules, waiting_time(target, tick.at.timestamp()))
        return {
            **dict.fromkeys(("fair", "spread", "allowed", "repeats")),
            "reach": window,
            "first": False,
        }
    counted = shares(tick, rules, found, seats)
    weights = rules.laurel
    middles = [
        (min(ratings) + max(ratings)) / 2
        for ratings in ([one.rating for one in ticket.players] for ticket in found.tickets)
    ]
    spread = max(middles) - min(middles)
    sizes = [len(ticket.players) for ticket in found.tickets]
    paid = sum(wait * size for wait, size in zip(waits, sizes, strict=True))
    allowed, first = statistics.spread(rules, paid), max(waits) > weights.bound
    repeats = counted["repeats"] / weights.repeat_distance if weights.repeat_distance else None
    return {
        "fair": (0.5 - weights.fairness, 0.5 + weights.fairness)
        if weights.fairness < 0.5
        else None,
        "spread": spread if weights.spread_distance else None,
        "allowed": allowed if spread <= allowed and not first else None,
        "first": first,
        "repeats": None if repeats is None else round(repeats),
        "reach": None,
        "counted": {name: share for name, share in counted.items() if name not in PRIVATE},
    }


def shares(
    tick: Tick, rules: Rules, found: Snapshot, seats: list[list[Any]]
) -> Mapping[str, float]:
    """Return what each metric added to the score of a match of a matcher that scores it whole."""
    places = {ticket.id: place for place, ticket in enumerate(found.tickets)}
    one, other = (tuple(places[ticket] for ticket in team) for team in seats)
    match = Match(one, other, (Pick(other[0], 2, 0.0),))
    explain = MATCHERS[tick.matcher].explain
    return explain(found.queue(), rules, match, now=tick.at.timestamp())[0]


def only(queue: dict[str, Any], tickets: Sequence[Any]) -> Snapshot:
    """Return the part of a stored queue with these tickets."""
    wanted = set(tickets)
    return Snapshot.from_json(
        {
            "tickets": [ticket for ticket in queue["tickets"] if ticket["id"] in wanted],
            "met": [pair for pair in queue["met"] if wanted.issuperset(pair)],
        }
    )


def professions(teams: Sequence[Sequence[Ticket]], rules: Rules) -> int | None:
    """Return how many professions both teams have, ``None`` if they do not count."""
    weights = rules.matcher
    first, second = (
        {one.profession for party in team for one in party.players} - {""} for team in teams
    )
    counts = weights.profession_matching or weights.profession_common or weights.profession_unique
    return len(first & second) if counts and (first or second) else None


def filter_of(player: Waiting, waited: float, rules: Rules) -> float | None:
    """Return the percentiles that a player's filter spanned, ``None`` without a limit."""
    if player.rank_filter is None:
        return None
    reach = statistics.filter_reach(player.rank_filter, waited, rules)
    return None if math.isinf(reach) else reach


def latency_of(proposal: Proposal, player: Player) -> float | None:
    """Return the player's latency to the region of their match, if there is one and it is known."""
    if not proposal.region:
        return None
    wishes = wishes_of(proposal.arena, [player.pk]).get(player.pk)
    return wishes.latencies.get(proposal.region) if wishes else None


def waiting_time(ticket: Ticket, now: float) -> float:
    return max(now - ticket.queued_at, 0.0)


def round_seconds(seconds: float) -> timedelta:
    return timedelta(seconds=round(seconds))
