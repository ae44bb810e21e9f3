"""Captains change the picture of their team through the API."""

from league.models import Player, Scope, TeamPicture
from tests.support.api_steps import by_token, fields_at_fault
from tests.support.pictures import read, upload
from tests.support.team_steps import joined, team_of


def test_the_captain_alone_changes_the_picture(alice: Player, bob: Player, charlie: Player) -> None:
    team = joined(team_of(alice), bob)
    address, captain = f"/api/v1/teams/{team.pk}/picture/", by_token(alice, Scope.ACCOUNT)
    shown = captain.put(address, {"image": upload()}, format="multipart").json()
    assert read(captain.get(shown["picture"]).content).size == (256, 256)
    assert captain.get(f"/api/v1/teams/{team.pk}/").json()["picture"] == shown["picture"]
    for other in (bob, charlie):
        assert by_token(other).delete(address).status_code == 403
        sent = by_token(other).put(address, {"image": upload()}, format="multipart")
        assert sent.status_code == 403
    assert by_token(alice, Scope.REPORT).delete(address).status_code == 403
    assert TeamPicture.objects.exists()
    assert captain.delete(address).status_code == 204
    assert captain.get(f"/api/v1/teams/{team.pk}/").json()["picture"] is None


def test_what_is_no_picture_is_refused(alice: Player) -> None:
    address, mine = f"/api/v1/teams/{team_of(alice).pk}/picture/", by_token(alice)
    for sent in ({}, {"image": "text"}, {"image": upload(b"<svg/>")}):
        assert fields_at_fault(mine.put(address, sent, format="multipart")) == {"image"}
    assert mine.put(address, {"image": "aGVsbG8="}, format="json").status_code == 415
    missing = mine.put("/api/v1/teams/999999/picture/", {"image": upload()}, format="multipart")
    assert missing.status_code == 404
    assert not TeamPicture.objects.exists()
