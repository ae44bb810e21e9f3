"""Images in discussions of results, through the API."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from league.models import Arena, Match, MatchMessage, Player
from league.services.core.clock import database_now
from league.services.results.reports.answers import dispute
from tests.support.api_steps import by_token, fields_at_fault, send
from tests.support.cast import beats
from tests.support.pictures import BLUE, is_near, read, upload

SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'"


@pytest.fixture
def disputed_match(duel: Arena, alice: Player, charlie: Player) -> Match:
    now = database_now()
    match = beats(alice, charlie, duel, now=now)
    return dispute(match.pk, by=charlie, reason="A draw.", now=now)


def test_the_api_takes_and_gives_images(
    disputed_match: Match, alice: Player, charlie: Player, eve: Player
) -> None:
    address = reverse("api:match-messages", args=[disputed_match.pk])
    answer = by_token(alice).post(
        address,
        {"text": "Look.", "image": upload(), "description": "Final score"},
        format="multipart",
    )
    assert answer.status_code == 201, answer.content
    image = answer.json()["image"]
    message = MatchMessage.objects.get()
    assert image == {
        "url": reverse("api:match-image", args=[disputed_match.pk, message.pk]),
        "description": "Final score",
        "width": 64,
        "height": 32,
        "size": message.image.size,
        "removed_at": None,
    }
    assert send(by_token(charlie), address, {"text": "No."}).json()["image"] is None
    (first, second) = by_token(charlie).get(address).json()["results"]
    assert (first["image"], second["image"]) == (image, None)
    for accept in ("*/*", "image/webp", "image/*", "application/json"):
        got = by_token(charlie).get(image["url"], headers={"Accept": accept})
        assert (got.status_code, got.headers["Content-Type"]) == (200, "image/webp")
    assert got.headers["Content-Security-Policy"] == SANDBOX
    assert is_near(read(got.content).getpixel((60, 5)), BLUE)
    refused = by_token(eve).get(image["url"], headers={"Accept": "image/webp"})
    assert (refused.status_code, refused.json()["code"]) == (404, "not_found")
    assert Client().get(image["url"]).status_code == 401


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"image": "no file"}, "image"),
        ({"image": upload(b"")}, "image"),
        ({"image": upload(b"<svg/>")}, "image"),
        ({"image": upload(), "text": ""}, "text"),
        ({"image": upload(), "description": "x" * 201}, "description"),
        ({"image": upload(), "images": upload()}, "images"),
        ({"description": "x\0"}, "description"),
    ],
)
def test_the_api_names_the_field_at_fault(
    disputed_match: Match, alice: Player, sent: dict[str, object], field: str
) -> None:
    address = reverse("api:match-messages", args=[disputed_match.pk])
    for file in sent.values():
        if isinstance(file, SimpleUploadedFile):
            file.seek(0)
    answer = by_token(alice).post(address, {"text": "Look.", **sent}, format="multipart")
    assert (answer.status_code, fields_at_fault(answer)) == (400, {field})
    assert not MatchMessage.objects.exists()


def test_images_come_in_forms_only(disputed_match: Match, alice: Player) -> None:
    address = reverse("api:match-messages", args=[disputed_match.pk])
    answer = send(by_token(alice), address, {"text": "Look.", "image": "aGVsbG8="})
    assert (answer.status_code, fields_at_fault(answer)) == (400, {"image"})
    raw = by_token(alice).generic("POST", address, "PNG", content_type="image/png")
    assert raw.status_code == 415
    cut = by_token(alice).generic("POST", address, "--x", content_type="multipart/form-data")
    assert cut.status_code == 400
