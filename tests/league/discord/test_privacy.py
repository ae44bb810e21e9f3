"""Data about Discord is exported, deleted and merged with the player."""

import json
from io import BytesIO
from zipfile import ZipFile

from allauth.socialaccount.models import SocialAccount
from pytest_django import DjangoAssertNumQueries

from league.models import DiscordMessage, DiscordPreference, NoticeKind, Player
from league.services.core.clock import database_now
from league.services.discord import linking, messages, preferences
from league.services.notices.writing import notify
from league.services.privacy import deleting, exporting
from tests.support.cast import account
from tests.support.discord_steps import linked, said, types
from tests.support.fake_discord import FakeDiscord
from tests.support.merge_steps import merged


def test_alice_reads_what_is_kept(alice: Player) -> None:
    uid = linked(alice)
    preferences.choose(alice, is_on=True, kinds=[NoticeKind.FOUND.value])
    assert alice.user
    with ZipFile(BytesIO(exporting.zip_account(alice.user))) as archive:
        (wanted,) = json.loads(archive.read("discord_messages.json"))
        (login,) = json.loads(archive.read("other_logins.json"))
    assert (wanted["is_on"], wanted["kinds"]) == (True, ["found"])
    assert (login["provider"], login["uid"]) == ("discord", uid)


def test_a_deleted_account_leaves_nothing_and_gets_nothing(
    discord: FakeDiscord, alice: Player
) -> None:
    uid = linked(alice)
    preferences.choose(alice, is_on=True, kinds=[NoticeKind.BANNED.value])
    now = database_now()
    notify([alice], NoticeKind.BANNED, now)
    assert alice.user
    deleting.ask(alice.user, now)
    assert deleting.attempt(alice.user.pk, now + deleting.GRACE)
    for kept in (DiscordPreference, DiscordMessage, SocialAccount):
        assert not kept.objects.exists()
    assert messages.send_due() == 0
    assert discord.told(uid) == []
    assert "not linked" in said(types(uid, "queue", "status"))


def test_an_account_is_found_at_once_so_that_none_is_deleted_meanwhile(
    alice: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    uid = linked(alice)
    with django_assert_num_queries(1):
        found = linking.account_of(uid)
        assert found
        assert found.player == alice
    assert linking.account_of("7") is None


def test_a_choice_of_messages_follows_into_the_player_who_is_kept(
    alice: Player, olga: Player
) -> None:
    other = account("Alicia")
    preferences.choose(other, is_on=True, kinds=[NoticeKind.FOUND.value])
    assert olga.user
    assert alice.user
    merged(alice, other, olga.user, account=alice.user.pk)
    assert DiscordPreference.objects.get().player == alice
