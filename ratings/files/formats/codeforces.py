"""Contests of Codeforces: answers of its API with standings or rating changes.

``contest.standings`` has all who took part, ``contest.ratingChanges`` only those whom it rated,
with their ratings before. An answer is read whole (``{"status": "OK", "result": …}``) or without
its frame, and several in a list or one on each line. Ghosts, and those who took part virtually,
out of competition or as practice, are left out.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field

from ratings.files.documents import LATEST, Format, LeftOut, read_entries
from ratings.files.formats.ranks import places_of, scores_that_fit
from ratings.files.problems import UnreadableFile, UnreadablePart
from ratings.files.results import Result, ResultSide, StartingRating
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from ratings.files.documents import Document, Found

COMPETES = {None, "CONTESTANT"}
OVER = {None, "FINISHED"}


class CodeforcesMember(BaseModel):
    """A member of a party."""

    handle: str = Field(min_length=1)


class CodeforcesParty(BaseModel):
    """One who takes part alone or with others."""

    members: list[CodeforcesMember] = []
    kind: str | None = Field(None, validation_alias="participantType")
    ghost: bool | None = None


class CodeforcesRow(BaseModel):
    """A line of standings."""

    party: CodeforcesParty
    rank: int | None = Field(None, le=LATEST)
    points: float | None = Field(None, allow_inf_nan=False)


class CodeforcesContest(BaseModel):
    """A contest."""

    name: str | None = None
    phase: str | None = None
    begun: int | None = Field(None, validation_alias="startTimeSeconds", ge=0, le=LATEST)
    duration: int | None = Field(None, validation_alias="durationSeconds", ge=0, le=LATEST)


class CodeforcesStandings(BaseModel):
    """The answer of ``contest.standings``."""

    contest: CodeforcesContest
    rows: list[CodeforcesRow]


class CodeforcesChange(BaseModel):
    """A line of ``contest.ratingChanges`` or of ``user.rating``."""

    handle: str = Field(min_length=1)
    rank: int | None = Field(None, le=LATEST)
    at: int | None = Field(None, validation_alias="ratingUpdateTimeSeconds", ge=0, le=LATEST)
    before: float | None = Field(None, validation_alias="oldRating", allow_inf_nan=False)
    name: str | None = Field(None, validation_alias="contestName")


class CodeforcesChanges(BaseModel):
    """The changes after one contest."""

    changes: list[CodeforcesChange]


def recognises(document: Document) -> bool:
    answers = answers_of(document)
    return bool(answers) and (is_refusal(answers[0]) or bool(contests_of(answers[:1])))


def answers_of(document: Document) -> list[Any]:
    """Return the answers in a file, without their frames."""
    given = document.json
    if not isinstance(given, list) or is_changes(given):
        given = [given]
    framed = (one if isinstance(one, dict) else {"result": one} for one in given)
    return [one.get("result", one) for one in framed]


def is_changes(answer: Any) -> bool:
    """Return whether an answer is a list of changes."""
    first = answer[0] if isinstance(answer, list) and answer else None
    return isinstance(first, dict) and {"handle", "rank", "contestId"} <= first.keys()


def is_refusal(answer: Any) -> bool:
    return isinstance(answer, dict) and answer.get("status") == "FAILED" and "comment" in answer


def contests_of(answers: list[Any]) -> list[dict[str, Any]]:
    """Return the contests of answers: standings, or the changes of each contest."""
    found: list[dict[str, Any]] = []
    changes: dict[str, list[Any]] = {}
    for answer in answers:
        if isinstance(answer, dict) and {"contest", "rows"} <= answer.keys():
            found.append(answer)
        elif is_changes(answer):
            for change in answer:
                contest = change.get("contestId") if isinstance(change, dict) else None
                changes.setdefault(str(contest), []).append(change)
    return [*found, *({"changes": rows} for rows in changes.values())]


def read(document: Document, found: Found) -> None:
    answers = answers_of(document)
    for answer in answers:
        if is_refusal(answer):
            why = str(answer["comment"])[:200]
            raise UnreadableFile("It is an error of Codeforces, no contest: %(why)s", why=why)
    known: dict[str, StartingRating] = {}

    def read_contest(line: int, entry: dict[str, Any]) -> Result:
        if "changes" in entry:
            changes = CodeforcesChanges.model_validate(entry).changes
            note_ratings(line, changes, known)
            return of_changes(line, changes)
        return of_standings(line, CodeforcesStandings.model_validate(entry))

    read_entries(contests_of(answers), read_contest, found)
    found.ratings += known.values()


def note_ratings(
    line: int, changes: list[CodeforcesChange], known: dict[str, StartingRating]
) -> None:
    """Note the ratings before the first contest. Newcomers have 0, which is none."""
    for change in changes:
        if change.before and change.handle not in known:
            known[change.handle] = StartingRating(line, change.handle, change.before)


def of_changes(line: int, changes: list[CodeforcesChange]) -> Result:
    ranked = [(change.rank, change) for change in changes if change.rank is not None]
    if len(ranked) < 2:
        raise LeftOut
    places = places_of([rank for rank, _change in ranked])
    sides = [
        ResultSide([change.handle], place)
        for (_rank, change), place in zip(ranked, places, strict=True)
    ]
    first = ranked[0][1]
    at = None if first.at is None else datetime.fromtimestamp(first.at, UTC)
    return check_names(Result(line, sides, at, event=first.name or ""))


def of_standings(line: int, standings: CodeforcesStandings) -> Result:
    contest = standings.contest
    rows = [
        (row.rank, row)
        for row in standings.rows
        if row.rank and row.rank > 0 and row.party.kind in COMPETES and not row.party.ghost
    ]
    if contest.phase not in OVER or len(rows) < 2:
        raise LeftOut
    places = places_of([rank for rank, _row in rows])
    scores = scores_that_fit(places, [row.points for _rank, row in rows])
    sides = [
        ResultSide([member.handle for member in row.party.members], place, score)
        for (_rank, row), place, score in zip(rows, places, scores, strict=True)
    ]
    at = None
    if contest.begun is not None:
        at = datetime.fromtimestamp(min(contest.begun + (contest.duration or 0), LATEST), UTC)
    return check_names(Result(line, sides, at, event=contest.name or ""))


def check_names(result: Result) -> Result:
    """Return a result of which nobody has no name or two places. Raises ``UnreadablePart``."""
    if not all(side.names for side in result.sides):
        raise UnreadablePart("A party has no members.")
    counts = Counter(name for side in result.sides for name in side.names)
    for name, count in counts.most_common(1):
        if count > 1:
            raise UnreadablePart("“%(name)s” is in this contest twice.", name=name)
    return result


FORMAT = Format(
    "codeforces",
    Sentence("It has contests of Codeforces."),
    recognises,
    read,
    programs="JSON of the Codeforces API: `contest.standings`, `contest.ratingChanges`, "
    "`user.rating`",
    reads="contests as orders of finish, teams with their members, ratings before the first "
    "contest; answers with or without their frame, in a list or one on each line",
    leaves_out="ghosts; virtual, unofficial and practice participation; contests that are not over",
)
