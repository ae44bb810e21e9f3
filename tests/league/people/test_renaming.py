"""New names: at most one in thirty days, and old names stay reserved and on record."""

from datetime import timedelta
from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from league.models import Arena, FormerName, Player, User
from league.models.former_name import RENAME_COOLDOWN
from league.services.core.clock import database_now
from league.services.core.errors import Conflict, Forbidden
from league.services.dishonor.bans import ban
from league.services.people.players import register
from league.services.people.renaming import rename
from tests.support.cast import PASSWORD
from tests.support.concurrency import all_at_once
from tests.support.web_steps import browser_of, words

CHANGE = "/settings/name/change/"
DAY = timedelta(days=1)


def test_alice_changes_her_name_in_the_settings_and_logs_in_with_the_new_one(alice: Player) -> None:
    browser = browser_of(alice)
    answer = browser.post(CHANGE, {"name": "  Alicia  "}, follow=True)
    assert "Your name is now Alicia." in words(answer)
    assert "You can change your name again from" in words(answer)
    alice.refresh_from_db()
    assert alice.name == "Alicia"
    assert [str(former) for former in alice.former_names.all()] == ["Alice"]
    form = {"login": "ALICIA", "password": PASSWORD}
    assert Client().post("/accounts/login/", form).status_code == 302
    assert Client().post("/accounts/login/", form | {"login": "alice"}).status_code == 200
    again = browser.post(CHANGE, {"name": "Alix"})
    assert again.status_code == 409
    assert "You can change your name again in" in words(again)


def test_a_name_is_kept_for_thirty_days(alice: Player) -> None:
    now = database_now()
    rename(alice, "Alicia", now=now)
    with pytest.raises(Conflict, match="change your name again in"):
        rename(alice, "Alix", now=now + RENAME_COOLDOWN - timedelta(seconds=1))
    assert rename(alice, "Alix", now=now + RENAME_COOLDOWN).name == "Alix"
    assert set(FormerName.objects.values_list("name", flat=True)) == {"Alice", "Alicia"}


@pytest.mark.parametrize("name", ["Alice", "A1ice", "Alice.", "ÁLICE"])
def test_nobody_else_takes_an_old_name_or_one_like_it(
    name: str, alice: Player, eve: Player
) -> None:
    rename(alice, "Wilma", now=database_now())
    with pytest.raises(ValidationError, match="is taken or too similar"):
        rename(eve, name, now=database_now())
    with pytest.raises(ValidationError, match="is taken or too similar"):
        register(User.objects.create(username="new"), name)
    secret = "horse staple 91"
    form = {"username": name, "password1": secret, "password2": secret}
    assert Client().post("/accounts/signup/", form).status_code == 200
    FormerName.objects.update(given_up_at=timezone.now() - RENAME_COOLDOWN)
    assert rename(eve, name, now=database_now()).name == name


def test_the_former_owner_may_take_the_old_name_back(alice: Player) -> None:
    now = database_now()
    rename(alice, "Alicia", now=now - 31 * DAY)
    FormerName.objects.update(given_up_at=now - 31 * DAY)
    rename(alice, "Alice", now=now)
    alice.refresh_from_db()
    assert alice.user
    assert (alice.name, alice.user.username) == ("Alice", "alice")


def test_a_name_that_cannot_be_used_is_refused_at_its_field_and_costs_nothing(
    alice: Player, bob: Player
) -> None:
    browser = browser_of(alice)
    for name in ("Bob", "B0b", "", "Аlice", "Alice", "a\0b"):
        answer = browser.post(CHANGE, {"name": name})
        assert answer.status_code == 400, name
        assert answer.context["name_form"].errors["name"], name
    assert not FormerName.objects.exists()
    assert Player.objects.get(pk=alice.pk).name == "Alice"
    User.objects.create(username="carla")  # an account without a player
    answer = browser.post(CHANGE, {"name": "Carla"})
    assert answer.status_code == 400
    assert Player.objects.get(pk=alice.pk).name == "Alice"


def test_a_banned_player_keeps_their_name(duel: Arena, bob: Player, olga: Player) -> None:
    assert olga.user
    ban(bob, arena=duel, by=olga.user, reason="Insults.", now=database_now())
    with pytest.raises(Forbidden, match="Bob is banned without end"):
        rename(bob, "Robert", now=database_now())


@pytest.mark.django_db(transaction=True)
def test_of_two_changes_at_once_one_succeeds(alice: Player) -> None:
    now = database_now()

    def attempt(name: str) -> bool:
        try:
            rename(alice, name, now=now)
        except Conflict:
            return False
        return True

    done = all_at_once([partial(attempt, "Wilma"), partial(attempt, "Wanda")])
    assert set(done) == {False, True}
    assert FormerName.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_players_who_want_one_name_at_once_one_gets_it(alice: Player, eve: Player) -> None:
    now = database_now()

    def attempt(player: Player, name: str) -> bool:
        try:
            rename(player, name, now=now)
        except ValidationError:
            return False
        return True

    done = all_at_once([partial(attempt, alice, "Wilma"), partial(attempt, eve, "W1lma")])
    assert set(done) == {False, True}
    assert FormerName.objects.count() == 1
