"""Comparisons of rating systems say what ``manage.py lab`` says, and change nothing."""

from __future__ import annotations

import io
import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast

import pytest
from django.core.management import call_command
from django.urls import reverse

from league.models import Arena, Format, Job, Player, User
from league.services.core.errors import Conflict, Refused
from league.services.jobs import jobs
from league.services.laboratory import asking, comparisons, entries, histories, working
from league.services.results.staff.entering import enter
from league.work import WORK
from tests.support.admin_steps import browser_of
from tests.support.cast import NOW, arena, side
from tests.support.correction_steps import correct
from tests.support.imported_histories import stored_history
from tests.support.lab_steps import play_duels, play_rounds, work_off
from tests.support.result_steps import user_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss(olga: Player) -> User:
    return user_of(olga)


@pytest.fixture
def elo(db: None) -> Arena:
    made = arena("chess", rating_system="elo", rating_parameters={"max_gain": 40})
    play_duels(made, 60)
    return made


def middle(one: Arena) -> datetime:
    season = histories.season_of(one)
    assert season
    return histories.middle_of(season, histories.counted(season)[0])


def compare(
    one: Arena, chosen: Mapping[str, Sequence[str]], boss: User, split: datetime | None = None
) -> list[Job]:
    found = entries.entries(one, chosen)
    return asking.ask(one, found, split or middle(one), by=boss, now=NOW)


def result_of(job: Job) -> dict[str, Any]:
    assert job.state == Job.State.DONE, job.refusal
    return cast("dict[str, Any]", job.result)


def lab(split: datetime, system: str, *more: str) -> dict[str, Any]:
    """Return what the command says, without the time that it took."""
    output = io.StringIO()
    asked = ["--arena", "chess", "--systems", system, "--split", split.isoformat()]
    call_command("lab", *asked, "--full", "--json", *more, stdout=output, stderr=io.StringIO())
    [found] = json.loads(output.getvalue())
    return {name: value for name, value in found.items() if name != "seconds"}


def test_a_comparison_says_what_the_command_says_to_the_last_bit(
    elo: Arena, boss: User, tmp_path: Path
) -> None:
    params = tmp_path / "params.json"
    params.write_text(json.dumps(elo.rating_parameters))
    own = ("--params", str(params))
    split = middle(elo)
    before = stored_history(elo.seasons.get())
    compare(elo, {"elo": ["max_gain"], "laurel": [], "glicko-2": ["deviation_min"]}, boss)
    found = {job.given["entry"]: result_of(job)["trial"] for job in work_off()}
    for trial in found.values():
        del trial["seconds"]
    assert found == {
        "own": lab(split, "elo", *own),
        "elo": lab(split, "elo", "--fit", "max_gain", *own),
        "laurel": lab(split, "laurel"),
        "glicko-2": lab(split, "glicko-2", "--fit", "deviation_min"),
    }
    assert found["elo"]["parameters"]["max_gain"] != 40
    assert found["own"]["parameters"]["max_gain"] == 40
    assert stored_history(elo.seasons.get()) == before


def test_results_that_come_in_meanwhile_do_not_count_for_some_systems_only(
    elo: Arena, boss: User, alice: Player, bob: Player
) -> None:
    compare(elo, {"laurel": []}, boss)
    sides = [side(alice, place=0), side(bob, place=1)]
    enter(elo, sides, by=boss, reason="Seen.", played_at=NOW, now=NOW)
    assert [result_of(job)["trial"]["matches"] for job in work_off()] == [30, 30]


def test_the_leaderboard_as_it_is_stands_beside_that_of_each_system(elo: Arena, boss: User) -> None:
    compare(elo, {"laurel": []}, boss)
    own, laurel = (result_of(job)["board"] for job in work_off())
    assert own["top"] == [[player, rank, rank] for player, rank, _new in own["top"]]
    assert [row[:2] for row in laurel["top"]] == [row[:2] for row in own["top"]]
    assert laurel["ranked"] == [8, 8]
    assert own["entering"] == []


def test_a_cancelled_comparison_keeps_what_is_done_and_starts_the_rest_again(
    elo: Arena, boss: User
) -> None:
    first, second = compare(elo, {"laurel": []}, boss)
    jobs.carry_out(first.pk, WORK, NOW)
    held = comparisons.of_job(second)
    assert held
    comparisons.cancel(held, NOW)
    work_off()
    held = comparisons.of_job(second)
    assert held
    assert list(held.done) == ["own"]
    assert [job.state for job in held.unfinished] == [Job.State.CANCELLED]

    [new] = comparisons.again(held, by=boss, now=NOW)
    assert new.given == second.given
    work_off()
    held = comparisons.of_job(first)
    assert held
    assert list(held.done) == ["own", "laurel"]
    assert not held.unfinished


def test_a_system_that_is_cancelled_half_way_stops_at_its_next_step(
    elo: Arena, boss: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []

    def tell(progress: jobs.Progress, step: str, done: int, total: int) -> None:
        steps.append(step)
        if steps.count("Fitting parameters") == 3:
            jobs.cancel(progress.job, NOW)
        told(progress, step, done, total)

    told = jobs.Progress.__call__
    monkeypatch.setattr(jobs.Progress, "__call__", tell)
    monkeypatch.setattr(jobs, "EVERY", 0)
    _own, laurel = compare(elo, {"laurel": ["drift"]}, boss)
    jobs.carry_out(laurel.pk, WORK, NOW)
    laurel.refresh_from_db()
    assert (laurel.state, laurel.result) == (Job.State.CANCELLED, None)
    assert steps == ["Reading results", *["Fitting parameters"] * 3]


def test_two_comparisons_of_an_arena_do_not_run_at_once(elo: Arena, boss: User) -> None:
    compare(elo, {"laurel": []}, boss)
    with pytest.raises(Conflict, match="already"):
        compare(elo, {"glicko-2": []}, boss)
    work_off()
    compare(elo, {"glicko-2": []}, boss)


def test_one_person_cannot_fill_the_queue_of_jobs(boss: User) -> None:
    for slug in ("one", "two", "three"):
        play_duels(arena(slug, rating_system="elo"), 24)
    compare(Arena.objects.get(slug="one"), {"laurel": []}, boss)
    compare(Arena.objects.get(slug="two"), {"laurel": []}, boss)
    with pytest.raises(Conflict, match="2 of your comparisons"):
        compare(Arena.objects.get(slug="three"), {"laurel": []}, boss)


def test_corrected_results_do_not_mix_with_those_of_before(elo: Arena, boss: User) -> None:
    compare(elo, {"laurel": []}, boss)
    season = elo.seasons.get()
    season.rules_version += 1
    season.save()
    states = {(job.state, "rules of the season" in job.refusal) for job in work_off()}
    assert states == {(Job.State.FAILED, True)}


def test_a_voided_result_ends_what_has_not_begun(elo: Arena, boss: User) -> None:
    first, second = compare(elo, {"laurel": []}, boss)
    jobs.carry_out(first.pk, WORK, NOW)
    correct(elo.seasons.get().matches.earliest("rated_order"), boss)
    [job] = work_off()
    assert (job.pk, job.state) == (second.pk, Job.State.FAILED)
    assert "were corrected meanwhile" in job.refusal


@pytest.mark.parametrize(
    ("settings", "sides", "size"),
    [
        ({}, 2, 1),
        ({"team_size_max": 3}, 2, 3),
        ({"format": Format.FREE_FOR_ALL, "sides_max": 4}, 4, 1),
    ],
)
def test_every_system_that_fits_the_format_is_judged_and_shown(
    boss: User, settings: dict[str, Any], sides: int, size: int
) -> None:
    one = arena("some", rating_system="elo", **settings)
    play_rounds(one, 24, sides=sides, size=size)
    able = entries.systems_for(one)
    start = [
        entries.Entry(
            name,
            name,
            entries.start_of(one, name).parameters.to_json(),
            entries.start_of(one, name).fitted,
        )
        for name in able
    ]
    asking.ask(one, start, middle(one), by=boss, now=NOW)
    done = work_off()
    assert {job.given["entry"]: job.refusal for job in done} == dict.fromkeys(able, "")
    page = browser_of(boss).get(reverse("admin:league_arena_comparison", args=[done[0].pk]))
    assert page.status_code == 200
    assert len(page.context["report"].rows) == len(able) > 5


def test_a_system_that_takes_too_long_is_given_up(
    elo: Arena, boss: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(working, "LONGEST", timedelta(0))
    compare(elo, {"laurel": []}, boss)
    assert {"longer than" in job.refusal for job in work_off()} == {True}


def test_what_cannot_be_compared_is_refused(
    elo: Arena, boss: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(chosen: Mapping[str, Sequence[str]], split: datetime | None = None) -> str:
        with pytest.raises(Refused) as refusal:
            compare(elo, chosen, boss, split)
        return refusal.value.message

    assert "Choose a system" in refused({})
    assert "up to 6" in refused({name: [] for name in list(entries.systems_for(elo))[:7]})
    assert "cannot rate" in refused({"nonsense": []})
    assert "compared as the arena has it" in refused({"elo": []})
    assert "no parameter “nonsense”" in refused({"elo": ["nonsense"]})
    assert "no parameter “margin”" in refused({"elo": ["margin"]})
    four = ["T", "max_gain", "mean", "decay"]
    assert "fit up to 3 parameters" in refused({"elo": four})
    assert "0 matches were played from then on" in refused({"laurel": []}, NOW)
    long_ago = NOW - timedelta(days=3650)
    assert "0 matches were played before" in refused({"laurel": ["drift"]}, long_ago)
    monkeypatch.setattr(asking, "MOST_MATCHES", 59)
    assert "takes up to 59" in refused({"laurel": []})
    assert not Job.objects.exists()


def test_an_arena_with_few_matches_is_told(boss: User) -> None:
    few = arena("few", rating_system="elo")
    play_duels(few, 19)
    with pytest.raises(Refused, match="at least 20 rated matches in a season, and here are 19"):
        compare(few, {"laurel": []}, boss)


@pytest.mark.parametrize(
    ("settings", "fits"),
    [
        ({}, {"elo", "wager", "laurel"}),
        ({"team_size_max": 3}, {"laurel", "glicko-2"}),
    ],
)
def test_only_systems_that_fit_the_format_are_offered(
    db: None, settings: dict[str, int], fits: set[str]
) -> None:
    one = arena("some", **settings)
    able = set(entries.systems_for(one))
    assert fits <= able
    assert ("ladder" in able) == (not settings)


def test_a_period_shorter_than_the_gaps_between_matches_is_noted(elo: Arena, boss: User) -> None:
    found = entries.entries(elo, {"glicko-2": []})
    short = {**found[1].parameters, "deviation_period": "1h"}
    found[1] = entries.Entry("glicko-2", "glicko-2", short)
    asking.ask(elo, found, middle(elo), by=boss, now=NOW)
    own, glicko = (result_of(job)["pace"] for job in work_off())
    assert own is None
    assert glicko["gap"] > glicko["period"] == 3600
