"""Histories from data frames, and data frames of results: pandas, Polars and others.

Frames have a row for each participant, with the columns of the CSV files (``ratings.io.csvfile``).
``narwhals`` reads and writes them; nothing else of the package needs it.
"""

from __future__ import annotations

import math
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ratings.history import NEITHER, History, HistoryError, Match, Participant, Side
from ratings.io import firstside
from ratings.io.csvfile import NO, OPTIONAL, REQUIRED, YES, microseconds
from ratings.types import WITHOUT_TIME

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from types import ModuleType

COLUMNS = (*REQUIRED, *OPTIONAL)
_MAY_LACK = {"played_at", *OPTIONAL}


def from_dataframe(frame: Any, **names: str) -> History:
    """Return the history in a data frame, in the order of its rows.

    The frame has the columns ``match_id``, ``side``, ``place`` (0 is best) and ``player``, and
    optionally ``played_at``, ``score``, ``seconds``, ``quit``, ``profession``, ``weight``,
    ``perf_ceiling``, and ``first`` or ``neutral`` (``ratings.io.firstside``). Others are left
    alone. ``names`` says which column to use instead:
    ``from_dataframe(frame, player="name", place="finish")``. The rows of a match are together.

    Raises:
        HistoryError: A column is missing, or a match is impossible. The message names it.
    """
    rows = list(_rows(frame, names))
    return History.build(_matches(rows))


def to_frame(columns: Mapping[str, list[object]], backend: str) -> Any:
    """Return columns as a data frame of ``backend``: pandas, polars, pyarrow or another."""
    return _narwhals().from_dict(dict(columns), backend=backend).to_native()


def _narwhals() -> ModuleType:
    try:
        import narwhals  # noqa: PLC0415 - only those who use frames have it
    except ImportError:
        raise ImportError("data frames need narwhals: pip install laurel-ratings[frames]") from None
    return narwhals


def _rows(frame: Any, names: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    unknown = names.keys() - set(COLUMNS)
    if unknown:
        raise HistoryError(f"{min(unknown)} is not a column; choose from {', '.join(COLUMNS)}")
    narwhals = _narwhals()
    data = narwhals.from_native(frame, eager_only=True)
    found: dict[str, list[Any]] = {}
    for name in COLUMNS:
        column = names.get(name, name)
        if column in data.columns:
            found[name] = _values(data[column], narwhals)
        elif name in names or name not in _MAY_LACK:
            raise HistoryError(f"there is no column {column}; the frame has {list(data.columns)}")
    for cells in zip(*found.values(), strict=True):
        yield dict(zip(found, cells, strict=True))


def _values(column: Any, narwhals: ModuleType) -> list[Any]:
    """Return the values of a column, with ``None`` for missing ones, and times in microseconds."""
    missing = column.is_null().to_list()
    if column.dtype == narwhals.Date:
        column = column.cast(narwhals.Datetime("us"))
    if column.dtype == narwhals.Datetime:
        column = column.dt.timestamp("us")
    return [
        None if lacks or (isinstance(value, float) and math.isnan(value)) else value
        for lacks, value in zip(missing, column.to_list(), strict=True)
    ]


def _matches(rows: Iterable[dict[str, Any]]) -> Iterator[Match]:
    seen = set()
    for match_id, group in groupby(rows, key=lambda row: row["match_id"]):
        name = str(match_id)
        if match_id is None:
            raise HistoryError("a row has no match_id")
        if match_id in seen:
            raise HistoryError(f"match {name}: its rows are not together")
        seen.add(match_id)
        together = list(group)
        weight = _shared_value(together, "weight", f"match {name}")
        ceiling = _shared_value(together, "perf_ceiling", f"match {name}")
        yield Match(
            match_id=name,
            played_at_us=_time(_shared_value(together, "played_at", f"match {name}"), name),
            sides=[_side(members, name) for members in _sides(together)],
            weight=1.0 if weight is None else float(weight),
            perf_ceiling=math.inf if ceiling is None else float(ceiling),
            first=_first(together, name),
        )


def _sides(rows: list[dict[str, Any]]) -> Iterable[list[dict[str, Any]]]:
    sides: dict[object, list[dict[str, Any]]] = {}
    for row in rows:
        sides.setdefault(row["side"], []).append(row)
    return sides.values()


def _side(rows: list[dict[str, Any]], match: str) -> Side:
    where = f"match {match}: side {rows[0]['side']}"
    place = _shared_value(rows, "place", where)
    score = _shared_value(rows, "score", where)
    if place is None or place != int(place):
        raise HistoryError(f"{where}: the place must be a whole number, 0 for the best")
    return Side(
        place=int(place),
        participants=[
            Participant(
                player="" if row["player"] is None else str(row["player"]),
                seconds=None if row.get("seconds") is None else float(row["seconds"]),
                quit=_quit(row.get("quit"), where),
                profession=str(row.get("profession") or ""),
            )
            for row in rows
        ],
        score=None if score is None else float(score),
    )


def _first(rows: list[dict[str, Any]], match: str) -> int | None:
    """Return the index of the side that is first, ``None`` if neither is."""
    column = next((name for name in firstside.COLUMNS if name in rows[0]), None)
    if column is None:
        return None
    texts = ["" if row[column] is None else str(row[column]) for row in rows]
    names = [str(row["side"]) for row in rows]
    cells = list(zip(names, texts, strict=True))
    try:
        found = firstside.find(column, cells, list(dict.fromkeys(names)))
    except firstside.NotASide as error:
        raise HistoryError(f"match {match}: {column} {error}") from None
    return None if found == NEITHER else found


def _shared_value(rows: list[dict[str, Any]], column: str, where: str) -> Any:
    """Return the value that all rows share."""
    value = rows[0].get(column)
    for row in rows:
        if row.get(column) != value:
            raise HistoryError(f"{where}: {column} is both {value} and {row.get(column)}")
    return value


def _quit(value: Any, where: str) -> bool:
    text = "" if value is None else str(value).casefold()
    text = {"1.0": "1", "0.0": "0"}.get(text, text)
    if text and text not in YES | NO:
        raise HistoryError(f"{where}: quit must be true or false; it is {value}")
    return text in YES


def _time(value: Any, match: str) -> int:
    if value is None:
        return WITHOUT_TIME
    if isinstance(value, str):
        try:
            return microseconds(value)
        except ValueError:
            raise HistoryError(f"match {match}: {value} is not a time") from None
    return int(value)
