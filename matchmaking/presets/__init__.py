"""Ready-made arenas: the three that were published, and those of Laurel's own.

Each is a file in the published XML form; settings that the form lacks are set here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files

from matchmaking.io.xmlfile import read
from matchmaking.rules.arena import Rules


@dataclass(frozen=True)
class Preset:
    """Ready-made rules of an arena.

    ``about`` tells which leagues it suits. ``choices`` and ``laurel`` hold the values of
    ``Choices`` and ``LaurelRules`` that differ from the default, which the file cannot hold, as
    little as the ``team_size`` that it is tuned for.
    """

    name: str
    about: str
    team_size: int = 5
    choices: Mapping[str, object] = field(default_factory=dict)
    laurel: Mapping[str, object] = field(default_factory=dict)

    def rules(self) -> Rules:
        """Return the preset's rules."""
        text = (files(__name__) / f"{self.name}.xml").read_text(encoding="utf-8")
        (published,) = read(text).all(Rules)
        return Rules.model_validate(
            {
                **dict(published),
                "team_size": self.team_size,
                "choices": self.choices,
                "laurel": self.laurel,
            }
        )


_QUICK = {"falloff": "min", "failed_available": True}
_WEIGHED = {"spread_distance": -3.4, "repeat_distance": -10.0}

PRESETS = {
    preset.name: preset
    for preset in (
        Preset("gw2-unranked", "As published: Unranked Arena, rosters of 1 to 5."),
        Preset("gw2-ranked", "As published: Ranked Arena, rosters of 1 or 2, from rank 20."),
        Preset("gw2-ranked-off-season", "As published: Ranked Arena between seasons."),
        Preset(
            "recommended",
            "For several hundred players online: a tick every two seconds, with weights that "
            "balance waits against close ratings, professions and dishonor (see "
            "docs/matchmaking.md).",
            choices=_QUICK,
            laurel=_WEIGHED,
        ),
        *(
            Preset(
                f"recommended-{size}v{size}",
                f"The recommended arena for {size} against {size}: a wait weighs more, as fewer "
                "players share its price.",
                size,
                _QUICK,
                _WEIGHED,
            )
            for size in (1, 2, 3)
        ),
        Preset(
            "small-community",
            "For 10 to 50 players online, too few for the published minimum of potentials: wide "
            "rating windows, with the weights of the recommended arena.",
            choices=_QUICK,
            laurel={"spread_distance": -3.4},
        ),
    )
}
