"""Matches of Toornament, as version 2 of its API writes them: duels and free-for-alls.

Matches with a forfeit, to come or without an opponent are left out.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from pydantic import AliasChoices, AliasPath, BaseModel, Field

from ratings.files.documents import Format, LeftOut, read_entries
from ratings.files.formats.ranks import places_of, scores_that_fit
from ratings.files.problems import UnreadablePart
from ratings.files.results import Result, ResultSide
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from ratings.files.documents import Document, Found

LARGEST_RANK = 1_000_000
WORTH = {"win": -1, "draw": 0, "loss": 1, "lose": 1}
"""Ranks of the results of a duel."""


class ToornamentOpponent(BaseModel):
    """A side of a match."""

    name: str | None = Field(None, validation_alias=AliasPath("participant", "name"))
    result: Literal["win", "draw", "loss", "lose"] | None = None
    rank: int | None = Field(None, ge=0, le=LARGEST_RANK)
    score: float | None = Field(None, allow_inf_nan=False)
    forfeit: bool | None = None


class ToornamentMatch(BaseModel):
    """A match."""

    status: str = "completed"
    at: datetime | None = Field(
        None, validation_alias=AliasChoices("played_at", "scheduled_datetime")
    )
    opponents: list[dict[str, Any]]


def recognises(document: Document) -> bool:
    return matches_of(document) is not None


def matches_of(document: Document) -> list[Any] | None:
    """Return the matches of a list, or below ``matches``."""
    given = document.json
    given = given.get("matches", [given]) if isinstance(given, dict) else given
    first = given[0] if isinstance(given, list) and given else None
    return given if isinstance(first, dict) and "opponents" in first else None


def read(document: Document, found: Found) -> None:
    read_entries(matches_of(document) or [], read_match, found)


def read_match(line: int, entry: dict[str, Any]) -> Result:
    if entry.get("played_at") is None:
        entry = {key: value for key, value in entry.items() if key != "played_at"}
    match = ToornamentMatch.model_validate(entry)
    opponents = [
        ToornamentOpponent.model_validate(
            one if isinstance(one.get("participant"), dict) else {**one, "participant": {}}
        )
        for one in match.opponents
    ]
    if match.status != "completed" or len(opponents) < 2:
        raise LeftOut
    if any(one.forfeit or not one.name for one in opponents):
        raise LeftOut
    places = places_of(ranks_of(opponents))
    scores = scores_that_fit(places, [one.score for one in opponents])
    return Result(
        line,
        [
            ResultSide([one.name or ""], place, score)
            for one, place, score in zip(opponents, places, scores, strict=True)
        ],
        match.at,
        id=str(entry.get("id") or ""),
    )


def ranks_of(opponents: list[ToornamentOpponent]) -> list[float]:
    """Return numbers of which the lowest is best. Raises ``UnreadablePart``."""
    ranks = [one.rank for one in opponents if one.rank is not None]
    if len(ranks) == len(opponents):
        return list(ranks)
    results = [WORTH[one.result] for one in opponents if one.result is not None]
    if len(results) == len(opponents) == 2:
        if sum(results) != 0:
            raise UnreadablePart("The results of the two sides do not fit together.")
        return list(results)
    scores = [-one.score for one in opponents if one.score is not None]
    if len(scores) == len(opponents):
        return scores
    raise UnreadablePart("It has no result.")


FORMAT = Format(
    "toornament",
    Sentence("It has matches of Toornament."),
    recognises,
    read,
    programs="JSON of the Toornament API: matches",
    reads="duels and free-for-alls with places and scores",
    leaves_out="forfeits and matches that are not completed",
)
