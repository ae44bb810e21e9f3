"""Mail as a real SMTP server receives it, refuses it, or is not there to receive it."""

import re
import socket
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.checks import run_checks
from django.core.mail import EmailMessage, EmailMultiAlternatives, send_mail
from django.core.management import CommandError, call_command
from django.test import Client, override_settings
from django.urls import reverse

from league import tasks
from league.environment_values import mail_from_url
from league.models import BouncingAddress, Email, Player, User
from league.services.core.clock import database_now
from league.services.notices import delivery
from tests.support.mail_steps import Mailbox, mail_server, site_mail_to, text_of
from tests.support.web_steps import browser_of

ALICE = "alice@league.example"


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    with mail_server() as made:
        yield made


def writes(to: str = ALICE, subject: str = "Hello", text: str = "A line.") -> Email:
    send_mail(subject, text, None, [to])
    return Email.objects.latest("pk")


def closed_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def test_a_reset_of_the_password_reaches_the_mailbox(mailbox: Mailbox, alice: Player) -> None:
    User.objects.filter(player=alice).update(email=ALICE)
    answer = Client().post(reverse("account_reset_password"), {"email": ALICE})
    assert answer.status_code == 302
    assert mailbox.received == []  # the page has not waited for it
    assert tasks.deliver_mail() == 1
    [message] = mailbox.received
    assert mailbox.recipients == [ALICE]
    assert message["To"] == ALICE
    assert message["From"] == "Laurel <noreply@localhost>"
    link = re.search(r"http://localhost:8000(/accounts/password/reset/key/\S+)", text_of(message))
    assert link
    assert Client().get(link[1], follow=True).status_code == 200
    sent = Email.objects.get()
    assert (sent.state, sent.attempts, sent.text, sent.html) == ("sent", 1, "", "")
    assert tasks.deliver_mail() == 0


def test_a_mail_with_html_arrives_with_both_parts_and_its_headers(mailbox: Mailbox) -> None:
    message = EmailMultiAlternatives(
        "Größe: “fünf”", "Plain “text”", "Laurel <a@b.example>", [ALICE], headers={"X-Tag": "yes"}
    )
    message.attach_alternative("<p>Rich “text”</p>", "text/html")
    message.send()
    assert tasks.deliver_mail() == 1
    [received] = mailbox.received
    assert received["Subject"] == "Größe: “fünf”"
    assert received["X-Tag"] == "yes"
    assert text_of(received).strip() == "Plain “text”"
    html = received.get_body(("html",))
    assert html
    assert html.get_content().strip() == "<p>Rich “text”</p>"


def test_recipients_of_one_message_do_not_see_each_other(mailbox: Mailbox) -> None:
    EmailMessage("Hello", "text", None, [ALICE], bcc=["olga@league.example"]).send()
    assert tasks.deliver_mail() == 2
    assert [message["To"] for message in mailbox.received] == mailbox.recipients
    assert set(mailbox.recipients) == {ALICE, "olga@league.example"}


def test_a_mail_waits_for_a_server_that_is_down_and_loses_no_attempt() -> None:
    now = database_now()
    with site_mail_to(closed_port()):
        mail = writes()
        assert delivery.deliver_due(now + timedelta(seconds=1)) == 0
    mail.refresh_from_db()
    assert (mail.state, mail.attempts) == ("waiting", 0)
    assert mail.error
    assert mail.next_attempt_at == now + timedelta(seconds=1) + delivery.SERVER_PAUSE
    with mail_server() as mailbox:
        assert delivery.deliver_due(now) == 0
        assert delivery.deliver_due(now + timedelta(minutes=1)) == 1
    assert mailbox.recipients == [ALICE]


def test_a_page_works_without_mail_server_and_broker(alice: Player) -> None:
    User.objects.filter(player=alice).update(email=ALICE)
    with site_mail_to(closed_port()), override_settings(CELERY_BROKER_URL="redis://127.0.0.1:1"):
        answer = Client().post(reverse("account_reset_password"), {"email": ALICE})
    assert answer.status_code == 302
    assert Email.objects.get().state == "waiting"


def test_a_final_refusal_is_not_repeated_and_marks_the_address(mailbox: Mailbox) -> None:
    mailbox.replies["Gone@league.example"] = "550 5.1.1 No such user"
    mail = writes("Gone@league.example")
    other = writes()
    assert tasks.deliver_mail() == 1
    mail.refresh_from_db()
    other.refresh_from_db()
    assert (mail.state, mail.attempts) == ("failed", 1)
    assert "No such user" in mail.error
    assert other.state == "sent"
    assert BouncingAddress.objects.get().address == "gone@league.example"
    assert delivery.deliver_due(database_now() + timedelta(days=9)) == 0

    mailbox.replies.clear()  # a mail that arrives clears the mark
    writes("gone@league.example")
    assert tasks.deliver_mail() == 1
    assert not BouncingAddress.objects.exists()


@pytest.mark.parametrize("reply", ["550 5.7.1 Relaying denied", "554 5.7.0 We dislike you"])
def test_a_refusal_of_the_site_itself_does_not_mark_the_address(
    mailbox: Mailbox, reply: str
) -> None:
    mailbox.replies[ALICE] = reply
    mail = writes()
    assert tasks.deliver_mail() == 0
    mail.refresh_from_db()
    assert mail.state == "failed"
    assert not BouncingAddress.objects.exists()


def test_a_temporary_refusal_is_repeated_with_growing_pauses_and_then_given_up(
    mailbox: Mailbox,
) -> None:
    mailbox.replies[ALICE] = "451 4.2.0 Try later"
    mail = writes()
    now = database_now()
    for pause in delivery.PAUSES:
        assert delivery.deliver_due(now) == 0
        mail.refresh_from_db()
        assert mail.next_attempt_at == now + pause
        assert delivery.deliver_due(now + pause - timedelta(seconds=1)) == 0
        now += pause
    assert delivery.deliver_due(now) == 0
    mail.refresh_from_db()
    assert (mail.state, mail.attempts) == ("failed", len(delivery.PAUSES) + 1)
    assert not BouncingAddress.objects.exists()


def test_a_refused_text_fails_without_blaming_the_address(mailbox: Mailbox) -> None:
    mailbox.data_reply = "554 Looks like spam"
    mail = writes()
    assert tasks.deliver_mail() == 0
    mail.refresh_from_db()
    assert (mail.state, mail.error) == ("failed", "554 Looks like spam")
    assert not BouncingAddress.objects.exists()


@pytest.mark.parametrize("address", ["älice@league.example", "alice@@example", "a b@c.example"])
def test_an_impossible_address_holds_up_nobody(mailbox: Mailbox, address: str) -> None:
    Email.objects.create(
        recipient=address,
        sender="a@b.example",
        subject="Hello",
        text="x",
        created_at=database_now(),
        next_attempt_at=database_now() - timedelta(seconds=1),
    )
    writes()
    tasks.deliver_mail()
    assert ALICE in mailbox.recipients


def test_staff_see_failed_mails_without_their_text_and_send_them_again(
    mailbox: Mailbox, olga: Player
) -> None:
    mailbox.replies[ALICE] = "550 No such user"
    mail = writes(text="a secret link")
    tasks.deliver_mail()
    browser = browser_of(olga)
    listed = browser.get(reverse("admin:league_email_changelist"), {"state__exact": "failed"})
    assert ALICE in listed.content.decode()
    shown = browser.get(reverse("admin:league_email_change", args=[mail.pk])).content.decode()
    assert "550 No such user" in shown
    assert "a secret link" not in shown

    mailbox.replies.clear()
    browser.post(
        reverse("admin:league_email_changelist"),
        {"action": "send_again", "_selected_action": [mail.pk]},
    )
    assert tasks.deliver_mail() == 1
    assert text_of(mailbox.received[0]).strip() == "a secret link"


def test_old_mails_are_forgotten(mailbox: Mailbox) -> None:
    writes()
    tasks.deliver_mail()
    waiting = writes()
    later = database_now() + delivery.KEPT + timedelta(days=1)
    assert delivery.forget_old(later) == 1
    assert Email.objects.get() == waiting


def test_the_test_mail_is_sent_at_once_or_says_why_not(mailbox: Mailbox) -> None:
    said = StringIO()
    call_command("sendtestemail", ALICE, stdout=said)
    assert "taken the mail" in said.getvalue()
    assert mailbox.recipients == [ALICE]
    mailbox.replies["eve@league.example"] = "550 No such user"
    with pytest.raises(CommandError, match="550 No such user"):
        call_command("sendtestemail", "eve@league.example")


@pytest.mark.parametrize(
    ("url", "host", "port", "tls", "ssl"),
    [
        ("smtp://mail.example", "mail.example", 25, False, False),
        ("smtp+tls://me%40x:p%2Fw@mail.example:2525", "mail.example", 2525, True, False),
        ("smtps://mail.example", "mail.example", 465, False, True),
    ],
)
def test_the_mail_server_is_read_from_one_variable(
    url: str, host: str, port: int, tls: bool, ssl: bool
) -> None:
    read = mail_from_url(url)
    assert (read["EMAIL_HOST"], read["EMAIL_PORT"]) == (host, port)
    assert (read["EMAIL_USE_TLS"], read["EMAIL_USE_SSL"]) == (tls, ssl)
    if "@" in url:
        assert (read["EMAIL_HOST_USER"], read["EMAIL_HOST_PASSWORD"]) == ("me@x", "p/w")


def test_a_production_check_warns_without_a_mail_server(settings: Any) -> None:
    settings.MAIL_DELIVERY = "django.core.mail.backends.console.EmailBackend"
    assert "league.W001" in {found.id for found in run_checks(include_deployment_checks=True)}
    settings.MAIL_DELIVERY = "django.core.mail.backends.smtp.EmailBackend"
    assert "league.W001" not in {found.id for found in run_checks(include_deployment_checks=True)}
