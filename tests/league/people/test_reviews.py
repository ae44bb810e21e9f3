"""A player's season in review: its figures, its picture, and who may read it."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, Match, Player, Side
from league.services.results.reports.answers import confirm
from league.services.seasons.ending import end, freeze_early
from tests.support.cast import NOW, beats, put_in_order
from tests.support.correction_steps import correct
from tests.support.web_steps import browser_of, words

pytestmark = pytest.mark.usefixtures("countless_reports")


def wins(winner: Player, loser: Player, arena: Arena, hours: int) -> Match:
    now = NOW + timedelta(hours=hours)
    return confirm(beats(winner, loser, arena, now=now).pk, by=loser, now=now)


def address(player: Player, arena: Arena, name: str = "player_review") -> str:
    return reverse(name, args=[player.pk, arena.seasons.get().pk])


def play(alice: Player, charlie: Player, duel: Arena) -> list[Match]:
    """Play Charlie's three wins, and then Alice's two."""
    lost = [wins(charlie, alice, duel, hours) for hours in (1, 2, 3)]
    return [*lost, *(wins(alice, charlie, duel, hours) for hours in (4, 5))]


def test_a_season_in_review(alice: Player, charlie: Player, olga: Player, duel: Arena) -> None:
    assert olga.user
    matches = play(alice, charlie, duel)
    put_in_order()
    page = Client().get(address(alice, duel))
    said = words(page)
    assert "so far" in said
    assert "2 won · 3 lost" in said.replace("0 drawn · ", "")
    assert "Rival Charlie" in said
    chances = {
        side.match_id: side.match.forecast[side.index]
        for side in Side.objects.filter(match__in=matches, place=0, captain=alice)
        if side.match.forecast
    }
    assert min(chances.values()) < 0.5
    best = min(chances, key=lambda match: chances[match])
    assert page.context["review"].best_win.match_id == best
    assert page.context["review"].winning.count == 2
    correct(Match.objects.get(pk=best), olga.user)
    again = Client().get(address(alice, duel)).context["review"]
    assert again.best_win.match_id != best
    assert again.winning.count == 1


def test_an_archived_season_has_the_final_rank(alice: Player, charlie: Player, duel: Arena) -> None:
    play(alice, charlie, duel)
    put_in_order()
    season = duel.seasons.get()
    assert end(season.pk, now=NOW + timedelta(days=1))
    assert freeze_early(season.pk, now=NOW + timedelta(days=2))
    page = Client().get(address(charlie, duel))
    assert page.context["review"].rank == season.final_standings.get(player=charlie).rank
    assert "in review" in words(page)
    assert [one.kind for one in page.context["review"].badges][-1] == "podium"
    archive = browser_of(charlie).get(reverse("season", args=[season.pk])).content.decode()
    assert "My season in review" in archive


def test_the_picture_is_not_drawn_of_people_who_hide(
    alice: Player, charlie: Player, duel: Arena
) -> None:
    play(alice, charlie, duel)
    drawn = Client().get(address(alice, duel, "review_picture"))
    assert drawn["Content-Type"] == "image/png"
    for hidden in ({"hides_history": True}, {"is_unlisted": True, "hides_history": False}):
        Player.objects.filter(pk=alice.pk).update(**hidden)
        assert Client().get(address(alice, duel, "review_picture")).status_code == 404
    assert Client().get(address(alice, duel)).status_code == 200
    Player.objects.filter(pk=alice.pk).update(hides_history=True)
    assert Client().get(address(alice, duel)).status_code == 403
    assert browser_of(alice).get(address(alice, duel)).status_code == 200


def test_who_did_not_play_has_no_review(alice: Player, duel: Arena) -> None:
    assert Client().get(address(alice, duel)).status_code == 404
    assert Client().get(f"/players/{alice.pk}/seasons/0/").status_code == 404
