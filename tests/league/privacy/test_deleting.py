"""Deleting an account: what goes, what stays, and who may not."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from axes.models import AccessFailureLog
from django.contrib.sessions.models import Session
from django.core import signing
from django.core.mail import EmailMessage
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from league import tasks
from league.models import (
    AccountDeletion,
    Appeal,
    Arena,
    Award,
    BarredAddress,
    Block,
    DishonorAward,
    Email,
    EvidenceContent,
    EvidenceImage,
    FinalStanding,
    FormerName,
    Match,
    MatchMessage,
    Participant,
    Player,
    PlayerClaim,
    PlayerInvitation,
    Rating,
    RatingEvent,
    Season,
    StaffAction,
    User,
)
from league.services.core.errors import Conflict, Refused
from league.services.dishonor import bans
from league.services.following import blocks, follows
from league.services.people import claims
from league.services.privacy import deleting, fates, forgetting
from league.services.privacy.kept_about import NOT_EXPORTED, OF_ACCOUNT, OF_PLAYER
from league.services.results.reports.answers import confirm, dispute
from tests.support.api_steps import a_token
from tests.support.cast import NOW, PASSWORD, account, beats, put_in_order, roster
from tests.support.deletion_steps import ADDRESS, LATER, NAME, user_of
from tests.support.merge_steps import merged
from tests.support.web_steps import browser_of, words

SAID = "zword"
"""A word that is nowhere else in the database."""
INVITED = "guest@z.example"
LEDGERS = (Rating, RatingEvent, Participant, DishonorAward)


def deleted(player: Player) -> Player:
    """Delete a player's account as the beat does after two weeks."""
    deleting.ask(user_of(player), NOW)
    assert deleting.carry_out(user_of(player).pk, LATER)
    return Player.objects.get(pk=player.pk)


def rows(model: type[Model]) -> list[dict[str, Any]]:
    return list(model._default_manager.order_by("pk").values())


def tables_with(*texts: str) -> set[str]:
    """Return the tables of the whole database in which any of these texts is, in any case."""
    found = set()
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            for text in texts:
                cursor.execute(
                    f'SELECT EXISTS (SELECT FROM "{table}" AS t WHERE t::text ILIKE %s)',
                    [f"%{text}%"],
                )
                if cursor.fetchone()[0]:
                    found.add(table)
    return found


def live_a_life(zoro: Player, alice: Player, bob: Player, duel: Arena, teams: Arena) -> None:
    """Leave traces of a player in as many tables as one can."""
    user = user_of(zoro)
    confirm(beats(zoro, alice, duel).pk, by=alice, now=NOW)
    put_in_order()
    disputed = beats(alice, zoro, duel, now=NOW + timedelta(hours=1))
    dispute(disputed.pk, by=zoro, reason=f"{SAID} I won.", now=NOW)
    message = MatchMessage.objects.create(
        match=disputed, author=user, player=zoro, at=NOW, text=SAID, link=f"https://{SAID}.example"
    )
    image = EvidenceImage.objects.create(
        message=message, description=SAID, width=1, height=2, size=3
    )
    EvidenceContent.objects.create(image=image, webp=SAID.encode())
    Match.objects.filter(pk=disputed.pk).update(status="void", settled_at=NOW)
    season = Season.objects.get(arena=duel)
    FinalStanding.objects.create(
        season=season,
        position=1,
        player=zoro,
        name=NAME,
        rating=1500.0,
        games=1,
        wins=1,
        draws=0,
        losses=0,
        streak=1,
    )
    Award.objects.create(season=season, kind="top", player=zoro, name=NAME, value=1)
    award = DishonorAward.objects.create(
        player=zoro, arena=duel, at=NOW, offence="Abandon", stacks=1
    )
    Appeal.objects.create(award=award, text=SAID, at=NOW)
    FormerName.objects.create(player=zoro, name=f"{NAME} the First", given_up_at=NOW)
    for one, other in ((zoro, alice), (alice, zoro)):
        follows.follow(one, other, now=NOW)
        blocks.block(one, other, now=NOW)
    roster(teams, f"The {NAME}s", zoro)
    roster(teams, "Owls", bob, zoro)
    a_token(user)
    browser = browser_of(zoro)
    browser.get("/")
    Email.objects.create(
        recipient=ADDRESS, sender="x@y.z", subject=NAME, created_at=NOW, next_attempt_at=NOW
    )
    PlayerInvitation.objects.create(
        player=zoro,
        address=INVITED,
        by=user_of(alice),
        state="joined",
        sent_at=NOW,
        expires_at=LATER,
        closed_at=NOW,
    )
    Email.objects.create(
        recipient=INVITED, sender="x@y.z", subject="Join", created_at=NOW, next_attempt_at=NOW
    )
    AccessFailureLog.objects.create(username=NAME.lower(), ip_address="192.0.2.1")


def test_every_relation_has_a_fate() -> None:
    known = [*OF_PLAYER, *OF_ACCOUNT, *(name for names in NOT_EXPORTED.values() for name in names)]
    stays = [name for names in fates.STAYS.values() for name in names]
    decided = [*fates.DELETED, *fates.WORDS, *fates.NAMES, *stays]
    assert len(decided) == len(set(decided))
    assert set(decided) == set(known)


def test_nothing_in_the_database_names_a_deleted_player_and_ledgers_stay(
    zoro: Player, alice: Player, bob: Player, olga: Player, duel: Arena, teams: Arena
) -> None:
    live_a_life(zoro, alice, bob, duel, teams)
    assert tables_with(NAME) > {"league_player", "league_finalstanding", "league_formername"}
    assert tables_with(SAID) > {"league_matchmessage", "league_evidenceimage", "league_appeal"}
    before = {model: rows(model) for model in LEDGERS}
    call_command("verify_ratings", stdout=StringIO())
    left = deleted(zoro)
    assert left.name == f"Former player {zoro.pk}"
    assert tables_with(NAME, ADDRESS, INVITED, SAID) == set()
    assert {model: rows(model) for model in LEDGERS} == before
    call_command("verify_ratings", stdout=StringIO())
    assert not User.objects.get(pk=user_of(zoro).pk).is_active
    assert not EvidenceContent.objects.exists()
    assert not Block.objects.exists()
    assert not AccountDeletion.objects.exists()
    for name in fates.DELETED - {"Team.successor"}:
        for model in (Player, User):
            pk = zoro.pk if model is Player else user_of(zoro).pk
            for found in forgetting.referring(model, pk, {name}):
                assert not found.exists(), name
    page = words(browser_of(alice).get(f"/players/{zoro.pk}/"))
    assert "This player has left the league." in page
    assert "Propose a match" not in page
    staff = words(browser_of(olga).get(f"/players/{alice.pk}/"))
    assert f"Former player {zoro.pk}" in staff


def test_only_the_log_of_staff_keeps_the_name(
    zoro: Player, olga: Player, alice: Player, duel: Arena
) -> None:
    bans.ban(zoro, arena=duel, by=user_of(olga), reason="Rude.", now=NOW)
    deleted(zoro)
    assert tables_with(NAME) == {"league_staffaction"}
    assert StaffAction.objects.get().details["name"] == NAME


def test_the_players_merged_into_them_are_forgotten_as_well(
    zoro: Player, olga: Player, duel: Arena
) -> None:
    old = Player.objects.create(name="Elder Swordsman")
    season = duel.seasons.get()
    record = {"games": 1, "wins": 1, "draws": 0, "losses": 0, "streak": 1, "gain": 0}
    FinalStanding.objects.create(
        season=season, position=1, player=old, name=old.name, rating=1500, deviation=50, **record
    )
    merged(zoro, old, user_of(olga))
    deleted(zoro)
    assert tables_with("Swordsman") == {"league_staffaction"}
    gone = Player.ever.get(pk=old.pk)
    assert (gone.name, gone.merged_into) == (f"Former player {old.pk}", zoro)
    assert FinalStanding.objects.get().name == gone.name


def test_ledgers_let_go_of_nothing_else(
    zoro: Player, alice: Player, bob: Player, duel: Arena, teams: Arena
) -> None:
    live_a_life(zoro, alice, bob, duel, teams)
    refused: list[Any] = [
        (FinalStanding, {"name": "Former"}),
        (MatchMessage, {"text": "", "link": ""}),
        (EvidenceImage, {"description": ""}),
    ]
    for model, change in refused:
        with pytest.raises(IntegrityError, match="ledger"), transaction.atomic():
            model.objects.update(**change)
    deleted(zoro)
    changes: list[Any] = [
        (FinalStanding, {"name": "Nobody"}),
        (FinalStanding, {"rank": 1, "percentile": 1}),
        (MatchMessage, {"text": "I lied."}),
        (Award, {"value": 2}),
    ]
    for model, change in changes:
        with pytest.raises(IntegrityError, match="ledger"), transaction.atomic():
            model.objects.update(**change)


def test_a_deleted_account_cannot_log_in_or_be_claimed(zoro: Player, alice: Player) -> None:
    browser = browser_of(zoro)
    assert browser.get("/settings/").status_code == 200
    left = deleted(zoro)
    assert browser.get("/settings/").status_code == 302
    assert not Session.objects.exists()
    for login in (NAME, ADDRESS, f"Former player {zoro.pk}"):
        answer = Client().post("/accounts/login/", {"login": login, "password": PASSWORD})
        assert answer.status_code == 200, "no redirect"
    with pytest.raises(Refused):
        claims.claim(user_of(alice), left, evidence="It was me.", now=LATER)
    assert not PlayerClaim.objects.exists()


def test_a_taken_name_is_avoided(zoro: Player) -> None:
    account(f"Former Player {zoro.pk}")
    assert deleted(zoro).name == f"Former player {zoro.pk}-2"


def test_zoro_deletes_the_account_with_the_password_and_changes_their_mind(zoro: Player) -> None:
    browser = browser_of(zoro)
    assert browser.post("/settings/delete/", {"password": "wrong"}).status_code == 400
    assert not AccountDeletion.objects.exists()
    done = words(browser.post("/settings/delete/", {"password": PASSWORD}, follow=True))
    assert "You can change your mind until then." in done
    assert tasks.delete_accounts() == 0, "not due"
    assert "Your account stays." in words(browser.post("/settings/delete/keep/", follow=True))
    assert not AccountDeletion.objects.exists()
    with pytest.raises(Conflict):
        deleting.take_back(user_of(zoro))
    deleting.ask(user_of(zoro), NOW)
    assert tasks.delete_accounts() == 1
    assert Player.objects.get(pk=zoro.pk).left_at


def test_a_mailed_link_confirms_for_its_account_only(
    zoro: Player, mailoutbox: list[EmailMessage]
) -> None:
    user = user_of(zoro)
    user.set_unusable_password()
    user.save()
    browser = browser_of(zoro)
    browser.post("/settings/delete/mail/", {"mail": "1"})
    [mail] = mailoutbox
    assert mail.to == [ADDRESS]
    address = next(word for word in str(mail.body).split() if "/delete-account/" in word)
    path = address[address.index("/delete-account/") :]
    assert "will be deleted in 14 days" in words(Client().get(path))
    assert not AccountDeletion.objects.exists(), "a link that is only opened does nothing"
    assert "Your account will be deleted" in words(Client().post(path, follow=True))
    assert AccountDeletion.objects.get().user == user
    assert Client().get(path[:-3] + "abc/").status_code == 400
    forged = signing.dumps([user.pk, "other"], salt=deleting.SALT)
    url = reverse("account_delete_by_mail", args=[forged])
    assert Client().post(url).status_code == 400


def test_the_last_owner_stays(olga: Player) -> None:
    with pytest.raises(Refused, match="needs an owner"):
        deleting.ask(user_of(olga), NOW)
    second = account("Second", superuser=True)
    deleting.ask(user_of(olga), NOW)
    with pytest.raises(Refused, match="The other owners"):
        deleting.ask(user_of(second), NOW)
    User.objects.filter(pk=user_of(second).pk).update(is_active=False)
    assert not deleting.attempt(user_of(olga).pk, LATER), "the other one was locked meanwhile"
    assert User.objects.get(pk=user_of(olga).pk).is_superuser
    User.objects.filter(pk=user_of(second).pk).update(is_active=True)
    assert deleting.attempt(user_of(olga).pk, LATER)


def test_a_banned_player_cannot_begin_anew_with_their_address(
    zoro: Player, olga: Player, duel: Arena, settings: Settings
) -> None:
    until = NOW + timedelta(days=3650)
    bans.ban(zoro, arena=duel, by=user_of(olga), reason="Rude.", until=until, now=NOW)
    deleted(zoro)
    assert ADDRESS not in str(rows(BarredAddress))
    for address in (ADDRESS, ADDRESS.upper(), "zoro+new@mail.example"):
        assert deleting.is_barred(address, LATER)
        answer = Client().post(
            "/accounts/signup/",
            {"username": "Newt", "email": address, "password1": PASSWORD, "password2": PASSWORD},
        )
        assert "This address belonged to a banned account." in words(answer)
    assert not Player.objects.filter(name="Newt").exists()
    old = settings.SECRET_KEY
    settings.SECRET_KEY = "another key"
    assert not deleting.is_barred(ADDRESS, LATER), "nobody can tell any more"
    settings.SECRET_KEY_FALLBACKS = [old]
    assert deleting.is_barred(ADDRESS, LATER)
    assert not deleting.is_barred(ADDRESS, until)
    assert not deleting.is_barred("other@mail.example", LATER)
    assert deleting.forget_ended_bans(LATER) == 0
    assert deleting.forget_ended_bans(until) == 1


def test_mails_to_an_address_that_others_own_as_well_stay(zoro: Player, alice: Player) -> None:
    """A parent's address, at which the child was invited."""
    EmailAddress.objects.create(user=user_of(alice), email=INVITED, verified=True)
    PlayerInvitation.objects.create(
        player=zoro, address=INVITED, by=user_of(alice), sent_at=NOW, expires_at=LATER
    )
    Email.objects.create(
        recipient=INVITED, sender="x@y.z", subject="Hi", created_at=NOW, next_attempt_at=NOW
    )
    deleted(zoro)
    assert tables_with(INVITED) == {"account_emailaddress", "league_email"}
