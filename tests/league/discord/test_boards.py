"""Boards in channels: posted once, edited when something changes, and stopped when refused."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.urls import reverse

from league.models import Arena, DiscordBoard, Match, Player, Settlement
from league.services.core.clock import database_now
from league.services.discord import boards
from league.services.results.reports.answers import confirm
from league.services.standings.updating import update_pending
from league.services.webhooks import posting
from tests.support.cast import beats, put_in_order
from tests.support.discord_steps import said
from tests.support.fake_discord import MISSING_ACCESS, FakeDiscord
from tests.support.web_steps import browser_of, words

CHANNEL = "1400000000000000001"
ADD = "/admin/league/discordboard/add/"


@pytest.fixture
def rated_result(duel: Arena, alice: Player, charlie: Player, countless_reports: None) -> None:
    play(duel, alice, charlie)


@pytest.fixture
def channel(discord: FakeDiscord) -> str:
    discord.channels.add(CHANNEL)
    return CHANNEL


def play(arena: Arena, winner: Player, loser: Player) -> None:
    match = beats(winner, loser, arena)
    confirm(match.pk, by=loser, now=database_now())
    put_in_order()
    update_pending(database_now())


def saves(olga: Player, arena: Arena, channel: str = CHANNEL, **more: str) -> Any:
    form = {"arena": arena.pk, "channel": channel, **more}
    return browser_of(olga).post(ADD, form, follow=True)


def a_minute_later() -> int:
    DiscordBoard.objects.filter(next_attempt_at__isnull=False).update(
        next_attempt_at=database_now()
    )
    return boards.update_due()


def calls(discord: FakeDiscord) -> list[str]:
    return [call.method for call in discord.calls]


def test_a_board_is_posted_and_edited_in_place_when_the_standings_change(
    discord: FakeDiscord,
    channel: str,
    duel: Arena,
    rated_result: None,
    alice: Player,
    bob: Player,
    charlie: Player,
    olga: Player,
) -> None:
    saves(olga, duel)
    assert boards.update_due() == 1
    (message,) = discord.in_channel(channel)
    lines = said(message).split("\n")
    assert lines[0].startswith("Duel · ")
    assert lines[1].startswith("1. [Alice](<")
    assert lines[2].startswith("2. [Charlie](<")
    assert message["allowed_mentions"] == {"parse": []}
    assert boards.update_due() == 0  # once a minute at most
    assert a_minute_later() == 1
    assert calls(discord) == ["POST"]  # nothing has changed
    play(duel, bob, alice)
    a_minute_later()
    assert calls(discord) == ["POST", "PATCH"]
    (edited,) = discord.in_channel(channel)
    assert edited["id"] == message["id"]
    assert "Bob" in said(edited)


def test_nobody_unlisted_is_named(
    discord: FakeDiscord,
    channel: str,
    duel: Arena,
    rated_result: None,
    alice: Player,
    olga: Player,
    charlie: Player,
) -> None:
    Player.objects.filter(pk=alice.pk).update(is_unlisted=True)
    saves(olga, duel, tells_results="on")
    boards.update_due()
    play(duel, alice, charlie)
    a_minute_later()
    text = " ".join(said(message) for message in discord.in_channel(channel))
    assert "Alice" not in text
    assert "1. Unlisted player" in text


def test_new_results_are_announced_once(
    discord: FakeDiscord,
    channel: str,
    duel: Arena,
    rated_result: None,
    alice: Player,
    charlie: Player,
    olga: Player,
) -> None:
    saves(olga, duel, tells_results="on")
    boards.update_due()
    assert len(discord.in_channel(channel)) == 1  # earlier results are no news
    play(duel, charlie, alice)
    a_minute_later()
    a_minute_later()
    _board, results = discord.in_channel(channel)
    assert "[Charlie beat Alice](<" in said(results)
    for _ in range(12):
        play(duel, charlie, alice)
    a_minute_later()
    many = said(discord.in_channel(channel)[-1])
    assert many.startswith("and 2 more results")
    assert many.count("Charlie beat Alice") == 10


def test_results_that_could_not_be_posted_are_posted_later(
    discord: FakeDiscord,
    channel: str,
    duel: Arena,
    rated_result: None,
    alice: Player,
    charlie: Player,
    olga: Player,
) -> None:
    saves(olga, duel, tells_results="on")
    boards.update_due()
    DiscordBoard.objects.update(shown="")
    play(duel, charlie, alice)
    discord.next_answers = [(200, {}, {}), (502, {}, {})]
    a_minute_later()
    a_minute_later()
    assert "Charlie beat Alice" in said(discord.in_channel(channel)[-1])


def test_messages_whose_answers_were_lost_are_posted_once(
    discord: FakeDiscord,
    channel: str,
    duel: Arena,
    rated_result: None,
    alice: Player,
    charlie: Player,
    olga: Player,
) -> None:
    saves(olga, duel, tells_results="on")
    DiscordBoard.objects.update(told_order=0)
    was = DiscordBoard.objects.values().get()
    for _ in range(2):  # as if the first worker was killed before it noted the answers
        DiscordBoard.objects.update(**was)
        assert a_minute_later() == 1
    assert calls(discord) == ["POST"] * 4
    assert len(discord.in_channel(channel)) == 2
    assert all(len(message["nonce"]) <= 25 for message in discord.in_channel(channel))


def test_a_worker_has_a_board_for_as_long_as_its_calls_can_take(
    discord: FakeDiscord,
    channel: str,
    duel: Arena,
    rated_result: None,
    alice: Player,
    bob: Player,
    olga: Player,
) -> None:
    saves(olga, duel, tells_results="on")
    boards.update_due()
    discord.messages.clear()
    discord.calls.clear()
    play(duel, bob, alice)
    a_minute_later()
    assert calls(discord) == ["PATCH", "POST", "POST"]
    assert boards.LEASE.total_seconds() > len(discord.calls) * posting.DEADLINE


def test_a_draft_is_shown_nowhere_and_imported_results_are_no_news(
    discord: FakeDiscord,
    channel: str,
    duel: Arena,
    rated_result: None,
    alice: Player,
    charlie: Player,
    olga: Player,
) -> None:
    saves(olga, duel, tells_results="on")
    Arena.objects.update(is_draft=True)
    assert boards.update_due() == 1
    assert discord.calls == []
    Arena.objects.update(is_draft=False)
    play(duel, charlie, alice)
    Match.objects.update(settlement=Settlement.IMPORT)
    a_minute_later()
    assert len(discord.in_channel(channel)) == 1


def test_a_message_that_was_deleted_is_posted_again(
    discord: FakeDiscord,
    channel: str,
    duel: Arena,
    rated_result: None,
    alice: Player,
    olga: Player,
    bob: Player,
) -> None:
    saves(olga, duel)
    boards.update_due()
    discord.messages.clear()
    play(duel, bob, alice)
    a_minute_later()
    assert len(discord.in_channel(channel)) == 1


def test_a_board_that_discord_refuses_stops_and_says_why_until_it_is_saved_again(
    discord: FakeDiscord, channel: str, duel: Arena, rated_result: None, olga: Player
) -> None:
    saves(olga, duel)
    discord.fails(403, MISSING_ACCESS)
    boards.update_due()
    board = DiscordBoard.objects.get()
    assert board.next_attempt_at is None
    page = reverse("admin:league_discordboard_change", args=[board.pk])
    browser = browser_of(olga)
    assert "Stopped: Discord answered with the status 403. Missing Access" in words(
        browser.get(page)
    )
    assert a_minute_later() == 0
    assert "1 stopped board on Discord" in words(browser.get("/admin/"))
    browser.post(page, {"channel": CHANNEL})
    assert boards.update_due() == 1
    assert len(discord.in_channel(channel)) == 1
    assert "Active" in words(browser.get(page))


def test_failures_are_followed_by_growing_pauses(
    discord: FakeDiscord, channel: str, duel: Arena, rated_result: None, olga: Player
) -> None:
    saves(olga, duel)
    for _ in range(3):
        discord.fails(503)
        a_minute_later()
    board = DiscordBoard.objects.get()
    assert board.failures == 3
    assert board.next_attempt_at
    assert board.next_attempt_at > database_now() + timedelta(minutes=3)
    discord.fails(429, {"retry_after": 700.5})
    a_minute_later()
    board.refresh_from_db()
    assert board.next_attempt_at
    assert board.next_attempt_at > database_now() + timedelta(seconds=690)
    cache.clear()
    a_minute_later()
    assert len(discord.in_channel(channel)) == 1
    assert DiscordBoard.objects.get().failures == 0


@pytest.mark.parametrize(
    "given",
    [
        "",
        "general",
        "1",
        "9" * 21,
        "../../users/1",
        "１４０００００００００００００００",
        f"{CHANNEL}\n/x",
    ],
)
def test_a_channel_that_is_none_is_refused(duel: Arena, olga: Player, given: str) -> None:
    page = words(saves(olga, duel, given))
    wrong = ("Enter the id of the channel", "This field is required", "at most 20 characters")
    assert any(sentence in page for sentence in wrong)
    assert not DiscordBoard.objects.exists()


def test_a_channel_has_one_board_of_an_arena(duel: Arena, teams: Arena, olga: Player) -> None:
    saves(olga, duel)
    assert "This channel has a board of this arena already." in words(saves(olga, duel))
    saves(olga, teams)
    assert DiscordBoard.objects.count() == 2


def test_a_board_that_moves_while_it_is_posted_is_posted_in_the_new_channel_too(
    discord: FakeDiscord, channel: str, duel: Arena, rated_result: None, olga: Player
) -> None:
    saves(olga, duel)
    other = "1400000000000000002"
    discord.channels.add(other)
    claimed = boards.claim(database_now())
    assert claimed
    page = reverse("admin:league_discordboard_change", args=[claimed.pk])
    browser_of(olga).post(page, {"channel": other})
    boards.update(claimed)
    assert DiscordBoard.objects.get().message == ""
    boards.update_due()
    (message,) = discord.in_channel(other)
    assert DiscordBoard.objects.get().message == message["id"]


def test_names_cannot_format_or_mention(
    discord: FakeDiscord, channel: str, duel: Arena, rated_result: None, alice: Player, olga: Player
) -> None:
    Player.objects.filter(pk=alice.pk).update(name="@everyone **x** [b](http://c)")
    saves(olga, duel)
    boards.update_due()
    text = str(discord.in_channel(channel)[0]["embeds"])
    assert "@everyone" not in text
    assert "**x**" not in text
    assert "](http://c" not in text
