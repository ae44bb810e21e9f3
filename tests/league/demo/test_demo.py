"""The demo league is created once and completely, and says which results are invented."""

from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command
from pytest_django import Settings

from league.models import Arena, Match, Player, Rating, Season, Side, Team, User
from league.models.names import validate_name
from league.services.demo import seeding
from league.services.demo.names import invent_names
from league.services.demo.results import contest_results, ladder_results
from league.services.integrity.ratings import verify
from tests.support.cast import NOW, account, arena


@pytest.fixture
def earlier(db: None) -> list[Player]:
    """A demo league from before it had a ladder and a contest.

    Its competitions, which take long, have tests of their own.
    """
    for slug in ("football", "practice", "chess", "team-league"):
        arena(slug)
    return [account(name) for name in seeding.CAPTAINS]


def test_an_older_demo_league_gets_only_its_missing_arenas(
    earlier: list[Player], tmp_path: Path, settings: Settings
) -> None:
    settings.DATA_DIR = tmp_path
    assert seeding.missing() == ["table-tennis", "saturday-sprint", "skirmish"]
    call_command("demo")
    assert seeding.missing() == []
    assert not (tmp_path / "demo-accounts").exists()
    before = (Match.objects.count(), Player.objects.count(), User.objects.count())
    call_command("demo")
    assert (Match.objects.count(), Player.objects.count(), User.objects.count()) == before


def test_a_renamed_arena_is_not_created_again(earlier: list[Player]) -> None:
    arena("ttc", rating_system="ladder")
    Arena.objects.filter(slug="ttc").update(name=seeding.LADDER)
    Arena.objects.filter(slug="football").update(name="Nations")
    assert seeding.missing() == ["saturday-sprint", "skirmish"]


def test_a_failed_seeding_leaves_nothing_behind(
    earlier: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seeding, "RUNNERS", 10)
    with pytest.raises(ValueError, match="larger sample"):
        seeding.seed(NOW)
    assert seeding.missing() == ["table-tennis", "saturday-sprint", "skirmish"]
    assert Player.objects.count() == len(earlier)


def test_the_ladder_and_the_contest_are_rated_and_say_that_they_are_invented(
    earlier: list[Player],
) -> None:
    seeded = seeding.seed(NOW)
    assert seeded.arenas == ["Table tennis ladder", "Saturday sprint", "Skirmish 5v5"]
    assert seeded.credentials is None
    for slug in ("table-tennis", "saturday-sprint", "skirmish"):
        made = Arena.objects.get(slug=slug)
        assert "invented" in made.description or "simulated" in made.description
        assert verify(made.seasons.get()) == []
        last = made.matches.latest("played_at").played_at
        assert timedelta(0) < NOW - last < timedelta(days=8)
        for player in Player.objects.filter(ratings__season__arena=made):
            validate_name(player.name)
    ladder = Season.objects.get(arena__slug="table-tennis")
    ranks = Rating.objects.filter(season=ladder).order_by("rating").values_list("rating", flat=True)
    assert list(ranks) == list(range(1, 41))
    assert 300 <= ladder.matches.count() <= 500
    england, scotland, brazil, argentina = earlier
    for captain in (england, scotland):
        assert Rating.objects.get(season=ladder, player=captain).games > 5
    sprint = Season.objects.get(arena__slug="saturday-sprint")
    assert sprint.matches.count() == 60
    assert Rating.objects.filter(season=sprint).count() > 150
    for captain in (brazil, argentina):
        assert Rating.objects.get(season=sprint, player=captain).games > 20
    skirmish = Season.objects.get(arena__slug="skirmish")
    assert Rating.objects.filter(season=skirmish).count() == 200
    assert skirmish.arena.queue.is_open
    assert Team.objects.exclude(picture="").count() == 12, "its full rosters are those of teams"
    sizes = [match.sides.count() for match in sprint.matches.all()]
    assert min(sizes) >= 20
    assert max(sizes) <= 60
    assert Side.objects.filter(match__season=sprint, place=0).count() >= 60


def test_nobody_practises_alone(db: None) -> None:
    """The arena for trying things out has a leaderboard from the first minute."""
    for name in seeding.PRACTISING:
        account(name)
    seeding.seed_practice(NOW)
    season = Season.objects.get(arena__slug="practice")
    assert season.matches.filter(status="rated").count() == 8 * 7
    assert Rating.objects.filter(season=season, games=14).count() == 8
    assert season.matches.filter(status="reported").count() == 1
    assert verify(season) == []


def test_the_invented_history_is_the_same_each_time() -> None:
    names = [f"Member {number}" for number in range(200)]
    for results in (ladder_results, contest_results):
        first, again = (results(names, NOW, np.random.default_rng(7)) for _ in range(2))
        assert first.history.places.tolist() == again.history.places.tolist()
        assert first.history.times.tolist() == again.history.times.tolist()
        assert first.history.players == again.history.players
    contests = contest_results(names, NOW, np.random.default_rng(7)).history
    tied = [
        len(set(places.tolist())) < len(places)
        for places in np.split(contests.places, contests.side_offsets[1:-1])
    ]
    assert 20 < sum(tied) < 60


def test_stronger_players_climb_the_invented_ladder() -> None:
    """Winners are drawn by strength, so few players lead the ladder over the year."""
    names = [f"Member {number}" for number in range(40)]
    history = ladder_results(names, NOW, np.random.default_rng(7)).history
    wins = np.bincount(history.player[history.places == 0], minlength=40)
    played = np.bincount(history.player, minlength=40)
    shares = np.sort(wins / played)
    assert shares[:10].mean() < 0.35
    assert shares[-10:].mean() > 0.65


def test_invented_names_differ_from_existing_players(db: None) -> None:
    names = invent_names(50, np.random.default_rng(3))
    assert len(set(names)) == 50
    account(names[0])
    assert names[0] not in invent_names(50, np.random.default_rng(3))
