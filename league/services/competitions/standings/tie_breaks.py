"""Tie-breaks: what separates entrants with equal points. Pure functions over their rounds.

Unplayed rounds of a Swiss follow article 16 of FIDE Handbook C.07, in force since March 2026:

- Of an opponent, a bye asked for or an absence counts as a draw if only rounds given up followed,
  so that nobody suffers from an opponent who left. Any other round counts its points (16.3).
- An entrant's own unplayed round is one against a dummy with as many points as the entrant, but
  after a forfeit at most those of the scheduled opponent, otherwise at most a draw for each round
  (16.4).
- Rounds that the entrant gave up are cut first (16.5).

In a round robin everybody was to meet everybody, so a forfeit counts as a game there, but not in a
direct encounter.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from django.utils.translation import gettext_lazy as _

from league.services.competitions.standings.entrant_rounds import WON

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from django.utils.functional import Promise

    from league.services.competitions.standings.entrant_rounds import EntrantRound, PointsRules

Value: TypeAlias = Fraction | None
"""More is better. ``None`` means that the tie-break says nothing, and is below every number."""
Values: TypeAlias = dict[int, Value]


@dataclass(frozen=True)
class Played:
    """The results that tie-breaks read."""

    rounds_of: Mapping[int, Sequence[EntrantRound]]
    points: PointsRules
    swiss: bool = False
    ratings: Mapping[int, float] | None = None
    lots: Mapping[int, int] | None = None
    forfeits_meet: bool = False
    """Whether a forfeit counts as a game in a direct encounter."""

    @cached_property
    def totals(self) -> dict[int, Fraction]:
        return {
            entrant: sum((one_round.points for one_round in own_rounds), Fraction(0))
            for entrant, own_rounds in self.rounds_of.items()
        }

    @cached_property
    def last_round(self) -> int:
        return max(
            (one_round.round for own_rounds in self.rounds_of.values() for one_round in own_rounds),
            default=0,
        )

    @cached_property
    def adjusted(self) -> dict[int, Fraction]:
        """The scores as the tie-breaks of opponents count them."""
        if not self.swiss:
            return self.totals
        return {
            entrant: _adjust_score(own_rounds, self.points)
            for entrant, own_rounds in self.rounds_of.items()
        }


@dataclass(frozen=True)
class TieBreak:
    """A way to separate entrants, as pages explain it."""

    name: str
    label: str | Promise
    explanation: str | Promise
    source: str
    values: Callable[[Sequence[int], Played], Values]


def direct_encounter(tied: Sequence[int], played: Played) -> Values:
    """Return the points in games among the tied if all of them met equally often.

    Otherwise, only those who would be ahead whatever the missing games brought have a value.
    """
    group = frozenset(tied)
    among = {
        entrant: [
            one_round
            for one_round in played.rounds_of[entrant]
            if one_round.opponent in group and (one_round.played or played.forfeits_meet)
        ]
        for entrant in tied
    }
    most = max(
        (
            count
            for own_rounds in among.values()
            for count in Counter(one_round.opponent for one_round in own_rounds).values()
        ),
        default=0,
    )
    if not most:
        return dict.fromkeys(tied)
    earned = {
        entrant: sum((one_round.points for one_round in own_rounds), Fraction(0))
        for entrant, own_rounds in among.items()
    }
    missing = {
        entrant: most * (len(tied) - 1) - len(own_rounds) for entrant, own_rounds in among.items()
    }
    if not any(missing.values()):
        return dict(earned)
    return _certain(earned, missing, played.points)


def _certain(
    earned: Mapping[int, Fraction], missing: Mapping[int, int], points: PointsRules
) -> Values:
    values: Values = dict.fromkeys(earned)
    left = set(earned)
    surely = {entrant: earned[entrant] + missing[entrant] * points.loss for entrant in earned}
    while len(left) > 1:
        best = max(left, key=lambda entrant: (surely[entrant], entrant))
        within_reach = max(
            earned[other] + missing[other] * points.win for other in left if other != best
        )
        if surely[best] <= within_reach:
            break
        values[best] = earned[best]
        left.remove(best)
    return values


def difference(tied: Sequence[int], played: Played) -> Values:
    return {
        entrant: sum(
            (one_round.scored - one_round.conceded for one_round in played.rounds_of[entrant]),
            Fraction(0),
        )
        for entrant in tied
    }


def total_scores(tied: Sequence[int], played: Played) -> Values:
    return {
        entrant: sum((one_round.scored for one_round in played.rounds_of[entrant]), Fraction(0))
        for entrant in tied
    }


def wins(tied: Sequence[int], played: Played) -> Values:
    """Return the rounds with as many points as for a win, with or without a game."""
    win = played.points.win
    return _count(
        tied,
        played,
        lambda one_round: (
            one_round.share == WON and (one_round.opponent is not None or one_round.points >= win)
        ),
    )


def away_wins(tied: Sequence[int], played: Played) -> Values:
    return _count(
        tied,
        played,
        lambda one_round: one_round.share == WON and one_round.played and not one_round.home,
    )


def away(tied: Sequence[int], played: Played) -> Values:
    return _count(tied, played, lambda one_round: one_round.played and not one_round.home)


def _count(tied: Sequence[int], played: Played, counts: Callable[[EntrantRound], bool]) -> Values:
    return {entrant: Fraction(sum(map(counts, played.rounds_of[entrant]))) for entrant in tied}


def buchholz(tied: Sequence[int], played: Played) -> Values:
    return _buchholz(tied, played, lowest=0, highest=0)


def buchholz_cut_1(tied: Sequence[int], played: Played) -> Values:
    return _buchholz(tied, played, lowest=1, highest=0)


def median_buchholz(tied: Sequence[int], played: Played) -> Values:
    return _buchholz(tied, played, lowest=1, highest=1)


def _buchholz(tied: Sequence[int], played: Played, *, lowest: int, highest: int) -> Values:
    values: Values = {}
    for entrant in tied:
        forgone: list[Fraction] = []
        others: list[Fraction] = []
        for one_round in _counting_rounds(entrant, played):
            into = forgone if played.swiss and one_round.forgone else others
            into.append(_opponent_score(one_round, entrant, played))
        kept = sorted((sorted(forgone) + sorted(others))[lowest:])
        values[entrant] = sum(kept[: len(kept) - highest], Fraction(0))
    return values


def sonneborn_berger(tied: Sequence[int], played: Played) -> Values:
    return {
        entrant: sum(
            (
                one_round.points * _opponent_score(one_round, entrant, played)
                for one_round in _counting_rounds(entrant, played)
            ),
            Fraction(0),
        )
        for entrant in tied
    }


def _counting_rounds(entrant: int, played: Played) -> list[EntrantRound]:
    """Return the rounds with an opponent, and in a Swiss also those with a dummy."""
    return [
        one_round
        for one_round in played.rounds_of[entrant]
        if played.swiss or one_round.opponent is not None
    ]


def _adjust_score(own_rounds: Sequence[EntrantRound], points: PointsRules) -> Fraction:
    score, only_given_up = Fraction(0), True
    for one_round in reversed(own_rounds):
        score += points.draw if one_round.asked and only_given_up else one_round.points
        only_given_up = only_given_up and one_round.forgone
    return score


def _opponent_score(one_round: EntrantRound, entrant: int, played: Played) -> Fraction:
    if one_round.opponent is not None and (one_round.played or not played.swiss):
        return played.adjusted[one_round.opponent]
    own = played.totals[entrant]
    if one_round.opponent is not None:
        return min(own, played.adjusted[one_round.opponent])
    return min(own, played.points.draw * len(played.rounds_of[entrant]))


def progressive(tied: Sequence[int], played: Played) -> Values:
    """Return the sum of the scores after each round up to the last one of anybody."""
    last = played.last_round
    return {
        entrant: sum(
            (
                one_round.points * (last - one_round.round + 1)
                for one_round in played.rounds_of[entrant]
            ),
            Fraction(0),
        )
        for entrant in tied
    }


def opponents_rating(tied: Sequence[int], played: Played) -> Values:
    """Return the average rating of the opponents in games that were played."""
    ratings = played.ratings or {}
    values: Values = {}
    for entrant in tied:
        met = [
            Fraction(ratings[one_round.opponent])
            for one_round in played.rounds_of[entrant]
            if one_round.played and one_round.opponent is not None and one_round.opponent in ratings
        ]
        values[entrant] = sum(met, Fraction(0)) / len(met) if met else None
    return values


def play_off(tied: Sequence[int], _played: Played) -> Values:
    """Separate nobody. A further game has to be played."""
    return dict.fromkeys(tied)


def lots(tied: Sequence[int], played: Played) -> Values:
    """Return the lots drawn by everybody, of which the higher one wins.

    Raises:
        ValueError: no lots were drawn.
    """
    if played.lots is None:
        raise ValueError("drawing lots needs a generator")
    return {entrant: Fraction(played.lots[entrant]) for entrant in tied}


_FIDE = "FIDE Handbook C.07"

TIE_BREAKS: dict[str, TieBreak] = {
    one.name: one
    for one in (
        TieBreak(
            "direct",
            _("Direct encounter"),
            _("Points from the games among those who are level, if all of them have met."),
            f"{_FIDE}, article 6",
            direct_encounter,
        ),
        TieBreak(
            "difference",
            _("Score difference"),
            _("Scores in all games minus the opponents’ scores."),
            "Common in football, such as article 17 of the UEFA Champions League regulations",
            difference,
        ),
        TieBreak(
            "for",
            _("Score for"),
            _("Scores in all games."),
            "Common in football, such as article 17 of the UEFA Champions League regulations",
            total_scores,
        ),
        TieBreak(
            "wins",
            _("Wins"),
            _("Wins, including those by forfeit, and byes with as many points as a win."),
            f"{_FIDE}, article 7",
            wins,
        ),
        TieBreak(
            "away_wins",
            _("Away wins"),
            _("Wins in games that were played away or with black."),
            f"{_FIDE}, article 7",
            away_wins,
        ),
        TieBreak(
            "away",
            _("Games away"),
            _("Games that were played away or with black."),
            f"{_FIDE}, article 7",
            away,
        ),
        TieBreak(
            "buchholz",
            _("Buchholz"),
            _("The sum of the opponents’ points."),
            f"{_FIDE}, articles 8 and 16",
            buchholz,
        ),
        TieBreak(
            "buchholz_cut_1",
            _("Buchholz cut 1"),
            _("The sum of the opponents’ points without the lowest."),
            f"{_FIDE}, articles 8, 14 and 16",
            buchholz_cut_1,
        ),
        TieBreak(
            "median_buchholz",
            _("Median Buchholz"),
            _("The sum of the opponents’ points without the lowest and the highest."),
            f"{_FIDE}, articles 8, 14 and 16",
            median_buchholz,
        ),
        TieBreak(
            "sonneborn_berger",
            _("Sonneborn–Berger"),
            _("The points won in each game, times all points of that opponent, added up."),
            f"{_FIDE}, articles 9 and 16",
            sonneborn_berger,
        ),
        TieBreak(
            "progressive",
            _("Progressive score"),
            _("The sum of the points after each round, so that early points count more."),
            f"{_FIDE}, article 7",
            progressive,
        ),
        TieBreak(
            "opponents_rating",
            _("Opponents’ rating"),
            _("The average rating of the opponents in games that were played."),
            f"{_FIDE}, article 10",
            opponents_rating,
        ),
        TieBreak(
            "play_off",
            _("Play-off"),
            _("Those who are still level play another game."),
            f"{_FIDE}, article 5",
            play_off,
        ),
        TieBreak(
            "lots",
            _("Drawing of lots"),
            _("Chance decides."),
            f"{_FIDE}, article 5",
            lots,
        ),
    )
}
"""Every tie-break by its name, which rules use."""
