"""A configuration keeps every attribute from the file through the admin to the file again."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from operator import itemgetter
from typing import Any

from django.db import transaction
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from league.models import Arena, ArenaQueue, Discipline
from league.services.transfer.configuration.configuration_exports import export_configuration
from league.services.transfer.configuration.configurations import Import, import_configuration
from league.services.transfer.configuration.rating_blocks import DECAY, PLACES, RATING_PLACES
from matchmaking.dishonor import DishonorRules, Penalty
from matchmaking.io.blocks import (
    Block,
    Checkpoint,
    Document,
    LadderSeason,
    PointRule,
    PointRules,
    RatingsBlock,
)
from matchmaking.io.xmlfile import read
from matchmaking.io.xmlwriter import write
from matchmaking.prediction import PredictionRules
from matchmaking.rules.arena import MatcherRules, QueueRules, Rules
from ratings.points import rules as point_rules
from ratings.seasons.rules import ArenaDecay
from ratings.seasons.start import Start
from ratings.systems.glicko2.system import Glicko2
from ratings.tunables.declarations import Declaration, declarations
from ratings.tunables.parameters import Parameters
from tests.support.admin_steps import arena_page, errors_of, send, staff
from tests.support.cast import NOW
from tests.support.effort import examples

__all__ = ["staff"]


TIMES = st.datetimes(datetime(2001, 1, 1), datetime(2026, 3, 1), timezones=st.just(UTC))  # noqa: DTZ001 - hypothesis adds the zone


def values(declaration: Declaration, *others: Declaration) -> st.SearchStrategy[Any]:
    """Draw values that all these declarations of one setting allow."""
    match declaration.kind:
        case "boolean":
            return st.booleans()
        case "time":
            return TIMES
        case "choice":
            return st.sampled_from([choice.value for choice in declaration.choices])
        case "text":
            return st.text("abcdef ", min_size=1).filter(str.strip).map(str.strip)
    every = (declaration, *others)
    low = max(one.minimum for one in every if one.minimum is not None)
    high = min(one.maximum for one in every if one.maximum is not None)
    if any(one.kind == "integer" for one in every):
        return st.integers(int(low), int(high))
    open_low = any(one.exclusive_minimum and one.minimum == low for one in every)
    return st.floats(low, high, exclude_min=open_low, allow_subnormal=False)


def in_order(chosen: dict[str, Any]) -> dict[str, Any]:
    """Put minimums and starts before their maximums and ends."""
    fixed = dict(chosen)
    for low in chosen:
        for ends, goes_on in (("_min", "_max"), ("_start", "_end"), ("start", "end")):
            high = low.removesuffix(ends) + goes_on
            if low.endswith(ends) and high in chosen and fixed[low] > fixed[high]:
                fixed[low], fixed[high] = fixed[high], fixed[low]
    return fixed


SITE = {
    **{one.name: one for one in declarations(Glicko2.Parameters)},
    **{
        name: next(one for one in declarations(ArenaDecay) if one.name == rule)
        for name, rule in DECAY.items()
    },
    "placement_param1": next(one for one in declarations(Start) if one.name == "center"),
    "placement_param2": next(one for one in declarations(Start) if one.name == "ratio"),
}
"""What the site allows for an attribute of ``<Ratings>``."""


def all_of(model: type[Parameters]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({one.name: values(one) for one in declarations(model)}).map(
        in_order
    )


def some_of(model: type[Parameters]) -> st.SearchStrategy[dict[str, Any]]:
    every = {one.name: values(one) for one in declarations(model)}
    return st.fixed_dictionaries({}, optional=every).map(in_order)


@st.composite
def glicko_values(draw: st.DrawFn) -> dict[str, Any]:
    """Draw every parameter of Glicko-2 in a ``<Ratings>``, with defaults between their bounds."""
    block = {one.name: one for one in declarations(RatingsBlock)}
    chosen = {name: draw(values(block[name], SITE[name])) for name in RATING_PLACES}
    for kind in ("rating", "deviation", "volatility"):
        names = [f"{kind}_min", f"{kind}_default", f"{kind}_max"]
        rising = sorted(chosen[name] for name in names)
        chosen |= dict(zip(names, rising, strict=True))
    return chosen


@st.composite
def ratings_blocks(draw: st.DrawFn, name: str) -> list[RatingsBlock]:
    """Draw blocks for all arenas, for this one and for another, any of which may be missing."""
    block = {one.name: one for one in declarations(RatingsBlock)}
    rest = {
        each: values(block[each], *([SITE[each]] if each in SITE else []))
        for each in PLACES
        if each not in RATING_PLACES
    }
    everybody = {**draw(glicko_values()), **draw(st.fixed_dictionaries({}, optional=rest))}
    own = draw(st.fixed_dictionaries({}, optional=rest))
    drawn = [everybody, {"type": name, **own}, {"type": "Other", "rating_max": 9.5}]
    return [RatingsBlock.model_validate(each) for each in drawn if draw(st.booleans())]


RATIOS = st.lists(st.floats(0, 1, exclude_min=True), max_size=3, unique=True).map(sorted)


@st.composite
def point_blocks(draw: st.DrawFn) -> list[PointRules]:
    def checkpoints() -> tuple[Checkpoint, ...]:
        points = st.integers(-10_000, 10_000)
        return tuple(
            Checkpoint(ladder_points=draw(points), score_ratio=ratio)
            for ratio in [0, *draw(RATIOS)]
        )

    modes = draw(st.lists(st.sampled_from(["Conquest", "Stronghold", "Duel"]), unique=True))
    return [
        PointRules(
            mode=mode,
            rules=tuple(
                PointRule(odds=odds, checkpoints=checkpoints()) for odds in [0, *draw(RATIOS)]
            ),
        )
        for mode in modes
    ]


@st.composite
def ladders(draw: st.DrawFn) -> list[LadderSeason]:
    kinds = {one.name: one for one in declarations(point_rules.Ladder)}
    chosen = draw(
        st.fixed_dictionaries(
            {},
            optional={
                "start": TIMES,
                "end": TIMES,
                "grace": st.floats(0, kinds["grace"].maximum / 60),  # type: ignore[operator] # it has one
                "leaderboard_points": values(kinds["leaderboard_points"]),
            },
        )
    )
    if chosen.get("start") == chosen.get("end"):
        chosen.pop("end", None)
    return draw(st.sampled_from([[], [LadderSeason.model_validate(in_order(chosen))]]))


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Draw a file of one arena, with any attributes that the site can have."""
    name = draw(st.sampled_from(["Ranked Arena", "Keep & Fort", "“Ω” <1>"]))
    penalties = [Penalty(reason=each, stacks=draw(st.integers(0, 10**6))) for each in REASONS]
    dishonor = {**draw(all_of(DishonorRules)), "penalties": penalties}
    prediction = PredictionRules.model_validate(draw(some_of(PredictionRules)))
    blocks: list[Block] = [
        *draw(ratings_blocks(name)),
        Rules(
            name=name,
            queue=QueueRules.model_validate(draw(all_of(QueueRules))),
            matcher=MatcherRules.model_validate(draw(all_of(MatcherRules))),
        ),
        *draw(st.sampled_from([[], [DishonorRules.model_validate(dishonor)]])),
        *draw(point_blocks()),
        *draw(ladders()),
        *draw(st.sampled_from([[], [prediction]])),
    ]
    return Document(tuple(blocks))


RANDOM = settings(
    max_examples=examples(5),
    deadline=None,
    # A failing file is shown as it was drawn: making it smaller would take minutes.
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
REASONS = ("Abandon", "QueueDodge", "Banned", "Insults")


@contextmanager
def undone() -> Iterator[None]:
    """Undo what one example wrote."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def saved_in_the_admin(staff: Client, arena: Arena) -> None:
    """Open the arena and its queue in the admin and save both untouched."""
    assert errors_of(send(staff, arena_page(arena), {})) == {}
    page = reverse("admin:league_arenaqueue_change", args=[arena.queue.pk])
    assert errors_of(send(staff, page, {})) == {}
    if discipline := Discipline.objects.first():
        page = reverse("admin:league_discipline_change", args=[discipline.pk])
        assert errors_of(send(staff, page, {})) == {}


def facts(document: Document) -> set[tuple[object, ...]]:
    """Return each attribute that the blocks of a document have, with its block."""
    found: set[tuple[object, ...]] = set()
    for block in document.blocks:
        key = (type(block).__name__, getattr(block, "type", getattr(block, "mode", "")))
        found |= {(*key, name, getattr(block, name)) for name in block.model_fields_set}
    return found


@RANDOM
@given(document=documents())
def test_no_attribute_is_lost_from_the_file_through_the_admin_to_the_file(
    staff: Client, document: Document
) -> None:
    with undone():
        (imported,) = import_configuration(write(document), Import("f.xml", NOW)).arenas
        saved_in_the_admin(staff, imported.arena)
        text = export_configuration([imported.arena])
        missing = facts(document) - facts(read(text))
        assert not missing
        Arena.objects.filter(pk=imported.arena.pk).update(name="Old", slug="old")
        (again,) = import_configuration(text, Import("f.xml", NOW)).arenas
        for field in ("rating_system", "rating_parameters", "season_rules"):
            before = getattr(Arena.objects.get(pk=imported.arena.pk), field)
            assert getattr(Arena.objects.get(pk=again.arena.pk), field) == before
        assert again.arena.queue.rules == ArenaQueue.objects.get(arena=imported.arena).rules


@RANDOM
@given(first=documents(), then=documents())
def test_the_file_has_what_the_arena_has_now_and_not_what_was_imported(
    db: None, first: Document, then: Document
) -> None:
    """An arena gets the settings of another one. Its export then makes an arena like that one."""
    with undone():
        (model,) = import_configuration(write(then), Import("f.xml", NOW)).arenas
        wanted = Arena.objects.get(pk=model.arena.pk)
        Arena.objects.filter(pk=wanted.pk).update(name="Model", slug="model")
        (imported,) = import_configuration(write(first), Import("f.xml", NOW)).arenas
        arena = Arena.objects.get(pk=imported.arena.pk)
        arena.rating_parameters, arena.season_rules = wanted.rating_parameters, wanted.season_rules
        arena.modes = wanted.modes
        arena.full_clean()
        arena.save()
        text = export_configuration([arena])
        Arena.objects.filter(pk=arena.pk).update(name="Old", slug="old")
        (again,) = import_configuration(text, Import("f.xml", NOW)).arenas
        got = Arena.objects.get(pk=again.arena.pk)
        assert got.rating_parameters == wanted.rating_parameters
        assert in_effect(got) == in_effect(wanted)


def in_effect(arena: Arena) -> dict[str, Any]:
    """Return the season rules of an arena without those that others turn off."""
    rules = arena.rules().to_json()
    if rules["start"]["placement"] != "linear-scale":
        del rules["start"]["center"], rules["start"]["ratio"]
    if not rules["points"]["counts"]:
        rules["points"], rules["point_table"], rules["mode_points"] = {}, None, []
    rules.setdefault("mode_points", []).sort(key=itemgetter("mode"))
    return rules
