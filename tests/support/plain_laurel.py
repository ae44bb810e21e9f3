"""``laurel``'s rules written again, one match and one player at a time, to check it."""

import itertools
import math
import statistics
from collections import Counter
from collections.abc import Iterator

from matchmaking.rank_ranges import RankRanges
from matchmaking.rules.arena import Rules
from matchmaking.tick import Match
from matchmaking.ticket import Queue


def possible_matches(queue: Queue, rules: Rules, *, now: float) -> Iterator[Match]:
    """Yield every match within the hard rules, by trying all."""
    tickets = range(len(queue))
    full = [
        team
        for length in range(1, rules.team_size + 1)
        for team in itertools.combinations(tickets, length)
        if sum(int(queue.sizes[ticket]) for ticket in team) == rules.team_size
    ]
    for team1, team2 in itertools.combinations(full, 2):
        match = Match(team1, team2)
        if set(team1).isdisjoint(team2) and is_allowed(queue, rules, match, now=now):
            yield match


def is_allowed(queue: Queue, rules: Rules, match: Match, *, now: float) -> bool:
    """Return whether a match is within the hard rules."""
    chance = _chance(queue, match, rules.laurel.chance_scale)
    modes = [queue.mode_sets[queue.mode_codes[ticket]] for ticket in match.tickets]
    ranges = RankRanges.of(queue, now, rules.rank_filter)
    return (
        abs(chance - 0.5) <= rules.laurel.fairness + 1e-12
        and _spread(queue, match) <= rules.queue.rating_max
        and _size_difference(queue, match) <= rules.matcher.roster_size_max_diff
        and (bool(frozenset.intersection(*modes)) or not any(modes))
        and share_a_region(queue, rules, match, now)
        and (
            ranges is None
            or all(
                ranges.low[one] <= ranges.lowest[other]
                and ranges.highest[other] <= ranges.high[one]
                for one, other in itertools.permutations(match.tickets, 2)
            )
        )
    )


def share_a_region(queue: Queue, rules: Rules, match: Match, now: float) -> bool:
    """Return whether there is a region in which all tickets would play by now."""
    if queue.regions is None:
        return True
    after, accepted = rules.region.widen_after, []
    for ticket in match.tickets:
        widened = after > 0 and max(now - queue.queued_at[ticket], 0) >= after
        codes = queue.regions.later if widened else queue.regions.now
        accepted.append(queue.regions.sets[codes[ticket]])
    return any(all(region in each for each in accepted) for region in accepted[0])


def is_rematch(queue: Queue, rules: Rules, match: Match) -> bool:
    """Return whether too many pairs of opponents have just met."""
    return _repeats(queue, match) > rules.laurel.rematch_share * rules.team_size**2


def score(queue: Queue, rules: Rules, match: Match, *, now: float) -> float:
    """Return the score of a match."""
    weights, players = rules.matcher, 2 * rules.team_size
    rows = _rows(queue, match.tickets)
    teams = [
        Counter(int(p) for p in queue.profession[_rows(queue, team)] if p >= 0)
        for team in (match.team1, match.team2)
    ]
    excess = sum(
        max(0, count - weights.profession_max) for team in teams for count in team.values()
    )
    stacks = sum(queue.dishonor[rows])
    clean = sum(queue.dishonor[rows] == 0)
    mean_games = sum(queue.games[rows]) / players
    mean_rank = sum(queue.rank[rows]) / players
    guild = all(
        any(queue.guild_team[ticket] for ticket in team) for team in (match.team1, match.team2)
    )
    total = weights.rating_distance * _gap(queue, match)
    total += rules.laurel.spread_distance * _spread(queue, match)
    total += weights.profession_matching * (teams[0] & teams[1]).total()
    total += weights.profession_common * excess
    total += weights.profession_unique * sum(len(team) for team in teams)
    total += weights.dishonor_distance * stacks * clean / (players - 1)
    total += weights.dishonor_stack * stacks
    total += weights.roster_size_distance * _size_difference(queue, match)
    total += weights.guild_team_affinity * (guild and rules.choices.guild == "opponent")
    total += rules.laurel.repeat_distance * _repeats(queue, match)
    for ticket in match.tickets:
        wait = max(now - queue.queued_at[ticket], 0)
        games = sum(queue.games[queue.members(ticket)]) / queue.sizes[ticket]
        rank = sum(queue.rank[queue.members(ticket)]) / queue.sizes[ticket]
        total += weights.age_seconds * wait * queue.sizes[ticket]
        total += weights.games_distance * min(abs(games - mean_games), weights.games_max)
        total += weights.rank_distance * abs(rank - mean_rank)
    return float(total)


def _rows(queue: Queue, tickets: tuple[int, ...]) -> list[int]:
    return [row for t in tickets for row in range(queue.starts[t], queue.starts[t + 1])]


def _chance(queue: Queue, match: Match, scale: float) -> float:
    """Return the first team's chance by Glickman's formulas (1) and (16)."""
    q = math.log(10) / scale
    teams = [_rows(queue, team) for team in (match.team1, match.team2)]
    rating, other_rating = (statistics.fmean(queue.rating[rows]) for rows in teams)
    together = sum(statistics.fmean(queue.deviation[rows] ** 2) for rows in teams)
    g = 1 / math.sqrt(1 + 3 * q**2 * together / math.pi**2)
    return 1 / (1 + 10 ** (-g * (rating - other_rating) / scale))


def _gap(queue: Queue, match: Match) -> float:
    first, second = (
        sum(queue.rating[row] - queue.deviation[row] for row in rows) / len(rows)
        for rows in (_rows(queue, match.team1), _rows(queue, match.team2))
    )
    return abs(float(first - second))


def _spread(queue: Queue, match: Match) -> float:
    rosters = [queue.rating[queue.members(ticket)] for ticket in match.tickets]
    middles = [(min(ratings) + max(ratings)) / 2 for ratings in rosters]
    return float(max(middles) - min(middles))


def _size_difference(queue: Queue, match: Match) -> int:
    first, second = (
        max(int(queue.sizes[ticket]) for ticket in team) for team in (match.team1, match.team2)
    )
    return abs(first - second)


def _repeats(queue: Queue, match: Match) -> int:
    met = {frozenset(pair) for pair in queue.met.tolist()}
    return sum(
        int(queue.sizes[one] * queue.sizes[other])
        for one, other in itertools.product(match.team1, match.team2)
        if frozenset((one, other)) in met
    )
