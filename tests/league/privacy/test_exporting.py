"""Everything that the league keeps about a player, as a file for them alone."""

import errno
import json
from datetime import timedelta
from io import BytesIO
from typing import Any, cast
from uuid import uuid4
from zipfile import ZipFile

import pytest
from django.apps import apps
from django.db.models import ManyToOneRel, Model, UUIDField
from django.test import Client

from league import tasks
from league.models import (
    Appeal,
    Arena,
    Case,
    CounterReport,
    DataExport,
    DishonorAward,
    EvidenceImage,
    Letter,
    MatchMessage,
    Notice,
    NoticeKind,
    Player,
    PlayerInvitation,
    PlayerReport,
    User,
)
from league.services.core.errors import LimitReached
from league.services.following.follows import follow
from league.services.privacy import exporting
from league.services.privacy.kept_about import HIDDEN, NOT_EXPORTED, OF_ACCOUNT, OF_PLAYER
from league.services.results.reports.answers import confirm, dispute
from tests.support.cast import NOW, beats
from tests.support.web_steps import browser_of, words

DAY = timedelta(days=1)
HASHES = {"client_token", "sent_from", "result_digest", "report_digest"}


def user_of(player: Player) -> User:
    assert player.user
    return player.user


def unzipped(content: bytes) -> dict[str, Any]:
    with ZipFile(BytesIO(content)) as archive:
        return {name: json.loads(archive.read(name)) for name in archive.namelist()}


def relations(model: type[Model]) -> set[str]:
    return {
        f"{cast('type[Model]', one.related_model).__name__}.{one.field.name}"
        for one in model._meta.get_fields(include_hidden=True)
        if isinstance(one, ManyToOneRel)
    }


def test_everything_that_refers_to_a_player_or_account_is_exported_or_has_a_reason() -> None:
    known = [*OF_PLAYER, *OF_ACCOUNT, *(name for names in NOT_EXPORTED.values() for name in names)]
    assert len(known) == len(set(known))
    assert relations(Player) | relations(User) == set(known)
    files = [*OF_PLAYER.values(), *OF_ACCOUNT.values()]
    assert len(files) == len(set(files))


def test_alice_asks_for_her_data_and_downloads_it(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    follow(alice, charlie, now=NOW)
    browser = browser_of(alice)
    assert browser.get("/settings/data/file/").status_code == 404
    assert "Your data is being prepared." in words(browser.post("/settings/data/", follow=True))
    tasks.make_exports()
    assert "Your data is ready." in words(browser.get("/settings/data/"))
    sent = browser.get("/settings/data/file/")
    assert sent["Content-Type"] == "application/zip"
    found = unzipped(sent.content)
    assert found["account.json"][0]["username"] == "alice"
    assert "password" not in found["account.json"][0]
    assert [row["id"] for row in found["matches.json"]] == [match.pk]
    assert found["matches.json"][0]["participants__side__place"] == 0
    assert [row["match_id"] for row in found["rating_events.json"]] == [match.pk]
    assert [row["followed_id"] for row in found["follows.json"]] == [charlie.pk]
    assert browser_of(charlie).get("/settings/data/file/").status_code == 404
    assert Client().get("/settings/data/file/").status_code == 302


def test_nobody_reads_who_reported_or_follows_them(alice: Player, charlie: Player) -> None:
    follow(charlie, alice, now=NOW)
    PlayerReport.objects.create(
        reporter=charlie, reported=alice, reason="abuse", text="Rude.", at=NOW, latest_at=NOW
    )
    files = unzipped(exporting.zip_account(user_of(alice)))
    assert "Rude." not in json.dumps(files)
    people = [
        row.get(key)
        for rows in files.values()
        for row in rows
        for key in ("player_id", "reporter_id")
    ]
    assert charlie.pk not in people
    assert unzipped(exporting.zip_account(user_of(charlie)))["reports_of_players.json"]


def test_the_words_of_alice_and_to_her_are_exported(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match, user = beats(charlie, alice, duel), user_of(alice)
    dispute(match.pk, by=alice, reason="I won.", now=NOW)
    own = beats(alice, charlie, duel, now=NOW + DAY)
    award = DishonorAward.objects.create(
        player=alice, arena=duel, at=NOW, offence="Abandon", stacks=1
    )
    Appeal.objects.create(award=award, text="My router broke.", at=NOW)
    letter = Letter.objects.create(by=user_of(charlie), at=NOW, text="Be kind.")
    Notice.objects.create(player=alice, kind=NoticeKind.LETTER, created_at=NOW, letter=letter)
    message = MatchMessage.objects.create(match=match, author=user, player=alice, at=NOW, text="!")
    EvidenceImage.objects.create(
        message=message, description="Final score", width=1, height=2, size=3
    )
    found = unzipped(exporting.zip_account(user))
    assert [row["id"] for row in found["reports.json"]] == [own.pk]
    assert [row["dispute_reason"] for row in found["disputes.json"]] == ["I won."]
    assert [row["text"] for row in found["appeals.json"]] == ["My router broke."]
    assert [row["text"] for row in found["letters.json"]] == ["Be kind."]
    assert [row["description"] for row in found["evidence_images.json"]] == ["Final score"]
    assert {row["kind"] for row in found["matches.json"]} == {"game"}
    others = unzipped(exporting.zip_account(user_of(charlie)))
    assert [row["id"] for row in others["reports.json"]] == [match.pk]
    assert not any(others[f"{name}.json"] for name in ("disputes", "appeals", "letters"))


def test_rows_of_two_players_tell_neither_where_the_other_sat(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match, staff = beats(alice, charlie, duel), user_of(charlie)
    CounterReport.objects.create(
        match=match,
        side=1,
        reporter=charlie,
        against=alice,
        answered_by=alice,
        at=NOW,
        played_at=NOW,
        placings=[],
        state=CounterReport.State.ACCEPTED,
        **dict.fromkeys(HASHES, uuid4()),
    )
    PlayerReport.objects.create(
        reporter=alice,
        reported=charlie,
        reason="abuse",
        text="Rude.",
        at=NOW,
        latest_at=NOW,
        case=Case.objects.create(title="Charlie", opened_by=staff, opened_at=NOW),
    )
    found = unzipped(exporting.zip_account(user_of(alice)))
    assert set(found["counter_reports_answered.json"][0]) & HASHES == set()
    assert "case_id" not in found["reports_of_players.json"][0]


def test_no_exported_table_has_another_hash() -> None:
    exported = [one.partition(".")[0] for one in OF_PLAYER]
    models = [model for model in apps.get_models() if model.__name__ in exported]
    unique = {
        column.attname
        for model in models
        for column in model._meta.concrete_fields
        if isinstance(column, UUIDField)
    }
    assert unique - HIDDEN == {"uid"}, "of a date in calendars"


def test_a_file_expires_and_can_be_asked_for_again_after_a_day(alice: Player) -> None:
    user = user_of(alice)
    exporting.ask(user, NOW)
    assert exporting.ask(user, NOW + DAY).asked_at == NOW, "it is still to be made"
    exporting.make(user.pk, NOW)
    with pytest.raises(LimitReached):
        exporting.ask(user, NOW + DAY / 2)
    assert exporting.download(user, NOW + 6 * DAY)
    assert exporting.download(user, NOW + 7 * DAY) is None
    assert exporting.forget_expired(NOW + 6 * DAY) == 0
    assert exporting.forget_expired(NOW + 7 * DAY) == 1
    assert DataExport.objects.get().content is None
    exporting.ask(user, NOW + 8 * DAY)
    assert exporting.waiting() == [user.pk]


def test_a_file_that_cannot_be_made_keeps_no_others_from_theirs(
    alice: Player, charlie: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed, made = user_of(alice), user_of(charlie)
    exporting.ask(failed, NOW - DAY)
    exporting.ask(made, NOW)
    zipped = exporting.zip_account
    error: Exception = ValueError("a bug")

    def zipped_unless_alices(user: User) -> bytes:
        if user == failed:
            raise error
        return zipped(user)

    monkeypatch.setattr(exporting, "zip_account", zipped_unless_alices)
    assert tasks.make_exports() == 1
    assert exporting.waiting() == [failed.pk]
    error = OSError(errno.ENOSPC, "No space left on device")
    with pytest.raises(OSError, match="No space"):
        tasks.make_exports()


def test_a_file_is_made_once_and_goes_with_its_account(alice: Player) -> None:
    user = user_of(alice)
    exporting.ask(user, NOW)
    exporting.make(user.pk, NOW)
    exporting.make(user.pk, NOW + DAY)
    assert DataExport.objects.get().made_at == NOW
    alice.user = None
    alice.save()
    user.delete()
    assert not DataExport.objects.exists()


def test_an_account_without_a_player_has_data_too(alice: Player) -> None:
    user = user_of(alice)
    Player.objects.update(user=None)
    assert set(unzipped(exporting.zip_account(User.objects.get(pk=user.pk)))) == {
        "account.json",
        "connected_apps.json",
        *(f"{name}.json" for name in OF_ACCOUNT.values()),
    }


def test_the_address_at_which_somebody_was_invited_is_in_their_file(
    alice: Player, olga: Player
) -> None:
    PlayerInvitation.objects.create(
        player=alice,
        address="alice@club.example",
        by=user_of(olga),
        state="joined",
        sent_at=NOW,
        expires_at=NOW + DAY,
        closed_at=NOW,
    )
    files = unzipped(exporting.zip_account(user_of(alice)))
    assert files["invitations_by_mail.json"][0]["address"] == "alice@club.example"
