"""The box about guesses on the page of a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from league.models import Arrangement, Guess
from league.services.guesses.giving import is_own, open_dates
from league.services.guesses.records import counted_guesses, crowd_of

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Player
    from league.services.guesses.records import Crowd


@dataclass(frozen=True)
class Box:
    """The guesses of a match, as a reader sees them."""

    one: Arrangement
    is_open: bool
    mine: Guess | None
    forecast: float | None = None
    may_guess: bool = False
    crowd: Crowd | None = None
    """Only once guesses are closed."""
    points: tuple[float, float] | None = None
    """Of my guess and of the forecast beside it, once it counts."""

    @property
    def position(self) -> int:
        """Return where the slider stands."""
        return self.mine.percent if self.mine else round(100 * (self.forecast or 0.5))


def box_of(
    one: Arrangement, me: Player | None, now: datetime, forecast: float | None
) -> Box | None:
    """Return the box of an agreed match, ``None`` if there is nothing to show."""
    if one.state not in {Arrangement.State.ACCEPTED, Arrangement.State.PLAYED}:
        return None
    coming = one.state == Arrangement.State.ACCEPTED and one.play_at > now
    is_open = coming and open_dates(now).filter(pk=one.pk).exists()
    if is_open and forecast is None:
        return None
    mine = me.guesses.filter(arrangement=one).first() if me else None
    if is_open:
        return Box(one, is_open=True, mine=mine, forecast=forecast, may_guess=not is_own(one, me))
    crowd = crowd_of(one)
    if crowd is None:
        return None
    points = None
    if mine and one.match_id:
        points = (
            counted_guesses().filter(pk=mine.pk).values_list("points", "forecast_points").first()
        )
    return Box(one, is_open=False, mine=mine, crowd=crowd, points=points)
