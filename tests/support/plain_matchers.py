"""The published matchmakers as on their pages: lists of rosters, one step after another.

This independent reading is as plain as the pseudo-code: no arrays, no tables, and nothing shared
with ``matchmaking`` but the names of the rules. The engine must make exactly the same matches.
Comments give the step of the pseudo-code where a reading departs from it.
"""

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from matchmaking.rules.arena import Rules
from matchmaking.ticket import Ticket


@dataclass
class PlainMatch:
    team1: list[Hashable]
    team2: list[Hashable]
    picks: list[tuple[Hashable, int, float]]


@dataclass
class PlainTick:
    matches: list[PlainMatch]
    queue: list[Hashable]


class Roster:
    """A ticket with its averages, computed one player at a time."""

    def __init__(self, ticket: Ticket, now: float, rules: Rules) -> None:
        self.id = ticket.id
        self.modes = ticket.modes
        self.regions: frozenset[str] | None = None
        if ticket.regions is not None:
            after, waited = rules.region.widen_after, max(now - ticket.queued_at, 0.0)
            widened = after > 0 and waited >= after
            self.regions = ticket.regions.later if widened else ticket.regions.now
        self.guild = ticket.guild_team
        self.size = len(ticket.players)
        self.age = max(now - ticket.queued_at, 0.0)
        self.raw = self.effective = self.rank = self.games = self.dishonor = 0.0
        self.professions: dict[str, int] = {}
        for player in ticket.players:
            self.raw += player.rating
            self.effective += player.rating - player.deviation
            self.rank += player.rank
            self.games += player.games
            self.dishonor += player.dishonor
            if player.profession:
                count = self.professions.get(player.profession, 0)
                self.professions[player.profession] = count + 1
        self._filter(rules)

    def _filter(self, rules: Rules) -> None:
        queue, choices = rules.queue, rules.choices
        if choices.filter_rating == "raw":
            average = self.raw / self.size
        else:
            average = self.effective / self.size
        base = self.size - 1 if choices.power_base == "size-1" else self.size
        self.rating = average * (1.0 + queue.power_percent / 100.0 * base**queue.power_curve)
        if self.age >= queue.rating_end:
            padding = queue.rating_min + (queue.rating_max - queue.rating_min) * 1.0
        elif self.age <= queue.rating_start:
            padding = queue.rating_min
        else:
            grown = (self.age - queue.rating_start) / (queue.rating_end - queue.rating_start)
            padding = queue.rating_min + (queue.rating_max - queue.rating_min) * grown
        self.rating_low = self.rating - padding
        self.rating_high = self.rating + padding

    def count(self, profession: str) -> int:
        return self.professions.get(profession, 0)


class Side:
    """A team or the whole match: rosters in picking order, with their running sums."""

    def __init__(self, *rosters: Roster) -> None:
        self.rosters: list[Roster] = []
        self.players = 0
        self.largest = 0
        self.guild = False
        self.effective = self.rank = self.games = self.dishonor = 0.0
        self.professions: dict[str, int] = {}
        for roster in rosters:
            self.append(roster)

    def append(self, roster: Roster) -> None:
        self.rosters.append(roster)
        self.players += roster.size
        self.largest = max(self.largest, roster.size)
        self.guild = self.guild or roster.guild
        self.effective += roster.effective
        self.rank += roster.rank
        self.games += roster.games
        self.dishonor += roster.dishonor
        for profession, count in roster.professions.items():
            self.professions[profession] = self.count(profession) + count

    def count(self, profession: str) -> int:
        return self.professions.get(profession, 0)


def create_matches(
    tickets: list[Ticket],
    rules: Rules,
    now: float,
    try_make_match: Callable[[Roster, list[Roster], Rules], tuple[Any, ...] | None],
) -> PlainTick:
    queue = [Roster(ticket, now, rules) for ticket in tickets]
    untried = list(queue)
    failed: list[Roster] = []
    matches: list[PlainMatch] = []
    attempts = 0
    # Targets come from the front, up to the attempts of a tick.
    while untried and attempts < rules.queue.iteration_rosters:
        attempts += 1
        target = untried.pop(0)
        queue.remove(target)
        made = try_make_match(target, queue, rules)
        if made is None:
            failed.append(target)
            if rules.choices.failed_available:
                queue.append(target)
            continue
        team1, team2, picks = made
        for roster in team1.rosters + team2.rosters:
            for waiting in (queue, untried, failed):
                if roster in waiting:
                    waiting.remove(roster)
        matches.append(
            PlainMatch(
                [roster.id for roster in team1.rosters],
                [roster.id for roster in team2.rosters],
                picks,
            )
        )
    # queue.append(failed), one by one.
    return PlainTick(matches, [roster.id for roster in untried + failed])


def potentials_limits(target: Roster, rules: Rules) -> tuple[float, float]:
    queue = rules.queue
    seconds = min(
        max(target.age - queue.potentials_start, 0.0), queue.potentials_end - queue.potentials_start
    )
    fallen = queue.potentials_falloff * seconds
    if rules.choices.falloff == "max":
        return queue.potentials_min, queue.potentials_max - fallen
    return queue.potentials_min - fallen, queue.potentials_max


def may_share(roster: Roster, others: list[Roster], rules: Rules) -> bool:
    """The pseudo-code compares modes for equality; the other reading wants one for everybody.

    Regions are not published: one is for everybody.
    """
    accepted = [each.regions for each in (roster, *others) if each.regions is not None]
    if accepted and not any(all(region in each for each in accepted) for region in accepted[0]):
        return False
    if rules.choices.modes == "equal":
        return all(roster.modes == other.modes for other in others)
    everyone = [roster, *others]
    wanted = {mode for each in everyone for mode in each.modes}
    return not wanted or any(all(mode in each.modes for each in everyone) for mode in wanted)


def games_score(distance: float, rules: Rules) -> float:
    if rules.choices.games == "config":
        return min(distance, rules.matcher.games_max) * rules.matcher.games_distance
    return distance * rules.matcher.rating_distance


def unpublished_scores(roster: Roster, team: Side, other: Side, match: Side, rules: Rules) -> float:
    """Score the metrics that the configuration lists and the pseudo-code never uses."""
    config, choice = rules.matcher, rules.choices.dishonor
    score = 0.0
    if choice == "mean_roster_total":
        distance = abs(match.dishonor / len(match.rosters) - roster.dishonor)
    elif choice == "match_total":
        distance = abs(match.dishonor - roster.dishonor)
    else:
        distance = abs(match.dishonor / match.players - roster.dishonor / roster.size)
    score += distance * config.dishonor_distance
    score += roster.dishonor * config.dishonor_stack
    if rules.choices.guild == "opponent" and roster.guild and other.guild:
        score += config.guild_team_affinity
    if roster.size == rules.team_size - team.players:
        score += config.roster_size_perfect_fit
    return score


# The new matcher, 7 February 2017.


def new(tickets: list[Ticket], rules: Rules, now: float) -> PlainTick:
    return create_matches(tickets, rules, now, try_make_match)


def try_make_match(target: Roster, queue: list[Roster], rules: Rules) -> tuple[Any, ...] | None:
    if target.size > rules.team_size:
        return None
    least, most = potentials_limits(target, rules)
    potentials = gather_potentials(queue, target, most, rules)
    if len(potentials) < least:
        return None
    team1, team2, match = Side(target), Side(), Side(target)
    picks = []
    while match.players < rules.team_size * 2:
        best = None
        best1 = best2 = -math.inf
        for roster in potentials:
            if not may_share(roster, match.rosters, rules):
                continue
            score1 = score2 = -math.inf
            if can_join_team(roster, team1, team2, match, rules):
                score1 = score_roster(roster, team1, team2, match, rules)
            if can_join_team(roster, team2, team1, match, rules):
                score2 = score_roster(roster, team2, team1, match, rules)
            # A roster that fits neither team is never best.
            if max(score1, score2) > max(best1, best2):
                best, best1, best2 = roster, score1, score2
        if best is None:
            return None
        potentials.remove(best)
        match.append(best)
        if best1 > best2:
            team1.append(best)
            picks.append((best.id, 1, best1))
        else:
            team2.append(best)
            picks.append((best.id, 2, best2))
    return team1, team2, picks


def gather_potentials(
    queue: list[Roster], target: Roster, most: float, rules: Rules
) -> list[Roster]:
    potentials = []
    for roster in queue:
        if not may_share(roster, [target], rules):
            continue
        if roster.rating > target.rating_high:
            continue
        if roster.rating < target.rating_low:
            continue
        potentials.append(roster)
        if len(potentials) >= most:
            break
    return potentials


def largest_in(other: Side, match: Side, rules: Rules) -> int:
    if not other.rosters and rules.choices.empty_team == "match_average":
        return match.largest
    return other.largest


def rating_of(other: Side, match: Side, rules: Rules) -> float:
    if other.rosters:
        return other.effective / other.players
    if rules.choices.empty_team == "match_average":
        return match.effective / match.players
    return 0.0


def can_join_team(roster: Roster, team: Side, other: Side, match: Side, rules: Rules) -> bool:
    if not other.rosters and rules.choices.empty_team == "opponent_first":
        return False
    if team.players + roster.size > rules.team_size:
        return False
    difference = abs(roster.size - largest_in(other, match, rules))
    return difference <= rules.matcher.roster_size_max_diff


def score_roster(roster: Roster, team: Side, other: Side, match: Side, rules: Rules) -> float:
    config = rules.matcher
    score = 0.0
    score += roster.age * config.age_seconds
    score += games_score(abs(match.games / match.players - roster.games / roster.size), rules)
    score += abs(match.rank / match.players - roster.rank / roster.size) * config.rank_distance
    score += abs(roster.size - largest_in(other, match, rules)) * config.roster_size_distance
    with_roster = (team.effective + roster.effective) / (team.players + roster.size)
    score += abs(with_roster - rating_of(other, match, rules)) * config.rating_distance
    for profession in roster.professions:
        together = roster.count(profession) + team.count(profession)
        if together > config.profession_max:
            score += (together - config.profession_max) * config.profession_common
        elif team.count(profession) == 0:
            score += config.profession_unique
        if team.count(profession) < other.count(profession):
            score += config.profession_matching
    return score + unpublished_scores(roster, team, other, match, rules)


# The old matcher.


def old(
    tickets: list[Ticket], rules: Rules, now: float, coin: Callable[[], bool] = lambda: False
) -> PlainTick:
    def attempt(target: Roster, queue: list[Roster], rules: Rules) -> tuple[Any, ...] | None:
        return try_make_match_alternating(target, queue, rules, coin)

    return create_matches(tickets, rules, now, attempt)


def try_make_match_alternating(
    target: Roster, queue: list[Roster], rules: Rules, coin: Callable[[], bool]
) -> tuple[Any, ...] | None:
    if target.size > rules.team_size:
        return None
    least, most = potentials_limits(target, rules)
    potentials = gather_overlapping(queue, target, most, rules)
    if len(potentials) < least:
        return None
    targets_team, match = Side(target), Side(target)
    team1, team2 = targets_team, Side()
    picks = []
    while team1.players < rules.team_size or team2.players < rules.team_size:
        if team1.players > team2.players or (team1.players == team2.players and coin()):
            team1, team2 = team2, team1
        best = pick_best_roster(team1, team2, match, potentials, rules)
        if best is None:
            return None
        roster, score = best
        potentials.remove(roster)
        team1.append(roster)
        match.append(roster)
        picks.append((roster.id, 1 if team1 is targets_team else 2, score))
    opponents = team2 if team1 is targets_team else team1
    return targets_team, opponents, picks


def gather_overlapping(
    queue: list[Roster], target: Roster, most: float, rules: Rules
) -> list[Roster]:
    potentials = []
    for roster in queue:
        if not may_share(roster, [target], rules):
            continue
        if roster.rating_low > target.rating_high:
            continue
        if roster.rating_high < target.rating_low:
            continue
        potentials.append(roster)
        if len(potentials) >= most:
            break
    return potentials


def pick_best_roster(
    team: Side,
    other: Side,
    match: Side,
    potentials: list[Roster],
    rules: Rules,
) -> tuple[Roster, float] | None:
    best = None
    best_score = -math.inf
    needed = rules.team_size - team.players
    for roster in potentials:
        if roster.size > needed or not may_share(roster, match.rosters, rules):
            continue
        if abs(roster.size - match.largest) > rules.matcher.roster_size_max_diff:
            continue
        score = score_alternating(roster, team, other, match, rules)
        if best is None or best_score < score:
            best, best_score = roster, score
    return None if best is None else (best, best_score)


def score_alternating(roster: Roster, team: Side, other: Side, match: Side, rules: Rules) -> float:
    config = rules.matcher
    # An empty team has no averages, so those of the match are used.
    alike = team if team.rosters else match
    score = 0.0
    score += roster.age * config.age_seconds
    score += games_score(abs(alike.games / alike.players - roster.games / roster.size), rules)
    score += abs(alike.rank / alike.players - roster.rank / roster.size) * config.rank_distance
    score += abs(match.largest - roster.size) * config.roster_size_distance
    distance = abs(alike.effective / alike.players - roster.effective / roster.size)
    score += distance * config.rating_distance
    for profession in roster.professions:
        together = roster.count(profession) + team.count(profession)
        if together > config.profession_max:
            score += (together - config.profession_max) * config.profession_common
        elif team.count(profession) == 0:
            score += config.profession_unique
    return score + unpublished_scores(roster, team, other, match, rules)
