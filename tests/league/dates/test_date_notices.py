"""Captains are told what happens to their dates, and each piece of news is mailed."""

from datetime import timedelta
from typing import cast

from allauth.account.models import EmailAddress
from django.core import mail

from league.models import Arena, Player, User
from league.services.dates.answers import accept
from league.services.dates.changing import call_off
from league.services.dates.proposals import propose
from league.services.notices.mailing import mail_due
from league.services.notices.reading import mark_read
from tests.support.cast import NOW
from tests.support.date_steps import SATURDAY


def test_news_about_dates_is_mailed_each_time(duel: Arena, alice: Player, charlie: Player) -> None:
    reader = cast("User", charlie.user)
    EmailAddress.objects.create(user=reader, email="charlie@mail.example", verified=True)
    for number in range(2):
        at = SATURDAY + timedelta(hours=number)
        one = propose(duel, charlie, at, by=alice, now=NOW)
        assert mail_due(NOW + timedelta(minutes=1)) == 1
        accept(one.pk, by=charlie, seen=1, now=NOW)
        call_off(one.pk, by=alice, seen=1, reason="I am ill.", now=NOW)
        assert mail_due(NOW + timedelta(minutes=1)) == 1
        mark_read(charlie, NOW)
    subjects = [str(sent.subject) for sent in mail.outbox]
    assert (
        subjects
        == [
            "Laurel: Alice proposes a time to play in Duel.",
            "Laurel: Alice called off a date in Duel.",
        ]
        * 2
    )
    assert one.get_absolute_url() in str(mail.outbox[-1].body)
