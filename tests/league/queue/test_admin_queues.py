"""Olga opens a queue. Each rule has a typed field, and wrong values are refused beside it."""

import pytest
from django.test import Client
from django.urls import reverse

from league.admin.queue.forms import RULES
from league.models import Arena, ArenaQueue
from league.models.queue import preset_rules
from matchmaking.prediction import AS_PUBLISHED
from matchmaking.presets import PRESETS
from tests.support.admin_steps import errors_of, form_on, send, staff

__all__ = ["staff"]

ADD = "/admin/league/arenaqueue/add/"


def page_of(queue: ArenaQueue) -> str:
    return reverse("admin:league_arenaqueue_change", args=[queue.pk])


def test_a_new_queue_serves_a_small_league(staff: Client, teams: Arena) -> None:
    assert errors_of(send(staff, ADD, {"arena": teams.pk})) == {}
    queue = ArenaQueue.objects.get()
    assert (queue.is_open, queue.matcher) == (True, "laurel")
    small = PRESETS["small-community"].rules()
    assert queue.matching() == small.model_copy(update={"name": "Teams", "team_size": 2})


@pytest.mark.parametrize("preset", PRESETS)
def test_olga_starts_from_a_preset_whatever_the_fields_say(
    staff: Client, teams: Arena, preset: str
) -> None:
    changes = {"arena": teams.pk, "preset": preset, "queue__potentials_min": "many"}
    assert errors_of(send(staff, ADD, changes)) == {}
    queue = ArenaQueue.objects.get()
    assert queue.matcher == ("new" if preset.startswith("gw2") else "laurel")
    assert queue.rules == preset_rules(preset)
    assert errors_of(send(staff, page_of(queue), {})) == {}
    queue.refresh_from_db()
    assert queue.rules == preset_rules(preset)


def test_olgas_changes_are_saved_and_shown(staff: Client, teams: Arena) -> None:
    changes = {
        "arena": teams.pk,
        "matcher": "old",
        "queue__potentials_min": "2",
        "queue__iteration_interval": "1m",
        "matcher__rating_distance": "-2.5",
        "laurel__fairness": "0.05",
        "laurel__bound": "4m",
        "rank_filter__steps": "5, 12.5, 100",
        "ready_window": "20s",
        "ticks_kept": "12h",
    }
    assert errors_of(send(staff, ADD, changes)) == {}
    queue = ArenaQueue.objects.get()
    assert queue.matching().queue.iteration_interval == 60
    assert queue.matching().matcher.rating_distance == -2.5
    assert queue.matching().laurel.fairness == 0.05
    assert queue.matching().rank_filter.steps == (5, 12.5, 100)
    form = form_on(staff, page_of(queue))
    assert {name: form[name] for name in changes} == {**changes, "arena": str(teams.pk)}


def test_every_rule_says_its_range_and_where_it_is_from(staff: Client) -> None:
    form = staff.get(ADD).context["adminform"].form
    for rule in RULES:
        field = form[rule.field_name]
        assert field.label == rule.declaration.label
        assert rule.declaration.xml in str(field.help_text)


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("queue__roster_min", "0", "Must be a whole number from 1 to 100"),
        ("queue__potentials_min", "-1", "from 0 to"),
        ("queue__potentials_min", "1e300", "to 1000000000"),
        ("queue__potentials_min", "many", "you gave “many”"),
        ("queue__potentials_min", "600", "Must be at most “Maximum potentials”"),
        ("queue__rating_start", "20m", "Must be at most “Padding end”"),
        ("queue__iteration_interval", "soon", "written like 30s"),
        ("matcher__age_seconds", "nan", "Must be a number"),
        ("laurel__fairness", "0.6", "more than 0 and at most 0.5"),
        ("rank_filter__steps", "10, 5", "Must rise"),
        ("rank_filter__steps", "5, some", "Must be percentiles above 0 and up to 100"),
        ("ready_window", "1s", "from 5s to 10m"),
        ("ticks_kept", "59m", "from 1h to 365d"),
        ("ticks_kept", "366d", "from 1h to 365d"),
        ("ticks_kept", "some", "written like"),
    ],
)
def test_an_impossible_rule_is_refused_beside_its_field(
    staff: Client, teams: Arena, field: str, value: str, sentence: str
) -> None:
    errors = errors_of(send(staff, ADD, {"arena": teams.pk, field: value}))
    assert list(errors) == [field]
    assert sentence in errors[field][0]
    assert not ArenaQueue.objects.exists()


def test_a_free_for_all_has_no_queue(staff: Client, melee: Arena) -> None:
    errors = errors_of(send(staff, ADD, {"arena": melee.pk}))
    assert "matches of two sides" in errors["arena"][0]


def test_olga_sets_the_weights_that_predict_matches(staff: Client, teams: Arena) -> None:
    weighed = {"arena": teams.pk, "predicts": "on", "prediction__rank_weight": "25"}
    assert errors_of(send(staff, ADD, weighed)) == {}
    queue = ArenaQueue.objects.get()
    rules = queue.prediction_rules()
    # What she leaves as it was has the published weights.
    assert rules == AS_PUBLISHED.model_copy(update={"rank_weight": 25})
    form = form_on(staff, page_of(queue))
    assert (form["prediction__rank_weight"], form["prediction__ladder_weight"]) == ("25", "5")
    assert errors_of(send(staff, page_of(queue), {"predicts": False})) == {}
    queue.refresh_from_db()
    assert queue.prediction is None


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("prediction__rank_weight", "-1", "you gave “-1”"),
        ("prediction__ladder_weight", "heavy", "you gave “heavy”"),
        ("prediction__rating_weight", "nan", "you gave “nan”"),
    ],
)
def test_a_wrong_weight_is_refused_at_its_field(
    staff: Client, teams: Arena, field: str, value: str, message: str
) -> None:
    refused = errors_of(send(staff, ADD, {"arena": teams.pk, "predicts": "on", field: value}))
    assert list(refused) == [field]
    assert message in str(refused[field])
    assert not ArenaQueue.objects.exists()


def test_a_prediction_without_any_weight_is_refused(staff: Client, teams: Arena) -> None:
    nothing = {
        f"prediction__{quantity}_weight": "0" for quantity in ("ladder", "rank", "rating", "roster")
    }
    refused = errors_of(send(staff, ADD, {"arena": teams.pk, "predicts": "on", **nothing}))
    assert refused == {"predicts": ["Give at least one weight above 0."]}
    assert not ArenaQueue.objects.exists()


def test_the_list_names_matchers_without_what_they_do(staff: Client, teams: Arena) -> None:
    ArenaQueue.objects.create(arena=teams)
    page = staff.get("/admin/league/arenaqueue/").content.decode()
    assert '<td class="field-made_by">Laurel</td>' in page
