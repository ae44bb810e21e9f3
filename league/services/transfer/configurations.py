"""Import and export arenas in the published XML form. A file is imported completely or not at all.

An ``<Arena>`` becomes an arena with a queue, ``<Ratings>`` its Glicko-2 parameters, and
``<Dishonor>`` the league's dishonor rules. Settings without a field in the league are stored with
each queue of the file, so that an export contains them again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.text import slugify

from league.models import Arena, ArenaQueue, Discipline
from league.services.seasons.opening import adopt_rules, open_season
from league.services.transfer import point_blocks
from matchmaking.dishonor import DishonorRules
from matchmaking.io.blocks import Document, LadderSeason, PointRules, RatingsBlock
from matchmaking.io.xmlfile import read
from matchmaking.io.xmltree import XmlError, parse
from matchmaking.io.xmlwriter import write
from matchmaking.prediction import PredictionRules
from matchmaking.rules.arena import Rules
from ratings.points import rules as point_rules
from ratings.systems.glicko2.system import Glicko2
from ratings.tunables.declarations import declarations
from ratings.tunables.reading import ParameterError, read_parameters

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from league.models import User
    from matchmaking.io.blocks import Block
    from matchmaking.io.xmltree import Element

LADDER_PLACES = {
    "starts": "@start",
    "ends": "@end",
    "grace": "@grace",
    "leaderboard_points": "@leaderboard-points",
}
"""The attributes of ``<Ladder>``, by the rule of points they set."""

EVERYBODY = "All"
"""The type of a ``<Ratings>`` for all arenas."""

TAGS: dict[type[Block], str] = {
    RatingsBlock: "Ratings",
    Rules: "Arena",
    DishonorRules: "Dishonor",
    PointRules: "PointRules",
    LadderSeason: "Ladder",
    PredictionRules: "Prediction",
}
"""The kinds of blocks in the order of a file, and their elements."""

RATING_PLACES = {
    declaration.name: declaration.xml
    for declaration in declarations(RatingsBlock)
    if declaration.name in {each.name for each in declarations(Glicko2.Parameters)}
}
"""The attributes of ``<Ratings>`` that are parameters of Glicko-2, by parameter name."""


class CannotExport(ValueError):
    """Arenas that do not fit into one file. The message says why."""


@dataclass(frozen=True)
class Imported:
    """An arena that a file created or changed."""

    arena: Arena
    created: bool
    keeps_rules: bool
    """Whether the running season has rated results and keeps the rating rules it began with."""


@dataclass(frozen=True)
class Import:
    """The context of an import: the file's name, the time, and the account behind it."""

    source: str
    now: datetime
    team_size: int = 5
    by: User | None = None

    def save(self, row: Any) -> None:
        """Save a row, with the account and the file's name in its history."""
        row._history_user, row._change_reason = self.by, f"imported from {self.source}"[:100]  # noqa: SLF001 - simple_history reads these
        row.save()


def import_configuration(text: str, context: Import) -> list[Imported]:
    """Create or change the arenas of a file, identified by name.

    Raises:
        XmlError: the file is malformed or has invalid values; lists lines and attributes. Nothing
            has changed.
    """
    document = read(text)
    file = _File(document, parse(text))
    with transaction.atomic():
        imported = [file.import_arena(rules, context) for rules in document.all(Rules)]
        for dishonor in document.all(DishonorRules):
            file.import_dishonor(dishonor, context)
        if file.problems:
            raise XmlError(file.problems)
    return [each for each in imported if each is not None]


class _File:
    """A file that is being imported, and its problems."""

    def __init__(self, document: Document, elements: Sequence[Element]) -> None:
        self.document = document
        self.elements = {
            id(block): element for block, element in zip(document.blocks, elements, strict=True)
        }
        self.problems: list[str] = []
        for rules in document.all(PointRules):
            self.check_points(rules)
        for season in document.all(LadderSeason):
            self.check_ladder(season)

    def import_arena(self, rules: Rules, context: Import) -> Imported | None:
        """Create or change the arena of these rules."""
        arena = Arena.objects.select_for_update().filter(name=rules.name).first()
        created = arena is None
        if arena is None:
            size = context.team_size
            arena = Arena(
                name=rules.name,
                slug=slugify(rules.name)[:60],
                team_size_min=size,
                team_size_max=size,
            )
        if not self.set_ratings(arena) or self.problems:
            return None
        self.set_points(arena)
        try:
            arena.full_clean()
            context.save(arena)
            self.import_queue(arena, rules, context)
        except ValidationError as error:
            self.refuse(rules, "@name", error)
            return None
        season = arena.current_season(context.now)
        if season is None:
            open_season(arena, starts_at=context.now)
            return Imported(arena, created, keeps_rules=False)
        adopt_rules(season, arena)
        season.refresh_from_db()
        kept = (season.rating_system, season.rating_parameters)
        return Imported(
            arena, created, keeps_rules=kept != (arena.rating_system, arena.rating_parameters)
        )

    def set_ratings(self, arena: Arena) -> bool:
        """Set the arena's Glicko-2 parameters, if the file has any. Return whether they fit."""
        blocks = ratings_for(self.document.all(RatingsBlock), arena.name)
        if not blocks:
            return True
        try:
            held = arena.rating_parameters if arena.rating_system == Glicko2.name else {}
            parameters = read_parameters(Glicko2.Parameters, {**held, **glicko_values(blocks)})
        except ParameterError as error:
            for name, problem in error.problems.items():
                block = next(
                    (one for one in reversed(blocks) if name in glicko_values([one])), blocks[0]
                )
                self.say(block, RATING_PLACES.get(name, name), problem)
            return False
        arena.rating_system = Glicko2.name
        arena.rating_parameters = parameters.written()
        return True

    def set_points(self, arena: Arena) -> None:
        """Set the game modes and the ladder points of the arena's seasons, if the file has any."""
        arena.modes = point_blocks.modes_of(self.document, arena.modes)
        rules = point_blocks.point_rules_of(self.document, arena.season_rules)
        arena.season_rules = {**arena.season_rules, **rules}

    def import_queue(self, arena: Arena, rules: Rules, context: Import) -> None:
        """Give the arena's queue the rules of the file.

        Rules that the XML form lacks keep their values; in a new queue they are as published.
        """
        queue = ArenaQueue.objects.filter(arena=arena).first()
        if queue is None:
            queue = ArenaQueue(arena=arena, matcher=ArenaQueue.Matcher.NEW, rules={})
        queue.arena = arena
        queue.rules = {
            **queue.rules,
            "queue": rules.queue.model_dump(mode="json"),
            "matcher": rules.matcher.model_dump(mode="json"),
        }
        queue.configuration = write(
            Document(
                tuple(
                    block
                    for block in self.document.blocks
                    if not isinstance(block, Rules | DishonorRules)
                )
            )
        )
        queue.full_clean()
        context.save(queue)

    def import_dishonor(self, rules: DishonorRules, context: Import) -> None:
        discipline = Discipline.objects.select_for_update().first() or Discipline()
        discipline.rules = rules.model_dump(mode="json")
        try:
            discipline.full_clean()
        except ValidationError as error:
            self.refuse(rules, "", error)
        else:
            context.save(discipline)

    def check_points(self, block: PointRules) -> None:
        """Refuse tables of points that do not cover all results."""
        try:
            point_blocks.table_of(block)
        except point_rules.PointsError as error:
            self.say(block, "", str(error))

    def check_ladder(self, block: LadderSeason) -> None:
        """Refuse invalid seasons of points."""
        try:
            read_parameters(point_rules.Ladder, point_blocks.ladder_of(block))
        except ParameterError as error:
            for name, problem in error.problems.items():
                self.say(block, LADDER_PLACES[name], problem)

    def refuse(self, block: Block, place: str, error: ValidationError) -> None:
        for name, problems in error.message_dict.items():
            where = place if name in {"name", "slug"} else ""
            for problem in problems:
                self.say(block, where, problem)

    def say(self, block: Block, place: str, problem: str) -> None:
        """Add a problem with a block, with its line and the attribute at ``place``."""
        element = self.elements[id(block)]
        tag, _slash, attribute = place.rpartition("/")
        for child in element.children:
            if tag == child.tag:
                element = child
        self.problems.append(
            f"line {element.line}: <{element.tag}> {f'{attribute} ' if attribute else ''}{problem}"
        )


def ratings_for(blocks: Iterable[RatingsBlock], arena: str) -> list[RatingsBlock]:
    """Return the blocks that apply to an arena, later ones overriding earlier ones.

    Blocks for all arenas come first, then those whose type its name begins with, shortest first.
    """
    fitting = [
        block
        for block in blocks
        if block.type == EVERYBODY or f"{arena} ".startswith(f"{block.type} ")
    ]
    return sorted(fitting, key=lambda block: (block.type != EVERYBODY, len(block.type)))


def glicko_values(blocks: Iterable[RatingsBlock]) -> dict[str, Any]:
    """Return the Glicko-2 parameters set in blocks, later blocks overriding earlier ones."""
    return {
        name: getattr(block, name)
        for block in blocks
        for name in RATING_PLACES
        if name in block.model_fields_set
    }


def export_configuration(arenas: Sequence[Arena]) -> str:
    """Return the XML of arenas with queues, including the blocks they were imported with.

    Raises:
        CannotExport: an arena has no queue, or two arenas have conflicting blocks.
    """
    blocks: dict[tuple[type, str], Block] = {}
    for arena in arenas:
        for block in arena_blocks(arena):
            key = type(block), distinguishing_name(block)
            if blocks.setdefault(key, block) != block:
                raise CannotExport(
                    f"{arena} has another <{TAGS[type(block)]}> than the arenas before it. Export "
                    "them one by one."
                )
    # Blocks of a longer name override those of its beginning, so longer names come later.
    for arena in sorted(arenas, key=lambda arena: len(arena.name)):
        ratings = [block for block in blocks.values() if isinstance(block, RatingsBlock)]
        if arena.rating_system == Glicko2.name and (own := ratings_of(arena, ratings)):
            blocks[RatingsBlock, arena.name] = own
    discipline = Discipline.objects.first()
    if discipline:
        blocks[DishonorRules, ""] = discipline.dishonor()
    order = list(TAGS)
    return write(
        Document(tuple(sorted(blocks.values(), key=lambda block: order.index(type(block)))))
    )


def arena_blocks(arena: Arena) -> list[Block]:
    """Return an arena's current ``<Arena>`` and the blocks it was imported with."""
    queue = ArenaQueue.objects.select_related("arena").filter(arena=arena).first()
    if queue is None:
        raise CannotExport(f"{arena} has no queue, so there is nothing to export.")
    rules = queue.matching()
    kept = read(queue.configuration).blocks if queue.configuration else ()
    if arena.rating_system != Glicko2.name:
        kept = tuple(block for block in kept if not isinstance(block, RatingsBlock))
    kept = tuple(point_blocks.blocks_of(arena, kept))
    return [*kept, Rules(name=arena.name, queue=rules.queue, matcher=rules.matcher)]


def ratings_of(arena: Arena, blocks: Sequence[RatingsBlock]) -> RatingsBlock | None:
    """Return a block for the arena's parameters that ``blocks`` do not set, if there are any."""
    changes = differing(arena, blocks)
    if not changes:
        return None
    own = next((block for block in blocks if block.type == arena.name), None)
    held = {name: getattr(own, name) for name in own.model_fields_set} if own else {}
    return RatingsBlock.model_validate({**held, "type": arena.name, **changes})


def differing(arena: Arena, blocks: Iterable[RatingsBlock]) -> dict[str, Any]:
    """Return an arena's Glicko-2 parameters that differ from the blocks.

    If no block applies to the arena, these are all of its parameters.
    """
    parameters = arena.system().parameters
    fitting = ratings_for(blocks, arena.name)
    already = {**vars(Glicko2.Parameters()), **glicko_values(fitting)} if fitting else {}
    return {
        name: getattr(parameters, name)
        for name in RATING_PLACES
        if name not in already or getattr(parameters, name) != already[name]
    }


def distinguishing_name(block: Block) -> str:
    """Return what distinguishes blocks of one kind."""
    if isinstance(block, RatingsBlock):
        return block.type
    if isinstance(block, Rules):
        return block.name
    return block.mode if isinstance(block, PointRules) else ""


def missing_settings(arena: Arena) -> list[str]:
    """Return the settings of an arena and its queue that the published form cannot contain.

    Settings equal to those of a newly imported arena are left out.
    """
    queue = arena.queue
    rules = queue.matching()
    facts = [
        f"{declaration.name}={getattr(part, declaration.name)}"
        for part in (rules.choices, rules.laurel, rules.rank_filter, rules.region)
        for declaration in declarations(type(part))
        if part.written()[declaration.name] != declaration.default
    ]
    if queue.matcher != ArenaQueue.Matcher.NEW:
        facts.insert(0, f"matcher={queue.matcher}")
    if arena.team_size_max != Import.team_size:
        facts.insert(0, f"team-size={arena.team_size_max}")
    if arena.rating_system != Glicko2.name:
        facts.append(f"ratings by {arena.system().label}")
    return facts
