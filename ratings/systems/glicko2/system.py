"""Glicko-2 with the attributes of Guild Wars 2's ``<Ratings>`` block.

Sources: M. E. Glickman, "Example of the Glicko-2 system", 2012 (the steps below are his), and
"PvP Matchmaking Algorithm", Guild Wars 2 Wiki, for limits, inactivity and professions.

**Updating.** By default one match is one rating period, as the wiki updates after every game. With
``update`` "period", the matches of a rating period count as played at the same time, as in
Glickman's paper (``ratings.systems.glicko.periods``). A player's state is the result of the period
so far. It is exact after every match, and does not depend on the order of the period's matches. The
largest change then limits the change in a period.

Formats. A duel is Glickman's own case. **Several sides and free-for-all**: every other side is one
game of the period. **Teams**: the match is played between composites
(``ratings.systems.glicko.games``). Every member shares the side's expected result against the
opposing composites and updates with their own deviation and volatility, so less-known players move
further. A duel is plain Glicko-2.

A match's weight w counts as w games of the same result. Places affect ratings, and scores
by ``margin`` only; seconds and quits do not.

**Professions.** A player has a rating for each profession besides the core rating, and a match in
which professions were played is rated twice. The core and the rating of the profession played
each meet the opponents' *effective* ratings, ``(1 - ratio) core + ratio profession``, with
deviations likewise (two estimates from the same matches have correlated errors, so their deviations
add up). Each is thus an independent Glicko-2 rating that corrects itself. If both were moved by the
surprise of the blend, nothing would ever pull the two parts to their true values. At ratio 0
opponents count by their core only: profession ratings change nothing and can be turned off. At
ratio 1 opponents count by their professions only. Playing without a profession counts by the core.
The state's rating is the core.

Inactivity. The wiki counts "periods of inactivity": whole periods of ``deviation_period`` since the
player's last match. Each adds the same to the variance (like Glickman's own step),
``(max^2 - min^2) / deviation_max_periods``, so ``deviation_max_periods`` of them take a deviation
from its minimum to its maximum, where it stays. This is computed when a match is rated or a state
is read, and replaces Glickman's growth in periods without games.

With ``deviation_growth`` "volatility" it does not: each whole period adds ``(SCALE volatility)^2``,
Glickman's step 6 for players who do not compete. With rating periods, these are the rating periods
between the player's last one and the current one. Otherwise they are those of the wiki.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Self

import numpy as np

from ratings.contests.limits import BOUND, CAP
from ratings.numerics import clip
from ratings.system import RatingSystem, Shows
from ratings.systems.glicko import periods
from ratings.systems.glicko.games import SCALE, composites, forecast, play
from ratings.systems.glicko2.candidates import Glicko2Candidates
from ratings.systems.glicko2.parameters import PUBLISHED, Glicko2Parameters
from ratings.systems.glicko2.tracks import Layout, PeriodState, ProfessionRating, Track
from ratings.systems.glicko2.update import grown_deviation, idle_variance, update
from ratings.types import MICROSECONDS_PER_SECOND, NEVER, Outcome, States, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.systems.glicko.games import Sides
    from ratings.types import Batch, Floats, Forecast, Integers, Loop


UNSETTLING = 60.0
"""If a deviation grows so much between two matches, it stays above 140: a match between equals
tells as much as ``1 / (2 SCALE)^2``, so growth and matches balance at ``sqrt(2 SCALE 60)``."""


class Glicko2(RatingSystem):
    """Glicko-2, by matches or by rating periods, with ratings by profession."""

    name = "glicko-2"
    label = "Glicko-2"
    summary = (
        "A rating with a deviation (its uncertainty) and a volatility (how much form varies). "
        "Newcomers and returning players move fast, settled players little."
    )
    Parameters = Glicko2Parameters
    shows = Shows(deviation=True, volatility=True)
    newcomer_parameters = ("rating_default", "deviation_default")
    kept_in_states = ("update", "period", "profession_ratings")
    published = PUBLISHED
    fitted = ("deviation_max_periods", "deviation_min")
    terms = (
        Term("expected", "Expected result", "From 0 (a certain loss) to 1 (a certain win)."),
        Term("actual", "Actual result", "1 for a win, ½ for a draw, 0 for a loss, on average."),
        Term(
            "opposition",
            "Opponents' rating",
            "Of the opposing side, or the mean of several.",
            unit="strength",
        ),
        Term(
            "opposition_deviation",
            "Opponents' deviation",
            "Uncertainty of the opponents' rating, or the root mean square of several.",
            unit="deviation",
        ),
        Term(
            "deviation",
            "Deviation at the match",
            "The rating's uncertainty, including inactivity.",
            unit="deviation",
        ),
        Term(
            "surprise",
            "Surprise",
            "Actual minus expected result, less for unknown opponents, times what the match counts "
            "as. With rating periods, the total of the period so far.",
        ),
        Term(
            "information",
            "Information",
            "How much the match, or the period so far, says about the rating. Little if the result "
            "was certain.",
        ),
        Term("step", "Step", "Rating points for a full unit of surprise.", unit="points"),
        Term(
            "start",
            "Rating before the period",
            "The base for all matches of the period.",
            unit="rating",
            optional=True,
        ),
        CAP,
        BOUND,
        Term(
            "change",
            "Change",
            "Step times surprise, as far as limits allow. With rating periods, from the rating "
            "before the period, and minus the period's earlier changes.",
            unit="points",
        ),
    )

    parameters: Glicko2Parameters

    def __init__(self, parameters: Glicko2Parameters) -> None:
        self.parameters = parameters
        self._by_period = parameters.update == "period"
        self._layout = Layout(self._by_period)
        self.keeps_professions = (
            parameters.profession_ratings or parameters.rating_profession_ratio > 0
        )

    @property
    def idle_period(self) -> float:
        by_rating_period = self._by_period and self.parameters.grows_by_volatility
        return self.parameters.period if by_rating_period else self.parameters.deviation_period

    def unsettles(self, gap: float) -> bool:
        """Return whether a usual gap adds more than ``UNSETTLING`` to a deviation, as squares."""
        variance = self.parameters.variance_per_period
        if self.parameters.grows_by_volatility:
            variance = (SCALE * self.parameters.volatility_default) ** 2
        return gap // self.idle_period * variance > UNSETTLING**2

    @property
    def temperature(self) -> float:
        return 400 / math.log(10.0)

    @classmethod
    def side_by_side(cls, candidates: Sequence[Self]) -> Glicko2Candidates | None:
        """Rate duels side by side, if candidates share the update by matches and τ."""
        return Glicko2Candidates.of([one.parameters for one in candidates])

    def compiled_loop(self, sizes: tuple[int, ...]) -> Loop | None:
        """Rate duels in compiled code, if there are no periods and no blend of professions."""
        if self._by_period or self.parameters.rating_profession_ratio or sizes != (1, 1):
            return None
        from ratings.systems.glicko2.compiled import rate_duels  # noqa: PLC0415 - imports Numba

        return partial(rate_duels, self.parameters)

    def newcomers(self, count: int, population: int = 0) -> States:
        """Return states with the default rating, deviation and volatility."""
        del population
        return States.full(
            count,
            rating=self.parameters.rating_default,
            deviation=self.parameters.deviation_default,
            volatility=self.parameters.volatility_default,
        )

    def at(self, states: States, times: Integers) -> States:
        """Return the states with their deviation after inactivity until ``times``."""
        track = self._layout.core_track(states)
        return States(
            rating=states.rating,
            deviation=self._grow_deviation(track, times),
            volatility=states.volatility,
            games=states.games,
            last_played=states.last_played,
            memory=states.memory,
        )

    def _grow_deviation(self, track: Track, times: Integers) -> Floats:
        """Return deviations after inactivity, until a match or read at ``times``."""
        limits = self.parameters
        variance: float | Floats = limits.variance_per_period
        if limits.grows_by_volatility:
            variance = idle_variance(track.volatility)
            if self._by_period:
                idle = periods.between(track.running, track.last_played, times, limits.period)
                return grown_deviation(track.deviation, idle, variance, limits.deviation_max)
        if self._by_period:  # A match counts as played when its rating period began.
            times = periods.start(times, limits.period)
        known_since = np.where(track.last_played == NEVER, times, track.last_played)
        elapsed = (times - known_since) / (limits.deviation_period * MICROSECONDS_PER_SECOND)
        return grown_deviation(track.deviation, elapsed, variance, limits.deviation_max)

    def rate(self, before: States, batch: Batch) -> Outcome:
        """Rate ``m`` matches of one shape, each as one rating period or as part of one."""
        core = self._layout.core_track(before)
        period_state = self._period_state(core, batch)
        if not self._rates_professions(before, batch):
            sides = self._sides(period_state.rating, period_state.deviation, batch.sizes)
            track, terms = self._rate_track(core, period_state, sides, sides, batch)
            memory = track.running
        else:
            keys = batch.professions
            profession = self._profession_track(before, core, keys)
            profession_state = self._period_state(profession, batch)
            own, own_profession = (
                self._sides(one.rating, one.deviation, batch.sizes)
                for one in (period_state, profession_state)
            )
            against = own
            if self.parameters.rating_profession_ratio:
                against = self._sides(*self._blend(period_state, profession_state), batch.sizes)
            track, terms = self._rate_track(core, period_state, own, against, batch)
            after, _ = self._rate_track(
                profession, profession_state, own_profession, against, batch
            )
            after = after.played_at(batch.times[:, None])
            memory = self._layout.memory(before.memory, keys, track, after)
        states = States(
            rating=track.rating,
            deviation=track.deviation,
            volatility=track.volatility,
            games=before.games,
            last_played=before.last_played,
            memory=memory,
        )
        return Outcome(states, terms)

    def _rates_professions(self, before: States, batch: Batch) -> bool:
        """Return whether somebody in the batch played a profession, or has a rating for one.

        With a ratio, all are rated against blended opponents: a blend of equal ratings differs from
        them in the last bit, so who else is in the batch may not decide about it.
        """
        if not self.keeps_professions:
            return False
        if self.parameters.rating_profession_ratio:
            return True
        held = before.memory.shape[-1] > self._layout.core
        return held or bool(np.count_nonzero(batch.professions))

    def _newcomer(self) -> Track:
        """Return the rating ``(1,)`` of a player new to a profession."""
        return self._layout.core_track(self.newcomers(1))

    def _period_state(self, track: Track, batch: Batch) -> PeriodState:
        """Return each rating's state at the start of the match or of its rating period."""
        times = batch.times[:, None]
        grown = self._grow_deviation(track, times)
        if not self._by_period:
            return PeriodState.of(track, grown)
        current = track.running[..., 0]
        period = periods.number(times, self.parameters.period)
        # A late report counts in the player's current period.
        return PeriodState.of_period(track, grown, period, running=current >= period)

    def _sides(self, rating: Floats, deviation: Floats, sizes: Sequence[int]) -> Sides:
        return composites(rating, deviation, sizes, self.parameters.team_strength)

    def _blend(self, core: PeriodState, profession: PeriodState) -> tuple[Floats, Floats]:
        """Return effective ratings and deviations, blending core and profession by the ratio."""
        ratio = self.parameters.rating_profession_ratio
        return (
            (1.0 - ratio) * core.rating + ratio * profession.rating,
            (1.0 - ratio) * core.deviation + ratio * profession.deviation,
        )

    def _rate_track(
        self, track: Track, period_state: PeriodState, own: Sides, against: Sides, batch: Batch
    ) -> tuple[Track, dict[str, Floats]]:
        """Return one rating of each participant after the match, and the terms of its change."""
        limits = self.parameters
        games = play(own.rating, against, batch)
        weights = batch.weights[:, None]
        evidence = period_state.with_games(weights * games.surprise, weights * games.information)
        updated = update(
            period_state.deviation,
            period_state.volatility,
            evidence,
            system_constant=limits.volatility_system_constant,
            volatility_range=(limits.volatility_min, limits.volatility_max),
        )
        furthest = limits.rating_max_change
        unlimited = updated.step * evidence.surprise
        change = clip(unlimited, -furthest, furthest)
        unbound = period_state.rating + change
        rating = clip(unbound, limits.rating_min, limits.rating_max)
        after = Track(
            rating=rating,
            deviation=clip(updated.deviation, limits.deviation_min, limits.deviation_max),
            volatility=updated.volatility,
            last_played=track.last_played,
            running=period_state.running(evidence) if self._by_period else track.running,
        )
        terms = {
            "expected": games.expected,
            "actual": games.actual,
            "opposition": games.opposition,
            "opposition_deviation": games.opposition_deviation,
            "deviation": period_state.deviation,
            "surprise": evidence.surprise,
            "information": evidence.information,
            "step": updated.step,
            "start": period_state.rating if self._by_period else np.full_like(rating, np.nan),
            "cap": np.where(np.abs(unlimited) > furthest, furthest, np.nan),
            "bound": np.where(rating == unbound, np.nan, rating),
            "change": rating - track.rating,
        }
        return after, terms

    def predict(
        self, states: States, sizes: Sequence[int], times: Integers | None = None
    ) -> Forecast:
        """Predict Glickman's expected result by core ratings, counting both deviations.

        For several sides, predict their shares. Professions are unknown here. If they are known,
        use the states that ``effective`` returns.
        """
        if times is not None:
            states = self.at(states, times[:, None])
        return forecast(self._sides(states.rating, states.deviation, sizes))

    def raise_by(self, states: States, points: Floats) -> States:
        """Return players who are stronger with every profession, and were before their period."""
        memory = self._layout.raise_by(states.memory, points)
        return replace(states, rating=states.rating + points, memory=memory)

    def predict_batch(self, before: States, batch: Batch) -> Forecast:
        """Predict by effective ratings, as sides are rated against each other."""
        if not self.parameters.rating_profession_ratio:
            return super().predict_batch(before, batch)
        core = self._layout.core_track(before)
        times = batch.times[:, None]
        blended = self._blend(
            *(
                PeriodState.of(track, self._grow_deviation(track, times))
                for track in (core, self._profession_track(before, core, batch.professions))
            )
        )
        return forecast(self._sides(*blended, batch.sizes))

    def _profession_track(self, states: States, core: Track, professions: Integers) -> Track:
        """Return the ratings with these professions, the core ratings where there is none."""
        played = self._layout.profession_track(states.memory, professions, self._newcomer())
        return played.where(professions != 0, core)

    def effective(self, states: States, professions: Integers) -> States:
        """Return the states with the effective rating and deviation for these professions.

        ``professions`` are keys (``ratings.professions``) in the shape of ``states``, 0 for none.
        Inactivity is not counted, neither for the core nor for the profession.
        """
        if not self.parameters.rating_profession_ratio:
            return states
        core = self._layout.core_track(states)
        profession = self._profession_track(states, core, professions)
        rating, deviation = self._blend(
            PeriodState.of(core, core.deviation), PeriodState.of(profession, profession.deviation)
        )
        return States(
            rating=rating,
            deviation=deviation,
            volatility=states.volatility,
            games=states.games,
            last_played=states.last_played,
            memory=states.memory,
        )

    def professions(self, states: States, player: int) -> dict[int, ProfessionRating]:
        """Return a player's ratings by profession key, empty if none are kept."""
        if not self.keeps_professions:
            return {}
        blocks = self._layout.blocks(states.memory[player])
        return {
            int(block[0]): ProfessionRating(*block[1:4])
            for block in blocks.tolist()
            if block[0] == block[0]
        }
