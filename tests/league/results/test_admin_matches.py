"""The admin shows all that was said about a match, and nobody can edit it there."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from league.admin.core.results import result_of
from league.models import Arena, Match, Player, Side, Status, User
from league.services.core.types import PlayedBy, ReportedSide
from league.services.results.reports.countering import counter, reject
from league.services.results.reports.reporting import report
from league.services.results.staff.threads import write
from tests.support.admin_steps import browser_of, staff
from tests.support.cast import NOW, account, beats, side
from tests.support.pictures import upload
from tests.support.web_steps import words

__all__ = ["staff"]


@pytest.fixture
def countered_match(duel: Arena, alice: Player, charlie: Player) -> Match:
    """Create a dispute with a counter-report and a message with an image."""
    match = beats(alice, charlie, duel)
    counter(match.pk, [(1, 2), (0, 3)], by=charlie, now=NOW, comment="<b>I</b> won.", revision=1)
    assert alice.user
    write(
        match.pk,
        by=alice.user,
        player=alice,
        text="<i>No</i>, see:",
        link="https://example.com/r/1",
        image=upload(),
        description="Final “score”",
        now=NOW,
    )
    return match


def page_of(match: Match) -> str:
    return reverse("admin:league_match_change", args=[match.pk])


def test_a_match_page_shows_counter_reports_messages_and_images(
    staff: Client, countered_match: Match, alice: Player, charlie: Player, olga: Player
) -> None:
    answer = staff.get(page_of(countered_match))
    page, text = answer.content.decode(), words(answer)
    assert "1. Charlie (3) 2. Alice (2)" in text
    assert "&lt;b&gt;I&lt;/b&gt; won." in page
    assert "waiting for an answer until" in text
    assert "&lt;i&gt;No&lt;/i&gt;, see:" in page
    assert '<a href="https://example.com/r/1" rel="nofollow noopener ugc">' in page
    message = countered_match.messages.get()
    image = reverse("match_image", args=[countered_match.pk, message.pk])
    assert f'<a href="{image}"><img class="evidence" src="{image}"' in page
    assert 'alt="Final “score”"' in page
    assert staff.get(image).status_code == 200
    assert 'name="_save"' not in page
    reject(countered_match.pk, by=alice, now=NOW)
    assert olga.user
    write(countered_match.pk, by=olga.user, player=None, text="Thank you.", now=NOW)
    text = words(staff.get(page_of(countered_match)))
    assert "rejected Alice, " in text
    assert "olga (staff) Thank you." in text


def test_messages_are_for_staff_who_decide(countered_match: Match, eve: Player) -> None:
    User.objects.filter(player=eve).update(is_staff=True)
    user = User.objects.get(player=eve)
    user.user_permissions.add(Permission.objects.get(codename="view_match"))
    answer = browser_of(user).get(page_of(countered_match))
    assert answer.status_code == 200
    assert "1. Charlie (3)" in words(answer)
    assert "see:" not in words(answer)
    assert "example.com" not in answer.content.decode()
    user.user_permissions.add(Permission.objects.get(codename="decide_match"))
    assert "see:" in words(browser_of(user).get(page_of(countered_match)))


def test_a_match_without_answers_has_no_empty_tables(
    staff: Client, duel: Arena, alice: Player, charlie: Player
) -> None:
    text = words(staff.get(page_of(beats(alice, charlie, duel))))
    assert "Counter-reports" not in text
    assert text.count("Messages") == 1  # the group of lists beside the page


def test_a_long_counter_report_shows_its_best_places(
    staff: Client, alice: Player, charlie: Player, melee: Arena
) -> None:
    melee.sides_max = 30
    melee.save()
    players = [alice, charlie, *(account(f"Player {number}") for number in range(18))]
    sides = [ReportedSide(one, [PlayedBy(one)], place) for place, one in enumerate(players)]
    match = report(melee, sides, reporter=alice, played_at=NOW, now=NOW)
    last_first = [(len(players) - 1 - place, None) for place in range(len(players))]
    counter(match.pk, last_first, by=charlie, now=NOW, revision=1)
    text = words(staff.get(page_of(match)))
    assert "1. Player 17 2. Player 16" in text
    assert "And 4 more sides." in text
    match.refresh_from_db()
    assert match.status == Status.DISPUTED


def test_the_list_of_matches_shows_results(
    staff: Client, duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    beats(alice, charlie, duel)
    played = [side(alice, place=1, score=2), side(bob, place=0, score=2.5)]
    report(duel, played, reporter=alice, played_at=NOW, now=NOW)
    drawn = [side(bob, place=0), side(charlie, place=0)]
    report(duel, drawn, reporter=bob, played_at=NOW, now=NOW)
    text = words(staff.get(reverse("admin:league_match_changelist")))
    assert "Alice – Charlie Alice won" in text
    assert "Alice – Bob 2:2.5" in text
    assert "Bob – Charlie draw" in text


def test_the_winners_of_a_race_are_named() -> None:
    names = ["Alice", "Bob", "Charlie", "Dora"]
    racers = [Side(captain=Player(name=name), place=at) for at, name in enumerate(names)]
    assert result_of(racers) == "Alice won"
    for racer in racers:
        racer.place = 0
    assert result_of(racers) == "Alice, Bob, … won"
    assert result_of([Side(captain=Player(name=name)) for name in names]) == ""
