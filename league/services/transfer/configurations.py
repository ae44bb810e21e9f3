"""Import and export arenas in the published XML form. A file is imported completely or not at all.

An ``<Arena>`` becomes an arena with a queue, ``<Ratings>`` its Glicko-2 parameters, its decay and
the start of its seasons, and ``<Dishonor>`` the league's dishonor rules, with further reasons for
penalties in each arena. The file's other blocks
are stored with each queue, so that an export contains them again, with the values that the arena
has then. An import says what in the file has no effect, line by line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.text import slugify

from league.models import Arena, ArenaQueue, Discipline, Offence, PenaltyReason
from league.models.dishonor import name_of_reason
from league.services.seasons.opening import adopt_rules, open_season
from league.services.transfer import point_blocks, rating_blocks
from league.services.transfer.rating_blocks import PLACES, RULES, ratings_for
from league.services.transfer.remarks import Lines, remarks_on
from matchmaking.dishonor import DishonorRules
from matchmaking.io.blocks import Document, LadderSeason, PointRules, RatingsBlock
from matchmaking.io.xmlfile import read
from matchmaking.io.xmltree import XmlError, parse
from matchmaking.io.xmlwriter import write
from matchmaking.prediction import PredictionRules
from matchmaking.rules.arena import Rules
from ratings.points import rules as point_rules
from ratings.seasons.rules import GROUPS
from ratings.systems.glicko2.system import Glicko2
from ratings.tunables.declarations import declarations
from ratings.tunables.reading import ParameterError, read_parameters

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from league.models import User
    from matchmaking.io.blocks import Block
    from matchmaking.io.xmltree import Element
    from ratings.tunables.parameters import Parameters

LADDER_PLACES = {
    "starts": "@start",
    "ends": "@end",
    "grace": "@grace",
    "leaderboard_points": "@leaderboard-points",
}
"""The attributes of ``<Ladder>``, by the rule of points they set."""

TAGS: dict[type[Block], str] = {
    RatingsBlock: "Ratings",
    Rules: "Arena",
    DishonorRules: "Dishonor",
    PointRules: "PointRules",
    LadderSeason: "Ladder",
    PredictionRules: "Prediction",
}
"""The kinds of blocks in the order of a file, and their elements."""


IN_LADDER = {*LADDER_PLACES, "counts", "table"}
IN_START = {"placement", *(rule for group, rule in RULES.values() if group == "start")}
"""The rules that a file says by ``<Ladder>`` and its tables, and by ``<Ratings>``."""


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
class Outcome:
    """What an import did."""

    arenas: list[Imported]
    remarks: list[str]
    """What in the file has no effect, with its line."""


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


def import_configuration(text: str, context: Import) -> Outcome:
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
    arenas = [each for each in imported if each is not None]
    changed = [each.arena for each in arenas]
    return Outcome(arenas, remarks_on(document, file.lines, changed, context.now))


class _File:
    """A file that is being imported, and its problems."""

    def __init__(self, document: Document, elements: Sequence[Element]) -> None:
        self.document = document
        self.lines = Lines(document, elements)
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
        if not self.set_ratings(arena, created=created) or self.problems:
            return None
        self.set_points(arena)
        try:
            arena.full_clean()
            context.save(arena)
            self.import_queue(arena, rules, context)
            self.import_reasons(arena)
            season = arena.current_season(context.now)
            if season is None:
                open_season(arena, starts_at=context.now)
                return Imported(arena, created, keeps_rules=False)
        except ValidationError as error:
            self.refuse(rules, "@name", error)
            return None
        adopt_rules(season, arena)
        season.refresh_from_db()
        kept = (season.rating_system, season.rating_parameters)
        return Imported(
            arena, created, keeps_rules=kept != (arena.rating_system, arena.rating_parameters)
        )

    def set_ratings(self, arena: Arena, *, created: bool) -> bool:
        """Set the arena's ratings, decay and season start, if the file has any.

        Return whether they fit.
        """
        blocks = ratings_for(self.document.all(RatingsBlock), arena.name)
        if not blocks:
            return True
        held = arena.rating_parameters if arena.rating_system == Glicko2.name else {}
        rules = rating_blocks.season_rules_in(blocks, arena.rules().written(), created=created)
        fits = self.fit(blocks, Glicko2.Parameters, held | rating_blocks.glicko_values(blocks))
        for group, values in rules.items():
            places = {rule: name for name, (of, rule) in RULES.items() if of == group}
            fits = self.fit(blocks, GROUPS[group], values, places) and fits
        if fits:
            arena.rating_system = Glicko2.name
            arena.rating_parameters = {**held, **rating_blocks.glicko_values(blocks)}
            arena.season_rules = {**arena.season_rules, **rules}
        return fits

    def fit(
        self,
        blocks: Sequence[RatingsBlock],
        model: type[Parameters],
        values: Mapping[str, Any],
        names: Mapping[str, str] | None = None,
    ) -> bool:
        """Return whether values fit a model, after adding a problem for each that does not.

        ``names`` has the name in ``blocks`` of each of the model's parameters, if it differs.
        """
        try:
            read_parameters(model, values)
        except ParameterError as error:
            for parameter, problem in error.problems.items():
                name = (names or {}).get(parameter, parameter)
                having = [block for block in blocks if name in block.model_fields_set]
                self.say((having or blocks)[-1], PLACES.get(name, name), problem)
            return False
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
        for prediction in self.document.all(PredictionRules):
            queue.prediction = prediction.model_dump(mode="json", exclude_unset=True)
        with_fields = Rules | DishonorRules | PredictionRules
        others = tuple(
            block for block in self.document.blocks if not isinstance(block, with_fields)
        )
        queue.configuration = write(Document(others)) if others else ""
        queue.full_clean()
        context.save(queue)

    def import_reasons(self, arena: Arena) -> None:
        """Give the arena the further reasons for penalties of the file, if it has a ``<Dishonor>``.

        Penalties keep the reasons and stacks that they were given with.
        """
        for block in self.document.all(DishonorRules):
            further = reasons_in(block)
            arena.penalty_reasons.exclude(name__in=further).delete()
            known = {reason.name: reason for reason in arena.penalty_reasons.all()}
            for name, stacks in further.items():
                reason = known.get(name) or PenaltyReason(arena=arena, name=name)
                reason.stacks = stacks
                try:
                    reason.full_clean()
                except ValidationError as error:
                    for problem in error.messages:
                        self.say(block, "", f"penalties: {problem}")
                else:
                    reason.save()

    def import_dishonor(self, rules: DishonorRules, context: Import) -> None:
        discipline = Discipline.objects.select_for_update().first() or Discipline()
        discipline.rules = without_further(rules).model_dump(mode="json")
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
        by_field = getattr(error, "error_dict", None)
        for name, problems in (error.message_dict if by_field else {"": error.messages}).items():
            where = place if name in {"name", "slug"} else ""
            for problem in problems:
                self.say(block, where, problem)

    def say(self, block: Block, place: str, problem: str) -> None:
        """Add a problem with a block, with its line and the attribute at ``place``."""
        self.problems.append(self.lines.said(block, place, problem)[1])


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
    ratings = [block for block in blocks.values() if isinstance(block, RatingsBlock)]
    rated = [arena for arena in arenas if arena.rating_system == Glicko2.name]
    try:
        for block in rating_blocks.described(rated, ratings):
            blocks[RatingsBlock, block.type] = block
    except rating_blocks.Conflict as error:
        raise CannotExport(f"{error} Export them one by one.") from error
    dishonor = dishonor_of(arenas)
    if dishonor:
        blocks[DishonorRules, ""] = dishonor
    order = list(TAGS)
    return write(
        Document(tuple(sorted(blocks.values(), key=lambda block: order.index(type(block)))))
    )


def reasons_in(rules: DishonorRules) -> dict[str, int]:
    """Return the stacks of reasons that are not the league's own, by reason."""
    return {
        name_of_reason(penalty.reason): penalty.stacks
        for penalty in rules.penalties
        if penalty.reason not in Offence.values
    }


def without_further(rules: DishonorRules) -> DishonorRules:
    """Return rules with the league's own offences only."""
    own = tuple(each for each in rules.penalties if each.reason in Offence.values)
    return rules.model_copy(update={"penalties": own})


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
                f"{arena} has other reasons for penalties than the arenas before it. Export them "
                "one by one."
            )
    further = declared[0] if declared else []
    if not discipline and not further:
        return None
    rules = without_further((discipline or Discipline()).dishonor())
    return rules.model_copy(update={"penalties": (*rules.penalties, *further)})


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


def missing_settings(arena: Arena) -> list[str]:
    """Return the settings of an arena and its queue that the published form cannot contain.

    Settings equal to those of a newly imported arena are left out.
    """
    queue, season = arena.queue, arena.rules()
    rules = queue.matching()
    in_glicko = arena.rating_system == Glicko2.name
    parts: list[tuple[Parameters, Collection[str]]] = [
        *((part, ()) for part in (rules.choices, rules.laurel, rules.rank_filter, rules.region)),
        (season.points.ladder, IN_LADDER),
        (season.start, IN_START if in_glicko else ()),
    ]
    if in_glicko:
        parts.append((arena.system().parameters, rating_blocks.RATING_PLACES))
    else:
        parts.append((season.decay, ()))
    facts = [
        f"{declaration.name}={getattr(part, declaration.name)}"
        for part, in_file in parts
        for declaration in declarations(type(part))
        if declaration.name not in in_file
        and part.written()[declaration.name] != declaration.default
    ]
    if queue.rank_source != ArenaQueue.RankSource.SITE:
        facts.append(f"rank={queue.rank_source}")
    if queue.matcher != ArenaQueue.Matcher.NEW:
        facts.insert(0, f"matcher={queue.matcher}")
    if arena.team_size_max != Import.team_size:
        facts.insert(0, f"team-size={arena.team_size_max}")
    if not in_glicko:
        facts.append(f"ratings by {arena.system().label}")
    return facts
