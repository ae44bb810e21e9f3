"""Arenas from the published XML form, and back: all of a file or nothing.

An ``<Arena>`` becomes an arena with a queue; ``<Ratings>`` are its Glicko-2 parameters; the league
has one ``<Dishonor>``. What the league has no fields for is kept with each queue of the file, so
that an export has it again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.text import slugify

from league.models import Arena, ArenaQueue, Discipline
from league.services.seasons.seasons import adopt_rules, open_season
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
"""Where ``<Ladder>`` says what a rule of points does."""

EVERYBODY = "All"
"""The type of a ``<Ratings>`` that has none."""

TAGS: dict[type[Block], str] = {
    RatingsBlock: "Ratings",
    Rules: "Arena",
    DishonorRules: "Dishonor",
    PointRules: "PointRules",
    LadderSeason: "Ladder",
    PredictionRules: "Prediction",
}
"""The blocks of a file in its order, and their elements."""

RATING_PLACES = {
    declaration.name: declaration.xml
    for declaration in declarations(RatingsBlock)
    if declaration.name in {each.name for each in declarations(Glicko2.Parameters)}
}
"""Places in ``<Ratings>`` of what is a parameter of Glicko-2, by its name in both."""


class CannotExport(ValueError):
    """Arenas that no one file can describe; the message says why."""


@dataclass(frozen=True)
class Imported:
    """An arena that a file made or changed."""

    arena: Arena
    created: bool
    keeps_rules: bool
    """Whether a season runs that has rated results, and keeps the rating rules it began with."""


@dataclass(frozen=True)
class Import:
    """What goes into an import beside its file."""

    source: str
    now: datetime
    team_size: int = 5
    by: User | None = None

    def save(self, row: Any) -> None:
        """Save a row with its history: who, and where from."""
        row._history_user, row._change_reason = self.by, f"imported from {self.source}"[:100]  # noqa: SLF001 - simple_history's way to be told
        row.save()


def import_configuration(text: str, told: Import) -> list[Imported]:
    """Create or change the arenas of a file; they are known by their names.

    Raises:
        XmlError: the file is not one, or says what cannot be: with lines and attributes. Nothing
            has changed.
    """
    document = read(text)
    file = _File(document, parse(text))
    with transaction.atomic():
        imported = [file.bring(rules, told) for rules in document.all(Rules)]
        for dishonor in document.all(DishonorRules):
            file.adopt_dishonor(dishonor, told)
        if file.problems:
            raise XmlError(file.problems)
    return [each for each in imported if each is not None]


class _File:
    """A file that is being imported, and what is wrong with it."""

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

    def bring(self, rules: Rules, told: Import) -> Imported | None:
        """Make the arena of these rules, or change it."""
        arena = Arena.objects.select_for_update().filter(name=rules.name).first()
        created = arena is None
        if arena is None:
            size = told.team_size
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
            told.save(arena)
            self.queue_of(arena, rules, told)
        except ValidationError as error:
            self.refuse(rules, "@name", error)
            return None
        season = arena.current_season(told.now)
        if season is None:
            open_season(arena, starts_at=told.now)
            return Imported(arena, created, keeps_rules=False)
        adopt_rules(season, arena)
        season.refresh_from_db()
        kept = (season.rating_system, season.rating_parameters)
        return Imported(
            arena, created, keeps_rules=kept != (arena.rating_system, arena.rating_parameters)
        )

    def set_ratings(self, arena: Arena) -> bool:
        """Rate the arena by Glicko-2 as the file says, if it says anything."""
        blocks = ratings_for(self.document.all(RatingsBlock), arena.name)
        if not blocks:
            return True
        try:
            held = arena.rating_parameters if arena.rating_system == Glicko2.name else {}
            parameters = read_parameters(Glicko2.Parameters, {**held, **said(blocks)})
        except ParameterError as error:
            for name, problem in error.problems.items():
                block = next((one for one in reversed(blocks) if name in said([one])), blocks[0])
                self.say(block, RATING_PLACES.get(name, name), problem)
            return False
        arena.rating_system = Glicko2.name
        arena.rating_parameters = parameters.written()
        return True

    def set_points(self, arena: Arena) -> None:
        """Give the arena's seasons the ladder points that the file says, if it says anything."""
        queue = ArenaQueue.objects.filter(arena=arena).first() if arena.pk else None
        modes = queue.modes if queue else []
        said = point_blocks.rules_of(self.document, modes, arena.season_rules)
        arena.season_rules = {**arena.season_rules, **said}

    def queue_of(self, arena: Arena, rules: Rules, told: Import) -> None:
        """Give the arena's queue the rules of the file. What XML cannot say stays as it is, and is
        as published in a new queue."""
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
        told.save(queue)

    def adopt_dishonor(self, rules: DishonorRules, told: Import) -> None:
        discipline = Discipline.objects.select_for_update().first() or Discipline()
        discipline.rules = rules.model_dump(mode="json")
        try:
            discipline.full_clean()
        except ValidationError as error:
            self.refuse(rules, "", error)
        else:
            told.save(discipline)

    def check_points(self, block: PointRules) -> None:
        """Refuse tables of points that leave results without an answer."""
        try:
            point_blocks.table_of(block)
        except point_rules.PointsError as error:
            self.say(block, "", str(error))

    def check_ladder(self, block: LadderSeason) -> None:
        """Refuse what no season of points can have."""
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
        """Note what is wrong with a block: its line, and the attribute at ``place``."""
        element = self.elements[id(block)]
        tag, _slash, attribute = place.rpartition("/")
        for child in element.children:
            if tag == child.tag:
                element = child
        self.problems.append(
            f"line {element.line}: <{element.tag}> {f'{attribute} ' if attribute else ''}{problem}"
        )


def ratings_for(blocks: Iterable[RatingsBlock], arena: str) -> list[RatingsBlock]:
    """Those that are for an arena of this name: for all, then of a type that its name begins with,
    the longest last, which has the last word."""
    fitting = [
        block
        for block in blocks
        if block.type == EVERYBODY or f"{arena} ".startswith(f"{block.type} ")
    ]
    return sorted(fitting, key=lambda block: (block.type != EVERYBODY, len(block.type)))


def said(blocks: Iterable[RatingsBlock]) -> dict[str, Any]:
    """The Glicko-2 parameters that blocks give, the last one's where several do."""
    return {
        name: getattr(block, name)
        for block in blocks
        for name in RATING_PLACES
        if name in block.model_fields_set
    }


def export_configuration(arenas: Sequence[Arena]) -> str:
    """The XML of arenas that have queues, with the blocks that they came with.

    Raises:
        CannotExport: an arena has no queue, or two came with different blocks of a kind.
    """
    blocks: dict[tuple[type, str], Block] = {}
    for arena in arenas:
        for block in came_with(arena):
            key = type(block), told_apart(block)
            if blocks.setdefault(key, block) != block:
                raise CannotExport(
                    f"{arena} came with another <{TAGS[type(block)]}> than the arenas before it: "
                    "export them one by one."
                )
    # A longer name has the last word where it begins with a shorter one, so it is asked later.
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


def came_with(arena: Arena) -> list[Block]:
    """An arena's ``<Arena>`` as it is now, and the blocks that it was imported with."""
    queue = ArenaQueue.objects.select_related("arena").filter(arena=arena).first()
    if queue is None:
        raise CannotExport(f"{arena} has no queue, so there is nothing to write of it.")
    rules = queue.matching()
    kept = read(queue.configuration).blocks if queue.configuration else ()
    if arena.rating_system != Glicko2.name:
        kept = tuple(block for block in kept if not isinstance(block, RatingsBlock))
    kept = tuple(point_blocks.blocks_of(arena, kept, queue.modes))
    return [*kept, Rules(name=arena.name, queue=rules.queue, matcher=rules.matcher)]


def ratings_of(arena: Arena, blocks: Sequence[RatingsBlock]) -> RatingsBlock | None:
    """A block of the arena's own for those of its parameters that ``blocks`` do not say."""
    changes = differing(arena, blocks)
    if not changes:
        return None
    own = next((block for block in blocks if block.type == arena.name), None)
    held = {name: getattr(own, name) for name in own.model_fields_set} if own else {}
    return RatingsBlock.model_validate({**held, "type": arena.name, **changes})


def differing(arena: Arena, blocks: Iterable[RatingsBlock]) -> dict[str, Any]:
    """The Glicko-2 parameters of an arena that are other than blocks say: all, if they are for
    other arenas."""
    parameters = arena.system().parameters
    fitting = ratings_for(blocks, arena.name)
    already = {**vars(Glicko2.Parameters()), **said(fitting)} if fitting else {}
    return {
        name: getattr(parameters, name)
        for name in RATING_PLACES
        if name not in already or getattr(parameters, name) != already[name]
    }


def told_apart(block: Block) -> str:
    """What two blocks of one kind differ by."""
    if isinstance(block, RatingsBlock):
        return block.type
    if isinstance(block, Rules):
        return block.name
    return block.mode if isinstance(block, PointRules) else ""


def unsaid(arena: Arena) -> list[str]:
    """What the published form has no place for in an arena and its queue, where it differs from
    what an import would give a new one."""
    queue = arena.queue
    rules = queue.matching()
    facts = [
        f"{declaration.name}={getattr(part, declaration.name)}"
        for part in (rules.choices, rules.laurel, rules.rank_filter)
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
