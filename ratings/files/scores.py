"""Results of two sides as people write them: 3-1, ½, 11:7 9:11 11:5, 7-6(4) 6-3, w.o., ff, +:-."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from ratings.files.names import fold
from ratings.files.problems import NotPlayed, UnreadablePart

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
FIRST_WORDS = {"1", "w", "win", "won", "h", "home", "white", "first"}
SECOND_WORDS = {"2", "l", "loss", "lost", "a", "away", "b", "black", "second"}
"""The winner in a word: of the first side if it won or lost."""
ALONE = {
    **dict.fromkeys({*FIRST_WORDS, "+", ""}, FIRST),
    **dict.fromkeys({*SECOND_WORDS, "0", "-"}, SECOND),
}
DRAWS = {"=", "x", "d", "draw", "drawn", "tie", "tied", "remis"}
HALVES = {"½", "1/2", "0.5", "0,5", "½½"}
"""Draws with half a point for each side, as 1-0 has a whole one."""
WALKOVER = re.compile(
    r"\b(?:w\s?[./]?\s?o\b\.?|walk-?over|forfeit(?:ed)?\b|ff\b|awarded\b"
    r"|d\.?q\b\.?|disq(?:ualified|ualification)?\b\.?|def(?:ault(?:ed)?)?\b\.?)"
)
RETIRED = re.compile(r"\bret(?:d|ired|irement)?\b\.?")
NOT_PLAYED = re.compile(
    r"n\.? ?[pg]\.?|not played|unplayed|unp\.?|postp(?:oned|\.)?|ppd?\.?|p-p|tb[adc]"
    r"|canc(?:el+ed|\.)?|ab(?:an)?d(?:oned|\.)?|abn|susp(?:ended|\.)?|bye|v|vs\.?|\?|verlegt|abgesagt"
)
NOT_OVER = re.compile(
    r"(?:not started|n\.?s\.?|sched(?:uled|\.)?|timed|upcoming|pending|open|delayed|pre|live"
    r"|in (?:play|progress)|paused|half ?time|ht|interrupted|to be played|geplant)"
)
"""A match that has a score at best for now, where a column says how far it is."""
ABSENT = re.compile(
    r"d\.?q\.?|disq(?:ualified)?\.?|ff|forfeit(?:ed)?|def(?:ault(?:ed)?)?\.?|no.?show"
)
"""A side that did not play, in place of its score."""
LETTER = re.compile(r"([wldt])[ ,:]+(\d.*)")
"""The winner before the score, as in the schedule of a side: L 2-5."""
TIE_BREAK = re.compile(r"(?<=\d)\s?\(\d{1,3}(?:[:-]\d{1,3})?\)")
"""The points in the tie-break of a set, as in 7-6(4)."""
LONGER = re.compile(r"(?<=\d)\s(?:ft|a\.?e\.?t\.?|n\.?v\.?|\d?ot|so)\Z")
"""A remark that the whole time is counted, or more than that."""
BRACKETS = str.maketrans("[]", "  ")
"""A tie-break in place of a set stands in them: 6-3 3-6 [10-7]."""
NUMBER = r"(1/2|½|\d{1,12}(?:[.,]\d{1,3})?½?|[.,]\d{1,3})"
SCORE = re.compile(rf"{NUMBER}\s?[:-]\s?{NUMBER}")
SCORES = re.compile(rf"{SCORE.pattern}(?:\s*[;,\s]\s*{SCORE.pattern})*")
LONGEST, LONGEST_ENDING = 100, 30


class Ending(Enum):
    """The way in which a match ended early."""

    WALKOVER = "walkover"
    """No game was played."""
    RETIRED = "retired"
    """A side gave up, so that the score does not say who won."""


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


def read(text: str, *, lower_wins: bool = False, winner: str = "") -> Written:
    """Return a written result of two sides.

    ``winner`` is who won if that is known from elsewhere, and counts more than the score. A
    walkover without a side is otherwise that of the first, who is written first.

    Raises:
        NotPlayed: it says that there was no match.
        UnreadablePart: it cannot be read.
    """
    plain = " ".join(text.translate(DASHES).casefold().split())
    together = plain.replace(" ", "")
    if len(plain) > LONGEST:
        raise unreadable(text)
    if together in FORFEITS:
        return Written(winner or FORFEITS[together], forfeit=True)
    if NOT_PLAYED.fullmatch(plain):
        raise NotPlayed("“%(text)s” is no result: the match was not played.", text=plain)
    for ending in (WALKOVER, RETIRED):
        if ending.search(plain):
            rest, played = bare(ending.sub("", plain, count=1)), ending is RETIRED
            return ended_early(rest, text, lower_wins=lower_wins, winner=winner, played=played)
    if together and (alone := DRAW if together in DRAWS else ALONE.get(together)):
        return Written(winner or alone)
    if found := LETTER.fullmatch(plain):
        return by_letter(found[1], found[2], text, lower_wins=lower_wins, winner=winner)
    plain = "½-½" if together in HALVES else bare(LONGER.sub("", plain))
    if not SCORES.fullmatch(plain):
        raise unreadable(text)
    games = tuple((number(found[1]), number(found[2])) for found in re.finditer(SCORE, plain))
    if len(games) == 1:
        return Written(winner or winner_of(games[0], lower_wins=lower_wins), games[0], games=games)
    won = [winner_of(game, lower_wins=lower_wins) for game in games]
    score = (float(won.count(FIRST)), float(won.count(SECOND)))
    return Written(winner or winner_of(score, lower_wins=False), score, games=games)


def is_absent(text: str) -> bool:
    """Return whether the cell with the score of a side says that it did not play."""
    return bool(ABSENT.fullmatch(fold(text)))


def ending_of(text: str) -> Ending | None:
    """Return how a match ended by a cell that says nothing else, None for an ordinary end.

    Raises:
        NotPlayed: it says that there was no match, or that it is not over.
    """
    plain = fold(text).replace("_", " ").removeprefix("status ").strip(" .")
    if len(plain) > LONGEST_ENDING:
        return None
    if len(plain) > 1 and (NOT_PLAYED.fullmatch(plain) or NOT_OVER.fullmatch(plain)):
        raise NotPlayed("“%(text)s”: the match was not played.", text=plain)
    if WALKOVER.fullmatch(plain):
        return Ending.WALKOVER
    return Ending.RETIRED if RETIRED.fullmatch(plain) else None


def bare(text: str) -> str:
    """Return scores without the points of their tie-breaks."""
    return TIE_BREAK.sub("", text).translate(BRACKETS).strip()


def by_letter(letter: str, rest: str, text: str, *, lower_wins: bool, winner: str) -> Written:
    """Return a result whose winner stands before its score, which can begin with the winner's."""
    try:
        found = read(rest, lower_wins=lower_wins)
    except UnreadablePart:
        raise unreadable(text) from None
    said = winner or (FIRST if letter == "w" else SECOND if letter == "l" else DRAW)
    score = found.score
    if score and found.winner not in {said, DRAW}:
        score = None if said == DRAW else (score[1], score[0])
    return Written(said, score, found.forfeit)


def ended_early(rest: str, text: str, *, lower_wins: bool, winner: str, played: bool) -> Written:
    """Return a walkover or a retirement, with what was written beside it: a side or a score.

    The score of a match that was given up says nothing about who won.
    """
    if rest in ALONE and (winner or rest or not played):
        return Written(winner or ALONE[rest], forfeit=not played)
    if SCORES.fullmatch(rest) is None:
        raise unreadable(text)
    several = SCORE.fullmatch(rest) is None
    if played or several:
        if not winner:
            raise UnreadablePart("“%(text)s” does not say who won.", text=text.strip()[:40])
        return Written(winner)
    winner = winner or read(rest, lower_wins=lower_wins).winner
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
        "“%(text)s” is not a result. Write 3:1. If no game was played, write +:- or -:+.",
        text=text.strip()[:40],
    )
