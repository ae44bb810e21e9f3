"""Check results against their arena's format."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from league.models import Format
from league.models.explained import translate
from league.models.match import LONGEST_MATCH_SECONDS
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Arena
    from league.services.core.types import PlayedBy, ReportedSide
    from ratings.system import RatingSystem

LONGEST_PROFESSION = 40


def plays_in_rosters(arena: Arena) -> bool:
    """Return whether the sides of an arena's matches are rosters."""
    return arena.format == Format.TEAMS and arena.team_size_max > 1


def check_format(arena: Arena, system: RatingSystem, sides: Sequence[ReportedSide]) -> None:
    """Refuse sides that do not fit the arena's format or the rating system."""
    check_sides(arena, [len(side.participants) for side in sides])
    check_result(arena, [(side.place, side.score) for side in sides])
    check_participants(arena, sides)
    try:
        system.check_sizes([len(side.participants) for side in sides])
    except UnsupportedMatch as error:
        raise Refused("unsupported", translate(error.sentence)) from error


LIGHTEST, HEAVIEST = 0.01, 100.0
"""Limits of a contest's weight."""


def check_weight(system: RatingSystem, weight: float) -> None:
    """Refuse contest weights out of range, and any in systems where every match counts alike."""
    if weight == 1:
        return
    if system.shows.lowest_first:
        raise Refused(
            "weight",
            _("On a ladder every match counts alike. Leave the weight at 1."),
            field="weight",
        )
    if not LIGHTEST <= weight <= HEAVIEST:
        raise Refused(
            "weight",
            _("The weight must be from %(low)s to %(high)s.") % {"low": LIGHTEST, "high": HEAVIEST},
            field="weight",
        )


def check_first_side(sides: int, first_side: int | None) -> None:
    """Refuse a first side that the match does not have."""
    if first_side is None:
        return
    if sides != 2:
        said = _("Only a match of two sides has a first side.")
    elif first_side not in (0, 1):
        said = _("The first side is 0 or 1, the number of a side.")
    else:
        return
    raise Refused("first_side", said, field="first_side")


def check_sides(arena: Arena, sizes: Sequence[int]) -> None:
    if not arena.sides_min <= len(sizes) <= arena.sides_max:
        raise Refused(
            "sides",
            _("A match in %(arena)s has %(range)s sides. This one has %(count)d.")
            % {
                "arena": arena,
                "range": between(arena.sides_min, arena.sides_max),
                "count": len(sizes),
            },
        )
    for number, size in enumerate(sizes, start=1):
        if not arena.team_size_min <= size <= arena.team_size_max:
            raise Refused(
                "team_size",
                _("A side in %(arena)s has %(range)s players. Side %(number)d has %(size)d.")
                % {
                    "arena": arena,
                    "range": between(arena.team_size_min, arena.team_size_max),
                    "number": number,
                    "size": size,
                },
            )


def check_places(arena: Arena, places: Sequence[int]) -> None:
    """Refuse places out of range, results without a winner, and ties if the arena has none."""
    if any(place < 0 or place >= len(places) for place in places):
        raise Refused(
            "place",
            _("Places must be from 1 to %(count)d.") % {"count": len(places)},
        )
    if 0 not in places:
        raise Refused("place", _("At least one side must be first."))
    if not arena.draws_allowed and len(set(places)) < len(places):
        raise Refused(
            "draw",
            _("%(arena)s has no draws. Give each side its own place.") % {"arena": arena},
        )


def check_result(
    arena: Arena, placings: Sequence[tuple[int, float | None]], path: str = "sides"
) -> None:
    """Refuse invalid places, scores that the arena does not allow, and scores that contradict the
    places.

    A refusal names the field of the score as ``<path>.<index>.score``.
    """
    check_places(arena, [place for place, _score in placings])
    rules = arena.result_settings()
    for index, (_place, score) in enumerate(placings):
        problem = None if score is None else rules.problem_of_score(score)
        if problem:
            raise Refused("score", translate(problem), field=f"{path}.{index}.score")
    order = rules.scores
    if order == "free":
        return
    sign = -1 if order == "lower" else 1
    scored = sorted(
        (place, sign * score, index)
        for index, (place, score) in enumerate(placings)
        if score is not None
    )
    for (better, ours, index), (worse, theirs, _other) in pairwise(scored):
        # Sorted by place, then score: level sides with different scores come in pairs, too.
        if ours < theirs:
            raise contradiction(order, level=better == worse, field=f"{path}.{index}.score")


def places_by_score(arena: Arena, scores: Sequence[float | None]) -> list[int] | None:
    """Return the places that scores say, from 0, ``None`` if they say none.

    They say none if one of them is missing, or if the arena lets scores say nothing about places.
    """
    order = arena.result_settings().scores
    known = [score for score in scores if score is not None]
    if order == "free" or len(known) < len(scores):
        return None
    worst_first = sorted(enumerate(known), key=lambda one: one[1], reverse=order == "lower")
    places = {score: len(known) - 1 - at for at, (_index, score) in enumerate(worst_first)}
    return [places[score] for score in known]


def contradiction(order: str, *, level: bool, field: str) -> Refused:
    """Return the refusal of scores that say something else than the places."""
    if level:
        message = _("Sides that share a place must have the same score.")
    elif order == "lower":
        message = _("This score contradicts the places: here the lower score wins.")
    else:
        message = _("This score contradicts the places: here the higher score wins.")
    return Refused("score_order", message, field=field)


def check_placings(arena: Arena, placings: Sequence[tuple[int, float | None]], sides: int) -> None:
    """Refuse places and scores that do not fit the arena or the number of sides."""
    if len(placings) != sides:
        raise Refused("placings", _("Give a place for each of the %(n)d sides.") % {"n": sides})
    check_result(arena, placings)


def check_participants(arena: Arena, sides: Sequence[ReportedSide]) -> None:
    counts = Counter(played.player for side in sides for played in side.participants)
    twice = next((player for player, count in counts.items() if count > 1), None)
    if twice:
        raise Refused("twice", _("%(player)s is in this match twice.") % {"player": twice})
    check_captains(sides)
    for side in sides:
        if arena.format == Format.FREE_FOR_ALL and side.captain != side.participants[0].player:
            raise Refused("captain", _("In a free-for-all, every player is their own captain."))
        if side.roster is None and side.captain not in {part.player for part in side.participants}:
            # Otherwise two friends could report and confirm a match without its players knowing.
            raise Refused(
                "captain",
                _("%(captain)s leads no roster here, so they must play to be a captain.")
                % {"captain": side.captain},
            )
        for played in side.participants:
            check_part(played)


def check_captains(sides: Sequence[ReportedSide]) -> None:
    """Refuse captains with a part in another side. They could answer their own report."""
    leads = {side.captain: index for index, side in enumerate(sides)}
    if len(leads) < len(sides):
        raise Refused("captain", _("Each side needs a captain of its own."))
    for index, side in enumerate(sides):
        for played in side.participants:
            if leads.get(played.player, index) != index:
                raise Refused(
                    "captain",
                    _("%(captain)s leads one side and plays for another.")
                    % {"captain": played.player},
                )


def check_part(played: PlayedBy) -> None:
    """Refuse impossible times and invalid professions."""
    if played.seconds is not None and not 0 <= played.seconds <= LONGEST_MATCH_SECONDS:
        raise Refused(
            "seconds", _("Time played must be from 0 seconds to 7 days."), field="seconds"
        )
    checked_profession(played.profession)


def checked_profession(profession: str) -> str:
    """Return a profession, or refuse it if it is too long or not printable."""
    if len(profession) > LONGEST_PROFESSION:
        raise Refused(
            "profession",
            _("A profession can have at most %(limit)d characters.")
            % {"limit": LONGEST_PROFESSION},
            field="profession",
        )
    if not profession.isprintable():
        raise Refused(
            "profession",
            _("Professions may only contain visible characters."),
            field="profession",
        )
    return profession


def between(low: int, high: int) -> str:
    return str(low) if low == high else _("%(low)d to %(high)d") % {"low": low, "high": high}


def describe_format(arena: Arena) -> str:
    """Return an arena's format: ``Teams of 3``, ``Free for all, 2 to 8 players``."""
    sides = between(arena.sides_min, arena.sides_max)
    if arena.is_duel:
        return _("One against one")
    if arena.format == Format.FREE_FOR_ALL:
        return _("Free for all, %(range)s players") % {"range": sides}
    size = between(arena.team_size_min, arena.team_size_max)
    if arena.sides_max == 2:
        return _("Teams of %(size)s") % {"size": size}
    return _("%(range)s teams of %(size)s") % {"range": sides, "size": size}
