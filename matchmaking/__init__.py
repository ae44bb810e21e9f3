"""Matchmakers for teams of any size.

``Queue`` and ``Matcher`` are the way in for most programs. The matchers and their arrays are below
them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matchmaking.facade import Match, Matcher, PickedTicket, Queue, QueueError, UnknownName
    from matchmaking.lab.workload import Workload
    from matchmaking.rules.arena import Rules
    from matchmaking.ticket import Player

__all__ = [
    "Match",
    "Matcher",
    "PickedTicket",
    "Player",
    "Queue",
    "QueueError",
    "Rules",
    "UnknownName",
    "Workload",
]

_MODULES = {
    "facade": ["Match", "Matcher", "PickedTicket", "Queue", "QueueError", "UnknownName"],
    "lab.workload": ["Workload"],
    "rules.arena": ["Rules"],
    "ticket": ["Player"],
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    """Load what is used, so that a part of the package does not load all of it."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    return __all__
