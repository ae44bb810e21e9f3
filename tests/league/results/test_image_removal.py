"""Staff remove images that must not be seen, and say why."""

from functools import partial

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from league.models import Arena, EvidenceContent, EvidenceImage, ImageRemoval, Match, Player, Scope
from league.services.core.clock import database_now
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.results.reports import images
from league.services.results.reports.answers import dispute
from league.services.results.staff.threads import write
from tests.support.api_steps import by_token, fields_at_fault, send
from tests.support.cast import NOW, beats
from tests.support.concurrency import all_at_once
from tests.support.pictures import upload
from tests.support.web_steps import browser_of, words


@pytest.fixture
def image(duel: Arena, alice: Player, charlie: Player) -> EvidenceImage:
    """An image of Alice about a dispute."""
    now = database_now()
    match = dispute(beats(alice, charlie, duel, now=now).pk, by=charlie, reason="No.", now=now)
    assert alice.user
    message = write(match.pk, by=alice.user, player=alice, text="See:", image=upload(), now=now)
    return message.image


def removes(image: EvidenceImage, player: Player, reason: str = "It shows an address.") -> None:
    assert player.user
    match = image.message.match_id
    images.remove(match, image.pk, by=player.user, reason=reason, now=NOW)


def page_of(match: Match, player: Player) -> str:
    return words(browser_of(player).get(match.get_absolute_url()))


def test_staff_remove_an_image_for_good(
    image: EvidenceImage, alice: Player, charlie: Player, olga: Player
) -> None:
    match = image.message.match
    where = [match.pk, image.pk]
    assert "Remove this image" not in page_of(match, charlie)
    assert "Remove this image" in page_of(match, olga)
    answer = browser_of(olga).post(
        reverse("match_image_remove", args=where), {"reason": " It shows an address. "}
    )
    assert answer.status_code == 302
    assert not EvidenceContent.objects.exists()
    for reader in (alice, charlie, olga):
        assert browser_of(reader).get(reverse("match_image", args=where)).status_code == 404
        page = browser_of(reader).get(match.get_absolute_url())
        assert "Staff removed an image: It shows an address." in words(page)
        assert "<img" not in page.content.decode()
    assert "Remove this image" not in page_of(match, olga)
    (message,) = (
        by_token(charlie).get(reverse("api:match-messages", args=where[:1])).json()["results"]
    )
    assert message["image"]["removed_at"]
    assert by_token(charlie).get(message["image"]["url"]).status_code == 404
    admin = browser_of(olga).get(reverse("admin:league_match_change", args=where[:1]))
    assert "Staff removed an image: It shows an address." in words(admin)
    assert "<img" not in admin.content.decode()


def test_captains_do_not_remove_images(
    image: EvidenceImage, alice: Player, charlie: Player
) -> None:
    for player in (alice, charlie):
        with pytest.raises(Forbidden):
            removes(image, player)
    assert EvidenceContent.objects.exists()


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ("", "Say why you remove this image."),
        (" \0 ", "Say why you remove this image."),
        ("x" * 501, "A reason can have at most 500 characters."),
    ],
)
def test_a_removal_has_a_reason(
    image: EvidenceImage, olga: Player, reason: str, sentence: str
) -> None:
    with pytest.raises(Refused, match=sentence):
        removes(image, olga, reason)
    address = reverse("match_image_remove", args=[image.message.match_id, image.pk])
    page = browser_of(olga).post(address, {"reason": reason})
    assert page.status_code == 400
    assert sentence in words(page)
    assert EvidenceContent.objects.exists()


def test_an_image_is_removed_from_its_own_match(
    image: EvidenceImage, duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    other = beats(alice, charlie, duel)
    assert olga.user
    with pytest.raises(Conflict, match="already been removed"):
        images.remove(other.pk, image.pk, by=olga.user, reason="So.", now=NOW)
    assert EvidenceContent.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_an_image_is_removed_once(image: EvidenceImage, olga: Player) -> None:
    answers = all_at_once([partial(removes, image, olga)] * 4)
    assert sum(isinstance(answer, Conflict) for answer in answers) == 3, answers
    assert ImageRemoval.objects.count() == 1


def test_removals_are_never_changed(image: EvidenceImage, olga: Player) -> None:
    removes(image, olga)
    for act in (
        ImageRemoval.objects.get().delete,
        lambda: ImageRemoval.objects.update(reason="None."),
    ):
        with pytest.raises(IntegrityError, match="written once"), transaction.atomic():
            act()


def test_programs_of_staff_remove_images(image: EvidenceImage, alice: Player, olga: Player) -> None:
    match, staff = image.message.match_id, by_token(olga, Scope.STAFF)
    address = f"/api/v1/matches/{match}/images/{image.pk}/removal/"
    body = {"reason": "It shows an address."}
    assert send(by_token(alice), address, body).status_code == 403
    assert send(by_token(olga, Scope.REPORT), address, body).status_code == 403
    assert fields_at_fault(send(staff, address, {"reason": " "})) == {"reason"}
    assert fields_at_fault(send(staff, address, {"reason": "x" * 2001})) == {"reason"}
    assert send(staff, f"/api/v1/matches/{match}/images/999999/removal/", body).status_code == 404
    assert EvidenceContent.objects.exists()
    assert send(staff, address, body).json()["image"]["removed_at"]
    assert not EvidenceContent.objects.exists()
    assert send(staff, address, body).status_code == 409
