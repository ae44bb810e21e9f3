"""A sentence about what happened in a match, with the calculation of the rating behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from league.models import Status
from league.services.core.isolation import gettext as _
from league.templatetags.laurel import decimals_of_change, moved_by, plain, signed

if TYPE_CHECKING:
    from league.web.results.scoresheets import Reason, Seat, Sheet, SideSheet

EXPECTED_DECIMALS = 3


@dataclass(frozen=True)
class Happened:
    """A sentence about a side, and how far its ratings moved."""

    text: str
    moved: str = ""
    """Such as ``32 × (0 − 0.525) = −16.8``, of several players ``−12.1 to −16.8``."""


def what_happened(sheet: Sheet) -> Happened | None:
    """Say in a sentence what happened to the reader's side, or else to the first one.

    ``None`` if the match is not rated, was no game of two sides, or nobody forecast it.
    """
    if sheet.match.status != Status.RATED or not sheet.is_two_sided or not sheet.has_result:
        return None
    chances = {side.side.index: chance for side, chance in sheet.odds}
    side = sheet.sides[0]
    if side.side.index not in chances:
        return None
    values = {"side": side.name, "chance": chances[side.side.index]}
    return Happened(sentence_of(sheet, side) % values, movement_of(sheet, side))


def sentence_of(sheet: Sheet, side: SideSheet) -> str:
    """Return the sentence of an outcome. Where draws are possible, the forecast is a result."""
    won = side.side.place == 0
    if sheet.match.arena.draws_allowed:
        if sheet.is_draw:
            return _("%(side)s had an expected result of %(chance)s and drew.")
        if won:
            return _("%(side)s had an expected result of %(chance)s and won.")
        return _("%(side)s had an expected result of %(chance)s and lost.")
    if won:
        return _("%(side)s had a win chance of %(chance)s and won.")
    return _("%(side)s had a win chance of %(chance)s and lost.")


def movement_of(sheet: Sheet, side: SideSheet) -> str:
    """Return how far a side's ratings moved, for a lone player with the calculation."""
    shows = sheet.shows
    seats = [seat for seat in side.seats if seat.event and not seat.event.ignored]
    if shows.lowest_first or not seats:
        return ""
    decimals = decimals_of_change(shows)
    moves = sorted(moved_by(seat.event, shows, decimals) for seat in seats if seat.event)
    least, most = signed(moves[0], decimals), signed(moves[-1], decimals)
    if len(side.seats) == 1:
        worked_out = calculation_of(seats[0], moves[0], decimals) if shows.explains else ""
        return f"{worked_out} = {most}" if worked_out else most
    if least == most:
        return most
    return _("%(least)s to %(most)s") % {"least": least, "most": most}


def calculation_of(seat: Seat, moved: float, decimals: int) -> str:
    """Return step or stake times surprise, if a system has the terms and they give the change."""
    terms = {reason.name: reason for reason in seat.reasons}
    step = terms.get("step") or terms.get("stake")
    actual, expected = terms.get("actual"), terms.get("expected")
    if not (step and actual and expected):
        return ""
    near = 1.01 * 10.0**-decimals
    if abs(step.value * (actual.value - expected.value) - moved) <= near:
        difference = f"{fraction(actual)} \N{MINUS SIGN} {fraction(expected)}"
        return f"{plain(step.value)} × ({difference})"
    surprise = terms.get("surprise")
    if surprise and abs(step.value * surprise.value - moved) <= near:
        return f"{plain(step.value)} × {plain(surprise.value)}"
    return ""


def fraction(reason: Reason) -> str:
    return plain(round(reason.value, EXPECTED_DECIMALS))
