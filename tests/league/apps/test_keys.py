"""The keys that sign ID tokens."""

from datetime import timedelta
from typing import Any

import jwt
import pytest
from django.core.management import call_command
from django.test import Client as Browser
from django.utils import timezone

from league.models import Player, SigningKey
from league.services.apps import keys
from tests.support.app_steps import let_in, the_app
from tests.support.concurrency import all_at_once


def published() -> list[str]:
    answer = Browser().get("/oauth/keys")
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "max-age" in answer["Cache-Control"]
    assert "d" not in answer.json()["keys"][0]
    return [key["kid"] for key in answer.json()["keys"]]


def signer(player: Player) -> str:
    return str(jwt.get_unverified_header(let_in(player, the_app())["id_token"])["kid"])


def test_a_key_is_made_once_and_stored_encrypted(alice: Player) -> None:
    first = published()
    assert published() == first == [signer(alice)]
    stored = SigningKey.objects.get().pem
    assert stored.startswith("-----BEGIN ENCRYPTED PRIVATE KEY-----")


@pytest.mark.django_db(transaction=True)
def test_processes_that_start_together_make_one_key() -> None:
    all_at_once([lambda: keys.current(timezone.now())] * 4)
    assert SigningKey.objects.count() == 1


def test_a_new_key_is_published_before_it_signs(alice: Player) -> None:
    [old] = published()
    call_command("rotate_signing_key")
    both = published()
    assert len(both) == 2
    assert signer(alice) == old
    SigningKey.objects.update(signs_from=timezone.now())
    [new] = set(both) - {old}
    assert signer(alice) == new
    SigningKey.objects.filter(ends_at__isnull=False).update(ends_at=timezone.now())
    assert published() == [new]
    assert keys.forget_old(timezone.now()) == 1


def test_a_compromised_key_ends_at_once(alice: Player, capsys: pytest.CaptureFixture[str]) -> None:
    [old] = published()
    call_command("rotate_signing_key", "--now")
    assert "signs from now on" in capsys.readouterr().out
    [new] = published()
    assert new != old
    assert signer(alice) == new


def test_keys_outlive_a_change_of_the_secret_key(settings: Any) -> None:
    first = published()
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another " * 8, [settings.SECRET_KEY]
    assert published() == first
    settings.SECRET_KEY_FALLBACKS = []
    assert published() != first
    assert SigningKey.objects.count() == 2


def test_reading_the_database_is_not_enough_to_sign() -> None:
    keys.current(timezone.now())
    row = SigningKey.objects.get()
    assert keys.decrypt(row.pem, ("a guess",)) is None
    assert row.is_valid_at(timezone.now() + timedelta(days=10_000))
