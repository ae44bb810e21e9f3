"""The bar on every page, and the inbox."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.models import (
    Arena,
    ArenaQueue,
    Arrangement,
    Match,
    Notice,
    NoticeKind,
    Player,
    Profile,
    Proposal,
    Roster,
    Ticket,
)
from league.services.core.clock import database_now
from league.services.notices.writing import notify
from league.services.queue.queueing import join
from league.services.queue.ticks import tick
from tests.support.cast import NOW, beats
from tests.support.competition_steps import crowd
from tests.support.date_steps import agree_on_date
from tests.support.web_steps import browser_of, words


def bar(player: Player, *, on: str = "/players/", seen: str = "") -> Any:
    headers = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{on}"}
    return browser_of(player).get(reverse("waiting"), {"seen": seen}, headers=headers)


def page(player: Player, address: str = "/players/") -> str:
    return words(browser_of(player).get(address))


@pytest.fixture
def queued_arena(
    teams: Arena, owls: Roster, foxes: Roster, alice: Player, charlie: Player
) -> Arena:
    """Alice and Charlie queue their rosters; Bob and Dora are elsewhere on the site."""
    ArenaQueue.objects.create(arena=teams)
    for one in (owls, foxes):
        join(teams, one.captain, list(one.members.all()), roster=one, now=database_now())
    return teams


@pytest.fixture
def matched_arena(queued_arena: Arena, bob: Player, dora: Player) -> Arena:
    """Bob and Dora come to the queue, and a match is found."""
    for player in (bob, dora):
        page(player, reverse("queue", args=[queued_arena.slug]))
    assert tick(queued_arena.pk, now=database_now() + timedelta(minutes=1), seed=1)
    assert Ticket.objects.filter(state="proposed").count() == 2
    return queued_arena


def test_a_member_reads_on_every_page_that_their_captain_queued_them(
    queued_arena: Arena, alice: Player, bob: Player
) -> None:
    said = "Alice queued you in Teams. Matching starts once you are here."
    assert said in page(bob)
    assert said in words(bar(bob))
    assert 'hx-trigger="every 3s"' in bar(bob).content.decode()
    assert "queued you" not in page(alice)


def test_no_match_is_made_before_all_members_are_there(
    queued_arena: Arena, alice: Player, bob: Player, dora: Player
) -> None:
    queue = reverse("queue", args=[queued_arena.slug])
    assert "Still missing: Bob" in page(alice, queue)
    for number, player in enumerate((bob, dora), start=1):
        tick(queued_arena.pk, now=database_now() + timedelta(hours=number), seed=1)
        assert not Proposal.objects.exists()
        page(player, queue)
    assert "queued you" not in page(bob)
    made = tick(queued_arena.pk, now=database_now() + timedelta(hours=3), seed=1)
    assert made
    assert made.proposed == 1


def test_everyone_in_a_found_match_reads_so_on_every_page_until_they_answer(
    matched_arena: Arena, alice: Player, bob: Player
) -> None:
    for player in (alice, bob):
        assert "Match found in Teams." in page(player)
        assert "Match found in Teams." in words(bar(player))
    proposal = Ticket.objects.of(bob).get().proposal
    assert proposal
    answer = reverse("queue_answer", args=[matched_arena.slug, proposal.pk])
    browser_of(bob).post(answer, {"answer": "accept"})
    assert "You have, too." in page(bob)
    assert "1 of 4 have accepted. " in page(alice)  # Bob has answered for himself only


def test_a_poll_gets_the_bar_only_when_it_has_changed(
    queued_arena: Arena, duel: Arena, alice: Player, bob: Player
) -> None:
    state = bar(bob).content.decode().split("seen=")[1].split('"')[0]
    assert bar(bob, seen=state).status_code == 204
    beats(alice, bob, duel)
    assert "1 result needs your confirmation" in words(bar(bob, seen=state))


@pytest.fixture
def reported_match(duel: Arena, alice: Player, charlie: Player) -> Match:
    return beats(alice, charlie, duel)


def test_opening_a_notice_marks_it_read_and_leads_to_what_it_is_about(
    reported_match: Match, charlie: Player
) -> None:
    notice = Notice.objects.get()
    answer = browser_of(charlie).get(reverse("notice", args=[notice.pk]))
    assert answer["Location"] == reported_match.get_absolute_url()
    notice.refresh_from_db()
    assert notice.seen_at
    assert notice.mail_at is None
    assert "unread notice" not in page(charlie)


def test_nobody_opens_or_reads_the_notices_of_others(
    reported_match: Match, alice: Player, charlie: Player, olga: Player
) -> None:
    notice = Notice.objects.get()
    for player in (alice, olga):
        browser = browser_of(player)
        assert browser.get(reverse("notice", args=[notice.pk])).status_code == 404
        assert "No notices yet" in words(browser.get(reverse("inbox")))
        browser.post(reverse("inbox_read"))
    notice.refresh_from_db()
    assert notice.seen_at is None


def test_all_notices_are_marked_as_read_with_one_button(
    reported_match: Match, charlie: Player
) -> None:
    browser = browser_of(charlie)
    browser.get(reverse("inbox_read"))
    assert Notice.objects.get().seen_at is None  # a link changes nothing
    said = words(browser.post(reverse("inbox_read"), follow=True))
    assert "1 notice marked as read." in said
    assert "Unread:" not in said


def test_markup_in_a_name_stays_text(duel: Arena, charlie: Player) -> None:
    name = "<b>Bold</b>"
    eve = Player.objects.create(name="Eve")
    Player.objects.filter(pk=eve.pk).update(name=name)
    eve.refresh_from_db()
    notify([charlie], NoticeKind.QUEUED, NOW, actor=eve, arena=duel)
    shown = browser_of(charlie).get(reverse("inbox")).content.decode()
    assert name not in shown
    assert "&lt;b&gt;Bold" in shown


def test_seven_fixtures_are_one_line_that_unfolds(duel: Arena, alice: Player) -> None:
    others = crowd(7)
    dates = [agree_on_date(duel, alice, other) for other in others]
    Notice.objects.all().delete()
    for number, date in enumerate(dates):
        if number == 0:
            Arrangement.objects.filter(pk=date.pk).update(state=Arrangement.State.CALLED_OFF)
        notify([alice], NoticeKind.FIXTURE, NOW, arrangement=date)
    page = browser_of(alice).get(reverse("inbox"))
    said = words(page)
    assert said.count("6 fixtures in Duel were set.") == 1
    assert said.count("Fixture in Duel: ") == 7
    assert len(page.context["groups"]) == 2


def test_all_about_a_match_is_one_entry_and_read_at_once(
    reported_match: Match, alice: Player, charlie: Player
) -> None:
    notify([charlie], NoticeKind.DISPUTED, NOW, match=reported_match, actor=alice)
    notify([charlie], NoticeKind.LETTER, NOW)
    page = browser_of(charlie).get(reverse("inbox"))
    assert "1 earlier notice about it" in words(page)
    assert [len(group.notices) for group in page.context["groups"]] == [1, 2]
    newest = Notice.objects.get(kind=NoticeKind.DISPUTED)
    browser_of(charlie).get(reverse("notice", args=[newest.pk]))
    assert list(Notice.objects.unseen().values_list("kind", flat=True)) == ["letter"]


def test_each_entry_has_the_picture_of_the_other_or_the_sign_of_the_arena(
    reported_match: Match, duel: Arena, alice: Player, charlie: Player
) -> None:
    Profile.objects.create(player=alice, picture="abc123")
    portrait = reverse("avatar", args=[alice.pk, "abc123"])

    def entries() -> tuple[dict[str, str], int]:
        with CaptureQueriesContext(connection) as statements:
            page = browser_of(charlie).get(reverse("inbox"))
        found = re.findall(r'<span class="of">(.*?)</span>\s', page.content.decode(), re.DOTALL)
        kinds = [group.newest[0].kind for group in page.context["groups"]]
        return dict(zip(kinds, found, strict=True)), len(statements)

    shown, fewest = entries()
    assert portrait in shown["reported"]
    notify([charlie], NoticeKind.RATED, NOW, match=reported_match)
    notify([charlie], NoticeKind.FIXTURE, NOW, arrangement=agree_on_date(duel, alice, charlie))
    notify([charlie], NoticeKind.QUEUED, NOW, arena=duel, actor=crowd(1)[0])
    shown, most = entries()
    assert "arena-sign" in shown["rated"]
    assert portrait in shown["fixture"]
    assert "player-picture face" in shown["queued"]
    assert most == fewest
