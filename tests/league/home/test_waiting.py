"""Whatever waits for a player, or is theirs to play, stands in all the places that list it.

Services bring a match, a date or a challenge into each of its states. Its page says what a player
can do there, and the bar, the front page and the page of open matches have to agree.
"""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.urls import reverse

from league.models import Arena, Arrangement, Challenge, Match, Notice, Player
from league.services.core.clock import database_now
from league.services.core.types import PlayedBy, ReportedSide
from league.services.dates import answers as date_answers
from league.services.dates import changing as date_changes
from league.services.dates import no_shows, proposals
from league.services.ladder import challenges, playing
from league.services.notices.texts import tell
from league.services.results.reports import answers, countering
from league.services.results.reports.live import StartingSide, start
from league.services.results.reports.reporting import report
from league.services.results.staff.decisions import decide
from tests.support.cast import beats, roster
from tests.support.challenge_steps import ladder_of
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, words

ANSWERS = {
    "Yes, confirm": "1 result needs your confirmation.",
    "Accept this result": "1 report contradicts yours and waits for your answer.",
    "No, I stayed": "1 report says that you left early.",
    "I did not come": "1 date waits for your answer.",
    'value="accept">Accept</button>': "1 date waits for your answer.",
    "Agree to this time": "1 date waits for your answer.",
    "Agree to call it off": "1 date waits for your answer.",
    'value="accept">Accept<span': "1 challenge waits for your answer.",
}
"""What a player can answer on a page, and what the bar says of it."""
PLAYS = {
    ("Match", "live"): "Your match is being played.",
    ("Arrangement", "accepted"): "1 match is agreed and still to be played.",
    ("Challenge", "accepted"): "1 match is agreed and still to be played.",
}
"""What the bar says of what is to be played, by kind and state."""


class World:
    def __init__(self, arena: Arena, one: Player, other: Player, mate: Player, staff: Player):
        self.arena, self.one, self.other = arena, one, other
        self.mate, self.staff = mate, staff
        self.now = database_now()


# Matches


def live(world: World) -> Match:
    sides = [StartingSide(player, [player]) for player in (world.one, world.other)]
    return start(world.arena, sides, now=world.now)


def reported(world: World) -> Match:
    return beats(world.one, world.other, world.arena, now=world.now)


def confirmed(world: World) -> Match:
    return answers.confirm(reported(world).pk, by=world.other, now=world.now)


def disputed(world: World) -> Match:
    return answers.dispute(reported(world).pk, by=world.other, reason="No.", now=world.now)


def countered(world: World) -> Match:
    other = [(1, None), (0, None)]
    return countering.counter(reported(world).pk, other, by=world.other, now=world.now)


def accepted_counter(world: World) -> Match:
    return countering.accept(countered(world).pk, by=world.one, now=world.now)


def rejected_counter(world: World) -> Match:
    return countering.reject(countered(world).pk, by=world.one, now=world.now)


def voided(world: World) -> Match:
    pk = countered(world).pk
    void: dict[str, object] = {"verdict": "voided", "reason": "No.", "now": world.now}
    return decide(pk, by=user_of(world.staff), **void)  # type: ignore[arg-type]


def says_that_somebody_left(world: World) -> Match:
    Arena.objects.filter(pk=world.arena.pk).update(team_size_max=2)
    world.arena.refresh_from_db()
    owls = roster(world.arena, "Owls", world.one, world.mate)
    parts = [PlayedBy(world.one), PlayedBy(world.mate, quit=True)]
    sides = [
        ReportedSide(world.one, parts, 0, roster=owls),
        ReportedSide(world.other, [PlayedBy(world.other)], 1),
    ]
    return report(
        world.arena,
        sides,
        reporter=world.one,
        played_at=world.now - timedelta(minutes=5),
        now=world.now,
    )


def answered_claim(world: World) -> Match:
    match = says_that_somebody_left(world)
    answers.answer_claim(match.pk, by=world.mate, left=False, now=world.now)
    return match


# Dates


def proposed(world: World) -> Arrangement:
    at = world.now + timedelta(days=2)
    return proposals.propose(world.arena, world.other, at, by=world.one, now=world.now)


def moved(world: World) -> Arrangement:
    at = world.now + timedelta(days=3)
    return proposals.move(proposed(world).pk, at, by=world.other, seen=1, now=world.now)


def agreed(world: World) -> Arrangement:
    return date_answers.accept(proposed(world).pk, by=world.other, seen=1, now=world.now)


def declined(world: World) -> Arrangement:
    return date_answers.decline(proposed(world).pk, by=world.other, seen=1, now=world.now)


def asked_to_move(world: World) -> Arrangement:
    one, at = agreed(world), world.now + timedelta(days=4)
    return date_changes.ask_to_move(one.pk, at, by=world.one, seen=one.revision, now=world.now)


def called_off(world: World) -> Arrangement:
    one = agreed(world)
    return date_changes.call_off(
        one.pk, by=world.one, seen=one.revision, reason="Ill.", now=world.now
    )


def due(world: World) -> Arrangement:
    one = agreed(world)
    Arrangement.objects.filter(pk=one.pk).update(play_at=world.now - timedelta(hours=2))
    return one


def claimed_no_show(world: World) -> Arrangement:
    return no_shows.claim(due(world).pk, by=world.one, now=world.now)


def denied_no_show(world: World) -> Arrangement:
    one = claimed_no_show(world)
    no_shows.deny(one.pk, by=world.other, reason="I was there.", now=world.now)
    return one


# Challenges


def sent(world: World) -> Challenge:
    ladder, (top, second) = ladder_of(["Tom", "Sue"])
    world.one, world.other, world.arena = second, top, ladder
    return challenges.challenge(ladder, top, by=second, now=world.now)


def taken(world: World) -> Challenge:
    return challenges.accept(sent(world).pk, by=world.other, now=world.now)


def started(world: World) -> Match:
    return playing.start(taken(world).pk, by=world.one, now=world.now)


def refused(world: World) -> Challenge:
    return challenges.decline(sent(world).pk, by=world.other, now=world.now)


STATES: list[Callable[[World], Match | Arrangement | Challenge]] = [
    live, reported, confirmed, disputed, countered, accepted_counter, rejected_counter, voided,
    says_that_somebody_left, answered_claim, proposed, moved, agreed, declined, asked_to_move,
    called_off, due, claimed_no_show, denied_no_show, sent, taken, started, refused,
]  # fmt: skip
WAIT = {
    reported, countered, says_that_somebody_left, answered_claim, proposed, moved, asked_to_move,
    claimed_no_show, sent,
}  # fmt: skip


@pytest.fixture
def world(duel: Arena, alice: Player, charlie: Player, bob: Player, olga: Player) -> World:
    return World(duel, alice, charlie, bob, olga)


@pytest.mark.parametrize("state", STATES)
def test_every_place_lists_what_waits_and_what_is_to_be_played(
    world: World, state: Callable[[World], Match | Arrangement | Challenge]
) -> None:
    it = state(world)
    it.refresh_from_db()
    kind = type(it).__name__, str(getattr(it, "status", None) or getattr(it, "state", None))
    waits = False
    for player in (world.one, world.other, world.mate):
        browser = browser_of(player)
        page = browser.get(it.get_absolute_url(), follow=True).content.decode()
        page = page[page.index("<main") :]
        expected = [bar for answer, bar in ANSWERS.items() if answer in page]
        waits = waits or bool(expected)
        if player != world.mate and kind in PLAYS:
            expected.append(PLAYS[kind])
        bar, front = browser.get(reverse("waiting")), browser.get("/")
        for one in expected:
            for answer in (bar, front, browser.get(reverse("inbox"))):
                assert one in words(answer), (player, one)
        listed = bar.content.decode()
        listed = listed[listed.index("<main") :]
        assert (f'href="{it.get_absolute_url()}"' in listed) >= bool(expected), player
        if not expected:
            assert 'class="waiting"' not in front.content.decode(), player
            assert "to answer" not in words(front)
        else:
            assert "Nothing waits for you." not in words(front)
    assert waits == (state in WAIT)


def test_the_inbox_says_that_another_result_waits_for_an_answer(world: World) -> None:
    match = countered(world)
    browser = browser_of(world.one)
    asked = "Charlie reports another result of your match in Duel. Accept or reject it."
    assert asked in words(browser.get(reverse("inbox")))
    countering.reject(match.pk, by=world.one, now=world.now)
    assert asked not in words(browser.get(reverse("inbox")))
    assert tell(Notice.objects.get(player=world.one)).text.startswith("Charlie disputes")
    assert not Notice.objects.unseen().filter(player=world.one).exists()
