"""A team's season in review: its figures, its picture, and the archive that leads to it."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Match, Player, Side
from league.services.seasons.ending import end, freeze_early
from league.services.teams import rating
from tests.league.teams.test_badges import clubs, play, team_in
from tests.support.cast import NOW, put_in_order
from tests.support.correction_steps import correct
from tests.support.web_steps import words

pytestmark = pytest.mark.usefixtures("countless_reports")


def test_a_season_in_review(db: None, olga: Player) -> None:
    assert olga.user
    where, (owls, foxes, bears) = clubs(rate=True)
    for days in (9, 8, 7):
        play(foxes, owls, days)
    matches = [play(owls, foxes, 2), play(owls, bears, 1)]
    rating.refresh_all(NOW)
    address = reverse("team_review", args=[owls.team_id, where.seasons.get().pk])
    page = Client().get(address)
    said = words(page)
    assert "so far" in said
    assert "2 won · 0 drawn · 3 lost" in said
    assert "Rival" in said
    shown = page.context["review"]
    assert (shown.rival.team, shown.rival.record.wins) == (team_in(foxes), 1)
    assert (shown.winning.count, shown.regular.games) == (2, 5)
    chances = {
        side.match_id: side.match.forecast[side.index]
        for side in Side.objects.filter(match__in=matches, place=0)
        if side.match.forecast
    }
    assert shown.best_win.match_id == min(chances, key=lambda match: chances[match])
    correct(Match.objects.get(pk=shown.best_win.match_id), olga.user)
    assert Client().get(address).context["review"].winning.count == 1
    assert address in Client().get(f"/teams/{owls.team_id}/").text
    drawn = Client().get(f"{address}picture.png")
    assert drawn["Content-Type"] == "image/png"


def test_the_archive_of_a_season_leads_to_the_best_teams(db: None) -> None:
    where, (owls, foxes, _bears) = clubs(rate=True)
    play(owls, foxes)
    rating.refresh_all(NOW)
    put_in_order()
    season = where.seasons.get()
    assert end(season.pk, now=NOW + timedelta(days=1))
    assert freeze_early(season.pk, now=NOW + timedelta(days=2))
    archive = Client().get(reverse("season", args=[season.pk])).text
    review = reverse("team_review", args=[owls.team_id, season.pk])
    assert review in archive
    assert "Final rank 1" in words(Client().get(review))


def test_a_team_that_did_not_play_has_no_review(db: None) -> None:
    where, (owls, foxes) = clubs(2)
    season = where.seasons.get().pk
    assert Client().get(f"/teams/{owls.team_id}/seasons/{season}/").status_code == 404
    assert Client().get(f"/teams/{owls.team_id}/seasons/0/").status_code == 404
    play(owls, foxes)
    assert Client().get(f"/teams/{owls.team_id}/seasons/{season}/").status_code == 200
