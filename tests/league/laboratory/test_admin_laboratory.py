"""Olga compares rating systems on the pages of the admin, and uses one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
from django.forms.utils import from_current_timezone
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.admin.laboratory.pages import typeable
from league.models import Arena, Format, Job, Player, Season, StaffAction, Trial
from league.services.core.clock import database_now
from tests.support.admin_steps import staff
from tests.support.cast import arena
from tests.support.lab_steps import play_duels, work_off
from tests.support.web_steps import words

if TYPE_CHECKING:
    from django.http import HttpResponse

__all__ = ["staff"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def elo() -> Arena:
    made = arena("chess", rating_system="elo", rating_parameters={"max_gain": 40})
    play_duels(made, 60)
    return made


def page_of(one: Arena) -> str:
    return reverse("admin:league_arena_laboratory", args=[one.pk])


def compare(staff: Client, one: Arena, **given: Any) -> Any:
    """Send the form of the laboratory, by default with the boxes that are ticked at first."""
    form = staff.get(page_of(one)).context["form"]
    fields: dict[str, Any] = {
        "systems": form["systems"].value(),
        "split": form["split"].value().strftime("%Y-%m-%dT%H:%M"),
        **{name: form[name].value() for name in form.fields if name.startswith("fit_")},
    }
    return staff.post(page_of(one), {**fields, **given})


def compared(staff: Client, one: Arena, **given: Any) -> str:
    """Compare systems, and return the address of the page when all are done."""
    answer = compare(staff, one, **given)
    assert answer.status_code == 302, words(answer)
    assert {job.state for job in work_off()} <= {Job.State.DONE, Job.State.FAILED}
    return str(answer["Location"])


def decide(staff: Client, page: str, way: str, **given: str) -> HttpResponse:
    seen = staff.get(page).context["form"]["seen"].value()
    answer: Any = staff.post(page, {"seen": seen, "entry": "elo", "way": way, **given}, follow=True)
    return answer  # type: ignore[no-any-return]


def test_one_click_compares_the_arenas_own_rules_with_others(staff: Client, elo: Arena) -> None:
    entry = reverse("admin:league_arena_change", args=[elo.pk])
    assert page_of(elo) in staff.get(entry).content.decode()
    page = compare(staff, elo)["Location"]
    text = words(staff.get(page))
    assert "Elo, as it is : Waiting for a worker" in text
    assert "Laurel, fitted : Waiting for a worker" in text
    work_off()
    text = words(staff.get(page))
    assert "Training matches: 30; judged: 30." in text
    for label in ("Elo, as it is", "Laurel, fitted", "Glicko-2, fitted"):
        assert label in text
    assert "best" in text
    assert "Largest gain (K) 40" in text
    assert "Waiting" not in text
    assert text.count("The numbers Forecast Came first Sides") == 4
    job = Job.objects.latest("pk")
    shown = staff.get(reverse("admin:league_job_change", args=[job.pk]))
    assert words(staff.get(shown.context["result"])) == text
    assert "by olga" in words(staff.get(page_of(elo)))


def test_the_difference_from_the_arenas_own_rules_is_shown(staff: Client, elo: Arena) -> None:
    page = staff.get(compared(staff, elo, systems=["elo", "laurel"]))
    rows = {row.key: row for row in page.context["report"].rows}
    assert rows["own"].gain.value == "–"
    for key in ("elo", "laurel"):
        found = [
            Job.objects.get(kind="lab", given__entry=one).result["trial"]["log_loss"]
            for one in (key, "own")
        ]
        assert rows[key].gain.value.replace("\N{MINUS SIGN}", "-") == f"{found[0] - found[1]:.4f}"
        assert " to " in rows[key].gain.within


def test_a_period_that_is_too_short_for_the_arena_is_warned_of(staff: Client) -> None:
    slow = arena("slow", rating_system="glicko-2", rating_parameters={"deviation_period": "1h"})
    play_duels(slow, 40)
    text = words(staff.get(compared(staff, slow, systems=["glicko-2"])))
    assert text.count("ratings in Glicko-2 grow uncertain after 1 hour without one") == 1
    assert "Set “Deviation: period of inactivity” in the arena to about" in text


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"systems": []}, "Choose a system to compare with."),
        ({"systems": ["nonsense"]}, "“nonsense” cannot rate the matches of this arena."),
        ({"fit_elo": ["nonsense"]}, "There is no parameter “nonsense” that can be fitted."),
        ({"fit_elo": []}, "Elo is compared as the arena has it anyway."),
        ({"fit_elo": ["T", "mean", "decay", "max_gain"]}, "Elo: fit up to 3 parameters."),
        ({"split": ""}, "This field is required."),
        ({"split": "soon"}, "Enter a valid date/time."),
        ({"split": "0001-01-01T00:00"}, "The year must be from 1000 to 2999."),
        ({"split": "9999-12-31T23:59"}, "The year must be from 1000 to 2999."),
        ({"split": "2026-02-28T00:00"}, "0 matches were played from then on"),
        ({"split": "2025-02-28T00:00"}, "0 matches were played before"),
    ],
)
def test_bad_input_is_explained_at_its_field(
    staff: Client, elo: Arena, given: dict[str, Any], says: str
) -> None:
    answer = compare(staff, elo, **given)
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


def test_an_arena_with_few_matches_has_no_form(staff: Client, duel: Arena) -> None:
    answer = staff.get(page_of(duel))
    assert "needs at least 20 rated matches in a season, and here are 0" in words(answer)
    assert 'name="systems"' not in answer.content.decode()
    assert "here are 0" in words(staff.post(page_of(duel), {"systems": ["elo"]}))
    assert not Job.objects.exists()


def test_a_second_comparison_waits_for_the_first(staff: Client, elo: Arena) -> None:
    page = compare(staff, elo)["Location"]
    assert "are being compared here already" in words(compare(staff, elo))
    text = words(staff.post(page, {"way": "cancel"}, follow=True))
    assert "It stops at its next step." in text
    work_off()
    assert "Cancelled." in words(staff.get(page))
    staff.post(page, {"way": "again"})
    work_off()
    text = words(staff.get(page))
    assert "Laurel, fitted" in text
    assert "Cancelled" not in text


def test_a_comparison_that_goes_on_shows_what_is_done(staff: Client, elo: Arena) -> None:
    page = compare(staff, elo)["Location"]
    answer = staff.get(page, headers={"HX-Request": "true"})
    assert answer.content.startswith(b'<div id="comparison-progress"')
    Job.objects.exclude(pk=Job.objects.earliest("pk").pk).update(cancelled_at=database_now())
    work_off()
    text = words(staff.get(page))
    assert "Elo, as it is" in text
    assert "Cancelled." in text


def test_a_system_is_used_in_the_next_season(staff: Client, elo: Arena) -> None:
    page = compared(staff, elo, systems=["elo", "laurel"])
    assert "Give a reason" in words(decide(staff, page, "use"))
    assert "will have these rules" in words(decide(staff, page, "use", reason="Forecasts better"))
    held = Arena.objects.get(pk=elo.pk)
    job = Job.objects.get(kind="lab", given__entry="elo")
    assert held.rating_parameters == job.result["trial"]["parameters"]
    assert held.rating_parameters["max_gain"] != 40
    assert held.season_rules == elo.season_rules
    season = elo.seasons.get()
    assert (season.rules_version, season.rating_parameters["max_gain"]) == (1, 40.0)
    action = StaffAction.objects.get(kind=StaffAction.Kind.RULES)
    assert (action.actor.username, action.reason) == ("olga", "Forecasts better")
    assert action.before == {"Largest gain (K)": "40"}
    assert "has these rules already" in words(decide(staff, page, "use", reason="Again"))


def test_rules_that_changed_since_are_not_overwritten(staff: Client, elo: Arena) -> None:
    page = compared(staff, elo, systems=["elo"])
    seen = staff.get(page).context["form"]["seen"].value()
    Arena.objects.filter(pk=elo.pk).update(rating_parameters={"max_gain": 24})
    sent = {"seen": seen, "entry": "elo", "way": "use", "reason": "Better"}
    assert "have changed since you saw this page" in words(staff.post(page, sent))
    assert Arena.objects.get(pk=elo.pk).rating_parameters == {"max_gain": 24}
    assert not StaffAction.objects.filter(kind=StaffAction.Kind.RULES).exists()


def test_a_system_that_no_longer_fits_the_arena_is_not_used(staff: Client, elo: Arena) -> None:
    page = compared(staff, elo, systems=["wager"])
    Arena.objects.filter(pk=elo.pk).update(sides_max=4, format=Format.FREE_FOR_ALL)
    text = words(decide(staff, page, "use", entry="wager", reason="Better"))
    assert "two sides only" in text
    assert Arena.objects.get(pk=elo.pk).rating_system == "elo"


def test_a_system_is_tried_on_the_season(staff: Client, elo: Arena) -> None:
    page = compared(staff, elo, systems=["laurel"])
    decide(staff, page, "try", entry="laurel")
    [job] = work_off()
    assert job.state == Job.State.DONE, job.refusal
    trial = Trial.objects.get()
    assert (trial.season, trial.rating_system) == (elo.seasons.get(), "laurel")
    Season.objects.update(archived_at=database_now())
    assert "is archived" in words(decide(staff, page, "try", entry="laurel"))


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({"way": "use", "entry": "nonsense"}, "nonsense is not one of the available choices"),
        ({"way": "use", "entry": ""}, "Choose one of the systems that are done."),
        ({"way": "nonsense"}, "Choose what to do next."),
        ({"way": "use", "seen": "", "reason": "So"}, "have changed since you saw this page"),
    ],
)
def test_a_forged_decision_is_explained(
    staff: Client, elo: Arena, sent: dict[str, str], says: str
) -> None:
    page = compared(staff, elo, systems=["elo"])
    assert says in words(decide(staff, page, **{"reason": "Better", **sent}))
    assert Arena.objects.get(pk=elo.pk).rating_parameters == elo.rating_parameters


def test_a_job_that_is_no_comparison_has_no_page(staff: Client, olga: Player) -> None:
    missing = reverse("admin:league_arena_comparison", args=[12345])
    assert staff.get(missing).status_code == 404


def test_a_comparison_takes_few_statements(
    staff: Client, elo: Arena, django_assert_max_num_queries: object
) -> None:
    page = compared(staff, elo)
    with django_assert_max_num_queries(16):  # type: ignore[operator]
        staff.get(page)
    with django_assert_max_num_queries(16):  # type: ignore[operator]
        staff.get(page_of(elo))
