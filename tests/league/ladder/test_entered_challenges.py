"""Olga enters challenges on a ladder for people without an account, and their results."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, Challenge, Match, Player, StaffAction, User
from league.services.core.clock import database_now
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.integrity.ratings import verify
from league.services.ladder import entering
from league.services.ladder.deadlines import sweep
from tests.support.admin_steps import staff
from tests.support.challenge_steps import ladder_of, ranks
from tests.support.result_steps import user_of
from tests.support.web_steps import result_form, words

__all__ = ["staff"]


@pytest.fixture
def club(db: None) -> tuple[Arena, list[Player]]:
    """A ladder of four, of whom only Alice has an account."""
    ladder, players = ladder_of(["Alice", "Bob", "Charlie", "Dora"])
    for player in players[1:]:
        Player.objects.filter(pk=player.pk).update(user=None)
        player.refresh_from_db()
    return ladder, players


def olga() -> User:
    return user_of(Player.objects.get(name="Olga"))


def test_a_challenge_and_its_result_are_entered_for_people_without_an_account(
    staff: Client, club: tuple[Arena, list[Player]]
) -> None:
    ladder, _players = club
    page = reverse("challenges", args=["ladder"])
    assert "Enter the challenge" in words(staff.get(page))
    sent = {"challenger": "dora", "challenged": "Bob"}
    made = words(staff.post(reverse("challenge_enter", args=["ladder"]), sent, follow=True))
    assert "Entered: Dora challenges Bob." in made
    assert "Accepted, to be played by" in made
    one = Challenge.objects.get()
    assert one.is_agreed
    assert StaffAction.objects.get(details__challenge=one.pk).actor == olga()
    path = reverse("enter", args=["ladder"])
    asked = staff.post(path, {"step": "who", "sides": "Dora\nBob"})
    assert asked.status_code == 200
    result = {**result_form(""), "sides": "Dora\nBob", "reason": "Club evening"}
    assert staff.post(path, result).status_code == 302
    one.refresh_from_db()
    assert one.match == Match.objects.latest("pk")
    assert ranks(ladder)["Dora"] == 2
    assert sweep(database_now() + timedelta(days=30)) == 0
    assert verify(ladder.seasons.get()) == []


def test_names_are_found_without_accents_and_others_get_a_suggestion_at_their_field(
    staff: Client, club: tuple[Arena, list[Player]]
) -> None:
    _ladder, [_alice, bob, *_others] = club
    bob.name = "Björn Öhm"
    bob.save()
    path = reverse("challenge_enter", args=["ladder"])
    refused = staff.post(path, {"challenger": "dorra", "challenged": "bjorn ohm"})
    assert refused.status_code == 400
    assert "There is no player “dorra”. Did you mean Dora?" in words(refused)
    page = refused.content.decode()
    assert 'aria-describedby="challenger-error"' in page
    assert 'aria-describedby="challenged-error"' not in page
    assert '<option value="Björn Öhm">' in page
    made = staff.post(path, {"challenger": "Dora", "challenged": "bjorn ohm"}, follow=True)
    assert "Entered: Dora challenges Björn Öhm." in words(made)
    sides = re.findall(r'name="sides" value="([^"]*)"', made.content.decode())
    asked = staff.post(reverse("enter", args=["ladder"]), {"step": "who", "sides": sides})
    assert "step 2 of 2" in words(asked)


def test_challenges_that_the_ladder_does_not_allow_are_refused(
    staff: Client, club: tuple[Arena, list[Player]]
) -> None:
    ladder, (alice, bob, charlie, dora) = club
    now = database_now()
    by = olga()
    with pytest.raises(Forbidden):
        entering.enter(ladder, bob, alice, by=user_of(alice), now=now)
    for challenger, challenged in ((bob, bob), (bob, dora)):
        with pytest.raises(Refused):
            entering.enter(ladder, challenger, challenged, by=by, now=now)
    entering.enter(ladder, dora, charlie, by=by, now=now)
    with pytest.raises(Conflict, match="already a challenge between Dora and Charlie"):
        entering.enter(ladder, dora, charlie, by=by, now=now)
    with pytest.raises(Conflict, match="Dora has as many open"):
        entering.enter(ladder, dora, bob, by=by, now=now)
    other = User.objects.create(username="Another")
    Player.objects.filter(pk=dora.pk).update(user=other)
    dora.refresh_from_db()
    with pytest.raises(Refused, match="Both players have an account"):
        entering.enter(ladder, dora, alice, by=by, now=now)


def test_unknown_names_are_said_beside_what_was_typed(
    staff: Client, club: tuple[Arena, list[Player]]
) -> None:
    sent = {"challenger": "Nobody", "challenged": "Bob"}
    answer = staff.post(reverse("challenge_enter", args=["ladder"]), sent)
    assert answer.status_code == 400
    assert "There is no player “Nobody”" in words(answer)
    assert 'value="Bob"' in answer.content.decode()
