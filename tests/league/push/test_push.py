"""Push messages, sent to a real endpoint that decrypts them as a browser does."""

from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.urls import reverse
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from league.models import (
    Arena,
    Notice,
    NoticeKind,
    Player,
    PushDevice,
    PushKey,
    PushMessage,
    PushPreference,
    User,
)
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.notices.texts import tell
from league.services.notices.writing import notify
from league.services.push import devices, encryption, keys, sending
from league.web.notices.mails import GROUPS
from tests.support.cast import beats
from tests.support.permission_objects import A_DEVICE
from tests.support.push_steps import Browser, bytes_of, claims_of
from tests.support.web_steps import browser_of, words
from tests.support.webhook_steps import LOCAL, Receiver, receiver

QUIET = PushPreference(quiet_from=time(22), quiet_until=time(8))


@pytest.fixture
def service(settings: Settings) -> Iterator[Receiver]:
    settings.WEBHOOK_TEST_HOSTS = [LOCAL]
    with receiver() as made:
        made.status, made.text = 201, "created"
        yield made


@pytest.fixture
def phone(charlie: Player, service: Receiver) -> Browser:
    """Charlie's phone, subscribed on the site's own page."""
    browser = Browser()
    settings_page = browser_of(charlie).get(reverse("mail_settings"))
    assert f'data-key="{keys.public_text()}"' in settings_page.content.decode()
    page = browser_of(charlie).post(
        reverse("push_subscribe"),
        browser.subscription(service.address),
        headers={"User-Agent": "Mozilla/5.0 (Linux; Android 15) Chrome/150.0 Mobile Safari/537"},
    )
    assert page.status_code == 302
    assert PushDevice.objects.get().name == "Chrome on Android"
    return browser


def make_due() -> None:
    """Let the time pass that messages wait. What the cast does is as of today."""
    Notice.objects.update(created_at=database_now())
    PushMessage.objects.update(next_attempt_at=database_now() - timedelta(seconds=1))


def send() -> int:
    make_due()
    return sending.send_due()


def test_a_notice_is_pushed_once_and_only_its_reader_can_read_it(
    duel: Arena, alice: Player, charlie: Player, phone: Browser, service: Receiver
) -> None:
    beats(alice, charlie, duel)
    assert sending.send_due() == 0  # it waits a moment for its reader on the site
    assert send() == 1
    assert send() == 0
    (got,) = service.got
    notice = Notice.objects.get(player=charlie)
    said = phone.read(got.body)
    assert said["title"] == "A result to confirm"
    assert said["body"] == "Alice reported a result in Duel. Confirm or dispute it."
    assert said["url"] == reverse("notice", args=[notice.pk])
    assert said["league"] == "Laurel"
    assert b"Alice" not in got.body
    assert got.headers["content-encoding"] == "aes128gcm"
    assert got.headers["ttl"] == "86400"
    claims = claims_of(got, keys.public_text())
    assert claims["aud"] == service.address.rsplit("/", 1)[0]
    assert 0 < claims["exp"] - datetime.now(UTC).timestamp() <= 24 * 3600


def test_a_push_is_in_the_language_of_the_account(
    duel: Arena, alice: Player, charlie: Player, phone: Browser, service: Receiver
) -> None:
    User.objects.filter(player=charlie).update(language="de")
    beats(alice, charlie, duel)
    assert send() == 1
    (got,) = service.got
    with override("de"):
        assert phone.read(got.body)["body"] == tell(Notice.objects.get(player=charlie)).text
    assert "Alice reported" not in phone.read(got.body)["body"]


def test_what_was_read_or_answered_meanwhile_is_not_pushed(
    duel: Arena, alice: Player, charlie: Player, phone: Browser, service: Receiver
) -> None:
    beats(alice, charlie, duel)
    browser_of(charlie).get(reverse("notice", args=[Notice.objects.get(player=charlie).pk]))
    assert send() == 0
    assert service.got == []
    assert not PushMessage.objects.exists()


def test_each_kind_has_an_off_switch_and_mails_stay_as_they_are(
    duel: Arena, alice: Player, charlie: Player, phone: Browser, service: Receiver
) -> None:
    browser_of(charlie).post(
        reverse("mail_settings"),
        {"pace": "at-once", "kinds": ["reported"], "push": ["challenged"]},
    )
    beats(alice, charlie, duel)
    assert send() == 0
    assert Notice.objects.get(player=charlie).mail_at
    browser_of(charlie).post(
        reverse("mail_settings"), {"pace": "at-once", "kinds": [], "push": ["reported"]}
    )
    beats(alice, charlie, duel)
    assert send() == 1


def test_all_off_leaves_the_inbox_alone(
    duel: Arena, alice: Player, charlie: Player, phone: Browser
) -> None:
    browser_of(charlie).post(reverse("mail_settings"), {"preset": "off"})
    beats(alice, charlie, duel)
    assert send() == 0
    assert Notice.objects.get(player=charlie).mail_at is None


def test_what_happens_in_quiet_hours_comes_once_after_them(
    duel: Arena, alice: Player, charlie: Player, phone: Browser, service: Receiver
) -> None:
    now = database_now()
    begin, end = (now - timedelta(hours=1)).time(), (now + timedelta(hours=2)).time()
    devices.choose(charlie, devices.OFFERED, (begin, end), ZoneInfo("UTC"))
    for _number in range(3):
        beats(alice, charlie, duel)
    assert send() == 0
    assert service.got == []
    waits = set(PushMessage.objects.values_list("next_attempt_at", flat=True))
    assert waits == {(now + timedelta(hours=2)).replace(microsecond=0)}
    PushPreference.objects.update(quiet_from=None, quiet_until=None)
    assert send() == 1
    assert send() == 0
    (got,) = service.got
    assert phone.read(got.body)["title"] == "3 new notices"
    assert phone.read(got.body)["url"] == reverse("inbox")


YEAR = datetime(2026, 1, 1), datetime(2027, 1, 1)  # noqa: DTZ001 - Hypothesis adds the zone


@given(st.datetimes(*YEAR, timezones=st.just(UTC)))
def test_quiet_hours_over_midnight_are_those_of_the_readers_clock(now: datetime) -> None:
    zone = ZoneInfo("America/New_York")
    local = now.astimezone(zone)
    end = devices.quiet_until(QUIET, zone, now)
    assert (end is not None) == (local.hour >= 22 or local.hour < 8)
    if end is not None:
        assert end.astimezone(zone).time() == time(8)
        assert timedelta() < end.astimezone(UTC) - now <= timedelta(hours=11)


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_has_ended_is_removed(
    status: int, duel: Arena, alice: Player, charlie: Player, phone: Browser, service: Receiver
) -> None:
    service.status = status
    beats(alice, charlie, duel)
    assert send() == 1
    assert not PushDevice.objects.exists()
    assert not PushMessage.objects.exists()


def test_a_busy_service_gets_it_again_later_and_a_strict_one_does_not(
    duel: Arena, alice: Player, charlie: Player, phone: Browser, service: Receiver
) -> None:
    service.status, service.headers = 429, {"Retry-After": "120"}
    beats(alice, charlie, duel)
    assert send() == 1
    message = PushMessage.objects.get()
    assert message.next_attempt_at > database_now() + timedelta(seconds=110)
    service.status, service.headers = 503, {}
    for _attempt in sending.PAUSES:
        assert send() == 1
    assert not PushMessage.objects.exists()
    assert len(service.got) == 1 + len(sending.PAUSES)
    service.status = 400
    beats(alice, charlie, duel)
    assert send() == 1
    assert not PushMessage.objects.exists()
    assert PushDevice.objects.exists()


def test_a_killed_worker_leaves_its_message_to_the_next(
    duel: Arena, alice: Player, charlie: Player, phone: Browser, service: Receiver
) -> None:
    beats(alice, charlie, duel)
    make_due()
    now = database_now()
    assert sending.claim(now)  # and is killed
    assert sending.claim(now) is None
    assert sending.claim(now + sending.LEASE)
    assert timedelta(seconds=15) >= sending.LEASE


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.org/1",
        "https://127.0.0.1:5432/",
        "https://user:secret@push.example.org/",
        "file:///etc/passwd",
        "",
        "https://push.example.org/" + "a" * 1_000,
    ],
)
def test_addresses_that_are_no_push_service_are_refused(charlie: Player, endpoint: str) -> None:
    given_address = {**A_DEVICE, "endpoint": endpoint}
    answer = browser_of(charlie).post(reverse("push_subscribe"), given_address)
    assert answer.status_code == 400
    assert not PushDevice.objects.exists()


def test_nothing_is_sent_into_our_own_network(
    duel: Arena,
    alice: Player,
    charlie: Player,
    phone: Browser,
    service: Receiver,
    settings: Settings,
) -> None:
    settings.WEBHOOK_TEST_HOSTS = []
    beats(alice, charlie, duel)
    for address in ("https://localhost/", "https://10.0.0.1/", "https://[::1]/", service.address):
        PushDevice.objects.update(endpoint=address)
        assert send() == 1
    assert service.got == []


@pytest.mark.parametrize("key", ["", "AAAA", "not base64 ü", A_DEVICE["auth"], "B" + "A" * 86])
def test_keys_that_are_none_are_refused(charlie: Player, key: str) -> None:
    with pytest.raises(Refused):
        devices.subscribe(charlie, **{**A_DEVICE, "key": key}, name="x", now=database_now())


def test_a_device_belongs_to_whoever_subscribed_last_and_to_nobody_after_log_out(
    charlie: Player, alice: Player, phone: Browser, service: Receiver
) -> None:
    browser = browser_of(alice)
    browser.post(reverse("push_subscribe"), phone.subscription(service.address))
    assert PushDevice.objects.get().player == alice
    assert "this device" in words(browser.get(reverse("mail_settings")))
    browser.post(reverse("account_logout"))
    assert not PushDevice.objects.exists()


def test_a_player_has_a_few_devices_and_can_remove_each(charlie: Player) -> None:
    now = database_now()
    for number in range(devices.MOST + 2):
        address = f"https://push.example.org/{number}"
        made = devices.subscribe(
            charlie,
            **{**A_DEVICE, "endpoint": address},
            name="Phone",
            now=now + timedelta(seconds=number),
        )
    assert PushDevice.objects.count() == devices.MOST
    assert not PushDevice.objects.filter(endpoint="https://push.example.org/1").exists()
    browser_of(charlie).post(reverse("push_remove", args=[made.pk]))
    assert not PushDevice.objects.filter(pk=made.pk).exists()


def test_the_key_is_made_once_encrypted_and_follows_the_secret(
    charlie: Player, phone: Browser, settings: Settings
) -> None:
    public = keys.public_text()
    assert "ENCRYPTED" in PushKey.objects.get().pem
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another key of fifty or more letters that signs nothing"
    assert keys.public_text() == public
    settings.SECRET_KEY_FALLBACKS = []
    assert keys.public_text() != public
    assert not PushDevice.objects.exists()  # services refuse the new key for them


def test_the_encryption_is_that_of_the_example_in_rfc_8291() -> None:
    """Appendix A, to the last byte."""
    private = ec.derive_private_key(
        int.from_bytes(bytes_of("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big"),
        ec.SECP256R1(),
    )
    sent = encryption.encrypt_with(
        b"When I grow up, I want to be a watermelon",
        bytes_of(A_DEVICE["key"]),
        bytes_of(A_DEVICE["auth"]),
        private,
        bytes_of("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert sent == bytes_of(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6T"
        "lzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4"
        "a-fN"
    )


def test_every_kind_is_in_the_table_of_the_settings_once(charlie: Player) -> None:
    listed = [kind for _name, kinds in GROUPS for kind in kinds]
    assert sorted(listed) == sorted(NoticeKind)
    notify([charlie], NoticeKind.LETTER, database_now())
    page = browser_of(charlie).get(reverse("mail_settings"))
    text = page.content.decode()
    offered = {kind for kind in NoticeKind if f'name="push" value="{kind.value}"' in text}
    assert set(NoticeKind) - offered <= {NoticeKind.WEBHOOK, NoticeKind.DISCORD}
    assert NoticeKind.WEBHOOK not in offered
    assert "A result to confirm" in words(page)


def test_half_of_the_quiet_hours_is_refused_with_what_was_typed(charlie: Player) -> None:
    given_times = {"pace": "daily", "push": ["found"], "quiet_from": "22:00"}
    page = browser_of(charlie).post(reverse("mail_settings"), given_times)
    assert page.status_code == 400
    assert "Give both times, or neither." in words(page)
    assert 'value="22:00"' in page.content.decode()
    assert not PushPreference.objects.exists()
