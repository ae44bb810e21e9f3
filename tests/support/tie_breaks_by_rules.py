"""The tie-breaks of FIDE Handbook C.07, article by article, from the records of a tournament.

It knows nothing of the code under test: a record is a round, a player, an opponent and a word for
what happened, as an arbiter writes it down.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Points:
    """What an event gives for each word."""

    win: Fraction
    draw: Fraction
    loss: Fraction
    forfeit: Fraction
    bye: Fraction

    def of(self, word: str) -> Fraction:
        return {
            "win": self.win,
            "draw": self.draw,
            "loss": self.loss,
            "forfeit win": self.win,
            "forfeit draw": self.draw,
            "forfeit loss": self.forfeit,
            "pairing bye": self.bye,
            "half-point bye": self.draw,
            "absent": Fraction(0),
        }[word]


@dataclass(frozen=True)
class Record:
    """One round of one player."""

    round: int
    player: int
    opponent: int | None
    word: str
    white: bool = False

    @property
    def played(self) -> bool:
        return self.word in {"win", "draw", "loss"}

    @property
    def requested(self) -> bool:
        """16.1.1: a bye that was asked for, with half a point or none."""
        return self.word in {"half-point bye", "absent"}

    @property
    def voluntary(self) -> bool:
        """16.1.2: a requested bye, or a loss by forfeit."""
        return self.requested or self.word == "forfeit loss"


class Event:
    """A Swiss or a round robin, as its records have it."""

    def __init__(self, records: Sequence[Record], points: Points, rounds: int, *, swiss: bool):
        self.records, self.points, self.rounds, self.swiss = records, points, rounds, swiss

    def of(self, player: int) -> list[Record]:
        """Return a player's rounds. In a Swiss, a round without a record is an absence."""
        own = sorted(
            (each for each in self.records if each.player == player), key=lambda each: each.round
        )
        if not self.swiss:
            return own
        known = {each.round for each in own}
        missing = [number for number in range(1, self.rounds + 1) if number not in known]
        own += [Record(number, player, None, "absent") for number in missing]
        return sorted(own, key=lambda each: each.round)

    def score(self, player: int) -> Fraction:
        return sum((self.points.of(each.word) for each in self.of(player)), Fraction(0))

    def adjusted(self, player: int) -> Fraction:
        """16.3: a requested bye after which the player never came again is a draw for opponents."""
        if not self.swiss:
            return self.score(player)
        own, total = self.of(player), Fraction(0)
        for each in own:
            later = [other for other in own if other.round > each.round]
            gone = each.requested and all(other.voluntary for other in later)
            total += self.points.draw if gone else self.points.of(each.word)
        return total

    def opponent_score(self, each: Record) -> Fraction:
        """16.4: an unplayed round of a Swiss is one against a dummy."""
        if each.played or not self.swiss:
            assert each.opponent is not None
            return self.adjusted(each.opponent)
        own = self.score(each.player)
        if each.opponent is not None:
            return min(own, self.adjusted(each.opponent))
        return min(own, self.points.draw * len(self.of(each.player)))

    def contributions(self, player: int) -> list[Record]:
        return [each for each in self.of(player) if self.swiss or each.opponent is not None]

    def buchholz(self, player: int, low: int = 0, high: int = 0) -> Fraction:
        """8.1, 14.1 and 14.3; by 16.5, the lowest voluntary unplayed round is cut first."""
        pairs = [
            (self.opponent_score(each), self.swiss and each.voluntary)
            for each in self.contributions(player)
        ]
        for _ in range(low):
            voluntary = [pair for pair in pairs if pair[1]]
            if pairs:
                pairs.remove(min(voluntary or pairs))
        for _ in range(high):
            if pairs:
                pairs.remove(max(pairs))
        return sum((score for score, _voluntary in pairs), Fraction(0))

    def sonneborn_berger(self, player: int) -> Fraction:
        """9.1: the score of each opponent times the points scored against them."""
        return sum(
            (
                self.opponent_score(each) * self.points.of(each.word)
                for each in self.contributions(player)
            ),
            Fraction(0),
        )

    def wins(self, player: int) -> Fraction:
        """7.1: rounds with as many points as for a win, with or without playing."""
        won = [
            each
            for each in self.of(player)
            if each.word in {"win", "forfeit win"}
            or (each.word == "pairing bye" and self.points.bye >= self.points.win)
        ]
        return Fraction(len(won))

    def away(self, player: int) -> Fraction:
        """7.3: games played with black."""
        return Fraction(sum(each.played and not each.white for each in self.of(player)))

    def away_wins(self, player: int) -> Fraction:
        """7.4: games won with black."""
        return Fraction(sum(each.word == "win" and not each.white for each in self.of(player)))

    def progressive(self, player: int) -> Fraction:
        """7.5: the sum of the scores after each round."""
        last = max((each.round for each in self.records), default=0)
        last = max(last, self.rounds if self.swiss else 0)
        return sum(
            (
                self.points.of(each.word)
                for number in range(1, last + 1)
                for each in self.of(player)
                if each.round <= number
            ),
            Fraction(0),
        )

    def ranked_by_encounter(self, tied: Sequence[int]) -> list[set[int]]:
        """6: by the points in games among the tied, again among those who stay level.

        If some have not met, only a player who is first whatever those games bring is first.
        """
        if len(tied) < 2:
            return [set(tied)]
        parts = self.split(tied)
        if len(parts) == 1:
            return parts
        return [
            finer for part in parts for finer in (self.ranked_by_encounter(sorted(part)) or [part])
        ]

    def split(self, tied: Sequence[int]) -> list[set[int]]:
        games = [
            each
            for each in self.records
            if each.player in tied and each.opponent in tied and each.played
        ]
        met = {
            pair: sum({each.player, each.opponent or 0} == set(pair) for each in games) // 2
            for pair in combinations(sorted(tied), 2)
        }
        most = max(met.values())
        if not most:
            return [set(tied)]
        earned = {
            player: sum(
                (self.points.of(each.word) for each in games if each.player == player), Fraction(0)
            )
            for player in tied
        }
        missing = [pair for pair, times in met.items() for _ in range(most - times)]
        if not missing:
            levels = sorted(set(earned.values()), reverse=True)
            return [{one for one in tied if earned[one] == level} for level in levels]
        results = [
            (self.points.win, self.points.loss),
            (self.points.draw, self.points.draw),
            (self.points.loss, self.points.win),
        ]
        outcomes = []
        for given in product(results, repeat=len(missing)):
            final = dict(earned)
            for (one, other), (mine, theirs) in zip(missing, given, strict=True):
                final[one] += mine
                final[other] += theirs
            outcomes.append(final)
        left, parts = set(tied), []
        while len(left) > 1:
            first = [
                one
                for one in left
                if all(
                    final[one] > max(final[other] for other in left - {one}) for final in outcomes
                )
            ]
            if not first:
                break
            parts.append({first[0]})
            left -= {first[0]}
        return [*parts, left] if left else parts
