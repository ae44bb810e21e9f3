"""Chess Elo: the Fermi rating on the scale of chess.

Source: A. E. Elo, "The Rating of Chessplayers, Past and Present", 1978. This is the Fermi rating
with ``T = 400 / ln 10`` and ``max_gain = K``, and rates the same formats.
"""

from __future__ import annotations

import math

from ratings.system import Shows
from ratings.systems.fermi.system import Fermi, FermiParameters
from ratings.tunables.parameters import parameter
from ratings.tunables.published import Published

SOURCE = "Elo 1978, as the Fermi rating of Kreimeier 2000"


class EloParameters(FermiParameters):
    """The Fermi rating's parameters with chess defaults."""

    T: float = parameter(
        400 / math.log(10),
        label="Temperature (T)",
        description="The scale of ratings. The default, 400 / ln 10 = 173.7, is that of chess: a "
        "lead of 200 points wins 76% of the matches, a lead of 400 points 91%. With a higher T, "
        "the same lead means less.",
        unit="rating points",
        minimum=0.000_001,
        maximum=1_000_000,
        source=SOURCE,
    )
    max_gain: float = parameter(
        32.0,
        label="Largest gain (K)",
        description="The most that a player can gain or lose in one match, called K in chess. A "
        "win over an equal opponent gives half of it. With a higher value, ratings follow form "
        "faster but jump more.",
        unit="rating points",
        above=0,
        maximum=1_000_000,
        source=SOURCE,
    )
    mean: float = parameter(
        1500.0,
        label="Starting rating",
        description="The rating of every newcomer. It remains the average of all players, as one "
        "player's gain is another player's loss.",
        unit="rating points",
        minimum=-1_000_000,
        maximum=1_000_000,
        source="the usual start of club ratings",
    )


NOTHING_ELSE: dict[str, Published] = {}
"""Its defaults are the published ones."""


class Elo(Fermi):
    """The Fermi rating with the scale of chess."""

    name = "elo"
    label = "Elo"
    summary = (
        "The rating of chess: one number per player, with as many points lost as won. It is well "
        "known and easy to check by hand, but does not say how certain a rating is."
    )
    Parameters = EloParameters
    published = NOTHING_ELSE
    shows = Shows()
