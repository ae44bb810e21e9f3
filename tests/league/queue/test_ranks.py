"""A queue names where its players' ranks come from, and says how much they miss."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, ArenaQueue, Player
from league.services.core.errors import Refused
from league.services.queue.queueing import join
from league.services.queue.snapshots import take_snapshot
from league.services.transfer.configuration.configurations import Import, import_configuration
from tests.support.admin_steps import browser_of, errors_of, form_on, send, staff
from tests.support.api_steps import a_token
from tests.support.cast import NOW, OPENING
from tests.support.matchmaking_xml import PUBLISHED
from tests.support.season_steps import win

__all__ = ["staff"]


@pytest.fixture
def ranked_queue(db: None) -> ArenaQueue:
    """The imported Ranked Arena, which asks for rank 20, with teams of one."""
    import_configuration(PUBLISHED, Import("published.xml", OPENING, team_size=1))
    return ArenaQueue.objects.get(arena__slug="ranked-arena")


def sets(queue: ArenaQueue, source: str, least: float) -> ArenaQueue:
    queue.rank_source = source
    queue.rules["queue"]["rank_min"] = least
    queue.save()
    return queue


def seen_rank(queue: ArenaQueue) -> float:
    """Return the rank of the only player in the queue as its matcher gets it."""
    season = queue.arena.current_season(NOW)
    assert season
    (ticket,) = take_snapshot(season, queue.matching(), NOW).tickets
    (player,) = ticket.players
    return player.rank


def words(client: Client, queue: ArenaQueue) -> str:
    page = client.get(reverse("queue", args=[queue.arena.slug]))
    return " ".join(page.content.decode().split())


def test_players_enter_the_imported_ranked_arena_by_matches_anywhere(
    ranked_queue: ArenaQueue, duel: Arena, alice: Player, bob: Player
) -> None:
    assert ranked_queue.rank_source == ArenaQueue.RankSource.SITE
    assert ranked_queue.matching().queue.rank_min == 20
    page = browser_of(alice.user)
    said = "This queue requires rank 20. You have 0 and need 20 more. Each rated match in any arena"
    assert said in words(page, ranked_queue)
    with pytest.raises(Refused, match=r"Alice has rank 0 and needs 20. Each rated match in any"):
        join(ranked_queue.arena, alice, [], now=NOW)
    for hours in range(20):
        win(duel, alice, bob, NOW - timedelta(hours=hours))
    assert "This queue requires rank 20. You have 20. Each rated" in words(page, ranked_queue)
    join(ranked_queue.arena, alice, [], now=NOW)
    assert seen_rank(ranked_queue) == 20


def test_where_only_this_arena_counts_matches_elsewhere_do_not(
    ranked_queue: ArenaQueue, duel: Arena, alice: Player, bob: Player
) -> None:
    sets(ranked_queue, "arena", 2)
    Arena.objects.filter(pk=ranked_queue.arena.pk).update(modes=[])
    ranked_queue.arena.refresh_from_db()
    for _number in range(2):
        win(duel, alice, bob)
    with pytest.raises(Refused, match=r"has rank 0 and needs 2\. Each rated match in this arena"):
        join(ranked_queue.arena, alice, [], now=NOW)
    win(ranked_queue.arena, alice, bob)
    assert "You have 1 and need 1 more." in words(browser_of(alice.user), ranked_queue)
    win(ranked_queue.arena, alice, bob)
    join(ranked_queue.arena, alice, [], now=NOW)
    assert seen_rank(ranked_queue) == 2


def set_level(by: Player, player: Player, **body: Any) -> Any:
    client = browser_of(None)
    assert by.user
    _token, text = a_token(by.user)
    return client.put(
        reverse("api:player-level", args=[player.pk]),
        body,
        content_type="application/json",
        headers={"authorization": f"Token {text}"},
    )


def test_a_level_set_by_api_is_the_rank_where_the_queue_says_so(
    ranked_queue: ArenaQueue, alice: Player, bob: Player, olga: Player
) -> None:
    sets(ranked_queue, "level", 20)
    page = browser_of(alice.user)
    assert "You have 0 and need 20 more. Ranks are levels" in words(page, ranked_queue)
    assert set_level(bob, alice, level=99).status_code == 403
    assert set_level(alice, alice, level=99).status_code == 403
    answer = set_level(olga, alice, level=34)
    assert (answer.status_code, answer.json()) == (200, {"id": alice.pk, "level": 34})
    join(ranked_queue.arena, alice, [], now=NOW)
    assert seen_rank(ranked_queue) == 34
    assert set_level(olga, alice, level=None).json()["level"] is None


@pytest.mark.parametrize("level", [-1, 1_000_001, 1.5, "20", True, [], 10**30])
def test_a_level_that_cannot_be_is_refused_at_its_field(
    level: object, alice: Player, olga: Player
) -> None:
    answer = set_level(olga, alice, level=level)
    assert answer.status_code == 400
    assert "level" in str(answer.json())
    assert set_level(olga, alice).status_code == 400
    alice.refresh_from_db()
    assert alice.level is None


def test_nobody_sets_their_own_level(staff: Client, alice: Player, olga: Player) -> None:
    answer = set_level(olga, olga, level=50)
    assert answer.status_code == 403
    assert "cannot set your own level" in str(answer.json())
    mine, hers = (
        reverse("admin:league_player_change", args=[player.pk]) for player in (olga, alice)
    )
    assert "level" not in form_on(staff, mine)
    assert errors_of(send(staff, mine, {"level": "50"})) == {}
    assert errors_of(send(staff, hers, {"level": "12"})) == {}
    assert [Player.objects.get(pk=player.pk).level for player in (olga, alice)] == [None, 12]


def test_olga_chooses_the_source_in_the_queues_form(
    staff: Client, ranked_queue: ArenaQueue
) -> None:
    page = reverse("admin:league_arenaqueue_change", args=[ranked_queue.pk])
    assert form_on(staff, page)["rank_source"] == "site"
    assert errors_of(send(staff, page, {"rank_source": "level"})) == {}
    ranked_queue.refresh_from_db()
    assert ranked_queue.rank_source == "level"
    assert "rank_source" in errors_of(send(staff, page, {"rank_source": "guess"}))
