"""Problems of a CSV file, worded so that people can fix them."""

from __future__ import annotations

from dataclasses import dataclass

MOST_PROBLEMS = 20
"""Reading stops after this many, as a file with more is probably wrong as a whole."""


@dataclass(frozen=True)
class Problem:
    """One problem: where it is, what it is and how to fix it."""

    message: str
    line: int | None = None
    """Counted from 1 including the header, ``None`` for the file as a whole."""
    column: str | None = None

    def __str__(self) -> str:
        where = [f"line {self.line}"] if self.line else []
        if self.column:
            where.append(f"column {self.column}")
        return f"{', '.join(where)}: {self.message}" if where else self.message


class CsvError(ValueError):
    """An unusable file, with all its ``problems`` (or the first of very many)."""

    def __init__(self, problems: list[Problem], *, more: bool = False) -> None:
        self.problems = problems
        lines = [str(problem) for problem in problems]
        if more:
            lines.append(f"Reading stopped after {len(problems)} problems; there may be more.")
        super().__init__("\n".join(lines))


class Problems:
    """Collects problems. Raises ``CsvError`` if there are too many, or on ``check``."""

    def __init__(self) -> None:
        self.found: list[Problem] = []

    def add(self, message: str, line: int | None = None, column: str | None = None) -> None:
        self.found.append(Problem(message, line, column))
        if len(self.found) >= MOST_PROBLEMS:
            raise CsvError(self.found, more=True)

    def raise_problems(self) -> None:
        """Raise ``CsvError`` if any problem was found."""
        if self.found:
            raise CsvError(self.found)
