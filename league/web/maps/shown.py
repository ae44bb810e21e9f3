"""The map of a match and its veto, as the match page shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from league.models import MatchMap, Status
from league.services.maps import vetoes
from league.services.maps.draws import promise_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import MapBan, Match, Player, Side

EVERY = 2
"""Seconds between polls of a veto that is going on."""


@dataclass(frozen=True)
class Banned:
    """A map that is out, and for whom."""

    ban: MapBan
    captain: str


def map_context(
    match: Match, sides: Sequence[Side], me: Player | None, now: datetime
) -> dict[str, Any]:
    """Return the map of a match, or its veto as it is now. One query if there is a veto."""
    choice: MatchMap | None = getattr(match, "map_choice", None)
    if choice is None:
        return {}
    captains = {side.index: side.captain for side in sides}
    if choice.turn is None:
        return {"map_choice": choice, "chosen_map": choice.chosen, "map_seed": choice.seed}
    veto = vetoes.veto_of(choice, list(choice.bans.order_by("number")), now)
    is_live = match.status == Status.LIVE
    goes_on = is_live and not veto.chosen
    captain = captains.get(veto.side)
    seconds = veto.seconds_left(now)
    return {
        "map_choice": choice,
        "chosen_map": veto.chosen,
        "map_seed": choice.seed if not goes_on else "",
        "map_promise": promise_of(choice.seed),
        "map_veto": veto,
        "map_bans": [Banned(ban, name_of(captains, ban)) for ban in veto.bans],
        "map_goes_on": goes_on,
        "map_turn_of": captain,
        "map_is_my_turn": goes_on and me is not None and captain == me,
        "map_seconds": seconds,
        "map_time": f"{seconds // 60}:{seconds % 60:02}",
        "map_state": f"{len(veto.bans)}-{veto.chosen}-{match.status}",
        "map_every": EVERY,
    }


def name_of(captains: dict[int, Player], ban: MapBan) -> str:
    """Return the name of the captain for whom a map is out."""
    captain = captains.get(ban.side)
    return captain.name if captain else ""
