"""The demo's competitions: one that is over, and a Swiss, a bracket and a table in progress."""

import pytest

from league.models import Arena, Competition, Fixture, Match, Team
from league.services.competitions import pages
from league.services.demo import chess, seeding, teams
from league.services.integrity.ratings import verify
from tests.support.cast import NOW, account, arena


def competition(name: str) -> pages.CompetitionPage:
    return pages.load(Competition.objects.get(name=name))


def test_the_chess_club_has_a_finished_season_a_swiss_and_a_bracket(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, smaller in {"CLUB": 32, "EVENINGS": 2, "BOARDS": 12}.items():
        monkeypatch.setattr(chess, name, smaller)
    captains = [account(name) for name in seeding.CAPTAINS]
    chess.seed_chess(NOW, seeding.CAPTAINS)
    first = Competition.objects.get(name="First league").season
    assert first.archived_at
    assert first.final_standings.exists()
    assert competition("First league").winner
    swiss = competition("Club championship")
    assert len(swiss.entrants) == 32
    played = [one for one in swiss.ended.values() if one.is_decided]
    assert len(played) == 4 * 16
    cup = competition("Knock-out cup")
    assert cup.competition.state == Competition.State.RUNNING
    being_played = [
        one for one in cup.fixtures if one.round.opened_at and not cup.ended[one.pk].is_decided
    ]
    assert len(being_played) == 2, "the semi-finals"
    opened = [one.number for one in swiss.rounds if one.opened_at]
    assert opened == [1, 2, 3, 4, chess.SWISS_ROUNDS], "the last round"
    assert {one.player_id for one in cup.entrants} >= {captain.pk for captain in captains}
    assert not Fixture.objects.exclude(attention="").exists()
    for season in Competition.objects.get(name="Club championship").season.arena.seasons.all():
        assert verify(season) == []


def test_only_missing_arenas_are_created(monkeypatch: pytest.MonkeyPatch) -> None:
    created = []
    monkeypatch.setattr(chess, "seed_chess", lambda *_: created.append("chess"))
    monkeypatch.setattr(teams, "seed_teams", lambda *_: created.append("teams"))
    for slug in seeding.ARENAS:
        arena(slug)
    assert seeding.seed(NOW).arenas == []
    Arena.objects.filter(slug="chess").update(slug="club")
    assert seeding.seed(NOW).arenas == ["Chess club"]
    Arena.objects.filter(slug="club").update(name="Chess club")
    assert seeding.seed(NOW).arenas == []
    assert created == ["chess"]


def test_teams_have_pictures_and_play_a_league() -> None:
    teams.seed_teams(NOW)
    assert Team.objects.exclude(picture="").count() == 8
    assert len({team.picture for team in Team.objects.all()}) == 8
    league = competition("Spring league")
    assert len(league.tables[0].lines) == 8
    assert sum(one.is_decided for one in league.ended.values()) == 4 * 4
    sides = Match.objects.filter(sides__roster__team__isnull=False)
    assert sides.count() == 2 * 16
