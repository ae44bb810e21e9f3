"""Problems with a file, or with a line of it."""

from __future__ import annotations

from dataclasses import dataclass

from ratings.tunables.sentences import Explained, Sentence


class UnreadableFile(Explained):
    """A file that cannot be read at all. The sentence says why, and what to do."""


class UnreadablePart(Explained):
    """A line, an entry or a cell that cannot be read. The sentence says why, and what to do."""


class NotPlayed(UnreadablePart):
    """A cell that says that a match was not played, or a match without a result."""


@dataclass(frozen=True)
class Problem:
    """A problem with a line, counted from 1, or with an entry of a file without lines."""

    line: int
    sentence: Sentence
