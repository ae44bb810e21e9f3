"""Say where in a configuration file something is wrong or has no effect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models import Offence
from league.services.transfer.configuration.rating_blocks import (
    PLACED,
    PLACES,
    placement_in,
    ratings_for,
)
from league.services.transfer.configuration.rating_blocks import values_in as ratings_in
from matchmaking.dishonor import DishonorRules
from matchmaking.io.blocks import LadderSeason, RatingsBlock
from ratings.tunables.sentences import Sentence, mark

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from league.models import Arena
    from matchmaking.io.blocks import Block, Document, Settings
    from matchmaking.io.xmltree import Element

Remark = tuple[int, Sentence]
"""A line of the file, and what to say about it."""


class Lines:
    """The lines of a file's blocks."""

    def __init__(self, document: Document, elements: Sequence[Element]) -> None:
        self.elements = {
            id(block): element for block, element in zip(document.blocks, elements, strict=True)
        }

    def remark(self, block: Block, place: str, text: str) -> Remark:
        """Return what to say about a block: its line, element and attribute, and the text."""
        element = self.elements[id(block)]
        tag, _slash, attribute = place.rpartition("/")
        for child in element.children:
            if tag == child.tag:
                element = child
        values = {"line": element.line, "tag": element.tag, "text": text}
        if attribute:
            message = mark("line %(line)d: <%(tag)s> %(place)s %(text)s")
            return element.line, Sentence(message, place=attribute, **values)
        return element.line, Sentence("line %(line)d: <%(tag)s> %(text)s", **values)

    def said_of_setting(self, block: Settings, found: str, name: str, text: str) -> Remark:
        """Return what to say about the setting ``found`` of a block, empty for the whole block."""
        element = self.elements[id(block)]
        child = next((one for one in element.children if one.attributes.get("name") == found), None)
        at = child or element
        return at.line, Sentence(
            "line %(line)d: <%(tag)s> %(name)s: %(text)s",
            line=at.line,
            tag=at.tag,
            name=name,
            text=text,
        )


def remarks_on(
    document: Document, lines: Lines, arenas: Sequence[Arena], now: datetime
) -> list[Sentence]:
    """Return what in an imported file has no effect, in the order of its lines.

    ``arenas`` are those that the file created or changed.
    """
    if arenas:
        found = [
            *on_ratings(document, lines, arenas),
            *on_ladder(document, lines, arenas, now),
        ]
    else:
        found = [
            lines.remark(block, "", Sentence("has no effect, because the file has no <Arena>."))
            for block in document.blocks
            if not isinstance(block, DishonorRules)
        ]
        found += on_reasons(document, lines)
    return [text for _line, text in sorted(set(found))]


def on_reasons(document: Document, lines: Lines) -> Iterator[Remark]:
    """Remark on further reasons for penalties, which no arena of the file declares."""
    for block in document.all(DishonorRules):
        for penalty in block.penalties:
            if penalty.reason not in Offence.values:
                text = Sentence(
                    "“%(reason)s” has no effect, because the file has no <Arena>.",
                    reason=penalty.reason,
                )
                yield lines.remark(block, "", text)


def on_ratings(document: Document, lines: Lines, arenas: Sequence[Arena]) -> Iterator[Remark]:
    """Remark on ratings of other arenas, and on placements where ratings are account-wide."""
    blocks = document.all(RatingsBlock)
    fitting = [ratings_for(blocks, arena.name) for arena in arenas]
    for block in blocks:
        theirs = [those for those in fitting if block in those]
        if not theirs:
            text = Sentence(
                "has no effect: no arena of the file has a name that begins with “%(type)s”.",
                type=block.type,
            )
            yield lines.remark(block, "@type", text)
            continue
        placed = next((name for name in PLACED if name in block.model_fields_set), None)
        if placed and all(placement_in(ratings_in(those)) == "carry-over" for those in theirs):
            text = Sentence(
                "has no effect: without %(place)s, ratings are carried over as they are.",
                place="use-season",
            )
            yield lines.remark(block, PLACES[placed].partition("@")[0], text)


def on_ladder(
    document: Document, lines: Lines, arenas: Sequence[Arena], now: datetime
) -> Iterator[Remark]:
    """Remark on a season of points that is over or that no arena counts."""
    for block in document.all(LadderSeason):
        if not any(arena.rules().points.ladder.counts for arena in arenas):
            yield lines.remark(block, "", Sentence("has no effect: ladder points are off."))
        elif "end" in block.model_fields_set and block.end <= now:
            text = Sentence(
                "%(end)s has passed, so no match gives ladder points. Change “Points from” and "
                "“Points until” in the arena, or leave them empty.",
                end=block.end.isoformat(),
            )
            yield lines.remark(block, "@end", text)
