"""Following players and teams, and blocking players."""

from concurrent.futures import ThreadPoolExecutor, wait
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from league.models import Arena, Arrangement, Block, Follow, Player, Roster, User
from league.services.core.errors import LimitReached, Refused
from league.services.dates.answers import accept
from league.services.dates.changing import call_off
from league.services.dates.proposals import move, propose
from league.services.dates.threads import write
from league.services.following import blocks, follows
from league.services.merging.merging import merge
from league.services.people.invitations import invite
from league.services.results.reports.answers import confirm
from league.services.teams import inviting
from league.services.teams.founding import found
from tests.support.cast import NOW, account, beats, put_in_order
from tests.support.concurrency import all_at_once
from tests.support.standing_steps import suggested_to
from tests.support.team_steps import COLOURS
from tests.support.web_steps import browser_of, words


def test_alice_follows_bob_and_a_team_and_stops(alice: Player, bob: Player) -> None:
    browser = browser_of(alice)
    team = found("Night Owls", "OWL", COLOURS, by=bob, now=NOW)
    for whom, name in ((bob, "Bob"), (team, "Night Owls")):
        address = f"{whom.get_absolute_url()}follow/"
        answer = browser.post(address, follow=True)
        assert f"You follow {name}." in words(answer)
        assert "Stop following" in words(answer)
        browser.post(address)
    assert Follow.objects.filter(player=alice).count() == 2, "twice is once"
    page = words(browser.get("/settings/following/")).partition("Following and blocked")[2]
    assert page.index("Bob") < page.index("Night Owls")
    stopped = browser.post(
        f"/players/{bob.pk}/follow/", {"stop": "1", "page": "settings"}, follow=True
    )
    assert "You no longer follow Bob." in words(stopped)
    assert Follow.objects.filter(player=alice, followed=None).count() == 1
    assert "Follow" not in words(Client().get(bob.get_absolute_url())).split("Log in")[1]


def test_nobody_follows_or_blocks_themselves_or_too_many(
    alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    for act in (follows.follow, blocks.block):
        with pytest.raises(Refused, match="yourself"):
            act(alice, alice, now=NOW)
    monkeypatch.setattr(follows, "MOST_FOLLOWED", 0)
    monkeypatch.setattr(blocks, "MOST_BLOCKED", 0)
    for act in (follows.follow, blocks.block):
        with pytest.raises(LimitReached):
            act(alice, bob, now=NOW)
    assert browser_of(alice).post(f"/players/{bob.pk}/follow/").status_code == 429


def test_alice_blocks_bob_and_unblocks_him(alice: Player, bob: Player) -> None:
    browser = browser_of(alice)
    address = f"/players/{bob.pk}/block/"
    assert "Block Bob?" in words(browser.get(address))
    assert not Block.objects.exists()
    assert "You have blocked Bob." in words(browser.post(address, follow=True))
    assert "You have blocked Bob" in words(browser.get(address))
    assert "Bob" in words(browser.get("/settings/following/")).partition("Blocked")[2]
    browser.post(address, {"stop": "1"})
    assert not Block.objects.exists()


def test_the_blocked_and_the_blocker_send_each_other_nothing(
    duel: Arena, teams: Arena, alice: Player, bob: Player
) -> None:
    now = timezone.now()
    later = now + timedelta(days=1)
    written = propose(duel, bob, later, by=alice, now=now)
    rosters = {
        one: Roster.objects.create(arena=teams, name=str(one), captain=one) for one in (alice, bob)
    }
    clubs = {
        one: found(f"{one} club", one.name[:3], COLOURS, by=one, now=now) for one in (alice, bob)
    }
    blocks.block(alice, bob, now=now)
    for by, to, text in ((bob, alice, "does not want to hear"), (alice, bob, "You have blocked")):
        with pytest.raises(Refused, match=text):
            propose(duel, to, later + timedelta(hours=1), by=by, now=now)
        with pytest.raises(Refused, match=text):
            invite(rosters[by], [to], now)
        with pytest.raises(Refused, match=text):
            inviting.invite(clubs[by], to, by=by, now=now)
        with pytest.raises(Refused, match=text):
            write(written, by=user_of(by), player=by, text="Hello?", now=now)


def test_dates_from_before_a_block_can_still_be_moved_and_called_off(
    duel: Arena, alice: Player, bob: Player
) -> None:
    now = timezone.now()
    later = now + timedelta(days=3)
    asked = propose(duel, bob, later, by=alice, now=now)
    page = words(browser_of(alice).get(f"/players/{bob.pk}/block/"))
    assert "Earlier dates stay: each of you can still propose another time, or call" in page
    assert "cannot write to you" not in page
    blocks.block(alice, bob, now=now)
    moved = move(asked.pk, later + timedelta(hours=1), by=bob, seen=1, now=now)
    agreed = accept(asked.pk, by=alice, seen=moved.revision, now=now)
    off = call_off(asked.pk, by=bob, seen=agreed.revision, reason="No time.", now=now)
    assert off.state == Arrangement.State.CALLED_OFF


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("module", "limit", "act", "whom"),
    [
        (blocks, "MOST_BLOCKED", blocks.block, lambda: Block.objects.get().blocked),
        (follows, "MOST_FOLLOWED", follows.follow, lambda: Follow.objects.get().followed),
    ],
)
def test_who_blocks_or_follows_two_at_once_keeps_to_the_limit(
    alice: Player,
    bob: Player,
    charlie: Player,
    monkeypatch: pytest.MonkeyPatch,
    module: Any,
    limit: str,
    act: Any,
    whom: Any,
) -> None:
    monkeypatch.setattr(module, limit, 1)
    with ThreadPoolExecutor(1) as elsewhere:
        with transaction.atomic():
            act(alice, bob, now=NOW)
            second = elsewhere.submit(all_at_once, [partial(act, alice, charlie, now=NOW)])
            wait([second], timeout=0.2)
        assert isinstance(second.result()[0], LimitReached)
    assert whom() == bob


def user_of(player: Player) -> User:
    assert player.user
    return player.user


def test_blocked_players_are_not_suggested(
    duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    for other in (bob, charlie):
        confirm(beats(alice, other, duel).pk, by=other, now=NOW)
    put_in_order()
    season = duel.seasons.get()
    names = {str(one.player) for one in suggested_to(season, alice, now=NOW)}
    assert names == {"Bob", "Charlie"}
    blocks.block(bob, alice, now=NOW)
    assert [str(one.player) for one in suggested_to(season, alice, now=NOW)] == ["Charlie"]
    assert "Alice" not in [str(one.player) for one in suggested_to(season, bob, now=NOW)]


def test_a_merged_player_leaves_each_follow_and_block_once(
    alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    old = account("Alice of old")
    team = found("Night Owls", "OWL", COLOURS, by=charlie, now=NOW)
    for one, whom in ((alice, bob), (old, bob), (old, alice), (bob, old), (bob, alice)):
        Follow.objects.create(player=one, followed=whom, since=NOW)
        Block.objects.create(player=one, blocked=whom, since=NOW)
    Follow.objects.create(player=charlie, followed=old, since=NOW)
    Follow.objects.create(player=old, team=team, since=NOW)
    Player.objects.filter(pk=old.pk).update(user=None)
    old.refresh_from_db()
    merge(alice, old, account=None, by=user_of(olga), reason="One person.", now=NOW)
    ties = {(one.player, one.followed or one.team) for one in Follow.objects.all()}
    assert ties == {(alice, bob), (bob, alice), (charlie, alice), (alice, team)}
    assert {(one.player, one.blocked) for one in Block.objects.all()} == {
        (alice, bob),
        (bob, alice),
    }
