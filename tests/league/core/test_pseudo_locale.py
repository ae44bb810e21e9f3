"""Every e-mail is translated, as test_permissions.py says it of every page."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import mail
from django.db import transaction
from django.test import Client
from django.urls import reverse

from league.models import MAILED, Notice, User
from league.models.badge import BadgeKind, BadgeNote
from league.services.notices import preferences
from league.services.notices.mailing import mail_due
from league.services.notices.writing import MUTED_BY_DEFAULT, notify
from tests.support.cast import NOW
from tests.support.own_words import own_words
from tests.support.permission_matrix_competitions import a_competition
from tests.support.permission_matrix_dates import asked_charlie
from tests.support.permission_matrix_teams import alices_team
from tests.support.permission_objects import alices_owls, challenged_charlie
from tests.support.permission_roles import Role, World
from tests.support.pseudo_locale import Words, pseudo_locale, untranslated

pytestmark = pytest.mark.slow


def test_every_mail_is_translated(world: World) -> None:
    eve = world.user(Role.PLAYER)
    assert eve
    with pseudo_locale(), transaction.atomic():
        User.objects.filter(pk=eve.pk).update(email="eve@league.example")
        Client().post(reverse("account_reset_password"), {"email": "eve@league.example"})
        Client().post(reverse("account_reset_password"), {"email": "nobody@league.example"})
        transaction.set_rollback(True)
    texts = [
        line for sent in mail.outbox for line in (str(sent.subject), *str(sent.body).splitlines())
    ]
    assert len(mail.outbox) == 2
    host = urlsplit(settings.SITE_URL).netloc
    assert not untranslated(texts, [*own_words(), host])


def test_every_notice_mail_is_translated(world: World) -> None:
    charlie = world.charlie
    assert charlie.user
    about: dict[str, Any] = {
        "match": world.reported,
        "challenge": challenged_charlie(world),
        "roster": alices_owls(world),
        "arena": world.arena,
        "arrangement": asked_charlie(world),
        "competition": a_competition(world),
        "team": alices_team(world),
        "season": world.reported.season,
        "badge": BadgeNote.objects.get_or_create(
            player=charlie, kind=BadgeKind.GIANT, defaults={"noted_at": NOW}
        )[0],
        "actor": world.alice,
    }
    with pseudo_locale(), transaction.atomic():
        EmailAddress.objects.filter(user=charlie.user).delete()
        EmailAddress.objects.create(user=charlie.user, email="charlie@mail.example", verified=True)
        Notice.objects.all().delete()
        for kind in MAILED:
            notify([charlie], kind, NOW, **about)
            assert mail_due(NOW + timedelta(minutes=1)) == (kind not in MUTED_BY_DEFAULT)
            Notice.objects.all().delete()
        preferences.choose(charlie, preferences.Pace.HOURLY, MAILED)
        for kind in MAILED:
            notify([charlie], kind, NOW, **about)
        assert mail_due(NOW + timedelta(hours=2)) == 1
        transaction.set_rollback(True)
    texts = []
    for sent in mail.outbox:
        assert isinstance(sent, mail.EmailMultiAlternatives)
        texts += [str(sent.subject), *str(sent.body).splitlines()]
        texts += Words(str(sent.alternatives[0][0])).found
    assert len(mail.outbox) == len(MAILED) - len(MUTED_BY_DEFAULT) + 1
    assert not untranslated(texts, own_words()), untranslated(texts, own_words())
