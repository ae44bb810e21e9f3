"""Tournament report files (TRF) of FIDE: the records of a tournament, and how they are written.

After the handbook of FIDE, C.04 annex 2: TRF16, and its successor of 2025 (TRF25, also called
TRF26), which has more records with the same columns.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

COUNTS = dict(zip("1W+F=DH0L-ZU", "WWWWDDDLLAAP", strict=True))
"""The name of the points for each code, as record 162 names them."""


@dataclass(frozen=True, slots=True)
class TrfCell:
    """The round of a player."""

    opponent: int
    """The number of the opponent, 0 without one."""
    colour: str
    """``w`` or ``b``, or empty."""
    code: str
    """``1 = 0`` for games, ``W D L`` for those of less than a move, ``+ -`` for forfeits,
    ``H F U Z`` for byes, empty for a game to come."""

    @property
    def text(self) -> str:
        opponent = f"{self.opponent:>4}" if self.opponent else "0000"
        return f"{opponent} {self.colour or '-'} {self.code or ' '}"


ABSENT = TrfCell(0, "", "Z")


@dataclass(slots=True)
class TrfPlayer:
    """A player with all rounds."""

    number: int
    name: str
    points: float
    rank: int | None = None
    cells: list[TrfCell] = field(default_factory=list)
    line: int = 0
    sex: str = ""
    title: str = ""
    rating: int = 0
    federation: str = ""
    fide_id: str = ""

    @property
    def text(self) -> str:
        """Its record, with the exact widths."""
        rating = str(self.rating) if self.rating else ""
        rounds = "  ".join(cell.text for cell in self.cells)
        points = f"{self.points:.1f}" if self.points < 99.95 else f"{self.points:.0f}"
        return (
            f"001 {self.number:>4} {self.sex[:1]:1}{self.title[:3]:>3} {plain(self.name)[:33]:33} "
            f"{rating[:4]:>4} {self.federation[:3]:3} {self.fide_id[:11]:>11} {'':10} "
            f"{points:>4} {self.rank or '':>4}  {rounds}"
        ).rstrip()


@dataclass(slots=True)
class Trf:
    """A tournament."""

    name: str = ""
    starts: date | None = None
    ends: date | None = None
    dates: list[date] = field(default_factory=list)
    """Of the rounds."""
    rounds: int = 0
    """The number of rounds planned, 0 if the file does not say."""
    players: dict[int, TrfPlayer] = field(default_factory=dict)
    values: dict[str, float] = field(default_factory=lambda: {"W": 1.0, "D": 0.5})
    """Points for a win (``W``), a draw (``D``), a loss (``L``), an absence (``A``) and a bye by
    the pairing (``P``), which is a win unless the file says otherwise."""
    has_teams: bool = False
    corrected: set[int] = field(default_factory=set)
    """Players with a bonus or a penalty (record 299)."""
    absent: set[int] = field(default_factory=set)
    """Players who are not paired in the next round (XXZ)."""
    byes: list[tuple[int, str, int]] = field(default_factory=list)
    """The round, the code and the player of byes that were asked for (record 240)."""

    @property
    def played(self) -> int:
        """The number of rounds that the players' records have."""
        return max((len(one.cells) for one in self.players.values()), default=0)

    @property
    def paired(self) -> int:
        """The last round in which somebody has an opponent."""
        ends = (
            at
            for one in self.players.values()
            for at, cell in enumerate(one.cells, start=1)
            if cell.opponent
        )
        return max(ends, default=0)

    def points_of(self, player: TrfPlayer) -> float:
        """Return the points that the rounds of a player give."""
        values = {"P": self.values.get("W", 1.0), **self.values}
        codes = (cell.code for cell in player.cells)
        return sum(values.get(COUNTS[code], 0.0) for code in codes if code)

    def day_of(self, at: int) -> date | None:
        """Return the day of a round: that of the last one before it with a date, or the first."""
        known = self.dates[: at + 1]
        return known[-1] if known else self.starts


def plain(text: str) -> str:
    """Return a text as a part of a line."""
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())


def write(tournament: Trf, records: Sequence[tuple[str, str]] = ()) -> str:
    """Return the file of a tournament. ``records`` are more of them, by tag."""
    days = "  ".join(f"{day:%y/%m/%d}" for day in tournament.dates)
    head = [
        ("012", plain(tournament.name)),
        ("042", f"{tournament.starts:%Y/%m/%d}" if tournament.starts else ""),
        ("052", f"{tournament.ends:%Y/%m/%d}" if tournament.ends else ""),
        ("062", str(len(tournament.players))),
        ("072", str(sum(one.rating > 0 for one in tournament.players.values()))),
        *records,
        ("132", " " * 87 + days if days else ""),
        ("XXR", str(tournament.rounds) if tournament.rounds else ""),
    ]
    lines = [f"{tag} {text}".rstrip() for tag, text in head if text]
    players = [player.text for player in tournament.players.values()]
    return "\r\n".join([*lines, *players, ""])
