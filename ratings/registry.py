"""Registry of all rating systems by name."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from ratings.systems.bar.system import Bar
from ratings.systems.codeforces import Codeforces
from ratings.systems.elo_mmr.elo_mmx import EloMMX
from ratings.systems.elo_mmr.system import EloMMR
from ratings.systems.fermi.elo import Elo
from ratings.systems.fermi.system import Fermi
from ratings.systems.glicko.system import Glicko
from ratings.systems.glicko2.system import Glicko2
from ratings.systems.ladder.system import Ladder
from ratings.systems.laurel.system import Laurel
from ratings.systems.laurel_1.system import Laurel1
from ratings.systems.topcoder import Topcoder
from ratings.systems.trueskill.system import TrueSkill
from ratings.systems.wager import Wager
from ratings.tunables.reading import read_parameters
from ratings.tunables.sentences import Explained, Sentence, mark

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ratings.system import RatingSystem
    from ratings.tunables.kinds import Value

SYSTEMS: dict[str, type[RatingSystem]] = {
    system.name: system
    for system in (
        Bar,
        Codeforces,
        Elo,
        EloMMR,
        EloMMX,
        Fermi,
        Glicko,
        Glicko2,
        Ladder,
        Laurel,
        Topcoder,
        TrueSkill,
        Wager,
    )
}
"""The systems on offer."""
KNOWN_SYSTEMS = SYSTEMS | {Laurel1.name: Laurel1}
"""These and former versions, for seasons that were played under them."""


class UnknownSystem(Explained, LookupError):
    """There is no rating system with that name. The message suggests the closest one."""

    def __init__(self, name: str) -> None:
        self.name = name
        near = difflib.get_close_matches(name, SYSTEMS, n=1)
        if near:
            super().__init__(
                mark("there is no rating system “%(name)s”; did you mean %(near)s?"),
                name=name,
                near=near[0],
            )
        else:
            super().__init__(
                mark("there is no rating system “%(name)s”; choose from %(names)s"),
                name=name,
                names=", ".join(SYSTEMS),
            )


class UnknownPreset(UnknownSystem):
    """A system has no published parameters of that name. The message lists those it has."""

    def __init__(self, system: type[RatingSystem], name: str) -> None:
        self.name = name
        if not system.published:
            Explained.__init__(
                self,
                mark(
                    "%(system)s has no published parameters besides its defaults, so none called "
                    "“%(name)s”"
                ),
                system=Sentence(system.label),
                name=name,
            )
            return
        Explained.__init__(
            self,
            mark("%(system)s has no published parameters called “%(name)s”; choose from %(names)s"),
            system=Sentence(system.label),
            name=name,
            names=", ".join(system.published),
        )


def find(name: str) -> type[RatingSystem]:
    """Return the class of the system called ``name``, or raise ``UnknownSystem``."""
    try:
        return KNOWN_SYSTEMS[name]
    except KeyError:
        raise UnknownSystem(name) from None


def build(name: str, parameters: Mapping[str, object] | None = None) -> RatingSystem:
    """Build the system called ``name``, using defaults for missing ``parameters``.

    Raises ``UnknownSystem``, or ``ParameterError`` with a sentence for each wrong parameter.
    """
    system = find(name)
    return system(read_parameters(system.Parameters, parameters))


def read_name(text: str) -> tuple[str, dict[str, Value]]:
    """Return a system's name, and the published parameters that are named behind a colon.

    ``glicko-2:gw2`` are those of Guild Wars 2, ``glicko-2`` the defaults, so none.

    Raises ``UnknownSystem``, or ``UnknownPreset`` for other parameters.
    """
    name, colon, preset = text.partition(":")
    system = find(name)
    if not colon:
        return name, {}
    if preset not in system.published:
        raise UnknownPreset(system, preset)
    return name, dict(system.published[preset].parameters)
