"""Guesses at the meanings of columns, by their names and by what their cells look like."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from ratings.files import column_pairs, scores
from ratings.files.columns import COLUMNS, more_of, players_of
from ratings.files.dates import is_written_time
from ratings.files.problems import UnreadablePart
from ratings.files.rows import AWAY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence


class Named(Protocol):
    """A meaning with the names that columns have for it."""

    @property
    def name(self) -> str: ...

    @property
    def guesses(self) -> tuple[str, ...]: ...


def bare(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


HOME = {
    *("hometeam", "hometeamname", "homename", "homeplayer", "heimmannschaft", "heimteam"),
    *("whiteplayer", "whitename", "server", "equipolocal"),
}
"""Names in one word of the first side's column that make it the side at home."""
OF_SIDE = re.compile(
    r"(?:(?:team|side|pair|t|s)(?P<number>[12ab])(?:player|member|p|name)"
    r"|(?P<word>a|b|winners?|losers?|w|l|home|away)(?:player|member|p|name)?)"
    r"(?P<player>[1-9][0-9]?)(?:name)?"
)
"""The name of a column for one of several players of a side, such as team1player2 or B2."""
SIDES = {
    **dict.fromkeys(("1", "a", "home"), "side_1"),
    **dict.fromkeys(("2", "b", "away"), "side_2"),
    **dict.fromkeys(("w", "winner", "winners"), "winner"),
    **dict.fromkeys(("l", "loser", "losers"), "loser"),
}
OF_SIDES = {"side_1", "side_2", "winner", "loser"}
ORDERED = re.compile(r"[>=\n]")
SEPARATED = re.compile(r"[\d½] ?[-–:] ?[\d½]")
WHOLE_OR_HALF = re.compile(r"\d{1,6}(?:[.,][05]0*)?")
PAIRS = (("side_1", "side_2"), ("winner", "loser"))
KNOWN = {name for column in COLUMNS for name in (bare(column.name), *column.guesses)}


def has_home(column: str) -> bool:
    """Return whether the name of the first side's column says that it is at home, or has White."""
    return bare(column) in HOME or column_pairs.has_home(column)


def has_ties(column: str) -> bool:
    """Return whether the name of the winner's column says that it has ties, too."""
    return bare(column).endswith(("tie", "draw"))


def guess(
    header: Sequence[str],
    rows: Sequence[Sequence[str]] = (),
    chosen: Mapping[str, int] | None = None,
) -> dict[str, int]:
    """Return the column of each meaning, by their names and by some rows, or as ``chosen``."""
    found = guess_among(COLUMNS, header, chosen)
    if not KNOWN.issuperset(map(bare, header)):
        found.pop("match", None)  # another program counts its matches otherwise
    if not any(set(pair) <= set(found) for pair in PAIRS):
        found |= guess_players(header) or guess_sides(header, found, chosen or {})
    if set(PAIRS[0]) <= set(found):
        found.pop("loser", None)
    elif set(PAIRS[1]) <= set(found):
        found.pop("side_1", None)
        found.pop("side_2", None)
    if not rows:
        return found
    guessed = {name: at for name, at in found.items() if name not in (chosen or {})}
    at = guessed.get("order")
    if at is not None and not any(ORDERED.search(row[at]) for row in rows):
        del found["order"]  # such as the way in which a fight ended
    at = guessed.get("time")
    if at is not None and "played_at" not in found and all_are(is_written_time, rows, at):
        found["played_at"] = found.pop("time")
    at = guessed.get("winner")
    if at is not None and "result" not in found and all_are(is_written_score, rows, at):
        found["result"] = found.pop("winner")
    return found | guess_beside(found, header, rows)


def guess_among(
    columns: Iterable[Named], header: Sequence[str], chosen: Mapping[str, int] | None = None
) -> dict[str, int]:
    """Return the columns of some meanings by their names, with those that are ``chosen``."""
    found = dict(chosen or {})
    plain = [bare(name) for name in header]
    for column in columns:
        if column.name in found:
            continue
        for wanted in (bare(column.name), *column.guesses):
            if wanted in plain and plain.index(wanted) not in found.values():
                found[column.name] = plain.index(wanted)
                break
    return found


def guess_players(header: Sequence[str]) -> dict[str, int]:
    """Return the columns of the players of both sides, where each player has one."""
    named: dict[tuple[str, int], int] = {}
    for at, name in enumerate(header):
        if match := OF_SIDE.fullmatch(bare(name)):
            side = SIDES[match["number"] or match["word"]]
            named.setdefault((side, int(match["player"])), at)
    for pair in PAIRS:
        if all((side, 1) in named for side in pair):
            return {
                side if player == 1 else more_of(side, player): at
                for (side, player), at in named.items()
                if side in pair
            }
    return {}


def guess_sides(
    header: Sequence[str], found: Mapping[str, int], chosen: Mapping[str, int]
) -> dict[str, int]:
    """Return the columns of both sides by names that differ in a word for the side."""
    taken = {at for name, at in found.items() if name in chosen or name not in OF_SIDES}
    for pair, winners in zip(PAIRS, (False, True), strict=True):
        if sides := column_pairs.find_sides(header, taken, winners=winners):
            return dict(zip(pair, sides, strict=True))
    return {}


def guess_beside(
    found: Mapping[str, int], header: Sequence[str], rows: Sequence[Sequence[str]]
) -> dict[str, int]:
    """Return the columns of dates, scores and home sides whose names say too little."""
    more: dict[str, int] = {}
    free = [at for at in range(len(rows[0])) if at not in found.values()]
    if "played_at" not in found:
        dated = next((at for at in free if all_are(is_written_time, rows, at)), None)
        more |= {} if dated is None else {"played_at": dated}
    pair = next((pair for pair in PAIRS if set(pair) <= set(found)), None)
    if pair is None:
        return more
    if not {"score_1", "score_2", "result"} & set(found):
        more |= guess_scores(
            found, pair, header, rows, [at for at in free if at not in more.values()]
        )
    if "first" not in found:
        signs = (at for at in free if {row[at] for row in rows} - {""} in ({AWAY}, {AWAY, "N"}))
        away = next(signs, None)
        more |= {} if away is None else {"first": away}
    return more


def guess_scores(
    found: Mapping[str, int],
    pair: tuple[str, str],
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    free: Sequence[int],
) -> dict[str, int]:
    """Return the columns of scores, or the one of results, of sides with these columns.

    Two columns of numbers beside the sides are scores if they have the same name, or two that
    differ in a letter.
    """
    ends = [max(players_of(side, found)) for side in pair]
    sides = (found[pair[0]], found[pair[1]])
    taken = [at for at in range(len(header)) if at not in free]
    places = [(ends[0] + 1, ends[1] + 1), (max(ends) + 1, max(ends) + 2)]
    alike = [each for each in places if set(each) <= set(free) and are_alike(header, *each)]
    named = column_pairs.find_scores(header, sides, taken)
    for each in [named, *alike] if named else alike:
        if all(all_are(is_score, rows, at) for at in each):
            return {"score_1": each[0], "score_2": each[1]}
    written = (at for at in free if all_are(is_written_score, rows, at))
    result = None if "winner" in found and "side_2" in found else next(written, None)
    return {} if result is None else {"result": result}


def are_alike(header: Sequence[str], one: int, other: int) -> bool:
    """Return whether two names are the same, or differ in a letter, such as HS and AS."""
    names = [bare(re.sub(r"\.\d\Z", "", header[at])) for at in (one, other)]
    differ = sum(a != b for a, b in zip(*names, strict=False))
    return len(names[0]) == len(names[1]) and differ <= 1


def all_are(test: Callable[[str], bool], rows: Sequence[Sequence[str]], at: int) -> bool:
    """Return whether a test is true of all cells of a column, of which there are some."""
    cells = [row[at] for row in rows if row[at]]
    return bool(cells) and all(map(test, cells))


def guess_by_cells(rows: Sequence[Sequence[str]]) -> dict[str, int]:
    """Return the columns of results without a header, by what their cells look like."""
    tests = {
        "played_at": is_written_time,
        "score": str.isdecimal,
        "result": is_result,
        "side": bool,
    }
    kinds = {
        at: next(kind for kind, test in tests.items() if all_are(test, rows, at))
        for at in range(len(rows[0]) if rows else 0)
        if any(row[at] for row in rows)
    }
    numbered = {"score": ("score_1", "score_2"), "side": ("side_1", "side_2")}
    found: dict[str, int] = {}
    for at, kind in kinds.items():
        names = numbered.get(kind, (kind,))
        name = next((each for each in names if each not in found), None)
        if name is not None:
            found[name] = at
    if "result" in found:  # other numbers are not scores
        found.pop("score_1", None)
        found.pop("score_2", None)
    return found


def is_result(cell: str) -> bool:
    try:
        return bool(scores.read(cell))
    except UnreadablePart:
        return False


def is_written_score(cell: str) -> bool:
    """Return whether a cell has the scores of both sides, such as 3-1 or ½-½."""
    return bool(SEPARATED.search(cell)) and is_result(cell)


def is_score(cell: str) -> bool:
    """Return whether a cell is the score of a side: a number of points, or a forfeit."""
    return bool(WHOLE_OR_HALF.fullmatch(cell)) or scores.is_absent(cell)
