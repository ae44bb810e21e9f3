"""What is wrong with a CSV file, told so that it can be mended."""

from __future__ import annotations

from dataclasses import dataclass

MOST_PROBLEMS = 20
"""Reading stops after this many: a file with more is wrong as a whole."""


@dataclass(frozen=True)
class Problem:
    """One thing wrong: where, what, and how to mend it."""

    message: str
    line: int | None = None
    """Counted from 1, the header included; ``None`` for the file as a whole."""
    column: str | None = None

    def __str__(self) -> str:
        where = [f"line {self.line}"] if self.line else []
        if self.column:
            where.append(f"column {self.column}")
        return f"{', '.join(where)}: {self.message}" if where else self.message


class CsvError(ValueError):
    """A file that cannot be used, with all its ``problems`` (or the first of very many)."""

    def __init__(self, problems: list[Problem], *, more: bool = False) -> None:
        self.problems = problems
        lines = [str(problem) for problem in problems]
        if more:
            lines.append(f"Reading stopped after {len(problems)} problems; there may be more.")
        super().__init__("\n".join(lines))


class Problems:
    """Collects problems; raises ``CsvError`` when there are too many, or when asked to."""

    def __init__(self) -> None:
        self.found: list[Problem] = []

    def add(self, message: str, line: int | None = None, column: str | None = None) -> None:
        self.found.append(Problem(message, line, column))
        if len(self.found) >= MOST_PROBLEMS:
            raise CsvError(self.found, more=True)

    def check(self) -> None:
        """Raise ``CsvError`` if any problem was found."""
        if self.found:
            raise CsvError(self.found)
