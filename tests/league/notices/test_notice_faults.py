"""Notices and mails under concurrency, and with rows that cannot be mailed."""

from datetime import timedelta
from functools import partial

import pytest
from allauth.account.models import EmailAddress

from league.models import Arena, Email, Match, Notice, NoticeKind, Player, RatingEvent, Status
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.notices import delivery, links, mailing
from league.services.notices.writing import MAIL_AFTER, notify
from league.services.results.reports import mailed_answers
from tests.support.cast import NOW, beats
from tests.support.concurrency import all_at_once
from tests.support.mail_steps import mail_server

DUE = NOW + MAIL_AFTER


def confirmed_address(player: Player) -> str:
    assert player.user
    address = f"{player.name.lower()}@league.example"
    EmailAddress.objects.create(user=player.user, email=address, verified=True, primary=True)
    return address


@pytest.mark.django_db(transaction=True)
def test_many_sweeps_at_once_send_one_mail(duel: Arena, alice: Player, charlie: Player) -> None:
    confirmed_address(charlie)
    with mail_server() as mailbox:
        beats(alice, charlie, duel)
        assert sum(map(int, map(str, all_at_once([partial(mailing.mail_due, DUE)] * 8)))) == 1
        later = database_now() + timedelta(seconds=1)
        all_at_once([partial(delivery.deliver_due, later)] * 8)
    assert len(mailbox.received) == 1
    assert Email.objects.get().state == Email.State.SENT


@pytest.mark.django_db(transaction=True)
def test_a_link_that_is_used_many_times_at_once_confirms_once(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel)
    token = links.answer_token(match, charlie, confirmed_address(charlie))
    confirms = partial(mailed_answers.confirm, token, reader=None, now=DUE)
    disputes = partial(mailed_answers.dispute, token, reader=None, reason="No.", now=DUE)
    results = all_at_once([confirms, disputes] * 8)
    assert sum(not isinstance(result, Refused) for result in results) == 1
    match = Match.objects.get()
    assert match.status in {Status.RATED, Status.DISPUTED}
    assert RatingEvent.objects.count() == (2 if match.status == Status.RATED else 0)


def test_an_address_that_no_mail_can_have_holds_up_nobody(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    confirmed_address(alice)
    confirmed_address(charlie)
    EmailAddress.objects.filter(user=alice.user).update(email="alice\n@league.example")
    with mail_server() as mailbox:
        notify([alice, charlie], NoticeKind.DECIDED, NOW, match=beats(alice, charlie, duel))
        Notice.objects.filter(kind=NoticeKind.REPORTED).delete()
        assert mailing.mail_due(DUE) == 1
        delivery.deliver_due(database_now() + timedelta(seconds=1))
    assert mailbox.recipients == ["charlie@league.example"]
    assert not Notice.objects.exclude(mail_at=None).exists()
