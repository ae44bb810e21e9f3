"""Arenas to begin with: the three that were published, and two that Laurel proposes.

Each is a file in the published XML form; what that form cannot say stands here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files

from matchmaking.io.xmlfile import read
from matchmaking.rules.arena import Rules


@dataclass(frozen=True)
class Preset:
    """An arena's rules ready-made: ``about`` says for whom, ``choices`` what the file cannot say.

    ``choices`` has the names of ``Choices`` and ``LaurelRules``, each with a value where it differs
    from the default.
    """

    name: str
    about: str
    choices: Mapping[str, object] = field(default_factory=dict)
    laurel: Mapping[str, object] = field(default_factory=dict)

    def rules(self) -> Rules:
        """The preset's rules."""
        text = (files(__name__) / f"{self.name}.xml").read_text(encoding="utf-8")
        (published,) = read(text).all(Rules)
        return Rules.model_validate(
            {**dict(published), "choices": self.choices, "laurel": self.laurel}
        )


_QUICK = {"falloff": "min", "failed_available": True}

PRESETS = {
    preset.name: preset
    for preset in (
        Preset("gw2-unranked", "As published: Unranked Arena, rosters of 1 to 5."),
        Preset("gw2-ranked", "As published: Ranked Arena, rosters of 1 or 2, from rank 20."),
        Preset("gw2-ranked-off-season", "As published: Ranked Arena between seasons."),
        Preset(
            "recommended",
            "For some hundred players online: a tick every other second, and weights that trade "
            "waits against likeness, professions and dishonor as docs/matchmaking.md argues.",
            _QUICK,
            {"spread_distance": -3.4, "repeat_distance": -10.0},
        ),
        Preset(
            "small-community",
            "For 10 to 50 players online, where the published least number of potentials would "
            "never be reached: wide windows, and the weights of the recommended arena.",
            _QUICK,
            {"spread_distance": -3.4},
        ),
    )
}
