"""A real worker sends direct messages and boards, and another takes over after it is killed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from league.kinds import OUTGOING
from league.models import Arena, DiscordBoard, DiscordMessage, NoticeKind, Player
from league.services.core.clock import database_now
from league.services.discord import boards, messages, preferences
from league.services.notices.writing import notify
from tests.support.celery_steps import STARTS_WITHIN, Crew, happens_within, kill
from tests.support.discord_steps import linked, said
from tests.support.fake_discord import LOCAL, TOKEN, FakeDiscord

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
CHANNEL = "1400000000000000001"


@pytest.fixture
def crew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, discord: FakeDiscord) -> Iterator[Crew]:
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "tests.support.discord_settings")
    monkeypatch.setenv("TESTS_DISCORD_API", discord.url)
    monkeypatch.setenv("DISCORD_BOT_TOKEN", TOKEN)
    monkeypatch.setenv("LAUREL_WEBHOOK_TEST_HOSTS", LOCAL)
    made = Crew(tmp_path)
    yield made
    made.end()


def tell(player: Player) -> None:
    """Write a notice whose message is due at once."""
    notify([player], NoticeKind.BANNED, database_now())
    DiscordMessage.objects.filter(state="waiting").update(next_attempt_at=database_now())


def test_a_killed_worker_loses_no_message_and_a_board_is_posted_once(
    crew: Crew, discord: FakeDiscord, duel: Arena, alice: Player, bob: Player
) -> None:
    discord.channels.add(CHANNEL)
    board = DiscordBoard(arena=duel, channel=CHANNEL)
    boards.start(board, database_now())
    board.save()
    one, other = linked(alice), linked(bob)
    for player in (alice, bob):
        preferences.choose(player, is_on=True, kinds=[NoticeKind.BANNED.value])
    first = crew.worker(OUTGOING)
    crew.clock()
    tell(alice)
    assert happens_within(lambda: discord.told(one), STARTS_WITHIN), crew.log_of(first)
    assert happens_within(lambda: discord.in_channel(CHANNEL), STARTS_WITHIN), crew.log_of(first)
    discord.hangs = True
    tell(bob)
    assert happens_within(lambda: discord.asked_while_hanging, STARTS_WITHIN)
    kill(first)
    discord.hangs = False
    second = crew.worker(OUTGOING)
    within = messages.LEASE.total_seconds() + STARTS_WITHIN
    assert happens_within(lambda: discord.told(other), within), crew.log_of(second)
    assert len(discord.told(one)) == len(discord.told(other)) == 1
    assert "You are banned" in said(discord.told(other)[0])
    assert len(discord.in_channel(CHANNEL)) == 1
