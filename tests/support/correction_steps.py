"""Steps for tests of corrections."""

from datetime import timedelta

from league.models import Correction, CorrectionRequest, Match, User
from league.services import corrections
from league.services.corrections import undoing
from tests.support.cast import NOW

LATER = NOW + timedelta(hours=1)
"""When the tests undo corrections."""

Placings = list[tuple[int, float | None]]


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


def undo(correction: Correction, by: User) -> CorrectionRequest:
    """Preview the undo of a correction, request it and carry it out."""
    correction = Correction.objects.get(pk=correction.pk)
    preview = undoing.preview(correction, by=by)
    request = corrections.ask_undo(
        correction,
        by=by,
        reason="It was right",
        digest=preview.digest,
        horizon=preview.horizon,
        now=LATER,
    )
    done = corrections.carry_out(request.pk, LATER)
    assert done
    return done
