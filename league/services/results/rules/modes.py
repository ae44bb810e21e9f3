"""Game modes of results: each names one of its arena's modes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models import Status
from league.models.lists import list_of
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _

if TYPE_CHECKING:
    from league.models import Arena, Match


def mode_of_result(arena: Arena, named: str, known: str = "") -> str:
    """Return the mode of a result that names one, of a match whose mode may be ``known``.

    An arena's only mode needs no name. Case does not matter.

    Raises:
        Refused: the arena does not have this mode, the match has another, or none is named.
    """
    named = " ".join(named.split())
    if known:
        if named and named.casefold() != known.casefold():
            raise refusal(_("The game mode of this match is %(mode)s.") % {"mode": known})
        return known
    if not arena.modes:
        if named:
            raise refusal(_("%(arena)s has no game modes.") % {"arena": arena})
        return ""
    if not named and len(arena.modes) == 1:
        return str(arena.modes[0])
    for mode in arena.modes:
        if mode.casefold() == named.casefold():
            return str(mode)
    raise refusal(
        _("Choose the game mode: %(modes)s.") % {"modes": list_of(arena.modes)},
    )


def mode_of_start(arena: Arena, named: str) -> str:
    """Return the mode of a match that begins, empty if only its result will name it.

    Raises:
        Refused: the arena does not have this mode.
    """
    return mode_of_result(arena, named) if named.strip() or len(arena.modes) == 1 else ""


def mode_of_answer(match: Match, named: str) -> str:
    """Return the mode of a report that its captain or the answer of another side names again.

    It stays if none is named, and if it was known before the match was played.

    Raises:
        Refused: the arena does not have this mode, or the match keeps another.
    """
    return named_again(match, named, known=match.mode if match.mode_fixed else "")


def mode_of_decision(match: Match, named: str) -> str:
    """Return the mode of a match that staff decide. They can name another than the players did.

    Raises:
        Refused: the arena does not have this mode, or a live match has none and none is named.
    """
    if match.status == Status.LIVE and not match.mode:
        return mode_of_result(match.arena, named)
    return named_again(match, named)


def named_again(match: Match, named: str, known: str = "") -> str:
    if named.strip().casefold() in {"", match.mode.casefold()}:
        return match.mode
    return mode_of_result(match.arena, named, known)


def refusal(message: str) -> Refused:
    return Refused("mode", message, field="mode")
