"""The advantage of the first side: the home team, White, the server.

A match of two sides can say which of them is first. To each side, the other is then weaker or
stronger by the advantage, in rating points, than its rating says. Elo's original tables, the World
Football Elo Ratings and most chess systems treat home ground and colour in this way.

Only opponents are shifted, never a player's own rating. So limits, deviations and anything else a
system keeps mean what they always mean. A match is rated twice, once for each side.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ratings.history import NEITHER
from ratings.tunables.parameters import parameter
from ratings.types import Outcome, States, Term, widen

if TYPE_CHECKING:
    from ratings.system import RatingSystem
    from ratings.types import Batch, Booleans, Floats


def first_side(default: float = 0.0, source: str = "World Football Elo Ratings use 100") -> Any:
    """Return the declaration of a system's ``first_side`` parameter."""
    return parameter(
        default,
        label="First-side advantage",
        description="How many rating points it is worth to be first: at home, with White, or to "
        "serve. It counts only in matches of two sides that say which of them is first.",
        unit="rating points",
        minimum=-100_000,
        maximum=100_000,
        source=source,
    )


ADVANTAGE = Term(
    "advantage",
    "First-side advantage",
    "How much stronger being first made the own side, in rating points: above 0 for the first "
    "side, below 0 for the other. It is already taken off the opponents' strength.",
    unit="points",
)
"""Explains changes of systems that leave the advantage to the replay."""


def all_terms(system: type[RatingSystem]) -> tuple[Term, ...]:
    """Return the terms that can explain a change, in reading order."""
    if system.knows_first_side or "first_side" not in system.Parameters.model_fields:
        return system.terms
    return (*system.terms[:-1], ADVANTAGE, system.terms[-1])


def replayed_terms(system: RatingSystem) -> tuple[Term, ...]:
    """Return the terms that a replay gives with this system's parameters, in reading order."""
    explains = bool(getattr(system.parameters, "first_side", 0.0))
    return all_terms(type(system)) if explains else system.terms


def counts_first_side(system: RatingSystem) -> bool:
    """Return whether being first makes a difference to ``system``."""
    spread = getattr(system.parameters, "first_side_deviation", 0.0)
    return bool(getattr(system.parameters, "first_side", 0.0) or spread)


def leads(system: RatingSystem, batch: Batch) -> Floats | None:
    """Return ``(m,)`` the first listed side's lead by the advantage, ``None`` if there is none."""
    advantage = getattr(system.parameters, "first_side", 0.0)
    if system.knows_first_side or batch.first is None or not advantage or len(batch.sizes) != 2:
        return None
    return np.where(batch.first == NEITHER, 0.0, np.where(batch.first == 0, advantage, -advantage))


def rate(system: RatingSystem, before: States, batch: Batch) -> Outcome:
    """Rate a batch with ``system``, counting its advantage of the first side."""
    lead = leads(system, batch)
    if lead is None:
        return _explain(system, system.rate(before, batch), batch, np.zeros(len(batch.times)))
    one = system.rate(_raise_side(system, before, batch, 1, -lead), batch)
    other = system.rate(_raise_side(system, before, batch, 0, lead), batch)
    listed_first = np.broadcast_to(batch.side_of == 0, before.rating.shape)
    both = _of_both(listed_first, one, other)
    return _explain(system, both, batch, lead)


def _explain(system: RatingSystem, outcome: Outcome, batch: Batch, lead: Floats) -> Outcome:
    """Return the outcome with the advantage among its terms, if the system has one."""
    if ADVANTAGE not in replayed_terms(system):
        return outcome
    own = lead[:, None] * np.where(batch.side_of == 0, 1.0, -1.0)
    if batch.played is not None:
        own = np.where(batch.played[:, None], own, np.nan)
    return replace(outcome, terms={**outcome.terms, ADVANTAGE.name: own + 0.0})


def seen_by_first(system: RatingSystem, before: States, batch: Batch) -> States:
    """Return states of which the side listed first is stronger by the advantage that it has."""
    lead = leads(system, batch)
    return before if lead is None else _raise_side(system, before, batch, 0, lead)


def _raise_side(
    system: RatingSystem, before: States, batch: Batch, side: int, points: Floats
) -> States:
    """Return states in which the strength of a ``side`` is higher by ``points`` ``(m,)``."""
    each = points / batch.sizes[side] if system.sums_sides else points
    return system.raise_by(before, np.where(batch.side_of == side, each[:, None], 0.0))


def _of_both(rows: Booleans, one: Outcome, other: Outcome) -> Outcome:
    """Return the outcome ``one`` for the participants ``rows`` and the ``other`` for the rest."""
    after, rest = one.after, other.after
    width = max(after.memory.shape[-1], rest.memory.shape[-1])
    states = States(
        rating=np.where(rows, after.rating, rest.rating),
        deviation=np.where(rows, after.deviation, rest.deviation),
        volatility=np.where(rows, after.volatility, rest.volatility),
        games=after.games,
        last_played=after.last_played,
        memory=np.where(rows[..., None], widen(after.memory, width), widen(rest.memory, width)),
    )
    terms = {name: np.where(rows, values, other.terms[name]) for name, values in one.terms.items()}
    return replace(one, after=states, terms=terms)
