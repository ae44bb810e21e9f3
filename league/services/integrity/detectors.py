"""Detectors of records that look arranged. Each is a pure function of a season's recent games.

A detector returns findings for staff to read. Thresholds are Laurel's, and set so that honest
leagues raise few flags: docs/integrity.md has the rates.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from league.models import Flag

if TYPE_CHECKING:
    from ratings.types import Booleans, Floats, Integers

DAYS = 28
"""The days of results that detectors read."""
PAIR_GAMES = 8
"""Fewest games of a pair that can be called one-sided: in half of them luck alone is 1 in 256."""
PAIR_SHARE = 0.9
"""Share of a pair's games that one of them won."""
PAIR_OF_ALL = 0.5
"""Share of the winner's games that were against this opponent: strong players meet others too."""
SOURCE_WINS = 6
"""Fewest wins over an opponent from whom most points come."""
SOURCE_SHARE = 0.6
"""Share of all points won that came from one opponent."""
SOURCE_WON = 0.8
"""Share of the games against that opponent that were won: rivals who win in turn gain nothing."""
RISER_GAMES = 12
"""Fewest games of a player who rises against unranked players."""
RISER_WON = 0.8
"""Share of them that were won."""
RISER_UNRANKED = 0.8
"""Share of the wins that were over players who are not connected to the league."""
RISER_CONNECTED = 9
"""Fewest connected players of a season: in a new one nobody is ranked yet."""
RING = 6
"""The most opponents that are few."""
RING_GAMES = 3
"""Fewest games against an opponent who loses again and again."""
RING_WON = 0.8
"""Share of these games that were won."""
RING_WINS = 12
"""Fewest wins over all of them."""
RING_SHARE = 0.6
"""Share of all points won that came from them."""
RING_KEPT = 0.5
"""Share of their points by which the player rose: strong players lose as many to others."""
RING_GAP = 0.25
"""By how much more the player scores against everybody else than these opponents do. Who really
wins most games against them also does better against others."""
RING_OF_ALL = 2
"""A league has so many times the players that are in a ring: in a club of six, all are few."""
QUICK = 30
"""Seconds within which an answer is quick: hardly time to look up a result on another device."""
QUICK_ANSWERS = 8
"""Quick answers of a pair from one address. A pair can report at most six matches in a weekend, so
people who meet at an event or share a household for some days do not get here."""
QUICK_OF_ALL = 0.5
"""Share of all answered matches of one of the two that were answered like this, with anybody: a
second account has no others, and people of one household or university have."""
DODGES = 8
"""Matches not accepted."""
DODGED_SHARE = 0.5
"""Share of the matches offered that were not accepted."""


class Finding(NamedTuple):
    """The suspicion of a detector about a player."""

    kind: Flag.Kind
    player: int
    other: int | None
    figures: dict[str, int]
    """The evidence. Shares are percentages."""


@dataclass(frozen=True)
class Games:
    """A season's recent games of two sides, by the captains of the sides."""

    one: Integers
    """``(n,)`` player ids."""
    other: Integers
    score: Floats
    """1 if ``one`` won, 0 if they lost, 0.5 for a draw."""
    one_gain: Floats
    """The change of rating of ``one``, positive for the better."""
    other_gain: Floats
    connected: Integers = field(default_factory=lambda: np.zeros(0, np.int64))
    """Ids of the players connected to the league, ascending."""

    def both_ways(self) -> tuple[Integers, Integers, Floats, Floats]:
        """Return players, opponents, scores and gains ``(2n,)``: each game from both sides."""
        return (
            np.concatenate([self.one, self.other]),
            np.concatenate([self.other, self.one]),
            np.concatenate([self.score, 1.0 - self.score]),
            np.concatenate([self.one_gain, self.other_gain]),
        )


@dataclass(frozen=True)
class Answers:
    """A season's recent reports that were confirmed, by their reporters and confirmers."""

    reporter: Integers
    """``(n,)`` player ids."""
    confirmer: Integers
    seconds: Floats
    """From the report to its confirmation."""
    one_address: Booleans
    """Whether both came from one address."""


@dataclass(frozen=True)
class _Sums:
    """Sums of games by player and by ordered pair of players."""

    players: Integers
    """``(p,)`` ids, ascending."""
    player: Integers
    """``(q,)`` of each pair: an index of ``players``."""
    opponent: Integers
    """``(q,)`` ids."""
    games: Integers
    """``(q,)`` games of the pair."""
    wins: Integers
    """``(q,)`` wins of the player over the opponent."""
    score: Floats
    """``(q,)`` sum of the player's scores."""
    points: Floats
    """``(q,)`` points that the player won from the opponent."""
    net: Floats
    """``(q,)`` the same without those that the player lost to the opponent."""

    @classmethod
    def of(cls, games: Games) -> _Sums:
        player, opponent, score, gain = games.both_ways()
        players = np.unique(player)
        own, theirs = np.searchsorted(players, player), np.searchsorted(players, opponent)
        pairs, pair = np.unique(own * max(len(players), 1) + theirs, return_inverse=True)
        size = len(pairs)
        return cls(
            players=players,
            player=pairs // max(len(players), 1),
            opponent=players[pairs % max(len(players), 1)] if size else players,
            games=np.bincount(pair, minlength=size),
            wins=np.bincount(pair, score == 1, minlength=size).astype(np.int64),
            points=np.bincount(pair, np.maximum(gain, 0.0), minlength=size).astype(float),
            score=np.bincount(pair, score, minlength=size).astype(float),
            net=np.bincount(pair, gain, minlength=size).astype(float),
        )

    def by_player(self, values: Integers | Floats) -> Floats:
        """Return ``(p,)`` sums of each player's pairs."""
        return np.bincount(self.player, values, minlength=len(self.players)).astype(float)

    def findings(
        self, kind: Flag.Kind, chosen: Booleans, **figures: Integers | Floats
    ) -> list[Finding]:
        """Return a finding for each chosen pair, with these ``(q,)`` figures."""
        return [
            Finding(
                kind,
                int(self.players[self.player[at]]),
                int(self.opponent[at]),
                {name: round(float(values[at])) for name, values in figures.items()},
            )
            for at in np.flatnonzero(chosen).tolist()
        ]


def one_sided_pairs(games: Games) -> list[Finding]:
    """Find players who won nearly all games of a pair and play few others."""
    sums = _Sums.of(games)
    of_all = sums.games / sums.by_player(sums.games)[sums.player]
    chosen = (
        (sums.games >= PAIR_GAMES)
        & (sums.wins >= PAIR_SHARE * sums.games)
        & (of_all >= PAIR_OF_ALL)
    )
    return sums.findings(
        Flag.Kind.ONE_SIDED, chosen, games=sums.games, wins=sums.wins, of_all=100 * of_all
    )


def points_from_one_opponent(games: Games) -> list[Finding]:
    """Find players most of whose points came from one opponent, whom they nearly always beat."""
    sums = _Sums.of(games)
    total = sums.by_player(sums.points)[sums.player]
    share = sums.points / np.where(total > 0, total, 1.0)
    chosen = (
        (sums.wins >= SOURCE_WINS)
        & (share >= SOURCE_SHARE)
        & (sums.wins >= SOURCE_WON * sums.games)
    )
    return sums.findings(
        Flag.Kind.ONE_OPPONENT, chosen, wins=sums.wins, games=sums.games, share=100 * share
    )


def points_from_few_opponents(games: Games) -> list[Finding]:
    """Find players who rose by points from a few opponents, who lost to them again and again."""
    sums = _Sums.of(games)
    count = len(sums.players)
    beaten = np.flatnonzero((sums.games >= RING_GAMES) & (sums.wins >= RING_WON * sums.games))
    beaten = beaten[np.lexsort((-sums.points[beaten], sums.player[beaten]))]
    player = sums.player[beaten]
    few = beaten[np.arange(len(beaten)) - np.searchsorted(player, player) < RING]
    own = sums.player[few]
    opponents = np.bincount(own, minlength=count)
    wins = np.bincount(own, sums.wins[few], minlength=count)
    points = np.bincount(own, sums.points[few], minlength=count)
    total, rose = sums.by_player(sums.points), sums.by_player(sums.net)
    gap = _lead_elsewhere(sums, few)
    chosen = (
        (opponents > 1)
        & (wins >= RING_WINS)
        & (points >= RING_SHARE * total)
        & (rose >= RING_KEPT * points)
        & (gap <= RING_GAP)
        & (count >= RING_OF_ALL * (opponents + 1))
    )
    return [
        Finding(
            Flag.Kind.FEW_OPPONENTS,
            int(sums.players[at]),
            None,
            {
                "wins": int(wins[at]),
                "opponents": int(opponents[at]),
                "share": round(100 * float(points[at] / total[at])),
            },
        )
        for at in np.flatnonzero(chosen & (points > 0)).tolist()
    ]


def _lead_elsewhere(sums: _Sums, pairs: Integers) -> Floats:
    """Return ``(p,)`` by how much more players score against everybody else than their opponents in
    these pairs do, 0 if either have not met anybody else."""
    count = len(sums.players)
    own, theirs = sums.player[pairs], np.searchsorted(sums.players, sums.opponent[pairs])
    games, score = sums.by_player(sums.games), sums.by_player(sums.score)
    between, won = sums.games[pairs].astype(np.float64), sums.score[pairs]

    def of_players(values: Floats) -> Floats:
        return np.bincount(own, values, minlength=count).astype(float)

    mine = games - of_players(between), score - of_players(won)
    others = of_players(games[theirs] - between), of_players(score[theirs] - (between - won))
    known = (mine[0] > 0) & (others[0] > 0)
    rates = [total / np.where(known, played, 1.0) for played, total in (mine, others)]
    return np.where(known, rates[0] - rates[1], 0.0)


def wins_against_unranked(games: Games) -> list[Finding]:
    """Find players who won nearly all games, nearly all of them over unconnected players."""
    if len(games.connected) < RISER_CONNECTED:
        return []
    sums = _Sums.of(games)
    unranked = ~np.isin(sums.opponent, games.connected)
    played, won = sums.by_player(sums.games), sums.by_player(sums.wins)
    over = sums.by_player(sums.wins * unranked)
    opponents = sums.by_player(unranked.astype(float))
    chosen = (played >= RISER_GAMES) & (won >= RISER_WON * played) & (over >= RISER_UNRANKED * won)
    return [
        Finding(
            Flag.Kind.UNRANKED_OPPONENTS,
            int(sums.players[at]),
            None,
            {
                "games": int(played[at]),
                "wins": int(won[at]),
                "over": int(over[at]),
                "opponents": int(opponents[at]),
            },
        )
        for at in np.flatnonzero(chosen).tolist()
    ]


def quick_answers(answers: Answers) -> list[Finding]:
    """Find pairs who confirm each other's reports at once and from one address."""
    quick = answers.one_address & (answers.seconds <= QUICK)
    everybody = np.concatenate([answers.reporter, answers.confirmer])
    players, index = np.unique(everybody, return_inverse=True)
    both = np.sort(index.reshape(2, -1), axis=0)
    pairs, pair = np.unique(both[0] * len(players) + both[1], return_inverse=True)
    answered = np.bincount(index, minlength=len(players))
    share = np.bincount(index, np.tile(quick, 2), len(players)) / np.maximum(answered, 1)
    one, other = np.divmod(pairs, max(len(players), 1))
    together = np.bincount(pair, minlength=len(pairs))
    at_once = np.bincount(pair, quick, len(pairs))
    of_all = np.maximum(share[one], share[other])
    chosen = (at_once >= QUICK_ANSWERS) & (of_all >= QUICK_OF_ALL)
    return [
        Finding(
            Flag.Kind.ONE_ADDRESS,
            int(players[one[at]]),
            int(players[other[at]]),
            {
                "quick": int(at_once[at]),
                "answered": int(together[at]),
                "share": round(100 * float(share[one[at]])),
                "other_share": round(100 * float(share[other[at]])),
            },
        )
        for at in np.flatnonzero(chosen).tolist()
    ]


def dodgers(players: Integers, dodges: Integers, offered: Integers) -> list[Finding]:
    """Find players who did not accept many of the matches that a queue ``offered`` them."""
    chosen = (dodges >= DODGES) & (dodges >= DODGED_SHARE * offered)
    return [
        Finding(
            Flag.Kind.DODGING,
            int(players[at]),
            None,
            {"dodges": int(dodges[at]), "offered": int(offered[at])},
        )
        for at in np.flatnonzero(chosen).tolist()
    ]


DETECTORS = (
    one_sided_pairs,
    points_from_one_opponent,
    points_from_few_opponents,
    wins_against_unranked,
)
