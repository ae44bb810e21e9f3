"""Import arenas in the published XML form. A file is imported completely or not at all.

An ``<Arena>`` becomes an arena with a queue, and a ``<Settings>`` alone an arena without one.
``<Settings>`` has all that the other elements cannot say. ``<Ratings>`` has the Glicko-2
parameters, the decay and the start of the seasons, and ``<Dishonor>`` the league's dishonor rules,
with further reasons for penalties in each arena. The file's other blocks are stored with each
queue, so that an export contains them again, with the values that the arena has then. An import
says what in the file has no effect, line by line.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import transaction

from league.models import Arena, ArenaQueue, Discipline, Offence, PenaltyReason
from league.models.dishonor import name_of_reason
from league.models.skeletons import address_of
from league.services.seasons.opening import adopt_rules, open_today
from league.services.site import frame
from league.services.transfer.configuration import point_blocks, rating_blocks
from league.services.transfer.configuration.rating_blocks import PLACES, RULES, ratings_for
from league.services.transfer.configuration.remarks import Lines, remarks_on
from league.services.transfer.configuration.settings_blocks import Everything, apply
from matchmaking.dishonor import DishonorRules
from matchmaking.io.blocks import Document, LadderSeason, PointRules, RatingsBlock, Settings
from matchmaking.io.xmlfile import read
from matchmaking.io.xmltree import XmlError, parse
from matchmaking.io.xmlwriter import write
from matchmaking.prediction import PredictionRules
from matchmaking.rules.arena import Rules
from ratings.points import rules as point_rules
from ratings.seasons.rules import SEASON_RULES
from ratings.systems.glicko2.system import Glicko2
from ratings.tunables.reading import ParameterError, read_parameters
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
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
    Settings: "Settings",
}
"""The kinds of blocks in the order of a file, and their elements."""


@dataclass(frozen=True)
class Imported:
    """An arena that a file created or changed."""

    arena: Arena
    created: bool
    keeps_rules: bool
    """Whether the running season has rated results and keeps the rating rules it began with."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of an import."""

    arenas: list[Imported]
    remarks: list[Sentence]
    """The parts of the file without effect, with their lines."""


@dataclass(frozen=True)
class Import:
    """The context of an import: the file's name, the time, and the account behind it."""

    source: str
    now: datetime
    team_size: int = 5
    by: User | None = None
    drafts: bool = False
    """Whether to create drafts only: a file that would change an arena is refused."""

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
        imported = [file.import_arena(name, context) for name in names_of_arenas(document)]
        for dishonor in document.all(DishonorRules):
            file.import_dishonor(dishonor, context)
        if file.problems:
            raise XmlError(file.problems)
    arenas = [each for each in imported if each is not None]
    changed = [each.arena for each in arenas]
    return Outcome(arenas, remarks_on(document, file.lines, changed, context.now))


def names_of_arenas(document: Document) -> list[str]:
    """Return the names of a file's arenas, in the order of the file."""
    blocks = [block for block in document.blocks if isinstance(block, Rules | Settings)]
    return list(dict.fromkeys(name_of(block) for block in blocks))


def name_of(block: Rules | Settings) -> str:
    return block.name if isinstance(block, Rules) else block.arena


def describe_import(document: Document, name: str, *, with_queue: bool) -> Everything:
    """Return what an import of a file would make of a new arena. Nothing is saved."""
    file = _File(document, parse(write(document)))
    arena = file.new_arena(name, Import.team_size)
    queue = ArenaQueue(arena=arena) if with_queue else None
    file.set_ratings(arena, created=True)
    file.set_points(arena)
    if queue:
        file.set_queue(queue, created=True)
    return Everything.of(arena, queue)


class _File:
    """A file that is being imported, and its problems."""

    def __init__(self, document: Document, elements: Sequence[Element]) -> None:
        self.document = document
        self.rules = {block.name: block for block in document.all(Rules)}
        self.settings = {block.arena: block for block in document.all(Settings)}
        self.lines = Lines(document, elements)
        self.problems: list[Sentence] = []
        for rules in document.all(PointRules):
            self.check_points(rules)
        for season in document.all(LadderSeason):
            self.check_ladder(season)

    def import_arena(self, name: str, context: Import) -> Imported | None:
        """Create or change the arena of this name."""
        arena = Arena.objects.select_for_update().filter(name=name).first()
        created = arena is None
        if arena is None:
            arena = self.new_arena(name, context.team_size)
            arena.time_zone = frame.current().time_zone
            arena.is_draft = context.drafts
        elif context.drafts:
            there = Sentence("there is an arena of that name already; rename one of them")
            self.refuse(name, ValidationError({"name": there}))
            return None
        queue = ArenaQueue.objects.filter(arena=arena).first() if not created else None
        if queue is None and name in self.rules:
            queue = ArenaQueue(arena=arena)
        everything = Everything.of(arena, queue)
        if not self.set_everything(everything, created=created) or self.problems:
            return None
        try:
            self.save(everything, context)
            season = arena.current_season(context.now)
            if arena.is_draft:
                return Imported(arena, created, keeps_rules=False)
            if season is None:
                open_today(arena, now=context.now)
                return Imported(arena, created, keeps_rules=False)
        except ValidationError as error:
            self.refuse(name, error)
            return None
        adopt_rules(season, arena)
        season.refresh_from_db()
        kept = (season.rating_system, season.rating_parameters)
        return Imported(
            arena, created, keeps_rules=kept != (arena.rating_system, arena.rating_parameters)
        )

    def new_arena(self, name: str, team_size: int) -> Arena:
        """Return an arena of this name as new files know it."""
        size = {"team_size_min": team_size, "team_size_max": team_size}
        return Arena(name=name, slug=address_of(name)[:60], **size)

    def set_everything(self, everything: Everything, *, created: bool) -> bool:
        """Set what the file says of an arena. Return whether its ratings fit."""
        arena, queue = everything.arena, everything.queue
        if not self.set_ratings(arena, created=created) or self.problems:
            return False
        self.set_points(arena)
        if queue:
            self.set_queue(queue, created=queue.pk is None)
        if block := self.settings.get(arena.name):
            apply(everything, block, partial(self.say_of_setting, block))
        return True

    def save(self, everything: Everything, context: Import) -> None:
        """Save an arena with its queue, rules in words and reasons for penalties.

        Raises:
            ValidationError: something in them cannot be.
        """
        arena, queue, text = everything.arena, everything.queue, everything.text
        arena.full_clean()
        context.save(arena)
        if queue:
            queue.arena = arena
            queue.full_clean()
            context.save(queue)
        text.arena = arena
        if text.rules:
            text.full_clean()
            text.save()
        self.import_reasons(arena)

    def set_ratings(self, arena: Arena, *, created: bool) -> bool:
        """Set the arena's ratings, decay and season start, if the file has any.

        Return whether they fit.
        """
        blocks = ratings_for(self.document.all(RatingsBlock), arena.name)
        if not blocks:
            return True
        held = dict(rating_blocks.PUBLISHED)
        if arena.rating_system == Glicko2.name and not created:
            held = arena.rating_parameters
        rules = rating_blocks.season_rules_in(blocks, arena.rules().to_json(), created=created)
        fits = self.fit(blocks, Glicko2.Parameters, held | rating_blocks.glicko_values(blocks))
        for group, values in rules.items():
            places = {rule: name for name, (of, rule) in RULES.items() if of == group}
            fits = self.fit(blocks, SEASON_RULES[group], values, places) and fits
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

    def set_queue(self, queue: ArenaQueue, *, created: bool) -> None:
        """Give a queue the rules of the file, if it has an ``<Arena>`` for it.

        Rules that the XML form lacks keep their values; in a new queue they are as published.
        """
        rules = self.rules.get(queue.arena.name)
        if rules is None:
            return
        if created:
            queue.matcher, queue.rules = ArenaQueue.Matcher.NEW, {}
        queue.rules = {
            **queue.rules,
            "queue": rules.queue.model_dump(mode="json"),
            "matcher": rules.matcher.model_dump(mode="json"),
        }
        for prediction in self.document.all(PredictionRules):
            queue.prediction = prediction.model_dump(mode="json", exclude_unset=True)
        with_fields = Rules | DishonorRules | PredictionRules | Settings
        others = tuple(
            block for block in self.document.blocks if not isinstance(block, with_fields)
        )
        queue.configuration = write(Document(others)) if others else ""

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
                        self.say(block, "", Sentence("penalties: %(problem)s", problem=problem))
                else:
                    reason.save()

    def import_dishonor(self, rules: DishonorRules, context: Import) -> None:
        discipline = Discipline.objects.select_for_update().first() or Discipline()
        discipline.rules = without_further(rules).model_dump(mode="json")
        try:
            discipline.full_clean()
        except ValidationError as error:
            for problem in error.messages:
                self.say(rules, "", problem)
        else:
            context.save(discipline)

    def check_points(self, block: PointRules) -> None:
        """Refuse tables of points that do not cover all results."""
        try:
            point_blocks.table_of(block)
        except point_rules.PointsError as error:
            self.say(block, "", error.sentence)

    def check_ladder(self, block: LadderSeason) -> None:
        """Refuse invalid seasons of points."""
        try:
            read_parameters(point_rules.Ladder, point_blocks.ladder_of(block))
        except ParameterError as error:
            for name, problem in error.problems.items():
                self.say(block, LADDER_PLACES[name], problem)

    def refuse(self, name: str, error: ValidationError) -> None:
        """Add the problems of an arena, each with the line of what is wrong."""
        block: Block = self.rules.get(name) or self.settings[name]
        its_name = "@name" if name in self.rules else "@arena"
        by_field = getattr(error, "error_dict", None)
        for field, problems in (error.message_dict if by_field else {"": error.messages}).items():
            for problem in problems:
                if field and self.setting_of(name, field):
                    self.say_of_setting(self.settings[name], field, problem)
                else:
                    self.say(block, its_name if field in {"name", "slug"} else "", problem)

    def setting_of(self, name: str, field: str) -> str:
        """Return the first setting that the file gives a field, empty if there is none."""
        of_arena = self.settings[name].settings if name in self.settings else ()
        named = (one.name for one in of_arena)
        return next((one for one in named if f"{one}.".startswith(f"{field}.")), "")

    def say_of_setting(self, block: Settings, name: str, problem: str) -> None:
        """Add a problem with a setting, or with the first one of a field."""
        found = name if name in {one.name for one in block.settings} else ""
        found = found or self.setting_of(block.arena, name)
        self.problems.append(self.lines.said_of_setting(block, found, name, problem)[1])

    def say(self, block: Block, place: str, problem: str) -> None:
        """Add a problem with a block, with its line and the attribute at ``place``."""
        self.problems.append(self.lines.remark(block, place, problem)[1])


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
