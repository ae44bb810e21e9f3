"""Rating systems for matches of any shape.

``Ratings`` is the way in for most programs. The arrays of the systems are below it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ratings.changes import Change, Changes, Rating
    from ratings.facade import NotRatedYet, Prediction, Ratings, Standing
    from ratings.frames import from_dataframe
    from ratings.hindsight import WholeHistory, whole_history
    from ratings.history import History, HistoryError, Match, Participant, Side
    from ratings.registry import UnknownSystem, build, find
    from ratings.saving import SavedError
    from ratings.system import UnsupportedMatch
    from ratings.tunables.reading import ParameterError

__all__ = [
    "Change",
    "Changes",
    "History",
    "HistoryError",
    "Match",
    "NotRatedYet",
    "ParameterError",
    "Participant",
    "Prediction",
    "Rating",
    "Ratings",
    "SavedError",
    "Side",
    "Standing",
    "UnknownSystem",
    "UnsupportedMatch",
    "WholeHistory",
    "build",
    "find",
    "from_dataframe",
    "whole_history",
]

_MODULES = {
    "changes": ["Change", "Changes", "Rating"],
    "facade": ["NotRatedYet", "Prediction", "Ratings", "Standing"],
    "frames": ["from_dataframe"],
    "hindsight": ["WholeHistory", "whole_history"],
    "history": ["History", "HistoryError", "Match", "Participant", "Side"],
    "registry": ["UnknownSystem", "build", "find"],
    "saving": ["SavedError"],
    "system": ["UnsupportedMatch"],
    "tunables.reading": ["ParameterError"],
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    """Load what is used, so that a part of the package does not load all of it."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    return __all__
