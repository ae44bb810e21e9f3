"""Offline rating in the API: an evening of four players, and how to have it rated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from league.models import Scope
from tests.support.api_steps import by_token, send

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Player

RATE = "/api/v1/rate/"
EVENING: list[dict[str, Any]] = [
    {"sides": [["Ann"], ["Bob"]]},
    {"sides": [["Bob"], ["Cem"]], "ranks": [1, 1]},
    {"sides": [["Cem"], ["Ann"]], "scores": [3, 5], "weight": 0.5, "first": 1},
    {"sides": [["Dia"], ["Ann"]], "ranks": [1, 0]},
]


def rate(player: Player, matches: Sequence[Any] = EVENING, **more: Any) -> Any:
    chosen = {} if {"system", "arena", "ratings"} & more.keys() else {"system": "elo"}
    return send(by_token(player, Scope.READ), RATE, {**chosen, "matches": matches, **more})
