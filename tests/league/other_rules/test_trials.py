"""Trials: a season replayed under other rules, with nothing changed but the trial."""

import math
from collections.abc import Mapping
from typing import Any, cast

import pytest
from django.db import connection

from league.models import Arena, Job, Player, Rating, Season, Trial, User
from league.services.core.errors import Conflict, Refused
from league.services.jobs import jobs
from league.services.other_rules import asking, outcomes, replaying
from league.services.other_rules.candidates import TYPED, Candidate, with_changes
from league.services.rating.tail import read_tail
from league.services.seasons.changing import Rules
from league.services.standings.rebuilding import rebuild
from league.work import WORK
from ratings.history import Match, Participant, Side
from ratings.lab.evaluation import evaluate
from ratings.registry import build
from tests.support.cast import NOW, OPENING, arena, side
from tests.support.imported_histories import START, import_matches, stored_history
from tests.support.other_rules_steps import work_off
from tests.support.point_steps import plays, with_points
from tests.support.season_steps import win


@pytest.fixture
def elo(db: None) -> Arena:
    return arena("elo", rating_system="elo", sides_max=3)


def typed(
    season: Season, system: str = "", groups: Mapping[str, Any] | None = None, **given: Any
) -> Arena:
    """Return the arena of a season as if other rules were typed in its form."""
    held = Rules.of(season)
    base = held.parameters if system in {"", held.system} else {}
    one = Arena.objects.get(pk=season.arena_id)
    one.rating_system = system or held.system
    one.rating_parameters = {**base, **given}
    one.season_rules = {**held.season, **(groups or {})}
    return one


def tried(season: Season, boss: User, *args: Any, **given: Any) -> Trial:
    """Ask for a trial and carry it out."""
    job = asking.ask_typed(season, typed(season, *args, **given), by=boss, now=NOW)
    jobs.carry_out(job.pk, WORK, NOW)
    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.refusal
    return Trial.objects.get(pk=cast("dict[str, int]", job.result)["trial"])


def report_of(trial: Trial) -> dict[str, Any]:
    """Return what a trial found about the typed rules."""
    found: dict[str, Any] = cast("dict[str, Any]", trial.report)["found"][TYPED]
    return found


def test_a_trial_shows_what_the_rules_would_have_made_of_the_season(
    elo: Arena, alice: Player, bob: Player, charlie: Player, dora: Player, boss: User
) -> None:
    for winner, loser in ((alice, bob), (bob, charlie), (dora, charlie), (alice, dora)):
        win(elo, winner, loser)
    season = elo.seasons.get()
    before = stored_history(season)
    trial = tried(season, boss, max_gain=64.0)
    assert stored_history(season) == before
    [(_candidate, changes)] = with_changes(trial)
    assert changes == [{"field": "Largest gain (K)", "old": "32", "new": "64"}]

    twin = arena("twin", rating_system="elo", rating_parameters={"max_gain": 64.0})
    for winner, loser in ((alice, bob), (bob, charlie), (dora, charlie), (alice, dora)):
        win(twin, winner, loser)
    moved = {move.player_id: move for move in trial.moves.all()}
    now = dict(Rating.objects.filter(season__arena=twin).values_list("player", "rating"))
    was = dict(Rating.objects.filter(season=season).values_list("player", "rating"))
    assert {player: move.rating_after for player, move in moved.items()} == now
    assert {player: move.rating_before for player, move in moved.items()} == was

    report = report_of(trial)
    assert (report["matches"], report["players"], report["rerated"]) == (4, 4, 4)
    assert report["largest"] == max(abs(now[player] - was[player]) for player in now)
    assert report["ranked"] == [4, 4]
    assert report["judged"] == 4
    own = cast("dict[str, Any]", trial.report)["own"]
    assert own["details"]["log_loss"] != report["details"]["log_loss"]
    assert sum(count for *_group, count in report["rank_moves"]) == 4
    assert sum(count for *_range, count in report["rating_moves"]) == 4


def test_the_leaderboards_of_a_trial_are_those_that_the_site_would_show(
    elo: Arena, alice: Player, bob: Player, charlie: Player, boss: User
) -> None:
    win(elo, alice, bob)
    win(elo, bob, charlie)
    win(elo, bob, charlie)
    season = elo.seasons.get()
    rebuild(season, NOW)
    cuts = {"cuts": {"by": "rank"}, "divisions": [{"name": "Rest"}, {"name": "Best", "first": 1}]}
    two = {**season.rules["ranked"], "placement_matches": 2, "returning_matches": 2}
    trial = tried(season, boss, groups={"ranked": two, **cuts})
    report = report_of(trial)
    assert (report["ranked"], report["leaving"], report["rerated"]) == ([3, 2], 1, 0)
    moved = {move.player_id: move for move in trial.moves.all()}
    assert (moved[alice.pk].rank_before, moved[alice.pk].rank_after) == (1, None)
    assert (moved[bob.pk].rank_before, moved[bob.pk].rank_after) == (2, 1)
    assert moved[bob.pk].division_after == "Best"
    assert moved[charlie.pk].division_after == "Rest"
    assert report["divisions"][0] == ["Best", None, 1]


def test_a_trial_compares_rating_systems_by_ranks_and_forecasts(
    elo: Arena, alice: Player, bob: Player, charlie: Player, boss: User
) -> None:
    win(elo, alice, bob)
    win(elo, bob, charlie)
    trial = tried(elo.seasons.get(), boss, "glicko-2")
    assert not report_of(trial)["same_scale"]
    assert report_of(trial)["rating_moves"] == []
    assert report_of(trial)["details"]["log_loss"]["value"] > 0
    assert report_of(trial)["largest"] is None


def test_a_trial_shows_changed_points(alice: Player, charlie: Player, boss: User) -> None:
    ladder = with_points(points={"table": "conquest"})
    plays(ladder, side(alice, place=0), side(charlie, place=1))
    season = ladder.seasons.get()
    own = [
        {
            "odds": 0.0,
            "checkpoints": [{"score_ratio": 0.0, "points": 0}, {"score_ratio": 1.0, "points": 50}],
        }
    ]
    trial = tried(
        season,
        boss,
        groups={"points": {**season.rules["points"], "table": "own"}, "point_table": own},
    )
    assert report_of(trial)["points"]["players"] >= 1
    assert trial.moves.get(player=alice).points_after == 50


def test_a_system_that_cannot_rate_a_match_of_the_season_says_so(elo: Arena, boss: User) -> None:
    three = [Side(place, [Participant(name)]) for place, name in enumerate("abc")]
    import_matches(elo, [Match("one", START, three)])
    season = elo.seasons.get()
    wager = Candidate("wager", "wager", build("wager").parameters.to_json())
    glicko = Candidate("glicko", "glicko", build("glicko").parameters.to_json())
    for candidates in ([wager], [wager, glicko]):
        asking.ask(season, candidates, NOW, by=boss, now=NOW)
    alone, beside = work_off()
    assert (alone.state, "two sides only" in alone.refusal) == (Job.State.FAILED, True)
    assert beside.state == Job.State.DONE, beside.refusal
    found = cast("dict[str, Any]", Trial.objects.latest("pk").report)["found"]
    assert "two sides only" in found["wager"]["refusal"]
    assert found["glicko"]["players"] == 3


def test_what_needs_no_trial_is_refused(elo: Arena, alice: Player, bob: Player, boss: User) -> None:
    season = elo.seasons.get()

    def ask(*args: Any, **given: Any) -> Job:
        return asking.ask_typed(season, typed(season, *args, **given), by=boss, now=NOW)

    with pytest.raises(Refused, match="no rated result"):
        ask(max_gain=64.0)
    win(elo, alice, bob)
    with pytest.raises(Refused, match="These are the rules"):
        ask()
    with pytest.raises(Refused, match="start of seasons"):
        ask(groups={"start": {"placement": "carry-over"}})
    for gain in (50.0, 51.0, 52.0):
        ask(max_gain=gain)
    with pytest.raises(Conflict, match="still running"):
        ask(max_gain=53.0)


def test_an_archived_season_is_tried_and_stays(
    elo: Arena, alice: Player, bob: Player, boss: User
) -> None:
    win(elo, alice, bob)
    season = elo.seasons.get()
    season.archived_at = NOW
    season.save()
    trial = tried(season, boss, max_gain=64.0)
    assert "is archived" in outcomes.obstacle(trial, TYPED, "next")
    assert "is archived" in outcomes.obstacle(trial, TYPED, "rerate")


def test_players_keep_what_they_started_with_unless_another_system_is_beside(
    elo: Arena, alice: Player, bob: Player, boss: User
) -> None:
    """Forecasts are of the same matches by ratings that began alike, boards as they would be."""
    for _again in range(4):
        win(elo, alice, bob)
    season = elo.seasons.get()
    season.ratings.filter(player=alice).update(opening=[1900.0, None, None])
    candidates = {
        name: Candidate(name, name, build(name, given).parameters.to_json())
        for name, given in (("elo", {"max_gain": 64.0}), ("glicko-2", {}))
    }
    for chosen in (["elo"], ["elo", "glicko-2"]):
        asking.ask(season, [candidates[one] for one in chosen], OPENING, by=boss, now=NOW)
    assert {job.refusal for job in work_off()} == {""}
    alone, beside = (cast("dict[str, Any]", one.report) for one in Trial.objects.order_by("pk"))
    history = read_tail(season, after=0).history()
    for name, found in (("own", beside["own"]), ("elo", beside["found"]["elo"])):
        gain = 32.0 if name == "own" else 64.0
        fresh = evaluate(build("elo", {"max_gain": gain}), history)
        assert found["details"]["log_loss"]["value"] == pytest.approx(fresh.log_loss)
    assert alone["own"]["details"]["log_loss"]["value"] < math.log(2) / 4
    for trial in Trial.objects.all():
        moved = trial.moves.get(player=alice, candidate="elo")
        assert moved.rating_before is not None
        assert moved.rating_before > 1900


def test_a_long_replay_does_not_end_the_transaction(
    elo: Arena, alice: Player, bob: Player, boss: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    win(elo, alice, bob)
    real, limits = replaying.play, []

    def play(*args: Any, **options: Any) -> Any:
        with connection.cursor() as cursor:
            cursor.execute("SHOW idle_in_transaction_session_timeout")
            limits.append(cursor.fetchone())
        return real(*args, **options)

    monkeypatch.setattr(replaying, "play", play)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = '1min'")
    tried(elo.seasons.get(), boss, max_gain=64.0)
    assert limits == [("0",)] * 2
