"""Programs change the picture, country and links of a profile, and staff remove them."""

from typing import Any

from rest_framework.test import APIClient

from league.models import Player, PlayerPicture, Profile, Scope
from league.services.privacy import profile
from tests.support.api_steps import by_token, fields_at_fault
from tests.support.cast import NOW
from tests.support.pictures import halves, noise, read, saved, upload

ADDRESS = "/api/v1/profile/"
PICTURE = "/api/v1/profile/picture/"
LINK = "https://stream.example/alice"


def change(client: APIClient, **new: Any) -> Any:
    return client.patch(ADDRESS, new, format="json")


def test_what_is_left_out_of_a_profile_stays(alice: Player) -> None:
    mine, me = by_token(alice), {"player": {"id": alice.pk, "name": "Alice"}}
    assert mine.get(ADDRESS).json() == me | {
        "country": "",
        "links": [],
        "picture": None,
        "about": "",
    }
    profile.upload(alice, upload(), NOW)
    shown = change(mine, country="FR").json()
    assert shown == me | {"country": "FR", "links": [], "picture": shown["picture"], "about": ""}
    assert change(mine, links=[LINK, LINK]).json() == {**shown, "links": [LINK]}
    assert change(mine, country="").json() == {**shown, "country": "", "links": [LINK]}
    assert change(mine, about=" Hi  all. ").json()["about"] == "Hi all."
    assert change(mine, about="").json()["about"] == ""
    assert fields_at_fault(change(mine, about="x" * 301)) == {"about"}
    assert mine.get(ADDRESS).json() == {**shown, "country": "", "links": [LINK]}
    assert Profile.objects.get(player=alice).picture in shown["picture"]


def test_wrong_profiles_are_refused(alice: Player) -> None:
    mine = by_token(alice)
    assert fields_at_fault(change(mine, country="XX")) == {"country"}
    assert fields_at_fault(change(mine, links=["http://stream.example"])) == {"links"}
    assert change(mine, links=[f"{LINK}{number}" for number in range(4)]).status_code == 400
    assert fields_at_fault(change(mine, picture="x")) == {"picture"}
    assert change(by_token(alice, Scope.REPORT), country="FR").status_code == 403
    assert not Profile.objects.exists()


def put(client: APIClient, image: Any, **more: Any) -> Any:
    return client.put(PICTURE, {"image": image, **more}, format="multipart")


def test_a_picture_comes_goes_and_is_encoded_anew(alice: Player) -> None:
    mine = by_token(alice, Scope.ACCOUNT)
    tagged = saved(halves(), "JPEG", exif=b"Exif\0\0II*\0\x08\0\0\0\0\0\0\0\0\0")
    address = put(mine, upload(tagged, "me.exe", "text/html")).json()["picture"]
    content = mine.get(address).content
    assert (read(content).size, b"Exif" in content) == ((256, 256), False)
    assert mine.get(ADDRESS).json()["picture"] == address
    assert mine.delete(PICTURE).status_code == 204
    assert mine.delete(PICTURE).status_code == 204
    assert mine.get(address).status_code == 404
    assert mine.get(ADDRESS).json()["picture"] is None


def test_what_is_no_picture_is_refused(alice: Player, settings: Any) -> None:
    mine = by_token(alice)
    hostile = [b"", b"<svg onload='x'/>", b"GIF89a" + b"x" * 99, saved(halves())[:60]]
    for content in hostile:
        assert fields_at_fault(put(mine, upload(content))) == {"image"}
    assert fields_at_fault(put(mine, "text")) == {"image"}
    assert fields_at_fault(put(mine, [upload(), upload()])) == {"image"}
    assert fields_at_fault(put(mine, upload(), player="1")) == {"player"}
    assert fields_at_fault(mine.put(PICTURE, {}, format="multipart")) == {"image"}
    assert mine.put(PICTURE, {"image": "aGVsbG8="}, format="json").status_code == 415
    assert mine.generic("PUT", PICTURE, "PNG", content_type="image/png").status_code == 415
    assert mine.post(PICTURE, {"image": upload()}, format="multipart").status_code == 405
    key = {"Idempotency-Key": "1"}
    kept = mine.put(PICTURE, {"image": upload()}, format="multipart", headers=key)
    assert fields_at_fault(kept) == {"Idempotency-Key"}
    settings.UPLOAD_MOST_BYTES = 10_000
    large = put(mine, upload(saved(noise(100))))
    assert (large.status_code, fields_at_fault(large)) == (400, {"image"})
    assert put(by_token(alice, Scope.REPORT), upload()).status_code == 403
    assert by_token(alice, Scope.STAFF).delete(PICTURE).status_code == 403
    assert not PlayerPicture.objects.exists()
