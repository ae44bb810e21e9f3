"""Histories for the engine, from files of any known format."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from datetime import UTC, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

from ratings.files import reading
from ratings.files.choices import Choices
from ratings.files.names import fold
from ratings.files.problems import UnreadableFile
from ratings.history import Columns
from ratings.io import csvfile
from ratings.io.csvfile import EPOCH
from ratings.io.csvproblems import MOST_PROBLEMS, CsvError
from ratings.io.csvproblems import Problem as CsvProblem
from ratings.io.packed import read_bytes
from ratings.types import WITHOUT_TIME

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from ratings.files.documents import Found
    from ratings.files.results import Result, StartingRating
    from ratings.history import History
    from ratings.system import RatingSystem
    from ratings.types import States


def games_of(found: Found) -> list[Result]:
    """Return the games in a file in the order of time, without forfeits.

    Games of the same time keep the order of the file, which is reversed if it has the newest
    first. Without any date the order of the file is kept. Times without a zone are in UTC.

    Raises:
        CsvError: the file has problems, no games, or dates for some games only.
    """
    raise_problems(found)
    games = [result for result in found.results if not result.forfeit]
    if not games:
        raise CsvError([CsvProblem("there are no games in the file")])
    if repeated := [(game.line, name) for game in games if (name := player_twice(game))]:
        listed = [
            CsvProblem(f"{name} is in this match twice", line)
            for line, name in repeated[:MOST_PROBLEMS]
        ]
        raise CsvError(listed, more=len(repeated) > MOST_PROBLEMS)
    dated = [game for game in games if game.played_at is not None]
    if not dated:
        return games
    if len(dated) < len(games):
        line = next(game.line for game in games if game.played_at is None)
        raise CsvError([CsvProblem("has no date, but other games have one", line)])
    times = [time_of(game) for game in games]
    if times[0] > times[-1] and all(one >= other for one, other in pairwise(times)):
        games.reverse()
    return sorted(games, key=time_of)


def raise_problems(found: Found) -> None:
    """Raise ``CsvError`` with the problems of a file, if it has any."""
    if found.problems:
        listed = [CsvProblem(str(one.sentence), one.line) for one in found.problems[:MOST_PROBLEMS]]
        raise CsvError(listed, more=len(found.problems) > MOST_PROBLEMS)


def player_twice(game: Result) -> str:
    """Return the name of a player who is in a game twice, or an empty text."""
    names = Counter(name for side in game.sides for name in side.names)
    name, count = names.most_common(1)[0]
    return name if count > 1 else ""


def read_history(
    path: Path, context: str = "", first_side: str = "", encoding: str = ""
) -> History:
    """Read the games in a file of any known format.

    ``context`` is the name of a column to read as the profession, ``first_side`` that of one that
    says which side is at home. ``encoding`` is that of the text, if it is not guessed. Our own
    format, which is UTF-8, is read row by row, of any length.

    Raises:
        CsvError: lists the problems of the file by line.
        OSError: it cannot be read.
    """
    if csvfile.is_history(path):
        return csvfile.read_file(path, csvfile.Layout(context, first_side, others=True))
    chosen = {"profession": context, "first": first_side}
    found = read_found(
        path, Choices(encoding=encoding), {name: at for name, at in chosen.items() if at}
    )
    return history_of(games_of(found))


def read_found(path: Path, choices: Choices, named: Mapping[str, str] | None = None) -> Found:
    """Read a file of results. ``named`` are columns by their meaning; the others are guessed.

    Raises:
        CsvError: the file is too large or in no known format, or a column is not there.
        OSError: it cannot be read.
    """
    content = read_bytes(path)
    try:
        return reading.read(content, replace(choices, named=named or {}))
    except UnreadableFile as error:
        raise CsvError([CsvProblem(str(error.sentence))]) from None


def starting_states(path: Path, system: RatingSystem, history: History) -> States:
    """Return the ``(n,)`` states of the players before the first game, by the ratings in a file.

    The file is a list of names with ratings, and perhaps deviations, or the results themselves in a
    format that has them. A name that is written otherwise in upper and lower case is the same.
    Players without a rating start as newcomers, and so does a deviation that the file does not
    have.

    Raises:
        CsvError: the file has no ratings of these players, or two of one, or the system has ranks.
        OSError: it cannot be read.
    """
    return states_of(read_starts(path), system, history)


def read_starts(path: Path) -> list[StartingRating]:
    """Return the ratings in a file, one for each name.

    Raises:
        CsvError: the file has none, or two for one name.
        OSError: it cannot be read.
    """
    found = read_found(path, Choices())
    if not found.format:  # wrong results of a tournament matter nothing here
        raise_problems(found)
    lines: dict[str, int] = {}
    for one in found.ratings:
        line = lines.setdefault(fold(one.name), one.line)
        if line != one.line:
            text = f"{one.name} has a rating in line {line} already"
            raise CsvError([CsvProblem(text, one.line)])
    if not found.ratings:
        text = "there are no ratings in the file; it needs the columns name and rating"
        raise CsvError([CsvProblem(text)])
    return found.ratings


def states_of(starts: Sequence[StartingRating], system: RatingSystem, history: History) -> States:
    """Return the ``(n,)`` states of players before the first game. Raises ``CsvError``."""
    if system.shows.lowest_first:
        raise CsvError([CsvProblem(f"{system.label} has ranks, which are not given by ratings")])
    named = {fold(one.name): one for one in starts}
    states = system.newcomers(len(history.players))
    given = 0
    for code, name in enumerate(history.players):
        if one := named.get(fold(name)):
            given += 1
            states.rating[code] = one.rating
            if one.deviation is not None and system.shows.deviation:
                states.deviation[code] = one.deviation
    if not given:
        raise CsvError([CsvProblem("there are no ratings of its players in the file")])
    return states


def time_of(result: Result) -> int:
    """Return when a result was played, in microseconds since 1970. Raises ``CsvError``."""
    at = result.played_at or EPOCH
    try:
        since = (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC) - EPOCH
    except OverflowError:
        raise CsvError([CsvProblem("the date is out of range", result.line)]) from None
    return since // timedelta(microseconds=1)


def history_of(games: Sequence[Result]) -> History:
    """Return games as columns, in their order."""
    columns = Columns()
    ids: dict[str, int] = {}
    for game in games:
        name = game.id or str(game.line)
        ids[name] = ids.get(name, 0) + 1
        columns.match_ids.append(name if ids[name] == 1 else f"{name}:{ids[name]}")
        columns.times.append(WITHOUT_TIME if game.played_at is None else time_of(game))
        columns.weights.append(game.weight)
        columns.perf_ceilings.append(game.ceiling)
        columns.side_counts.append(len(game.sides))
        columns.first.append(game.first)
        columns.modes.append(game.mode)
        for side in game.sides:
            count = len(side.names)
            columns.places.append(side.place)
            columns.scores.append(math.nan if side.score is None else side.score)
            columns.sizes.append(count)
            columns.player.extend(columns.player_code(name) for name in side.names)
            columns.seconds.extend(side.seconds or [math.nan] * count)
            columns.quits.extend(side.quits or [False] * count)
            columns.profession.extend(
                columns.profession_code(name) for name in side.professions or [""] * count
            )
    return columns.history()
