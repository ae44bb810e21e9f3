"""A leaderboard on which nobody is ranked shows those who play, and says nothing that is false."""

import re
from datetime import timedelta

from django.test import Client
from django.urls import reverse

from league.models import Arena, Player, Rating, Season
from league.services.core.clock import database_now
from league.services.home import front
from league.services.seasons.opening import open_season
from league.services.standings.provisional import provisional
from league.services.standings.updating import update_pending
from tests.support.cast import arena
from tests.support.season_steps import set_season_rules, win
from tests.support.web_steps import words

PROMISE = "Play a match and report it."
DAY = timedelta(days=1)


def club(**settings: object) -> tuple[Arena, Season]:
    """Return an arena with the usual rules, in which a rank takes ten matches."""
    made = arena("club", season_rules={}, **settings)
    return made, made.seasons.get()


def pages(made: Arena) -> list[str]:
    """Return the leaderboard, the arena's page and its card on the home page, in words."""
    update_pending(database_now())
    front.clear()
    home = Client().get("/").content.decode()
    part = home[home.index('id="arenas"') : home.index('class="bottom"')]
    card = part[part.index(f"/arenas/{made.slug}/") :]  # the only arena
    return [
        words(Client().get(reverse("leaderboard", args=[made.slug]))),
        words(Client().get(made.get_absolute_url())),
        re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", card)),
    ]


def test_the_promise_of_an_empty_board_comes_true(alice: Player, bob: Player) -> None:
    made, _season = club()
    board, page, card = pages(made)
    assert PROMISE in board
    assert PROMISE in page
    assert "nobody is ranked now" in card
    win(made, alice, bob, database_now() - DAY)
    board, page, card = pages(made)
    assert "Bob" in board
    assert "Bob" in page
    for shown in (board, page, card):
        assert "Alice" in shown
        assert PROMISE not in shown
        assert "The leaderboard is empty" not in shown
        assert "?" in shown


def test_provisional_players_are_listed_with_what_they_still_need(
    alice: Player, bob: Player, charlie: Player
) -> None:
    made, season = club()
    now = database_now()
    for _ in range(3):
        win(made, alice, bob, now - DAY)
    win(made, charlie, bob, now - DAY)
    board, page, card = pages(made)
    for shown in (board, page):
        assert re.search(r"Not ranked yet .*Alice .*7 more matches", shown)
        assert re.search(r"Bob .*6 more matches", shown)
        assert re.search(r"Charlie .*9 more matches", shown)
    assert "Leader: Alice" in card
    listed = provisional(season, now=now)
    assert [one.row.player_id for one in listed] == [alice.pk, charlie.pk, bob.pk]
    Rating.objects.filter(season=season, player=bob).update(games=10)
    board, page, card = pages(made)
    assert re.search(r"Bob .*more ranked opponents", board)


def test_those_without_a_rank_stay_on_the_board_of_the_others(
    alice: Player, bob: Player, charlie: Player
) -> None:
    made = arena(
        "club",
        season_rules={"ranked": {"placement_matches": 2, "opponents": 0, "window": "30d"}},
    )
    now = database_now()
    win(made, alice, bob, now - DAY)
    win(made, alice, bob, now - DAY)
    win(made, charlie, bob, now - DAY)
    board, page, card = pages(made)
    assert re.search(r"1 Alice .*2 Bob .*Not ranked yet .*Charlie .*1 more match", board)
    assert "2 ranked players" in card
    assert "Not ranked yet" not in page  # it shows the leaders alone


def test_those_who_were_carried_over_are_on_the_board_with_what_they_need(
    alice: Player, bob: Player
) -> None:
    made, _season = club()
    now = database_now()
    win(made, alice, bob, now - DAY)
    set_season_rules(made, start={"placement": "carry-over"})
    open_season(made, starts_at=now)
    board, page, card = pages(made)
    for shown in (board, page):
        assert re.search(r"Alice .*3 more matches .*Bob .*3 more matches", shown)
    assert "Alice" in card
