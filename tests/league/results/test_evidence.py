"""Captains and staff add images to their messages, and nobody else sees them."""

import re
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, connection, transaction
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.models import Arena, EvidenceContent, EvidenceImage, Match, MatchMessage, Player, User
from league.services.core.clock import database_now
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.results.reports import images
from league.services.results.reports.answers import dispute
from league.services.results.rules import limits
from league.services.results.staff.threads import DISCUSSION, ONE_IMAGE_AT_ONCE, write
from tests.support.api_steps import by_token, fields_at_fault
from tests.support.cast import beats
from tests.support.concurrency import all_at_once
from tests.support.pictures import RED, halves, is_near, read, saved, upload
from tests.support.web_steps import browser_of, words

SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'"


@pytest.fixture
def disputed_match(duel: Arena, alice: Player, charlie: Player) -> Match:
    now = database_now()
    match = beats(alice, charlie, duel, now=now)
    return dispute(match.pk, by=charlie, reason="A draw.", now=now)


def shows(
    match: Match,
    player: Player,
    *,
    now: datetime | None = None,
    image: SimpleUploadedFile | None = None,
    description: str = "",
) -> MatchMessage:
    """Write a message with an image."""
    assert player.user
    return write(
        match.pk,
        by=player.user,
        player=player,
        text="Look.",
        image=image or upload(),
        description=description,
        now=now or database_now(),
    )


def address_of(message: MatchMessage) -> str:
    return reverse("match_image", args=[message.match_id, message.pk])


def sends(player: Player, match: Match, **more: object) -> Any:
    fields = {"text": "Look.", "image": upload(), **more}
    return browser_of(player).post(reverse("match_write", args=[match.pk]), fields)


def test_captains_and_staff_see_an_image_and_others_do_not(
    disputed_match: Match, alice: Player, bob: Player, charlie: Player, olga: Player, eve: Player
) -> None:
    assert sends(alice, disputed_match, description=" Final  score ").status_code == 302
    message = MatchMessage.objects.get()
    address = address_of(message)
    for reader in (alice, charlie, olga):
        page = browser_of(reader).get(disputed_match.get_absolute_url()).content.decode()
        assert f'<a class="evidence" href="{address}"><img src="{address}"' in page
        assert 'width="64" height="32" loading="lazy" alt="Final score"' in page
        answer = browser_of(reader).get(address)
        assert answer.status_code == 200
        assert is_near(read(answer.content).getpixel((2, 2)), RED)
    for browser in (browser_of(eve), browser_of(bob), Client()):
        assert "evidence" not in browser.get(disputed_match.get_absolute_url()).content.decode()
        assert browser.get(address).status_code == 404


def test_staff_see_images_while_they_decide(
    disputed_match: Match, alice: Player, olga: Player
) -> None:
    message = shows(disputed_match, alice)
    page = browser_of(olga).get(reverse("match_decide", args=[disputed_match.pk])).content.decode()
    assert address_of(message) in page
    assert 'alt="Image from Alice, without a description"' in page


def test_browsers_show_an_image_and_never_run_it(disputed_match: Match, alice: Player) -> None:
    message = shows(disputed_match, alice, image=upload(name="x.html", declared="text/html"))
    answer = browser_of(alice).get(address_of(message))
    assert answer.headers["Content-Type"] == "image/webp"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Security-Policy"] == SANDBOX
    assert answer.headers["Cache-Control"] == "private, max-age=3600"
    assert "Cookie" in answer.headers["Vary"]
    tag = {"If-None-Match": answer.headers["ETag"]}
    for browser, address in (
        (browser_of(alice), address_of(message)),
        (by_token(alice), reverse("api:match-image", args=[disputed_match.pk, message.pk])),
    ):
        again = browser.get(address, headers=tag)
        assert again.status_code == 200  # a 304 has the site's own policy
        assert again.headers["Content-Security-Policy"] == SANDBOX
    assert answer.headers["Content-Disposition"] == (
        f'inline; filename="match-{disputed_match.pk}-image-{message.pk}.webp"'
    )


def test_an_image_belongs_to_its_match(
    duel: Arena, disputed_match: Match, alice: Player, charlie: Player, eve: Player
) -> None:
    message = shows(disputed_match, alice)
    now = database_now()
    theirs = dispute(beats(eve, alice, duel, now=now).pk, by=alice, reason="No.", now=now)
    assert (
        browser_of(eve).get(reverse("match_image", args=[theirs.pk, message.pk])).status_code == 404
    )
    assert browser_of(alice).get(reverse("match_image", args=[theirs.pk, 1])).status_code == 404
    assert browser_of(alice).get(reverse("match_image", args=[10**9, 1])).status_code == 404


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "This file is empty. Choose another one."),
        (b"<script>alert(1)</script>", "This is not a PNG, JPEG or WebP image."),
        (saved(halves())[:90], "This image is damaged."),
    ],
)
def test_the_page_says_what_is_wrong_with_an_image(
    disputed_match: Match, alice: Player, content: bytes, sentence: str
) -> None:
    page = sends(alice, disputed_match, image=upload(content))
    assert page.status_code == 400
    assert sentence in words(page)
    field = re.search(r'<input type="file"[^>]*>', page.content.decode())
    assert field
    assert 'aria-invalid="true"' in field[0]
    assert "Look." in words(page)
    assert not MatchMessage.objects.exists()


def test_the_page_asks_for_the_image_again_if_something_else_is_wrong(
    disputed_match: Match, alice: Player
) -> None:
    for wrong, sentence in (
        ({"text": ""}, "Write a message."),
        ({"link": "javascript:alert(1)"}, "Enter a whole link"),
        ({"description": "x" * 201}, "at most 200 characters"),
    ):
        page = sends(alice, disputed_match, **wrong)
        assert page.status_code == 400
        assert sentence in words(page)
        assert "Choose your image again." in words(page)
    page = sends(alice, disputed_match, image="", description="Final score")
    assert page.status_code == 400
    assert "Choose the image that you describe." in words(page)
    assert not MatchMessage.objects.exists()


@override_settings(UPLOAD_MOST_BYTES=2000)
@pytest.mark.parametrize("size", [2001, 5_000, 3_000_000])
def test_a_large_upload_is_refused_without_being_kept(
    disputed_match: Match, alice: Player, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    decoded: list[object] = []
    monkeypatch.setattr("PIL.Image.open", decoded.append)
    page = sends(alice, disputed_match, image=upload(saved(halves()).ljust(size, b"\0")))
    assert page.status_code == 400
    assert "An image can be at most 2.0 KB in size." in words(page).replace("\xa0", " ")
    assert "Look." in words(page)
    answer = by_token(alice).post(
        reverse("api:match-messages", args=[disputed_match.pk]),
        {"text": "Look.", "image": upload(b"\0" * size)},
        format="multipart",
    )
    assert (answer.status_code, fields_at_fault(answer)) == (400, {"image"})
    assert not decoded


@override_settings(UPLOAD_MOST_BYTES=2000)
def test_no_page_keeps_large_files(disputed_match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[int] = []
    monkeypatch.setattr(
        "django.core.files.uploadhandler.TemporaryFileUploadHandler.receive_data_chunk",
        lambda self, raw, start: kept.append(len(raw)),
    )
    files = {"a": upload(b"\0" * 4_000_000), "b": upload(b"\0" * 4_000_000)}
    Client().post(reverse("account_login"), {"login": "x", "password": "y", **files})
    assert not kept


def test_an_author_adds_ten_images_to_a_match(
    disputed_match: Match, alice: Player, charlie: Player
) -> None:
    for _turn in range(limits.MOST_IMAGES):
        shows(disputed_match, alice)
    page = sends(alice, disputed_match)
    assert page.status_code == 400
    assert "You can add 10 images to a match. Link to more instead." in words(page)
    shows(disputed_match, charlie)
    assert EvidenceImage.objects.count() == limits.MOST_IMAGES + 1


def test_a_match_and_a_day_have_limits_too(
    duel: Arena,
    disputed_match: Match,
    alice: Player,
    charlie: Player,
    eve: Player,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "MOST_IMAGES_OF_MATCH", 2)
    monkeypatch.setattr(limits, "MOST_IMAGES_A_DAY", 3)
    shows(disputed_match, alice)
    shows(disputed_match, charlie)
    with pytest.raises(Refused, match="A match can have 2 images"):
        shows(disputed_match, charlie)
    now = database_now()
    other = dispute(beats(eve, alice, duel, now=now).pk, by=alice, reason="No.", now=now)
    for _turn in range(2):
        shows(other, alice)
    monkeypatch.setattr(limits, "MOST_IMAGES_OF_MATCH", 9)
    with pytest.raises(Refused, match="You can add 3 images in a day") as refusal:
        shows(other, alice)
    assert refusal.value.field == "image"
    shows(other, alice, now=now + timedelta(days=1, minutes=1))


def test_nothing_is_decoded_for_those_who_may_not_write(
    disputed_match: Match, alice: Player, eve: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(images, "clean", lambda upload: pytest.fail("decoded"))
    monkeypatch.setattr(limits, "MOST_IMAGES", 0)
    with pytest.raises(Forbidden):
        shows(disputed_match, eve)
    with pytest.raises(Conflict, match="time for messages is over"):
        shows(disputed_match, alice, now=database_now() + DISCUSSION)
    with pytest.raises(Refused, match="to a match"):
        shows(disputed_match, alice)
    assert sends(eve, disputed_match).status_code == 403


@pytest.mark.django_db(transaction=True)
def test_images_at_the_same_instant_do_not_pass_the_limit(
    disputed_match: Match, alice: Player
) -> None:
    for _turn in range(limits.MOST_IMAGES - 2):
        shows(disputed_match, alice)
    for _turn in range(4):
        answers = all_at_once([partial(shows, disputed_match, alice)] * 6)
        assert all(isinstance(one, MatchMessage | Refused) for one in answers), answers
    assert EvidenceImage.objects.count() == limits.MOST_IMAGES
    assert MatchMessage.objects.count() == limits.MOST_IMAGES


@pytest.mark.django_db(transaction=True)
def test_an_author_has_one_image_read_at_a_time(disputed_match: Match, alice: Player) -> None:
    assert alice.user
    other = connection.copy()
    try:
        other.set_autocommit(autocommit=False)
        with other.cursor() as cursor:
            cursor.execute(ONE_IMAGE_AT_ONCE, [alice.user.pk])
        with pytest.raises(Conflict, match="still being read"):
            shows(disputed_match, alice)
        page = sends(alice, disputed_match)
        assert page.status_code == 409
        assert "Choose your image again." in words(page)
        other.rollback()
        shows(disputed_match, alice)
    finally:
        other.close()


def test_images_are_never_changed(disputed_match: Match, alice: Player) -> None:
    message = shows(disputed_match, alice)
    for act in (
        message.image.delete,
        lambda: EvidenceImage.objects.update(description="I won."),
        lambda: EvidenceContent.objects.update(webp=b"another"),
    ):
        with pytest.raises(IntegrityError, match=r"written once|protected"), transaction.atomic():
            act()


def test_pages_do_not_read_the_bytes_of_images(disputed_match: Match, alice: Player) -> None:
    browser, address = browser_of(alice), disputed_match.get_absolute_url()
    shows(disputed_match, alice)
    browser.get(address)
    with CaptureQueriesContext(
        connection,
    ) as one:
        browser.get(address)
    for _turn in range(5):
        shows(disputed_match, alice)
    with CaptureQueriesContext(connection) as many:
        browser.get(address)
    assert len(one) == len(many)
    assert not any("evidencecontent" in query["sql"] for query in many)


def test_a_banned_or_closed_account_leaves_its_images_readable(
    disputed_match: Match, alice: Player, charlie: Player
) -> None:
    message = shows(disputed_match, alice)
    User.objects.filter(player=alice).update(is_active=False)
    assert browser_of(charlie).get(address_of(message)).status_code == 200
    assert (
        address_of(message)
        in browser_of(charlie).get(disputed_match.get_absolute_url()).content.decode()
    )


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        ((64, 32), (64, 32)),
        ((1600, 600), (1024, 384)),
        ((1080, 2400), (173, 384)),
        ((1, 9), (1, 9)),
    ],
)
def test_pages_leave_room_for_an_image_of_its_shape(
    size: tuple[int, int], shown: tuple[int, int]
) -> None:
    image = EvidenceImage(width=size[0], height=size[1])
    assert (image.shown_width, image.shown_height) == shown
