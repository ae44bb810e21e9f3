"""Export arenas in the published XML form, with all that it cannot say in ``<Settings>``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models import Arena, ArenaQueue, Discipline
from league.services.transfer.configuration import point_blocks, rating_blocks
from league.services.transfer.configuration.configurations import (
    TAGS,
    describe_import,
    without_further,
)
from league.services.transfer.configuration.settings_blocks import Everything, settings_beyond
from matchmaking.dishonor import DishonorRules
from matchmaking.io.blocks import Document, PointRules, RatingsBlock
from matchmaking.io.xmlfile import read
from matchmaking.io.xmlwriter import write
from matchmaking.prediction import PredictionRules
from matchmaking.rules.arena import Rules
from ratings.systems.glicko2.system import Glicko2

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from matchmaking.io.blocks import Block, Settings


class CannotExport(ValueError):
    """Arenas that do not fit into one file. The message says why."""


def export_configuration(arenas: Sequence[Arena]) -> str:
    """Return the XML of arenas, including the blocks they were imported with.

    Raises:
        CannotExport: two arenas have conflicting blocks.
    """
    blocks: dict[tuple[type, str], Block] = {}
    for arena in arenas:
        for block in arena_blocks(arena):
            key = type(block), distinguishing_name(block)
            if blocks.setdefault(key, block) != block:
                raise CannotExport(
                    f"The <{TAGS[type(block)]}> of {arena} differs from that of another arena. "
                    "Export them one by one."
                )
    ratings = [block for block in blocks.values() if isinstance(block, RatingsBlock)]
    rated = [arena for arena in arenas if arena.rating_system == Glicko2.name]
    try:
        for block in rating_blocks.describe_arenas(rated, ratings):
            blocks[RatingsBlock, block.type] = block
    except rating_blocks.Conflict as error:
        raise CannotExport(f"{error} Export them one by one.") from error
    dishonor = dishonor_of(arenas)
    if dishonor:
        blocks[DishonorRules, ""] = dishonor
    published = in_order(blocks.values())
    settings = beyond(arenas, published)
    return write(Document((*published.blocks, *settings)))


def in_order(blocks: Iterable[Block]) -> Document:
    order = list(TAGS)
    return Document(tuple(sorted(blocks, key=lambda block: order.index(type(block)))))


def beyond(arenas: Sequence[Arena], published: Document) -> Iterator[Settings]:
    """Return the settings of arenas that the ``published`` part of their file does not give."""
    for arena in arenas:
        queue = ArenaQueue.objects.select_related("arena").filter(arena=arena).first()
        settings = settings_beyond(
            Everything.of(arena, queue),
            describe_import(published, arena.name, with_queue=bool(queue)),
        )
        if settings.settings or queue is None:
            yield settings


def dishonor_of(arenas: Sequence[Arena]) -> DishonorRules | None:
    """Return the dishonor rules of arenas; ``None`` if all is as published.

    Raises:
        CannotExport: the arenas have different reasons for penalties.
    """
    discipline = Discipline.objects.first()
    declared = [[each.penalty() for each in arena.penalty_reasons.all()] for arena in arenas]
    for arena, reasons in zip(arenas, declared, strict=True):
        if reasons != declared[0]:
            raise CannotExport(
                f"The reasons for penalties of {arena} differ from those of another arena. Export "
                "them one by one."
            )
    further = declared[0] if declared else []
    if not discipline and not further:
        return None
    rules = without_further((discipline or Discipline()).dishonor())
    return rules.model_copy(update={"penalties": (*rules.penalties, *further)})


def arena_blocks(arena: Arena) -> list[Block]:
    """Return an arena's current ``<Arena>``, if it has a queue, and the blocks it came with."""
    queue = ArenaQueue.objects.select_related("arena").filter(arena=arena).first()
    if queue is None:
        return point_blocks.blocks_of(arena, ())
    rules = queue.matching()
    kept = read(queue.configuration).blocks if queue.configuration else ()
    if arena.rating_system != Glicko2.name:
        kept = tuple(block for block in kept if not isinstance(block, RatingsBlock))
    kept = tuple(point_blocks.blocks_of(arena, kept))
    prediction = queue.prediction_rules()
    return [
        *(block for block in kept if not isinstance(block, PredictionRules)),
        *([prediction] if prediction else []),
        Rules(name=arena.name, queue=rules.queue, matcher=rules.matcher),
    ]


def distinguishing_name(block: Block) -> str:
    """Return what distinguishes blocks of one kind."""
    if isinstance(block, RatingsBlock):
        return block.type
    if isinstance(block, Rules):
        return block.name
    return block.mode if isinstance(block, PointRules) else ""
