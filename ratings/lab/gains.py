"""The largest gain of a Fermi rating that would have predicted a history best.

Source: B. Kreimeier, "Rising from the Ranks", Gamasutra 2000: predictions and results adjust
``max_gain``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ratings import registry
from ratings.lab.evaluation import log_loss, predict_history

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from ratings.history import History
    from ratings.types import States

FACTORS = (0.125, 0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 8.0)
"""The gains to try, as multiples of the current one."""
LARGEST = 1_000_000.0


def gains_around(gain: float) -> list[float]:
    """Return the gains to try in ascending order.

    They are rounded to two significant digits, except the current one.
    """
    tried = {float(f"{factor * gain:.2g}") for factor in FACTORS if factor != 1}
    return sorted({gain, *(one for one in tried if 0 < one <= LARGEST)})


def losses_by_gain(
    system: str,
    parameters: Mapping[str, object],
    history: History,
    states: States,
    gains: Sequence[float],
    anchors: Collection[str] = (),
) -> list[float]:
    """Return the average logarithmic loss of a history's matches with each largest gain.

    ``states`` are the players' before the history, and ``anchors`` names those held fixed.
    """
    losses = []
    for gain in gains:
        built = registry.build(system, {**parameters, "max_gain": gain}).with_anchors(anchors)
        losses.append(log_loss(history, predict_history(built, history, states)))
    return losses
