"""Failures of Discord: nothing is lost, sent twice, or tried without end."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from pytest_django import Settings

from league.models import DiscordMessage, DiscordPreference, NoticeKind, Player
from league.services.core.clock import database_now
from league.services.discord import messages
from league.services.notices.writing import notify
from tests.support.discord_waits import send_later, state_of, wants
from tests.support.fake_discord import TOKEN, FakeDiscord


def test_too_many_calls_are_followed_by_the_rest_that_discord_wants(
    discord: FakeDiscord, alice: Player, bob: Player
) -> None:
    one, other = wants(alice, NoticeKind.BANNED), wants(bob, NoticeKind.BANNED)
    notify([alice, bob], NoticeKind.BANNED, database_now())
    discord.fails(
        429, {"message": "You are being rate limited.", "retry_after": 64.57}, Retry_After="65"
    )
    before = database_now()
    assert send_later() == 1  # the second is left alone, too
    waiting = DiscordMessage.objects.get(error__contains="rate limited")
    assert waiting.attempts == 0
    assert waiting.next_attempt_at
    assert waiting.next_attempt_at >= before + timedelta(seconds=65)
    assert send_later() == 0
    cache.clear()  # the time has passed
    assert send_later() == 2
    assert len(discord.told(one)) == len(discord.told(other)) == 1


def test_a_wrong_token_blames_no_message(
    discord: FakeDiscord, alice: Player, settings: Settings
) -> None:
    uid = wants(alice, NoticeKind.BANNED)
    settings.DISCORD_BOT_TOKEN = "wrong"
    notify([alice], NoticeKind.BANNED, database_now())
    assert send_later() == 1
    assert send_later() == 0
    settings.DISCORD_BOT_TOKEN = TOKEN
    cache.clear()
    send_later()
    assert len(discord.told(uid)) == 1


def test_failures_of_discord_are_tried_again_with_growing_pauses(
    discord: FakeDiscord, alice: Player
) -> None:
    uid = wants(alice, NoticeKind.BANNED)
    notify([alice], NoticeKind.BANNED, database_now())
    for _ in range(len(messages.PAUSES)):
        discord.fails(502)
        assert send_later() == 1
    message = DiscordMessage.objects.get()
    assert message.attempts == len(messages.PAUSES)
    assert message.next_attempt_at
    assert message.next_attempt_at > database_now() + timedelta(hours=5)
    send_later()
    assert len(discord.told(uid)) == 1


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 " + b"x" * 5000 + b"\r\n\r\n",
        b"\x00" * 3000,
        b'HTTP/1.1 429 Slow\r\n\r\n{"retry_after": 1' + b"0" * 400 + b"}",
        b'HTTP/1.1 429 Slow\r\n\r\n{"retry_after": 1e999, "message": "\\ud800"}',
        b"HTTP/1.1 500 Wrong\r\nContent-Length: -5\r\n\r\n" + b"[" * 100_000,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
    ids=["status", "nothing", "wait", "endless", "length", "chunks"],
)
def test_an_answer_that_makes_no_sense_is_a_failure_like_others(
    discord: FakeDiscord, alice: Player, answer: bytes
) -> None:
    wants(alice, NoticeKind.BANNED)
    notify([alice], NoticeKind.BANNED, database_now())
    discord.next_bytes.append(answer)
    assert send_later() == 1
    message = DiscordMessage.objects.get()
    assert message.state == "waiting"
    assert message.error
    assert message.next_attempt_at
    assert message.next_attempt_at < database_now() + timedelta(seconds=3600)


def test_a_message_is_given_up_after_the_last_failure(discord: FakeDiscord, alice: Player) -> None:
    wants(alice, NoticeKind.BANNED)
    notify([alice], NoticeKind.BANNED, database_now())
    for _ in range(len(messages.PAUSES) + 1):
        discord.fails(500)
        send_later()
    assert state_of(alice) == ["failed"]
    assert send_later() == 0


@pytest.mark.parametrize("answer", [{}, {"id": 7}, {"id": "../../users/1"}, {"id": "9" * 40}])
def test_a_channel_that_is_none_is_not_called(
    discord: FakeDiscord, alice: Player, answer: dict[str, Any]
) -> None:
    wants(alice, NoticeKind.BANNED)
    notify([alice], NoticeKind.BANNED, database_now())
    discord.fails(200, answer)
    send_later()
    assert len(discord.calls) == 1
    assert DiscordMessage.objects.get().attempts == 1


def test_a_channel_that_is_gone_is_opened_again(discord: FakeDiscord, alice: Player) -> None:
    uid = wants(alice, NoticeKind.BANNED)
    DiscordPreference.objects.update(channel="1", channel_of=uid)
    notify([alice], NoticeKind.BANNED, database_now())
    send_later()
    assert discord.told(uid) == []
    send_later()
    assert len(discord.told(uid)) == 1


def test_a_message_that_is_sent_twice_arrives_once(discord: FakeDiscord, alice: Player) -> None:
    uid = wants(alice, NoticeKind.BANNED)
    notify([alice], NoticeKind.BANNED, database_now())
    send_later()
    DiscordMessage.objects.update(state="waiting", next_attempt_at=database_now())  # as if killed
    send_later()
    assert len([call for call in discord.calls if call.path.endswith("/messages")]) == 2
    assert len(discord.told(uid)) == 1
