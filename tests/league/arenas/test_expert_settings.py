"""Settings for experts have no field. A file sets them, and a save of a form keeps them."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from league.admin.arenas.previews import read_group, system_in
from league.admin.queue.previews import rules_in
from league.models import Arena, ArenaQueue
from league.services.transfer.configuration.settings_blocks import (
    QUEUE_GROUPS,
    Everything,
    apply,
    text_of,
)
from matchmaking.io.blocks import Setting, Settings
from matchmaking.prediction import AS_PUBLISHED, PredictionRules
from ratings.display import DisplayRules
from ratings.registry import SYSTEMS
from ratings.seasons.fair_play import FairPlay
from ratings.seasons.rules import SEASON_RULES
from ratings.tunables.declarations import Declaration, declarations
from ratings.tunables.parameters import Parameters
from ratings.tunables.reading import ParameterError, read_parameters
from tests.support.admin_steps import arena_page, errors_of, form_on, send, staff

__all__ = ["staff"]

MOST_SHOWN = 110
"""The settings that an arena with Glicko-2 and a queue shows, its own and its queue's."""


def candidates(one: Declaration) -> list[Any]:
    if one.kind == "choice":
        return [choice.value for choice in one.choices if choice.value != one.default]
    if one.kind == "boolean":
        return [not one.default]
    if one.kind in {"duration", "span"}:
        return ["100ms", "2m", "5h"]
    return [one.default + 1, one.default - 1, one.default * 1.1, one.default / 2]


def experts(model: type[Parameters]) -> dict[str, Any]:
    """Return another value for each setting for experts that has one; all of them fit together."""
    found: dict[str, Any] = {}
    for one in declarations(model):
        for value in candidates(one) if one.expert else ():
            try:
                read_parameters(model, {**found, one.name: value})
            except ParameterError:
                continue
            found[one.name] = value
            break
    return found


def set_by_file(arena: Arena, queue: ArenaQueue, values: dict[str, Any]) -> None:
    """Give an arena and its queue the settings of a file."""
    problems: dict[str, str] = {}
    typed = tuple(Setting(name=name, value=text_of(value)) for name, value in values.items())
    block = Settings(arena=arena.name, settings=typed)
    apply(Everything.of(arena, queue), block, problems.__setitem__)
    assert problems == {}
    for row in (arena, queue):
        row.full_clean()
        row.save()


def queue_page(queue: ArenaQueue) -> str:
    return reverse("admin:league_arenaqueue_change", args=[queue.pk])


def stored(arena: Arena, queue: ArenaQueue) -> list[Any]:
    fields = ("rating_parameters", "season_rules", "display", "result_rules", "limits")
    return [
        Arena.objects.values_list(*fields).get(pk=arena.pk),
        ArenaQueue.objects.values_list("rules", "prediction").get(pk=queue.pk),
    ]


@pytest.mark.parametrize("system", SYSTEMS)
def test_forms_keep_what_a_file_has_set_and_say_so(
    staff: Client, teams: Arena, system: str
) -> None:
    model = SYSTEMS[system].Parameters
    groups: dict[str, type[Parameters]] = {
        "rating_parameters": model,
        "display": DisplayRules,
        **{f"season_rules.{group}": one for group, one in SEASON_RULES.items()},
        **{f"queue.rules.{group}": one for group, one in QUEUE_GROUPS.items()},
    }
    teams.rating_system, teams.rating_parameters = system, {}
    if system == "ladder":
        teams.team_size_max = 1
    queue = ArenaQueue.objects.create(arena=teams)
    values = {
        f"{group}.{name}": value
        for group, one in groups.items()
        for name, value in experts(one).items()
    }
    assert len(values) > 30
    prediction = {**AS_PUBLISHED.to_json(), **experts(PredictionRules)}
    set_by_file(teams, queue, {**values, "queue.prediction": prediction})
    before = stored(teams, queue)
    shown: dict[str, str] = {}
    for page in (arena_page(teams), queue_page(queue)):
        answer = staff.get(page)
        shown |= answer.context["expert_settings"]
        fields = answer.context["adminform"].form.fields
        assert fields.keys().isdisjoint(f"{system}__{name}" for name in experts(model))
        assert "A preset or a file has set what has no field here" in answer.content.decode()
    models: list[type[Parameters]] = [*groups.values(), PredictionRules]
    for one in models:
        labels = {each.label for each in declarations(one) if each.name in experts(one)}
        assert labels <= shown.keys()
    for page in (arena_page(teams), queue_page(queue)):
        assert errors_of(send(staff, page, {})) == {}
    assert stored(teams, queue) == before


def test_a_line_in_the_file_of_an_arena_sets_one(
    staff: Client, teams: Arena, tmp_path: Path
) -> None:
    ArenaQueue.objects.create(arena=teams)
    download = reverse("admin:league_arena_settings_file", args=[teams.pk])
    text = staff.get(download).content.decode()
    lines = """<Settings arena="Teams">
      <Setting name="rating_parameters.rating_min" value="200"/>
      <Setting name="queue.rules.choices.filter_rating" value="effective"/>"""
    assert text.count('<Settings arena="Teams">') == 1
    file = tmp_path / "teams.xml"
    file.write_text(text.replace('<Settings arena="Teams">', lines), "utf-8")
    call_command("arena_import", str(file), stdout=StringIO())
    teams.refresh_from_db()
    assert teams.rating_parameters["rating_min"] == 200
    queue = ArenaQueue.objects.get(arena=teams)
    assert queue.rules["choices"]["filter_rating"] == "effective"


def test_another_system_begins_with_its_defaults(staff: Client, duel: Arena) -> None:
    duel.rating_parameters = {**duel.rating_parameters, "rating_min": 200.0}
    duel.save()
    assert errors_of(send(staff, arena_page(duel), {"rating_system": "elo"})) == {}
    duel.refresh_from_db()
    assert duel.rating_parameters == SYSTEMS["elo"].Parameters().to_json()
    assert staff.get(arena_page(duel)).context["expert_settings"] == []


def test_figures_beside_the_fields_use_them(teams: Arena) -> None:
    queue = ArenaQueue.objects.create(arena=teams)
    settings = {
        "rating_parameters.rating_min": 200.0,
        "season_rules.fair_play.restored": 0.5,
        "queue.rules.choices.falloff": "min",
    }
    set_by_file(teams, queue, settings)
    typed = {"rating_system": "glicko-2", "glicko-2__rating_default": "1300"}
    parameters: Any = system_in(typed, teams).parameters
    assert (parameters.rating_default, parameters.rating_min) == (1300, 200)
    assert read_group("fair_play", FairPlay, {"season_fair_play__per_day": "5"}, teams) == FairPlay(
        per_day=5, restored=0.5
    )
    rules, _matcher = rules_in(queue, {"matcher": "new", "queue__roster_max": "2"})
    assert (rules.choices, rules.queue.roster_max) == (queue.matching().choices, 2)
    assert rules.choices.falloff == "min"


def test_a_broken_one_is_told_though_it_has_no_field(staff: Client, duel: Arena) -> None:
    typed = form_on(staff, arena_page(duel))
    broken = {**duel.rating_parameters, "rating_min": 6000.0}
    Arena.objects.filter(pk=duel.pk).update(rating_parameters=broken)
    errors = errors_of(staff.post(arena_page(duel), {**typed, "_loaded": "", "_save": "Save"}))
    assert "Rating: lowest, which is set in a file: Must be at most" in str(errors["__all__"])


def test_an_arena_and_its_queue_show_a_manageable_number_of_settings(
    staff: Client, teams: Arena
) -> None:
    shown = 0
    for page in (arena_page(teams), queue_page(ArenaQueue.objects.create(arena=teams))):
        for section in staff.get(page).context["sections"]:
            rows = [] if section.hidden else [row for row in section.rows if not row.hidden]
            shown += sum(len(row.cells) for row in rows)
    assert shown <= MOST_SHOWN
