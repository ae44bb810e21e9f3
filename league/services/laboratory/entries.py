"""What a comparison judges: the arena's own rules, and other systems with fitted parameters."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from league.services.core.declared import declarations
from league.services.core.errors import Refused
from ratings.registry import SYSTEMS, build
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from league.models import Arena
    from league.services.core.declared import Translated
    from ratings.system import RatingSystem

OWN = "own"
"""The entry of the arena's own rules, as they are."""
MOST_SYSTEMS = 6
MOST_FITTED = 3
"""Parameters to fit for each system."""
SUGGESTED = ("laurel", "glicko-2", "trueskill", "elo")
"""Systems to compare with, those that usually forecast best first."""
AT_ONCE = 3
"""Systems that are chosen at first."""


@dataclass(frozen=True)
class Entry:
    """A rating system that takes part in a comparison."""

    key: str
    """The name of its system, or ``OWN``."""
    system: str
    parameters: Mapping[str, Any]
    """Where the search starts, or as they are if nothing is fitted."""
    fitted: tuple[str, ...] = ()

    def written(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "entry": self.key,
            "system": self.system,
            "parameters": dict(self.parameters),
            "fit": list(self.fitted),
        }


def systems_for(arena: Arena) -> list[str]:
    """Return the systems that can rate every match of an arena's format."""
    sizes = (
        [arena.team_size_min] * arena.sides_min,
        [arena.team_size_max] * arena.sides_max,
    )
    return [name for name in SYSTEMS if all(rates(build(name), each) for each in sizes)]


def rates(system: RatingSystem, sizes: Sequence[int]) -> bool:
    try:
        system.check(sizes)
    except UnsupportedMatch:
        return False
    return True


def start_of(arena: Arena, name: str) -> RatingSystem:
    """Return the system from whose parameters a search starts: the arena's, or the defaults."""
    return arena.system() if name == arena.rating_system else build(name)


def can_be_fitted(system: RatingSystem) -> list[Translated]:
    """Return the parameters with numbers to search, those that matter most first."""
    found = [
        each
        for each in declarations(type(system).Parameters)
        if each.kind in {"number", "integer"}
        and math.isfinite(getattr(system.parameters, each.name))
    ]
    first = {name: at for at, name in enumerate(system.fitted)}
    return sorted(found, key=lambda each: first.get(each.name, len(first)))


def suggested(arena: Arena) -> list[str]:
    """Return the systems that are chosen at first: the arena's own, fitted, and the best others."""
    able = systems_for(arena)
    own = arena.rating_system
    chosen = [own] if own in able and arena.system().fitted else []
    chosen += [name for name in SUGGESTED if name in able and name != own]
    return chosen[:AT_ONCE]


def entries(arena: Arena, chosen: Mapping[str, Sequence[str]]) -> list[Entry]:
    """Return the arena's own rules and the chosen systems, each with the parameters to fit.

    Raises:
        Refused: too many are chosen, or one that does not fit the arena.
    """
    able = systems_for(arena)
    if not chosen:
        raise Refused("no_systems", _("Choose a system to compare with."), field="systems")
    if len(chosen) > MOST_SYSTEMS:
        text = _("Choose up to %(count)d systems.") % {"count": MOST_SYSTEMS}
        raise Refused("too_many_systems", text, field="systems")
    found = [Entry(OWN, arena.rating_system, arena.system().parameters.to_json())]
    for name, fitted in chosen.items():
        if name not in able:
            text = _("“%(name)s” cannot rate the matches of this arena.") % {"name": name}
            raise Refused("unfit", text, field="systems")
        system = start_of(arena, name)
        label = _(system.label)
        known = [each.name for each in can_be_fitted(system)]
        if unknown := [each for each in fitted if each not in known]:
            text = _("%(system)s has no parameter “%(name)s” that can be fitted.")
            text %= {"system": label, "name": unknown[0]}
            raise Refused("no_parameter", text, field=f"fit_{name}")
        if len(fitted) > MOST_FITTED:
            text = _("%(system)s: fit up to %(count)d parameters.")
            text %= {"system": label, "count": MOST_FITTED}
            raise Refused("too_many_parameters", text, field=f"fit_{name}")
        if name == arena.rating_system and not fitted:
            text = _(
                "%(system)s is compared as the arena has it anyway. Choose parameters to fit, or "
                "leave it out."
            ) % {"system": label}
            raise Refused("same", text, field=f"fit_{name}")
        # In the order of the declarations, so that the same choice is the same search.
        in_order = tuple(each for each in known if each in fitted)
        found.append(Entry(name, name, system.parameters.to_json(), in_order))
    return found
