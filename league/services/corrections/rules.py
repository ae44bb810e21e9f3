"""Who may correct what, and in which words that is refused."""

from __future__ import annotations

import hashlib
import json
import math
from typing import TYPE_CHECKING

import numpy as np
from django.utils.translation import gettext as _

from league.models import Match, Status
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.corrections.effect import Change
from league.services.rating.tail import Placings, Tail, placings_of
from league.services.results import formats
from ratings import professions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import User


def check_may_correct(by: User) -> None:
    """Raises ``Forbidden``."""
    if not by.has_perm("league.decide_match"):
        raise Forbidden("not_staff", _("Only staff can correct a rated result."))


def check_reason(reason: str) -> str:
    """The reason without the space around it. Raises ``Refused``."""
    if not reason.strip():
        raise Refused("no_reason", _("Give the reason: everyone can read it."), field="reason")
    return reason.strip()


def change_of(match: Match, placings: Sequence[tuple[int, float | None]] | None) -> Change:
    """What is wanted of a match: void without ``placings``, else that result.

    Raises:
        Conflict: the match is not rated, or its season archived.
        Refused: the placings do not fit it.
    """
    if match.status != Status.RATED or match.rated_order is None:
        sentences = {
            Status.VOID: _("This match is void already: its result does not count."),
            Status.LIVE: _("This match is being played: it has no result to correct."),
        }
        waiting = _("This result is not rated yet: decide it instead.")
        raise Conflict("not_rated", sentences.get(Status(match.status), waiting))
    if match.season.archived_at is not None:
        raise Conflict(
            "archived",
            _("%(season)s is archived: its results are not changed any more.")
            % {"season": match.season},
        )
    if placings is None:
        return Change(match.pk, match.rated_order)
    if not match.is_game:
        raise Refused(
            "unplayed",
            _("Nobody played this: it can be made void, but has no result to correct."),
            field="placings",
        )
    sides = match.sides.order_by("index").values_list("place", "score")
    if len(placings) != len(sides):
        raise Refused(
            "placings",
            _("Give a place for each of the %(count)d sides.") % {"count": len(sides)},
            field="placings",
        )
    if any(score is not None and not math.isfinite(score) for _place, score in placings):
        raise Refused("score", _("A score is a number."), field="placings")
    formats.check_places(match.arena, [place for place, _score in placings])
    wanted: Placings = [
        (int(place), None if score is None else float(score)) for place, score in placings
    ]
    if wanted == list(sides):
        raise Refused("same_result", _("This is the result that counts already."), field="placings")
    return Change(match.pk, match.rated_order, wanted)


def digest(was: Tail, change: Change, horizon: int) -> str:
    """A fingerprint of a change and of the history that its effect follows from.

    It covers what was rated from the match in question up to the ``horizon``. Whatever else came
    before is in the states that the first events tell; what came after follows from it.
    """
    order = was["rated_order"]
    told = was.only((order >= change.rated_order) & (order <= horizon))
    summary = hashlib.blake2b(digest_size=32)
    summary.update(json.dumps([change.match, change.placings]).encode())
    # Codes of professions are this tail's own; their keys are the same in any.
    keys = professions.keys(was.professions)[told["profession"]]
    for values in {**told.columns, "profession": keys}.values():
        summary.update(np.ascontiguousarray(values).tobytes())
    return summary.hexdigest()


def details_of(was: Tail, change: Change) -> dict[str, object]:
    """Of a new result, for the ledger: what it was and is."""
    if change.placings is None:
        return {}
    return {
        "was": [told(place, score) for place, score in placings_of(was, change.match)],
        "is": [told(place, score) for place, score in change.placings],
    }


def told(place: int, score: float | None) -> dict[str, object]:
    return {"place": place, "score": score}
