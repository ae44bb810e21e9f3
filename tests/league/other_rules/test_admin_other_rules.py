"""Olga reads how well a season was predicted, and starts a trial of other rules."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.forms.utils import from_current_timezone
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.admin.other_rules import report
from league.admin.other_rules.pages import typeable
from league.models import Arena, Job, Trial
from tests.support.admin_steps import staff
from tests.support.cast import arena
from tests.support.other_rules_steps import play_duels, work_off
from tests.support.web_steps import words

__all__ = ["staff"]


@pytest.fixture
def elo() -> Arena:
    made = arena("chess", rating_system="elo", rating_parameters={"max_gain": 40})
    play_duels(made, 60)
    return made


def page_of(one: Arena) -> str:
    return reverse("admin:league_arena_other_rules", args=[one.pk, one.seasons.get().pk])


def start(staff: Client, one: Arena, **given: Any) -> Any:
    """Send the form of the page, by default with the boxes that are ticked at first."""
    form = staff.get(page_of(one)).context["form"]
    fields: dict[str, Any] = {
        "systems": form["systems"].value(),
        "split": form["split"].value().strftime("%Y-%m-%dT%H:%M"),
        **{name: form[name].value() for name in form.fields if name.startswith("fit_")},
    }
    return staff.post(page_of(one), {**fields, **given})


def tried(staff: Client, one: Arena, **given: Any) -> str:
    """Try what is chosen, and return the page of what was found."""
    answer = start(staff, one, **given)
    assert answer.status_code == 302, words(answer)
    [job] = work_off()
    assert job.state == Job.State.DONE, job.refusal
    return reverse("admin:league_trial_change", args=[job.given["trial"]])


def test_one_click_compares_the_season_with_others(staff: Client, elo: Arena) -> None:
    entry = reverse("admin:league_arena_change", args=[elo.pk])
    assert page_of(elo) in staff.get(entry).content.decode()
    page = tried(staff, elo)
    answer = staff.get(page)
    text = words(answer)
    assert "Training matches: 30; judged: 30." in text
    for label in ("As it is", "Elo, fitted", "Laurel, fitted", "Glicko-2, fitted"):
        assert label in text
    assert "best" in text
    assert "Largest gain (K) 40" in text
    assert text.count("The numbers Forecast Came first Sides") == 4
    rows = {row.key: row for row in answer.context["rows"]}
    found: Any = Trial.objects.get().report
    own = found["own"]["details"]["log_loss"]["value"]
    assert rows["own"].gain.value == "–"
    for key in ("elo", "laurel"):
        less = found["found"][key]["details"]["log_loss"]["value"] - own
        assert rows[key].gain.value.replace("\N{MINUS SIGN}", "-") == f"{less:.4f}"
        assert " to " in rows[key].gain.within
    assert " ".join(answer.context["verdict"].split()) in text
    assert "95\u00a0% interval" in answer.context["verdict"]
    assert "by olga" in words(staff.get(page_of(elo)))


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (-0.03, -0.01, "B would have forecast better: its log loss differs by −0.0300 to −0.0100"),
        (-0.03, 0.01, "Whether any of these would have forecast better cannot be told."),
        (0.01, 0.03, "None of these would have forecast better. The nearest is B,"),
    ],
)
def test_the_verdict_goes_by_the_interval_of_the_best(
    low: float, high: float, verdict: str
) -> None:
    def gain(low: float, high: float) -> dict[str, Any]:
        return {"gain": {"value": (low + high) / 2, "low": low, "high": high}}

    rated = {"own": {}, "a": gain(low + 1, high + 1), "b": gain(low, high)}
    labels = {"own": "As it is", "a": "A", "b": "B"}
    assert report.verdict_of(labels, rated).startswith(verdict)
    assert report.verdict_of(labels, {"own": {}}) == ""
    unknown = {"own": {}, "a": {"gain": {"value": None, "low": None, "high": None}}}
    assert report.verdict_of(labels, unknown) == ""


def test_a_period_that_is_too_short_for_the_arena_is_warned_of(staff: Client) -> None:
    slow = arena("slow", rating_system="glicko-2", rating_parameters={"deviation_period": "1h"})
    play_duels(slow, 40)
    fitted = {"systems": ["glicko-2"], "fit_glicko-2": ["deviation_min"]}
    text = words(staff.get(tried(staff, slow, **fitted)))
    assert text.count("ratings in Glicko-2 grow uncertain after 1 hour without one") == 1
    assert "Set “Deviation: period of inactivity” in the arena to about" in text


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"systems": []}, "Choose a system or settings to try."),
        ({"systems": ["nonsense"]}, "“nonsense” cannot rate the matches of this arena."),
        ({"settings": ["nonsense"]}, "nonsense is not one of the available choices"),
        ({"fit_elo": ["nonsense"]}, "There is no parameter “nonsense” that can be fitted."),
        ({"fit_elo": []}, "Elo is compared as the season has it anyway."),
        ({"fit_elo": ["T", "mean", "decay", "max_gain"]}, "Elo: fit up to 3 parameters."),
        ({"split": ""}, "This field is required."),
        ({"split": "soon"}, "Enter a day and a time such as"),
        ({"split": "0001-01-01T00:00"}, "The year must be from 1000 to 2999."),
        ({"split": "9999-12-31T23:59"}, "The year must be from 1000 to 2999."),
        ({"split": "2026-02-28T00:00"}, "0 matches were played from then on"),
        ({"split": "2025-02-28T00:00"}, "0 matches were played before"),
    ],
)
def test_bad_input_is_explained_at_its_field(
    staff: Client, elo: Arena, given: dict[str, Any], says: str
) -> None:
    answer = start(staff, elo, **given)
    assert answer.status_code == 200
    assert says in words(answer)
    assert not Job.objects.exists()


@pytest.mark.parametrize("minutes", [0, 30, 60, 90])
def test_the_suggested_time_is_one_that_the_clocks_show_once(minutes: int) -> None:
    with timezone.override(ZoneInfo("Europe/Berlin")):
        moment = datetime(2025, 10, 26, 0, tzinfo=UTC) + timedelta(minutes=minutes)
        found = typeable(moment)
        assert timezone.make_aware(found.replace(tzinfo=None)) == found == min(found, moment)
        assert from_current_timezone(found.replace(tzinfo=None)) == found


def test_a_season_without_matches_has_no_form(staff: Client, duel: Arena) -> None:
    answer = staff.get(page_of(duel))
    assert "no rated result to replay yet" in words(answer)
    assert 'name="systems"' not in answer.content.decode()
    assert "no rated result" in words(staff.post(page_of(duel), {"systems": ["elo"]}))
    assert not Job.objects.exists()


def test_few_matches_say_nothing_about_forecasts(staff: Client) -> None:
    few = arena("few", rating_system="elo")
    play_duels(few, 4)
    text = words(staff.get(tried(staff, few)))
    assert "Judged matches: 2. With fewer than 10" in text
    assert "Who would move most" in text


def test_the_pages_take_few_statements(
    staff: Client, elo: Arena, django_assert_max_num_queries: Any
) -> None:
    page = tried(staff, elo)
    for address in (page, f"{page}?q=player", page_of(elo)):
        with django_assert_max_num_queries(22):
            staff.get(address)
