"""Steps of the tests about corrections."""

from __future__ import annotations

from league.models import (
    CorrectionRequest,
    Match,
    User,
)
from league.services import corrections
from tests.support.cast import NOW


def correct(match: Match, by: User, placings: Placings | None = None) -> CorrectionRequest:
    """Look at the difference, ask for it and have it made."""
    seen = corrections.preview(match, by=by, placings=placings)
    asked = corrections.ask(
        match,
        by=by,
        reason="A mistake",
        digest=seen.digest,
        horizon=seen.horizon,
        now=NOW,
        placings=placings,
    )
    done = corrections.carry_out(asked.pk, NOW)
    assert done
    return done


Placings = list[tuple[int, float | None]]


def ask(match: Match, by: User, placings: Placings | None = None) -> CorrectionRequest:
    seen = corrections.preview(match, by=by, placings=placings)
    return corrections.ask(
        match,
        by=by,
        reason="A mistake",
        digest=seen.digest,
        horizon=seen.horizon,
        now=NOW,
        placings=placings,
    )
