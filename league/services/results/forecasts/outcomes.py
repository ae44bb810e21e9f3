"""The changes of each result of a match that may be played, computed as when it is settled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from league.models import Status
from league.services.core.clock import microseconds
from league.services.core.locking import LockedMatch
from league.services.rating.rate import Held, states_of
from league.services.results.rules.meetings import earlier_matches, weighted_after
from ratings import history
from ratings.explain import limit_of, participant_terms
from ratings.replay import replay

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from league.models import Season
    from league.services.rating.forecasts import LineUps, Row
    from ratings.explain import ExplainedTerm

    Flags = Mapping[int, tuple[bool, ...]]
    """The facts that decide how much of a match against a player counts, by player id."""

Result = TypeVar("Result", bound=tuple[int, ...])


@dataclass(frozen=True)
class Change:
    """The change of a player's rating by one result, named as in a ``RatingEvent``."""

    rating_before: float
    rating_after: float
    limit: ExplainedTerm | None = None
    """The refusal that stopped it, if any."""

    @property
    def change(self) -> float:
        return self.rating_after - self.rating_before


@dataclass(frozen=True)
class Case:
    """A match that ended in some way, with its weight, and the rating rows of its players."""

    match: LockedMatch
    rows: Mapping[int, Row]


def results_of(
    season: Season,
    line_ups: LineUps,
    rows: Mapping[int, Row],
    flags: Flags,
    at: datetime,
    results: Sequence[Result],
) -> list[tuple[Result, dict[int, Change]]]:
    """Return each of these results (the sides' places) with what it would change, by player id."""
    cases = list(cases_of(season, line_ups, rows, flags, at, results))
    return list(zip(results, changes_in(cases), strict=True))


def cases_of(
    season: Season,
    line_ups: LineUps,
    rows: Mapping[int, Row],
    flags: Flags,
    at: datetime,
    results: Iterable[Result],
    first: int | None = None,
) -> Iterator[Case]:
    """Yield a match as it would be settled with each of these results."""
    match = as_unplayed(season, line_ups, flags, at, first)
    earlier = earlier_matches(match, at)
    for places in results:
        sides = [
            replace(side, place=place)
            for side, place in zip(match.match.sides, places, strict=True)
        ]
        ended = replace(match, match=replace(match.match, sides=tuple(sides)))
        if earlier is not None:
            record = history.History.build([ended.match])
            held = Held(record, *states_of([rows[int(player)] for player in record.players]))
            ended = weighted_after(earlier, ended, held, at)
        yield Case(ended, rows)


def changes_in(cases: Sequence[Case]) -> list[dict[int, Change]]:
    """Return what each case would change, by player id, as if there were no other."""
    if not cases:
        return []
    record = side_by_side([case.match.match for case in cases])
    owner = np.repeat(np.arange(len(cases)), np.diff(record.match_offsets)).tolist()
    players = [int(record.players[code]) for code in record.player.tolist()]
    rows = [cases[case].rows[player] for case, player in zip(owner, players, strict=True)]
    rated = replay(cases[0].match.system, record, states_of(rows)[1])
    changes: list[dict[int, Change]] = [{} for _ in cases]
    for row, (case, player, before, after) in enumerate(
        zip(
            owner,
            players,
            rated.before.rating.tolist(),
            rated.after.rating.tolist(),
            strict=True,
        )
    ):
        limit = limit_of(participant_terms(rated, row), before)
        changes[case][player] = Change(before, after, limit)
    return changes


def side_by_side(matches: Sequence[history.Match]) -> history.History:
    """Return a history in which each match has players of its own, if with the same names."""
    apart = [
        replace(
            match,
            weight=1.0,
            sides=tuple(
                replace(
                    side,
                    participants=tuple(
                        replace(part, player=f"{number} {part.player}")
                        for part in side.participants
                    ),
                )
                for side in match.sides
            ),
        )
        for number, match in enumerate(matches)
    ]
    record = history.History.build(apart)
    return replace(
        record,
        players=[player.partition(" ")[2] for player in record.players],
        weights=np.array([match.weight for match in matches]),
    )


def as_unplayed(
    season: Season, line_ups: LineUps, flags: Flags, at: datetime, first: int | None = None
) -> LockedMatch:
    """Return a match as it would be locked to be settled, without a result."""
    unknown = (False, False, False)
    known = {player: flags.get(player, unknown) for side in line_ups for player in side}
    return LockedMatch(
        pk=0,
        status=Status.REPORTED,
        season_id=season.pk,
        system=season.system(),
        reported_by_side=None,
        match=history.Match(
            match_id="unplayed",
            played_at_us=microseconds(at),
            sides=tuple(
                history.Side(0, tuple(history.Participant(str(player)) for player in side))
                for side in line_ups
            ),
            first=first,
        ),
        arena_id=season.arena_id,
        fair_play=season.season_rules().fair_play,
        proven=frozenset(one for one, (ranked, _in, proven) in known.items() if ranked or proven),
        limited=frozenset(one for one, (ranked, joined, _) in known.items() if ranked or joined),
    )
