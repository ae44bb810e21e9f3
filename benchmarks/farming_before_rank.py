"""Measure what wins over fresh accounts leave a newcomer once they are ranked.

Newcomers beat fresh accounts and then play honest matches at the strength of a settled league until
the rules of a new arena give a rank. Each has a league of its own, and all are rated at once. The
same newcomers without these wins are subtracted.

It also measures whom the rules keep from a rank in an honest league that many people leave.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from benchmarks.farming import OPPONENTS, PLACEMENT, Season, duel
from benchmarks.flags import DAY
from benchmarks.scratch import machine
from ratings import registry
from ratings.replay import replay
from ratings.seasons.connections import find_connections
from ratings.seasons.even_wins import unconfirmed_kept
from ratings.seasons.fair_play import FairPlay
from ratings.seasons.rules import Ranked
from ratings.seasons.support import Games, measure_support
from ratings.seasons.unconfirmed import Part, sum_unconfirmed

if TYPE_CHECKING:
    from ratings.system import RatingSystem
    from ratings.types import Floats

WEEK = 7 * DAY
LEAGUES, MEMBERS, HONEST = 24, 20, 150
MEMBERS_WHO_STAY = 300
SETTLED = 60
"""Matches of each member before the newcomer comes."""
WINS = (1, 2, 3, 5, 8, 12, 20, 30, 60)
SYSTEMS = ("elo", "glicko", "glicko-2", "trueskill", "elo-mmr")
NEWCOMER, FRESH, SPACE = MEMBERS, MEMBERS + 1, 1_000
"""Numbers of players in a league, and how many numbers each league has."""


class Farmed(NamedTuple):
    """The ratings of newcomers after their wins over fresh accounts."""

    lead: Floats
    """``(leagues, HONEST + 1)``: points ahead of the members after so many honest matches."""
    points: Floats
    """``(leagues, HONEST + 1)``: how many of the points won are then unconfirmed by the rules."""


def farm(system: RatingSystem, wins: int) -> Farmed:
    """Let a newcomer of each league win so often, and then play honestly."""
    from ratings.history import History, Match, Participant, Side

    rows = sorted(row for league in range(LEAGUES) for row in list_matches(league, wins))
    matches = [
        Match(str(number), at, [Side(0, [Participant(str(one))]), Side(1, [Participant(str(two))])])
        for number, (at, one, two) in enumerate(rows)
    ]
    history = History.build(matches)
    rated = replay(system, history)
    player = np.array([int(name) for name in history.players])[history.player]
    league, number = np.divmod(player, SPACE)
    after, before = rated.after.rating / system.scale, rated.before.rating / system.scale
    leads, points = np.zeros((LEAGUES, HONEST + 1)), np.zeros((LEAGUES, HONEST + 1))
    start = system.newcomers(1).rating[0] / system.scale
    for here in range(LEAGUES):
        members = np.where((league == here) & (number < MEMBERS), after - before, 0)
        mean = start + np.cumsum(members) / MEMBERS
        own = np.flatnonzero((league == here) & (number == NEWCOMER))
        gains = (after - before)[own]
        opponents = player[own + 1 - 2 * (own % 2)].tolist()
        parts = [
            Part(gain, float(number < wins), opponent)
            for number, (gain, opponent) in enumerate(zip(gains.tolist(), opponents, strict=True))
        ]
        points[here] = [sum_unconfirmed(parts[: wins + after]) for after in range(HONEST + 1)]
        first, honest = own[wins], own[wins:]
        leads[here, 0] = before[first] - mean[first - first % 2 - 1]
        leads[here, 1:] = after[honest] - mean[honest - honest % 2 + 1]
    return Farmed(leads, points)


def list_matches(league: int, wins: int) -> list[tuple[int, int, int]]:
    """Return the times, winners and losers of a league's matches, the same with any wins."""
    random = np.random.default_rng(league)
    base, settling = SPACE * league, SETTLED * MEMBERS // 2
    rows = []
    for number in range(settling):
        one, two = random.permutation(MEMBERS)[:2].tolist()
        rows.append((number * WEEK // (2 * MEMBERS), base + one, base + two))
    begin = settling * WEEK // (2 * MEMBERS)
    rows += [
        (begin + number * WEEK // 10, base + NEWCOMER, base + FRESH + number)
        for number in range(wins)
    ]
    begin += wins * WEEK // 10
    for number in range(HONEST):
        pair = [base + NEWCOMER, base + int(random.integers(MEMBERS))]
        one, two = pair if random.random() < 0.5 else pair[::-1]
        rows.append((begin + number * WEEK // 10, one, two))
    return rows


def measure(name: str) -> None:
    """Print what is left at a rank, by the share of matches alone and with confirmed points."""
    system = registry.build(name, {})
    control = farm(system, 0).lead
    ranked, kept = Ranked(), unconfirmed_kept(system)
    for wins in WINS:
        lead, points = farm(system, wins)
        excess = lead - control
        by_share = int(np.ceil(ranked.others / (1 - ranked.others) * wins))
        least = max(ranked.placement_matches - wins, ranked.opponents + 1, by_share)
        enough = (points <= kept) & (np.arange(HONEST + 1) >= least)
        ranked_after = np.where(enough.any(axis=1), enough.argmax(axis=1), HONEST)
        left = excess[np.arange(LEAGUES), ranked_after]
        print(
            f"{name}, {wins} wins gain {excess[:, 0].mean():.0f}; by the share of matches {least} "
            f"honest matches leave {excess[:, least].mean():.0f}; with points confirmed "
            f"{ranked_after.mean():.0f} ({ranked_after.max()} at most) leave {left.mean():.0f}",
            flush=True,
        )


def people_leave(part: float) -> tuple[list[tuple[int, int, int]], int]:
    """Return times, winners and losers in a league that many leave after three matches, and how
    many players there were.

    The first ``MEMBERS_WHO_STAY`` join over half a year and stay. The given part of their matches
    is against the others, who are weaker on average.
    """
    random = np.random.default_rng(5)
    skill = random.normal(size=MEMBERS_WHO_STAY).tolist()
    joined = random.integers(0, 24, MEMBERS_WHO_STAY)
    rows = []
    for week in range(26):
        active = np.flatnonzero(joined <= week)
        if len(active) < 3:
            continue
        against_leavers = int(4 * len(active) * part) // 3
        pairs = []
        for _ in range(against_leavers):
            skill.append(random.normal(-0.5))
            pairs += [(int(one), len(skill) - 1) for one in random.choice(active, 3)]
        for _ in range((4 * len(active) - len(pairs)) // 2):
            one, two = random.choice(active, 2, replace=False).tolist()
            pairs.append((one, two))
        random.shuffle(pairs)
        for number, (one, two) in enumerate(pairs):
            won = random.random() < 1 / (1 + np.exp(1.5 * (skill[two] - skill[one])))
            at = week * WEEK + number * WEEK // (len(pairs) + 1)
            rows.append((at, one, two) if won else (at, two, one))
    return rows, len(skill)


def kept_out(name: str, part: float) -> None:
    """Print how many who stay in such a league have no rank in the end, by their matches."""
    rows, count = people_leave(part)
    season = Season(registry.build(name, {}), FairPlay(), count)
    for row in rows:
        season.play(duel(*row))
    times, pairs = np.array(rows)[:, 0], np.array(rows)[:, 1:]
    changes = {player: iter(found) for player, found in season.changes.items()}
    own = [next(changes[player]) for player in pairs.reshape(-1).tolist()]
    gains = np.array([change.points for change in own])
    numbers = np.arange(pairs.size)
    ranked, lost = np.zeros(count, bool), 0
    for played in np.searchsorted(times, WEEK * np.arange(1, 27)).tolist():
        part_of = slice(2 * played)
        placed = np.bincount(pairs[:played].reshape(-1), minlength=count) >= PLACEMENT
        known = pairs[:played][placed[pairs[:played]].all(axis=1)]
        found = find_connections(count, known, OPPONENTS)
        sides = np.stack([numbers // 2, numbers, pairs.reshape(-1)])[:, part_of]
        games = Games(sides, numbers[part_of] // 2, gains[part_of])
        support = measure_support(games, found.connected)
        enough = support.enough(Ranked().others, unconfirmed_kept(season.system), ranked)
        lost += int(np.count_nonzero(ranked & ~enough))
        ranked = found.connected & enough
    texts = []
    for least, most in ((10, 20), (20, 40), (40, 1_000)):
        group = found.connected & (support.matches >= least) & (support.matches < most)
        without = np.count_nonzero(group & ~ranked)
        texts.append(f"{without} of {np.count_nonzero(group)} with {least} to {most - 1} matches")
    print(
        f"{name}, {part:.0%} against people who leave: without a rank {', '.join(texts)}; "
        f"{lost} lost one; log loss {season.loss / season.matches:.4f}",
        flush=True,
    )


def main() -> None:
    print(machine())
    for name in SYSTEMS:
        measure(name)
    for part in (0.1, 0.2, 0.3):
        for name in ("elo", "glicko-2"):
            kept_out(name, part)


if __name__ == "__main__":
    main()
