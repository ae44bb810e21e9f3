"""Parameters as a source publishes them, where a system's defaults are others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ratings.tunables.kinds import Value


@dataclass(frozen=True)
class Published:
    """The parameters of a source, for those who want exactly its rating.

    All that the source says is listed, whether or not it is also the default.
    """

    label: str
    source: str
    parameters: Mapping[str, Value]
