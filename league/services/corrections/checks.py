"""Checks before a correction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models import Match, Status
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.rating.tail import placings_of
from league.services.replay.edits import Change
from league.services.results.rules import formats, own_matches
from league.services.results.rules.modes import mode_of_decision

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from league.models import Season, User
    from league.services.rating.tail import Placings, Tail


def check_may_correct(match: Match, by: User, *, voids: bool) -> None:
    """Raise ``Forbidden`` unless the account may correct this result, or void it."""
    permission = own_matches.VOID if voids else own_matches.CORRECT
    if not by.has_perm(permission, match):
        if voids and by.has_perm(own_matches.CORRECT, match):
            raise Forbidden("may_not_void", _("You may correct this result, but not void it."))
        raise Forbidden("not_staff", _("Only staff can correct a rated result."))
    own_matches.check_own_match(match, by, permission)


def check_reason(reason: str) -> str:
    """Return the reason without surrounding space. Raises ``Refused`` if it is empty."""
    if not reason.strip():
        raise Refused("no_reason", _("Give a reason. Everyone can read it."), field="reason")
    return reason.strip()


def change_of(
    match: Match, placings: Sequence[tuple[int, float | None]] | None, mode: str = ""
) -> Change:
    """Return the change to a match: void without ``placings``, or else this result.

    ``mode`` is its game mode, by default the one it has.

    Raises:
        Conflict: the match is not rated, or its season is archived.
        Refused: the placings or the mode do not fit the match.
    """
    if match.status != Status.RATED or match.rated_order is None:
        sentences = {
            Status.VOID: _("This match is already void."),
            Status.LIVE: _("This match is still being played. It has no result to correct."),
        }
        waiting = _("This result is not rated yet. Decide it instead.")
        raise Conflict("not_rated", sentences.get(Status(match.status), waiting))
    check_not_archived(match.season)
    if placings is None:
        return Change(match.pk, match.rated_order)
    if not match.is_game:
        raise Refused(
            "unplayed",
            _("Nobody played this match. You can void it, but it has no result to correct."),
            field="placings",
        )
    sides = match.sides.order_by("index").values_list("place", "score")
    if len(placings) != len(sides):
        raise Refused(
            "placings",
            _("Give a place for each of the %(count)d sides.") % {"count": len(sides)},
            field="placings",
        )
    formats.check_result(match.arena, placings, "placings")
    wanted: Placings = [
        (int(place), None if score is None else float(score)) for place, score in placings
    ]
    named = mode_of_decision(match, mode)
    other = None if named == match.mode else named
    if wanted == list(sides) and other is None:
        raise Refused("same_result", _("This is already the result that counts."), field="placings")
    weight = weight_of(match, sides, wanted)
    return Change(match.pk, match.rated_order, wanted, weight=weight, mode=other)


def check_not_archived(season: Season) -> None:
    """Raise ``Conflict`` if results of the season no longer change."""
    if season.archived_at is not None:
        raise Conflict(
            "archived",
            _("%(season)s is archived. Its results no longer change.") % {"season": season},
        )


def weight_of(
    match: Match,
    was: Iterable[tuple[int | None, float | None]],
    wanted: Sequence[tuple[int, float | None]],
) -> float | None:
    """Return the weight of a corrected match, ``None`` for the same.

    Earlier wins took from its weight for the order of its sides. It comes back with another order.
    """
    if match.one_sided is None or order_of(was) == order_of(wanted):
        return None
    return match.weight / match.one_sided


def order_of(placings: Iterable[tuple[int | None, float | None]]) -> list[int]:
    """Return how many sides were placed above each. A rated match has a place for each side."""
    places = [place or 0 for place, _score in placings]
    in_order = sorted(places)
    return [in_order.index(place) for place in places]


def details_of(was: Tail, change: Change) -> dict[str, object]:
    """Return the old and new placings for the ledger, and the game modes if they change."""
    if change.placings is None or change.returns:
        return {}
    modes = was["mode"][was["match"] == change.match]
    mode = {} if change.mode is None else {"mode_was": was.modes[modes[0]], "mode_is": change.mode}
    return {
        **mode,
        "was": [placing(place, score) for place, score in placings_of(was, change.match)],
        "is": [placing(place, score) for place, score in change.placings],
    }


def placing(place: int, score: float | None) -> dict[str, object]:
    return {"place": place, "score": score}
