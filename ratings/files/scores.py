"""Results of two sides as people write them: 3-1, 3:1, ½, 11:7 9:11 11:5, w.o., ff, +:-."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ratings.files.problems import UnreadablePart

FIRST, SECOND, DRAW, NEITHER = "first", "second", "draw", "neither"
DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−﹣－", "-") | {"：": ":", "∶": ":", "，": ","})
FORFEITS = {
    "+:-": FIRST,
    "+-": FIRST,
    "+/-": FIRST,
    "+--": FIRST,
    "-:+": SECOND,
    "-+": SECOND,
    "-/+": SECOND,
    "--+": SECOND,
    "-:-": NEITHER,
    "--": NEITHER,
    "-/-": NEITHER,
    "---": NEITHER,
}
ALONE = {"1": FIRST, "+": FIRST, "": FIRST, "0": SECOND, "2": SECOND, "-": SECOND}
DRAWS = {"=", "x", "draw"}
HALVES = {"½", "1/2", "0.5", "0,5", "½½"}
"""Draws with half a point for each side, as 1-0 has a whole one."""
WALKOVER = re.compile(r"\b(?:w\s?[./]?\s?o\b\.?|walk-?over|forfeit|ff\b)")
NUMBER = r"(1/2|½|\d{1,10}(?:[.,]\d{1,3})?½?)"
SCORE = re.compile(rf"{NUMBER}\s?[:-]\s?{NUMBER}")
SCORES = re.compile(rf"{SCORE.pattern}(?:\s*[;,\s]\s*{SCORE.pattern})*")
LONGEST = 100


@dataclass(frozen=True)
class Written:
    """A result as it was written."""

    winner: str
    """``first``, ``second`` or ``draw``; ``neither`` if nobody came."""
    score: tuple[float, float] | None = None
    forfeit: bool = False
    """Whether no game was played."""
    games: tuple[tuple[float, float], ...] = ()
    """The scores of several games or sets, of which ``score`` counts those won."""

    @property
    def places(self) -> list[int]:
        """The places of both sides. They tie if nobody came."""
        return {FIRST: [0, 1], SECOND: [1, 0]}.get(self.winner, [0, 0])


def read(text: str, *, lower_wins: bool = False) -> Written:
    """Return a written result of two sides.

    A walkover without a side is that of the first, who is written first.

    Raises:
        UnreadablePart: it cannot be read.
    """
    plain = " ".join(text.translate(DASHES).casefold().split())
    together = plain.replace(" ", "")
    if len(plain) > LONGEST:
        raise unreadable(text)
    if together in FORFEITS:
        return Written(FORFEITS[together], forfeit=True)
    if WALKOVER.search(plain):
        return walkover(WALKOVER.sub("", plain, count=1).strip(), text, lower_wins=lower_wins)
    if together in DRAWS:
        return Written(DRAW)
    if together and together in ALONE:
        return Written(ALONE[together])
    plain = "½-½" if together in HALVES else plain
    if not SCORES.fullmatch(plain):
        raise unreadable(text)
    games = tuple((number(found[1]), number(found[2])) for found in re.finditer(SCORE, plain))
    if len(games) == 1:
        return Written(winner_of(games[0], lower_wins=lower_wins), games[0], games=games)
    won = [winner_of(game, lower_wins=lower_wins) for game in games]
    score = (float(won.count(FIRST)), float(won.count(SECOND)))
    return Written(winner_of(score, lower_wins=False), score, games=games)


def walkover(rest: str, text: str, *, lower_wins: bool) -> Written:
    """Return a walkover, with what was written beside it: a side or a score."""
    if rest in ALONE:
        return Written(ALONE[rest], forfeit=True)
    if SCORE.fullmatch(rest) is None:
        raise unreadable(text)
    winner = read(rest, lower_wins=lower_wins).winner
    if winner == DRAW:
        raise unreadable(text)
    return Written(winner, forfeit=True)


def number(written: str) -> float:
    if written == "1/2":
        return 0.5
    half = 0.5 if written.endswith("½") else 0.0
    return float(written.rstrip("½").replace(",", ".") or 0) + half


def winner_of(score: tuple[float, float], *, lower_wins: bool) -> str:
    first, second = score
    if first == second:
        return DRAW
    return FIRST if (first < second) == lower_wins else SECOND


def unreadable(text: str) -> UnreadablePart:
    return UnreadablePart(
        "“%(text)s” is no result. Write 3-1, ½ or, if no game was played, +:- or -:+.",
        text=text.strip()[:40],
    )
