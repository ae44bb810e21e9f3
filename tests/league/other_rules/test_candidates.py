"""Candidates are judged as ``manage.py lab`` judges systems, by the same matches."""

import io
import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from django.core.management import call_command
from django.urls import reverse

from league.models import Arena, Format, Job, Season, Trial, User
from league.services.core.errors import Refused
from league.services.jobs import jobs
from league.services.other_rules import asking, candidates, working
from league.services.rating.learnt import learnt_in
from league.work import WORK
from tests.support.admin_steps import browser_of
from tests.support.cast import NOW, arena
from tests.support.imported_histories import HOUR, START, import_matches, stored_history
from tests.support.other_rules_steps import play_duels, play_rounds, work_off
from tests.support.rating_histories import contest


@pytest.fixture
def season(db: None) -> Season:
    made = arena("chess", rating_system="elo", rating_parameters={"max_gain": 40})
    play_duels(made, 60)
    return made.seasons.get()


def middle(one: Season) -> datetime:
    return asking.middle_of(one, asking.rated_games(one).count())


def try_out(
    one: Season,
    systems: Mapping[str, Sequence[str]],
    boss: User,
    split: datetime | None = None,
    settings: Sequence[str] = (),
) -> Job:
    found = candidates.choose(one, systems, settings)
    return asking.ask(one, found, split or middle(one), by=boss, now=NOW)


def found_by(job: Job) -> dict[str, Any]:
    """Let a worker do a job, and return what it found."""
    jobs.carry_out(job.pk, WORK, NOW)
    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.refusal
    return cast("dict[str, Any]", Trial.objects.get(pk=job.given["trial"]).report)


def lab(split: datetime, system: str, *more: str) -> dict[str, Any]:
    """Return the parameters and details that the command prints."""
    output = io.StringIO()
    asked = ["--arena", "chess", "--systems", system, "--split", split.isoformat()]
    call_command("lab", *asked, "--full", "--json", *more, stdout=output, stderr=io.StringIO())
    [found] = json.loads(output.getvalue())
    return {"parameters": found["parameters"], "details": found["details"]}


def test_a_trial_says_what_the_command_says_to_the_last_bit(
    season: Season, boss: User, tmp_path: Path
) -> None:
    params = tmp_path / "params.json"
    params.write_text(json.dumps(season.rating_parameters))
    own, split, before = ("--params", str(params)), middle(season), stored_history(season)
    systems = {"elo": ["max_gain"], "laurel": [], "glicko-2": ["deviation_min"]}
    report = found_by(try_out(season, systems, boss))
    tried = candidates.candidates_of(Trial.objects.get())
    found = {
        key: {"parameters": tried[key].parameters, "details": one["details"]}
        for key, one in report["found"].items()
    }
    assert found == {
        "elo": lab(split, "elo", "--fit", "max_gain", *own),
        "laurel": lab(split, "laurel"),
        "glicko-2": lab(split, "glicko-2", "--fit", "deviation_min"),
    }
    assert report["own"]["details"] == lab(split, "elo", *own)["details"]
    assert (report["taught"], report["own"]["judged"]) == (30, 30)
    assert tried["elo"].parameters["max_gain"] != 40
    assert stored_history(season) == before


def test_the_fitted_largest_gain_would_have_predicted_the_season_better(boss: User) -> None:
    wild = arena("chess", rating_system="elo", rating_parameters={"max_gain": 400})
    play_duels(wild, 200)
    season = wild.seasons.get()
    report = found_by(try_out(season, {"elo": ["max_gain"]}, boss))
    assert 5 < candidates.candidates_of(Trial.objects.get())["elo"].parameters["max_gain"] < 200
    before, after = report["found"]["elo"]["fitting"]
    assert before > after
    assert report["found"]["elo"]["gain"]["high"] < 0
    assert Season.objects.get().rating_parameters["max_gain"] == 400


def test_the_leaderboard_as_it_is_stands_beside_that_of_each_system(
    season: Season, boss: User
) -> None:
    report = found_by(try_out(season, {"laurel": [], "trueskill": []}, boss))
    trial = Trial.objects.get()
    assert len(report["top"]) == report["found"]["laurel"]["ranked"][1] == 8
    for player, was, *ranks in report["top"]:
        for key, rank in zip(("laurel", "trueskill"), ranks, strict=True):
            moved = trial.moves.get(player=player, candidate=key)
            assert (moved.rank_before, moved.rank_after) == (was, rank)


def test_a_trial_that_is_cancelled_half_way_stops_at_its_next_step(
    season: Season, boss: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    call = jobs.Progress.__call__

    def tell(progress: jobs.Progress, step: str, done: int, total: int) -> None:
        steps.append(step)
        if steps.count("Laurel, fitted: fitting parameters") == 3:
            jobs.cancel(progress.job, NOW)
        call(progress, step, done, total)

    monkeypatch.setattr(jobs.Progress, "__call__", tell)
    monkeypatch.setattr(jobs, "EVERY", 0)
    job = try_out(season, {"laurel": ["drift"]}, boss)
    jobs.carry_out(job.pk, WORK, NOW)
    job.refresh_from_db()
    assert (job.state, steps[-1]) == (Job.State.CANCELLED, "Laurel, fitted: fitting parameters")
    assert Trial.objects.get().report is None


@pytest.mark.parametrize(
    ("settings", "sides", "size"),
    [
        ({}, 2, 1),
        ({"team_size_max": 3}, 2, 3),
        ({"format": Format.FREE_FOR_ALL, "sides_max": 4}, 4, 1),
    ],
)
def test_every_system_and_preset_that_fits_the_format_is_judged_and_shown(
    boss: User, settings: dict[str, Any], sides: int, size: int
) -> None:
    one = arena("some", rating_system="elo", **settings)
    play_rounds(one, 24, sides=sides, size=size)
    season = one.seasons.get()
    able = {
        name: candidates.start_of(season, name).fitted
        for name in candidates.systems_for(one)
        if candidates.start_of(season, name).fitted or name != "elo"
    }
    chosen = [candidates.make_candidate(season, name, fitted) for name, fitted in able.items()]
    chosen += candidates.list_settings(season).values()
    found_by(asking.ask(season, chosen, middle(season), by=boss, now=NOW))
    trial = Trial.objects.get()
    assert {one["refusal"] for one in (trial.report or {})["found"].values()} == {""}
    page = browser_of(boss).get(reverse("admin:league_trial_change", args=[trial.pk]))
    assert page.status_code == 200
    assert len(page.context["rows"]) == len(chosen) + 1 > 6


def test_a_candidate_that_takes_too_long_is_given_up(
    season: Season, boss: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(working, "LONGEST", timedelta(0))
    try_out(season, {"laurel": []}, boss)
    assert {"longer than" in job.refusal for job in work_off()} == {True}


def test_what_cannot_be_compared_is_refused(season: Season, boss: User) -> None:
    def refused(
        chosen: Mapping[str, Sequence[str]], split: datetime | None = None, *settings: str
    ) -> str:
        with pytest.raises(Refused) as refusal:
            try_out(season, chosen, boss, split, settings)
        return refusal.value.message

    assert "Choose a system or settings" in refused({})
    many = [name for name in candidates.systems_for(season.arena) if name != "elo"]
    assert "up to 6" in refused({name: [] for name in many[:7]})
    assert "cannot rate" in refused({"nonsense": []})
    assert "compared as the season has it" in refused({"elo": []})
    assert "no parameter “nonsense”" in refused({"elo": ["nonsense"]})
    assert "no parameter “margin”" in refused({"elo": ["margin"]})
    assert "fit up to 3 parameters" in refused({"elo": ["T", "max_gain", "mean", "decay"]})
    assert "settings from the list" in refused({}, None, "preset:nonsense")
    assert "0 matches were played from then on" in refused({"laurel": ["drift"]}, NOW)
    long_ago = NOW - timedelta(days=3650)
    assert "0 matches were played before" in refused({"laurel": ["drift"]}, long_ago)
    assert not Job.objects.exists()


def test_few_matches_are_rated_again_but_nothing_is_fitted_to_them(boss: User) -> None:
    few = arena("few", rating_system="elo")
    play_duels(few, 12)
    season = few.seasons.get()
    assert candidates.suggest(season, fits=False) == ["laurel", "glicko-2", "trueskill"]
    with pytest.raises(Refused, match="6 matches were played from then on"):
        try_out(season, {"laurel": ["drift"]}, boss)
    assert found_by(try_out(season, {"laurel": []}, boss))["own"]["judged"] == 6


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
    able = set(candidates.systems_for(one))
    assert fits <= able
    assert ("ladder" in able) == (not settings)


def test_a_search_for_the_first_side_starts_at_what_was_learnt(db: None) -> None:
    """Learnt by the season's own Laurel; other parameters start where they are."""
    made = arena("home", rating_system="laurel")
    names = ["Ann", "Bob", "Cid", "Dan"]
    import_matches(
        made,
        [
            contest(
                [names[number % 4]],
                [names[(number + 1 + number % 3) % 4]],
                at=START + number * HOUR,
                match_id=str(number),
                first=0,
            )
            for number in range(200)
        ],
    )
    one = made.seasons.get()
    learnt = learnt_in(one)
    assert learnt is not None
    assert learnt.first_side is not None
    assert learnt.first_side > 100
    fitted = candidates.make_candidate(one, "elo", ["max_gain", "first_side"])
    assert fitted.parameters["first_side"] == pytest.approx(learnt.first_side)
    assert candidates.make_candidate(one, "elo", ["max_gain"]).parameters["first_side"] == 0
    assert candidates.make_candidate(one, "elo", []).parameters["first_side"] == 0


def test_settings_are_those_saved_those_typed_and_presets(season: Season, boss: User) -> None:
    one = Arena.objects.get(pk=season.arena_id)
    assert candidates.SAVED not in candidates.list_settings(season)
    one.rating_parameters = {"max_gain": 24}
    asking.ask_typed(season, one, by=boss, now=NOW)
    one.rating_parameters = {"max_gain": 20}
    one.save()
    season = Season.objects.select_related("arena").get()
    found = candidates.list_settings(season)
    typed = f"typed:{Trial.objects.get().pk}"
    assert found[typed].parameters["max_gain"] == 24
    assert found["saved"].parameters["max_gain"] == 20
    assert found["preset:ladder"].system == "ladder"
    assert found["preset:ladder"].label == "1v1 ladder"
    report = found_by(try_out(season, {}, boss, settings=[typed, "saved", "preset:ladder"]))
    assert set(report["found"]) == {typed, "saved", "preset:ladder"}
    assert {one["refusal"] for one in report["found"].values()} == {""}
