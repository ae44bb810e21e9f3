"""Direct messages are sent once, and only to players who want them."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from pytest_django import Settings

from league.models import (
    Arena,
    ArenaQueue,
    DiscordPreference,
    Notice,
    NoticeKind,
    Player,
    Proposal,
    Roster,
    Status,
    Ticket,
)
from league.services.core.clock import database_now
from league.services.core.types import PlayedBy, ReportedSide
from league.services.discord import messages, preferences
from league.services.notices.writing import notify
from league.services.queue.queueing import join, leave
from league.services.queue.ready_checks import cancel_expired
from league.services.queue.ticks import tick
from league.services.results.reports.reporting import report
from tests.support.cast import beats
from tests.support.discord_steps import buttons_of, linked, presses, said, types
from tests.support.discord_waits import send_later, state_of, wants
from tests.support.fake_discord import TOKEN, FakeDiscord, dm_channel
from tests.support.queue_steps import ANYBODY
from tests.support.web_steps import browser_of, words


def test_a_report_arrives_with_a_button_that_confirms_it(
    discord: FakeDiscord, duel: Arena, alice: Player, charlie: Player
) -> None:
    uid = wants(charlie, NoticeKind.REPORTED)
    match = beats(alice, charlie, duel, now=database_now())
    assert messages.send_due() == 0  # they may read it on the site first
    assert send_later() == 1
    (message,) = discord.told(uid)
    assert "Alice reported a result in Duel. Confirm or dispute it." in said(message)
    assert "Alice beat Charlie" in said(message)
    assert message["allowed_mentions"] == {"parse": []}
    confirm, link = buttons_of(message)
    notice = Notice.objects.get(player=charlie)
    assert link["url"].endswith(reverse("notice", args=[notice.pk]))
    assert discord.calls[0].headers["authorization"] == f"Bot {TOKEN}"
    assert discord.calls[0].headers["user-agent"].startswith("DiscordBot (")
    answer = presses(uid, confirm)
    assert answer["type"] == 7
    assert "Confirmed" in said(answer["data"])
    match.refresh_from_db()
    assert match.status == Status.RATED
    assert state_of(charlie) == ["sent"]
    assert send_later() == 0


def test_the_button_of_a_report_confirms_only_what_the_message_says(
    discord: FakeDiscord, teams: Arena, owls: Roster, foxes: Roster, charlie: Player
) -> None:
    uid = wants(charlie, NoticeKind.REPORTED)
    sides = [
        ReportedSide(
            roster.captain, [PlayedBy(one) for one in roster.members.all()], place, score, roster
        )
        for roster, place, score in ((owls, 0, 13), (foxes, 1, 2.5))
    ]
    now = database_now()
    match = report(
        teams, sides, reporter=owls.captain, played_at=now, now=now, client_token=uuid4()
    )
    send_later()
    assert "Owls (Alice, Bob) beat Foxes (Charlie, Dora), 13 : 2.5" in said(discord.told(uid)[0])
    assert len(buttons_of(discord.told(uid)[0])) == 2
    match.participants.filter(player=charlie).update(quit=True)
    Notice.objects.all().delete()
    notify([charlie], NoticeKind.REPORTED, now, match=match, actor=owls.captain)
    send_later()
    assert "beat" not in said(discord.told(uid)[1])
    assert [one["label"] for one in buttons_of(discord.told(uid)[1])] == ["Open"]


def test_a_found_match_arrives_at_once_and_is_accepted_by_a_button(
    discord: FakeDiscord, duel: Arena, alice: Player, charlie: Player
) -> None:
    rules = {"queue": {**ANYBODY, "roster_min": 1, "roster_max": 1}, "team_size": 1}
    ArenaQueue.objects.create(arena=duel, matcher="new", rules=rules)
    uid = wants(alice, NoticeKind.FOUND)
    for round_number in (1, 2):  # the second although nobody has read of the first
        for player in (alice, charlie):
            join(duel, player, [], now=database_now())
        assert "You get a direct message" in said(types(uid, "queue", "status"))
        tick(duel.pk, now=database_now() + timedelta(minutes=round_number), seed=1)
        Proposal.objects.update(deadline=database_now() + timedelta(minutes=1))
        assert messages.send_due() == 1
        message = discord.told(uid)[-1]
        assert "A match was found for you in Duel." in said(message)
        if round_number == 1:
            Proposal.objects.update(deadline=database_now() - timedelta(hours=1))
            cancel_expired(database_now())
            for ticket in Ticket.objects.open():
                leave(ticket.pk, by=ticket.captain, now=database_now())
    accept, _decline, link = buttons_of(message)
    assert link["url"].endswith(reverse("queue", args=["duel"]))
    assert "You have accepted" in said(presses(uid, accept)["data"])
    assert len(discord.told(uid)) == 2


def test_a_found_match_that_is_over_is_not_told(
    discord: FakeDiscord, duel: Arena, alice: Player
) -> None:
    uid = wants(alice, NoticeKind.FOUND)
    notify([alice], NoticeKind.FOUND, database_now(), arena=duel)
    messages.send_due()
    assert discord.told(uid) == []
    assert state_of(alice) == ["needless"]


def test_what_was_read_is_unwanted_or_has_nowhere_to_go_is_not_sent(
    discord: FakeDiscord, duel: Arena, alice: Player, bob: Player, charlie: Player, eve: Player
) -> None:
    now = database_now()
    read, unwanted = wants(alice, NoticeKind.INVITED), wants(bob, NoticeKind.LETTER)
    preferences.choose(charlie, is_on=True, kinds=[NoticeKind.BANNED.value])  # not linked
    linked(eve)  # has not asked for messages
    for player in (alice, bob, charlie, eve):
        notify([player], NoticeKind.BANNED, now)
    notify([alice], NoticeKind.INVITED, now, arena=duel)
    Notice.objects.filter(player=alice).update(seen_at=now)
    send_later()
    assert discord.told(read) == discord.told(unwanted) == []
    assert discord.calls == []
    assert [state_of(one) for one in (alice, bob, charlie, eve)] == [
        ["needless"],
        [],
        ["needless"],
        [],
    ]


def test_what_is_old_over_or_no_longer_wanted_is_not_sent(
    discord: FakeDiscord, duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    wants(alice, NoticeKind.BANNED)
    notify([alice], NoticeKind.BANNED, database_now() - timedelta(days=1, minutes=1))
    wants(bob, NoticeKind.QUEUED)  # and is in no queue any more
    notify([bob], NoticeKind.QUEUED, database_now(), actor=alice, arena=duel)
    wants(charlie, NoticeKind.BANNED)
    notify([charlie], NoticeKind.BANNED, database_now())
    preferences.choose(charlie, is_on=True, kinds=[NoticeKind.LETTER.value])
    assert send_later() == 3
    assert discord.calls == []
    assert state_of(alice) == state_of(bob) == state_of(charlie) == ["needless"]


def test_a_closed_account_gets_nothing(discord: FakeDiscord, alice: Player) -> None:
    wants(alice, NoticeKind.BANNED)
    notify([alice], NoticeKind.BANNED, database_now())
    assert alice.user
    alice.user.is_active = False
    alice.user.save()
    send_later()
    assert discord.calls == []


def test_without_a_bot_messages_wait(
    discord: FakeDiscord, alice: Player, settings: Settings
) -> None:
    uid = wants(alice, NoticeKind.BANNED)
    notify([alice], NoticeKind.BANNED, database_now())
    settings.DISCORD_BOT_TOKEN = ""
    assert send_later() == 0
    settings.DISCORD_BOT_TOKEN = TOKEN
    assert send_later() == 1
    assert len(discord.told(uid)) == 1


def test_after_a_refusal_of_discord_messages_are_off_and_the_player_is_told_on_the_site(
    discord: FakeDiscord, alice: Player
) -> None:
    uid = wants(alice, NoticeKind.BANNED, NoticeKind.UNBANNED)
    discord.closed_to.add(uid)
    notify([alice], NoticeKind.BANNED, database_now())
    notify([alice], NoticeKind.UNBANNED, database_now())
    send_later()
    preference = DiscordPreference.objects.get(player=alice)
    assert not preference.is_on
    assert preference.refused_at
    assert sorted(state_of(alice)) == ["failed", "needless"]
    inbox = words(browser_of(alice).get(reverse("inbox")))
    assert "Discord refuses direct messages to you" in inbox
    page = browser_of(alice).get(reverse("discord_settings"))
    assert "Discord refused a message to you" in words(page)
    notify([alice], NoticeKind.BANNED, database_now())
    assert send_later() == 0
    preferences.choose(alice, is_on=True, kinds=["banned"])
    assert DiscordPreference.objects.get(player=alice).refused_at is None


def test_a_new_link_gets_its_own_channel(discord: FakeDiscord, alice: Player) -> None:
    first = wants(alice, NoticeKind.BANNED)
    notify([alice], NoticeKind.BANNED, database_now())
    send_later()
    assert alice.user
    alice.user.socialaccount_set.all().delete()
    second = linked(alice)
    Notice.objects.update(seen_at=database_now())
    notify([alice], NoticeKind.BANNED, database_now())
    send_later()
    assert len(discord.told(first)) == len(discord.told(second)) == 1
    assert DiscordPreference.objects.get().channel == dm_channel(second)


def test_names_in_messages_cannot_format_or_mention(
    discord: FakeDiscord, duel: Arena, alice: Player, charlie: Player
) -> None:
    type(alice).objects.filter(pk=alice.pk).update(name="@everyone **hi** [x](http://y)")
    uid = wants(charlie, NoticeKind.REPORTED)
    beats(alice, charlie, duel, now=database_now())
    send_later()
    text = str(discord.told(uid)[0]["embeds"])
    assert "@everyone" not in text
    assert "**hi**" not in text
    assert "](http" not in text


def test_the_commands_are_registered_and_again_without_a_change(
    discord: FakeDiscord, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.DISCORD_APPLICATION_ID = "1100000000000000000"
    call_command("discord_commands")
    first = discord.commands
    call_command("discord_commands")
    assert discord.commands == first
    assert [one["name"] for one in first] == ["rank", "odds", "queue", "report", "fixtures"]
    assert "/rank, /odds, /queue, /report, /fixtures" in capsys.readouterr().out
    for command in first:
        assert_is_allowed(command)


def assert_is_allowed(option: dict[str, Any]) -> None:
    """Assert Discord's limits of names, descriptions, and the order of arguments."""
    assert option["name"] == option["name"].lower()
    assert 1 <= len(option["name"]) <= 32
    assert 1 <= len(option["description"]) <= 100
    assert not ("choices" in option and option.get("autocomplete"))
    required = [bool(one.get("required")) for one in option.get("options", [])]
    assert required == sorted(required, reverse=True)
    for one in option.get("options", []):
        assert_is_allowed(one)


def test_commands_that_cannot_be_registered_say_why(
    discord: FakeDiscord, settings: Settings
) -> None:
    settings.DISCORD_APPLICATION_ID = "1100000000000000000"
    discord.fails(401, {"message": "401: Unauthorized", "code": 0})
    with pytest.raises(CommandError, match="401: Unauthorized"):
        call_command("discord_commands")
    settings.DISCORD_BOT_TOKEN = ""
    with pytest.raises(CommandError, match="DISCORD_BOT_TOKEN"):
        call_command("discord_commands")


def test_the_settings_page_links_chooses_and_unlinks(discord: FakeDiscord, alice: Player) -> None:
    browser, page = browser_of(alice), reverse("discord_settings")
    assert page in browser.get(reverse("settings")).content.decode()
    first = browser.get(page)
    assert "Link Discord account" in words(first)
    assert "Direct messages" not in words(first)
    assert browser.post(page, {"is_on": "on"}).status_code == 400
    linked(alice)
    assert "Direct messages" in words(browser.get(page))
    answer = browser.post(page, {"is_on": "on", "kinds": ["found", "reported"]}, follow=True)
    assert "Saved." in words(answer)
    preference = DiscordPreference.objects.get(player=alice)
    assert (preference.is_on, preference.kinds) == (True, ["found", "reported"])
    assert browser.post(page, {"kinds": ["nonsense"]}).status_code == 400
    browser.post(page, {"kinds": ["found"]})
    assert not DiscordPreference.objects.get(player=alice).is_on
    assert alice.user
    link = alice.user.socialaccount_set.get()
    browser.post(reverse("socialaccount_connections"), {"account": link.pk})
    assert not alice.user.socialaccount_set.exists()
