"""Chess Elo: the Fermi rating at the scale of chess.

Source: A. E. Elo, "The Rating of Chessplayers, Past and Present", 1978; the Fermi rating with
``T = 400 / ln 10`` and ``max_gain = K``. Formats as the Fermi rating's.
"""

from __future__ import annotations

import math

from ratings.system import Shows
from ratings.systems.fermi.system import Fermi, FermiParameters
from ratings.tunables.parameters import parameter

SOURCE = "Elo 1978, as the Fermi rating of Kreimeier 2000"


class EloParameters(FermiParameters):
    """The Fermi rating's parameters with the defaults of chess."""

    T: float = parameter(
        400 / math.log(10),
        label="Temperature (T)",
        description="How many rating points make a clear favourite. The default, 400 / ln 10 = "
        "173.7, is the scale of chess: a lead of 200 points wins 76% of the matches, one of 400 "
        "points 91%. A higher T makes the same lead mean less.",
        unit="rating points",
        above=0,
        maximum=1_000_000,
        source=SOURCE,
    )
    max_gain: float = parameter(
        32.0,
        label="Largest gain (K)",
        description="The most that one match can give or take; chess calls it K. A win over an "
        "equal gives half of it. Higher follows form faster and makes ratings jump more.",
        unit="rating points",
        above=0,
        maximum=1_000_000,
        source=SOURCE,
    )
    mean: float = parameter(
        1500.0,
        label="Starting rating",
        description="The rating of every newcomer, and so the average of all players for ever, "
        "as whatever one player gains another loses.",
        unit="rating points",
        minimum=-1_000_000,
        maximum=1_000_000,
        source="the usual start of club ratings",
    )


class Elo(Fermi):
    """The Fermi rating as chess players know it."""

    name = "elo"
    label = "Elo"
    summary = (
        "The rating of chess: one number a player, as many points lost as won. Everyone knows it "
        "and can check it by hand; it does not say how sure it is."
    )
    Parameters = EloParameters
    shows = Shows()
