"""Notices by mail: what arrives, and what its links can and cannot do."""

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import signing
from django.test import Client
from django.urls import reverse

from league.models import (
    Arena,
    BouncingAddress,
    MailPreference,
    Match,
    Notice,
    NoticeKind,
    Participant,
    Player,
    Side,
    Status,
    User,
)
from league.services.core.clock import database_now
from league.services.notices import delivery, links, mailing, preferences
from league.services.notices.writing import MAIL_AFTER, notify
from league.services.people import invitations
from league.services.results.reports.answers import confirm, dispute
from league.services.results.reports.changing import change
from league.services.results.reports.live import Finish
from tests.support.cast import NOW, arena, beats, roster
from tests.support.mail_steps import Mailbox, mail_server, text_of
from tests.support.web_steps import browser_of, words

CHARLIES = "charlie@league.example"
DUE = NOW + MAIL_AFTER


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    with mail_server() as made:
        yield made


@pytest.fixture
def charlie(charlie: Player) -> Player:
    """Charlie with a confirmed address."""
    assert charlie.user
    EmailAddress.objects.create(user=charlie.user, email=CHARLIES, verified=True, primary=True)
    return charlie


@pytest.fixture
def reported_match(mailbox: Mailbox, duel: Arena, alice: Player, charlie: Player) -> Match:
    return beats(alice, charlie, duel)


def arrives(now: datetime = DUE) -> int:
    """Write the mails that are due, and deliver them. Return how many."""
    written = mailing.mail_due(now)
    delivery.deliver_due(database_now())
    return written


def link_in(mailbox: Mailbox, name: str = "answer") -> str:
    found = re.search(rf"http://localhost:8000(/notices/{name}/\S+)", text_of(mailbox.received[-1]))
    assert found
    return found[1]


def answers(link: str, word: str = "confirm", by: Player | None = None, **more: str) -> int:
    browser = browser_of(by) if by else Client()
    return browser.post(link, {"answer": word, **more}).status_code


def status_of(match: Match) -> str:
    match.refresh_from_db()
    return str(match.status)


def test_a_report_is_mailed_after_a_minute_and_confirmed_by_its_link(
    mailbox: Mailbox, reported_match: Match
) -> None:
    assert arrives(DUE - timedelta(seconds=1)) == 0
    assert arrives() == 1
    assert arrives() == 0
    [message] = mailbox.received
    assert mailbox.recipients == [CHARLIES]
    assert message["Subject"] == "Laurel: Alice reported a result in Duel. Confirm or dispute it."
    html = message.get_body(("html",))
    assert html
    link = link_in(mailbox)
    assert link in html.get_content()

    shown = Client().get(link)
    assert "You answer as Charlie" in words(shown)
    assert "no-store" in shown["Cache-Control"]
    Client().head(link)
    assert status_of(reported_match) == Status.REPORTED  # opening it confirms nothing
    assert answers(link) == 200
    assert status_of(reported_match) == Status.RATED
    assert reported_match.confirmed_by is not None
    assert reported_match.confirmed_by.name == "Charlie"
    assert answers(link) == 409


def test_a_name_from_right_to_left_reorders_no_mail_and_no_inbox(
    mailbox: Mailbox, duel: Arena, alice: Player, charlie: Player
) -> None:
    alice.name = "עמית"
    alice.save()
    beats(alice, charlie, duel)
    assert arrives() == 1
    [message] = mailbox.received
    sentence = "\u2068עמית\u2069 reported a result in Duel. Confirm or dispute it."
    html = message.get_body(("html",))
    assert html
    assert message["Subject"].strip() == f"Laurel: \u2068{sentence}\u2069"
    assert sentence in text_of(message)
    assert sentence in html.get_content()
    assert sentence in browser_of(charlie).get(reverse("inbox")).content.decode()


def test_a_report_is_disputed_by_its_link_with_a_reason(
    mailbox: Mailbox, reported_match: Match
) -> None:
    arrives()
    link = link_in(mailbox)
    assert answers(link, "dispute") == 400
    assert answers(link, "nothing") == 400
    assert status_of(reported_match) == Status.REPORTED
    assert answers(link, "dispute", reason="It was a draw.") == 200
    assert status_of(reported_match) == Status.DISPUTED
    assert reported_match.dispute_reason == "It was a draw."


def test_a_form_from_another_site_confirms_nothing(mailbox: Mailbox, reported_match: Match) -> None:
    arrives()
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(link_in(mailbox), {"answer": "confirm"}).status_code == 403
    assert status_of(reported_match) == Status.REPORTED


def test_forged_and_foreign_links_are_refused(
    mailbox: Mailbox, reported_match: Match, alice: Player, charlie: Player
) -> None:
    arrives()
    token = link_in(mailbox).split("/")[-2]
    payload = [reported_match.pk, charlie.pk, links.state_of(reported_match, CHARLIES)]
    forged = [
        token[:-1] + ("A" if token[-1] != "A" else "B"),
        "nonsense",
        signing.dumps(payload, key="another key", salt=links.ANSWER_SALT),
        links.stop_token(charlie, "reported"),  # made for another purpose
        signing.dumps("text", salt=links.ANSWER_SALT),
    ]
    for wrong in forged:
        address = reverse("notice_answer", args=[wrong])
        assert Client().get(address).status_code == 400, wrong
        assert answers(address) == 400, wrong
    own = links.answer_token(reported_match, alice, "alice@league.example")
    assert answers(reverse("notice_answer", args=[own])) == 409
    assert status_of(reported_match) == Status.REPORTED


def test_a_link_that_was_passed_on_does_not_work_for_another_player(
    mailbox: Mailbox, reported_match: Match, alice: Player
) -> None:
    arrives()
    link = link_in(mailbox)
    assert browser_of(alice).get(link).status_code == 403
    assert answers(link, by=alice) == 403
    assert status_of(reported_match) == Status.REPORTED


def test_an_old_link_is_refused(
    mailbox: Mailbox, reported_match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrives()
    monkeypatch.setattr(links, "VALID_FOR", timedelta(seconds=-1))
    assert answers(link_in(mailbox)) == 400
    assert status_of(reported_match) == Status.REPORTED


@pytest.mark.parametrize("change", ["score", "place", "quit", "reported_at", "address", "account"])
def test_a_link_is_worthless_once_what_it_was_made_for_has_changed(
    mailbox: Mailbox, reported_match: Match, charlie: Player, change: str
) -> None:
    arrives()
    changes: dict[str, Callable[[], object]] = {
        "score": lambda: Side.objects.filter(match=reported_match, index=0).update(score=9),
        "place": lambda: Side.objects.filter(match=reported_match, index=1).update(place=0),
        "quit": lambda: Participant.objects.filter(player=charlie).update(quit=True),
        "reported_at": lambda: Match.objects.update(reported_at=NOW + timedelta(seconds=1)),
        "address": lambda: EmailAddress.objects.update(email="new@league.example"),
        "account": lambda: User.objects.filter(player=charlie).update(is_active=False),
    }
    changes[change]()
    assert answers(link_in(mailbox)) == 409
    assert status_of(reported_match) == Status.REPORTED


@pytest.mark.parametrize("word", ["confirm", "dispute"])
@pytest.mark.parametrize("changes", [1, 2])
@pytest.mark.parametrize("mailed_before", [True, False])
def test_a_changed_report_is_answered_by_its_newest_link_only(
    mailbox: Mailbox,
    reported_match: Match,
    alice: Player,
    word: str,
    changes: int,
    mailed_before: bool,
) -> None:
    old, match = [], reported_match
    for nth in range(changes):
        if mailed_before:
            assert arrives(DUE + timedelta(minutes=2 * nth)) == 1
            old.append(link_in(mailbox))
        later = NOW + timedelta(minutes=2 * nth + 1)
        result = [Finish(0, 5 + nth), Finish(1, 1)]
        match = change(match.pk, result, by=alice, now=later, revision=nth + 1)
    assert arrives(DUE + timedelta(minutes=10)) == 1
    new = link_in(mailbox)
    assert f"Charlie 1–{4 + changes} Alice" in words(Client().get(new))
    for link in old:
        assert Client().get(link).status_code == 409
        assert answers(link, word, reason="No.") == 409
    assert status_of(reported_match) == Status.REPORTED
    assert answers(new, word, reason="No.") == 200
    assert status_of(reported_match) == (Status.RATED if word == "confirm" else Status.DISPUTED)


def test_a_link_to_a_report_of_another_game_mode_is_worthless(
    mailbox: Mailbox, duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel)
    duel.modes = ["King", "Gyro"]
    duel.save()
    Match.objects.update(mode="King")
    arrives()
    same = [Finish(side.place or 0, side.score) for side in match.sides.order_by("index")]
    change(match.pk, same, by=alice, now=NOW, mode="Gyro")
    assert answers(link_in(mailbox)) == 409
    assert status_of(match) == Status.REPORTED


def test_a_link_is_worthless_once_the_report_is_answered(
    mailbox: Mailbox, reported_match: Match, charlie: Player
) -> None:
    arrives()
    dispute(reported_match.pk, by=charlie, reason="No.", now=DUE)
    assert Client().get(link_in(mailbox)).status_code == 409
    assert answers(link_in(mailbox)) == 409
    assert status_of(reported_match) == Status.DISPUTED


@pytest.mark.parametrize(
    "reason", ["seen", "answered", "unverified", "bouncing", "locked", "never", "muted"]
)
def test_nothing_is_mailed_that_is_known_unwanted_or_undeliverable(
    mailbox: Mailbox, reported_match: Match, charlie: Player, reason: str
) -> None:
    reasons: dict[str, Callable[[], object]] = {
        "seen": lambda: Notice.objects.update(seen_at=NOW),
        "answered": lambda: Match.objects.update(status=Status.DISPUTED),
        "unverified": lambda: EmailAddress.objects.update(verified=False),
        "bouncing": lambda: BouncingAddress.objects.create(address=CHARLIES, since=NOW, error="x"),
        "locked": lambda: User.objects.filter(player=charlie).update(is_active=False),
        "never": lambda: preferences.choose(charlie, preferences.Pace.NEVER, []),
        "muted": lambda: preferences.choose(charlie, preferences.Pace.AT_ONCE, []),
    }
    reasons[reason]()
    assert arrives() == 0
    assert mailbox.received == []
    assert Notice.objects.get().mail_at is None


def test_one_click_ends_mails_of_a_kind_and_of_that_kind_only(
    mailbox: Mailbox, reported_match: Match, duel: Arena, alice: Player, charlie: Player
) -> None:
    arrives()
    message = mailbox.received[0]
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    header = message["List-Unsubscribe"].strip()
    link = re.fullmatch(r"<http://localhost:8000(/notices/stop/\S+)>", header)
    assert link, header
    mail_program = Client(enforce_csrf_checks=True)  # it has no cookies
    assert "End these mails?" in words(mail_program.get(link[1]))
    assert preferences.preference_of(charlie).muted == ["rated", "badge"]
    answer = mail_program.post(link[1], {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert "Stop these mails" in words(answer)
    assert set(preferences.preference_of(charlie).muted) == {"rated", "badge", "reported"}
    beats(alice, charlie, duel)
    notify([charlie], NoticeKind.BANNED, NOW, award=None)
    assert arrives() == 1
    assert "banned" in mailbox.received[-1]["Subject"]
    assert Client().post("/notices/stop/nonsense/").status_code == 400


def test_the_same_thing_is_mailed_once(
    mailbox: Mailbox, duel: Arena, alice: Player, charlie: Player
) -> None:
    del mailbox
    match = beats(alice, charlie, duel)
    Notice.objects.all().delete()
    for _time in range(2):
        notify([charlie], NoticeKind.DECIDED, NOW, match=match)
        assert arrives() in (0, 1)
        Notice.objects.update(seen_at=NOW)
    assert Notice.objects.count() == 2
    assert Notice.objects.exclude(emailed_at=None).count() == 1
    assert arrives(DUE + timedelta(days=1)) == 0


def test_nobody_floods_a_mailbox(
    mailbox: Mailbox, duel: Arena, alice: Player, charlie: Player
) -> None:
    teams = arena("teams", team_size_max=2)
    for number in range(40):
        invitations.invite(roster(teams, f"Roster {number}", alice), [charlie], NOW)
    assert arrives() == 0  # too many for single mails
    hour = NOW.replace(minute=0) + timedelta(hours=1)
    assert arrives(hour) == 1
    assert arrives(hour + timedelta(hours=1)) == 0
    [message] = mailbox.received
    assert message["Subject"] == "Laurel: 40 notices"
    assert "Roster 39" in text_of(message)


@pytest.mark.parametrize(
    ("pace", "at"),
    [
        (MailPreference.Pace.HOURLY, NOW.replace(hour=13)),
        (MailPreference.Pace.DAILY, NOW.replace(hour=8) + timedelta(days=1)),
    ],
)
def test_notices_are_collected_in_one_mail(
    mailbox: Mailbox, duel: Arena, alice: Player, charlie: Player, pace: str, at: datetime
) -> None:
    preferences.choose(charlie, preferences.Pace(pace), [NoticeKind.REPORTED])
    for _report in range(3):
        beats(alice, charlie, duel)
    assert arrives() == 0
    assert arrives(at - timedelta(seconds=1)) == 0
    assert arrives(at) == 1
    assert mailbox.received[0]["Subject"] == "Laurel: 3 notices"
    assert "/notices/answer/" not in text_of(mailbox.received[0])


def test_a_name_cannot_add_a_header_or_markup(
    mailbox: Mailbox, duel: Arena, alice: Player, charlie: Player
) -> None:
    Player.objects.filter(pk=alice.pk).update(name="Al\r\nBcc: eve@x.example\n<b>ice</b>")
    alice.refresh_from_db()
    beats(alice, charlie, duel)
    assert arrives() == 1
    assert mailbox.recipients == [CHARLIES]
    [message] = mailbox.received
    assert message["Bcc"] is None
    html = message.get_body(("html",))
    assert html
    assert "<b>ice" not in html.get_content()


def test_a_rated_result_is_mailed_to_those_who_ask_for_it(
    mailbox: Mailbox, duel: Arena, alice: Player, charlie: Player
) -> None:
    confirm(beats(charlie, alice, duel).pk, by=alice, now=NOW)
    assert arrives() == 0
    browser = browser_of(charlie)
    form = {"pace": "at-once", "kinds": ["rated"]}
    assert browser.post(reverse("mail_settings"), form).status_code == 302
    assert browser.post(reverse("mail_settings"), {"pace": "often"}).status_code == 400
    assert browser.post(reverse("mail_settings"), form | {"kinds": ["x"]}).status_code == 400
    confirm(beats(charlie, alice, duel).pk, by=alice, now=NOW)
    assert arrives() == 1
    assert "counts" in mailbox.received[0]["Subject"]
