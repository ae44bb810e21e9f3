"""Steps for tests of corrections."""

from __future__ import annotations

from league.models import (
    CorrectionRequest,
    Match,
    User,
)
from league.services import corrections
from tests.support.cast import NOW


def correct(match: Match, by: User, placings: Placings | None = None) -> CorrectionRequest:
    """Preview a correction, request it and carry it out."""
    preview = corrections.preview(match, by=by, placings=placings)
    request = corrections.ask(
        match,
        by=by,
        reason="A mistake",
        digest=preview.digest,
        horizon=preview.horizon,
        now=NOW,
        placings=placings,
    )
    done = corrections.carry_out(request.pk, NOW)
    assert done
    return done


Placings = list[tuple[int, float | None]]


def ask(match: Match, by: User, placings: Placings | None = None) -> CorrectionRequest:
    preview = corrections.preview(match, by=by, placings=placings)
    return corrections.ask(
        match,
        by=by,
        reason="A mistake",
        digest=preview.digest,
        horizon=preview.horizon,
        now=NOW,
        placings=placings,
    )
