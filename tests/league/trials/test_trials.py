"""Trials: a season replayed under other rules, with nothing changed but the trial."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest

from league.models import Arena, Job, Player, Rating, Season, Trial, User
from league.services.core.errors import Conflict, Refused
from league.services.jobs import jobs
from league.services.seasons.changing import Rules
from league.services.standings.rebuilding import rebuild
from league.services.trials import asking
from league.work import WORK
from ratings.history import Match, Participant, Side
from ratings.registry import build
from tests.support.cast import NOW, arena, side
from tests.support.imported_histories import START, import_matches, stored_history
from tests.support.point_steps import plays, with_points
from tests.support.result_steps import user_of
from tests.support.season_steps import win

if TYPE_CHECKING:
    from collections.abc import Mapping

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss(olga: Player) -> User:
    return user_of(olga)


@pytest.fixture
def elo(db: None) -> Arena:
    return arena("elo", rating_system="elo", sides_max=3)


def rules(
    season: Season, system: str = "", groups: Mapping[str, Any] | None = None, **given: Any
) -> Rules:
    held = Rules.of(season)
    base = held.parameters if system in {"", held.system} else {}
    made = build(system or held.system, {**base, **given})
    return Rules(
        made.name, made.parameters.model_dump(mode="json"), {**held.season, **(groups or {})}
    )


def tried(season: Season, boss: User, *args: Any, **given: Any) -> Trial:
    """Ask for a trial and carry it out."""
    job = asking.ask(season, rules(season, *args, **given), by=boss, now=NOW)
    jobs.carry_out(job.pk, WORK, NOW)
    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.refusal
    return Trial.objects.get(pk=cast("dict[str, int]", job.result)["trial"])


def report_of(trial: Trial) -> dict[str, Any]:
    """Return what a trial found."""
    return cast("dict[str, Any]", trial.report)


def test_a_trial_shows_what_the_rules_would_have_made_of_the_season(
    elo: Arena, alice: Player, bob: Player, charlie: Player, dora: Player, boss: User
) -> None:
    for winner, loser in ((alice, bob), (bob, charlie), (dora, charlie), (alice, dora)):
        win(elo, winner, loser)
    season = elo.seasons.get()
    before = stored_history(season)
    trial = tried(season, boss, max_gain=64.0)
    assert stored_history(season) == before
    assert trial.changes == [{"field": "Largest gain (K)", "old": "32", "new": "64"}]

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
    assert report["forecasts"]["matches"] == 4
    assert report["forecasts"]["old"]["log_loss"] != report["forecasts"]["new"]["log_loss"]
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
    assert report_of(trial)["forecasts"]["new"]["log_loss"] > 0
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
    job = asking.ask(season, rules(season, "wager"), by=boss, now=NOW)
    jobs.carry_out(job.pk, WORK, NOW)
    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "two sides only" in job.refusal


def test_what_needs_no_trial_is_refused(elo: Arena, alice: Player, bob: Player, boss: User) -> None:
    season = elo.seasons.get()
    with pytest.raises(Refused, match="no rated result"):
        asking.ask(season, rules(season, max_gain=64.0), by=boss, now=NOW)
    win(elo, alice, bob)
    with pytest.raises(Refused, match="These are the rules"):
        asking.ask(season, rules(season), by=boss, now=NOW)
    start = {"start": {"placement": "carry-over"}}
    with pytest.raises(Refused, match="start of seasons"):
        asking.ask(season, rules(season, groups=start), by=boss, now=NOW)
    for gain in (50.0, 51.0, 52.0):
        asking.ask(season, rules(season, max_gain=gain), by=boss, now=NOW)
    with pytest.raises(Conflict, match="still running"):
        asking.ask(season, rules(season, max_gain=53.0), by=boss, now=NOW)
    season.archived_at = NOW
    with pytest.raises(Conflict, match="archived"):
        asking.ask(season, rules(season, max_gain=64.0), by=boss, now=NOW)
