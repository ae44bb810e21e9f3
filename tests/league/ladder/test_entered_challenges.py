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
from league.services.ladder import entering, unplayed
from league.services.ladder.deadlines import sweep
from league.services.results.staff import entering as result_entering
from tests.support.admin_steps import staff
from tests.support.cast import account, side
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


@pytest.mark.parametrize(
    ("ending", "order"),
    [
        ("ignored", ["Alice", "Charlie", "Bob", "Dora"]),
        ("declined", ["Alice", "Charlie", "Dora", "Bob"]),
        ("withdrawn", ["Alice", "Bob", "Charlie", "Dora"]),
    ],
)
def test_a_challenge_that_was_not_played_costs_what_the_ladder_says(
    staff: Client, club: tuple[Arena, list[Player]], ending: str, order: list[str]
) -> None:
    ladder, players = club
    season = ladder.seasons.get()
    season.rules["challenges"] = {**season.rules.get("challenges", {}), "decline_cost": 2}
    season.rating_parameters["ignored_challenge_cost"] = 1
    season.save()
    one = entering.enter(ladder, players[3], players[1], by=olga(), now=database_now())
    assert "Bob did not come" in words(staff.get(reverse("challenges", args=["ladder"])))
    page = reverse("challenge_end", args=[one.pk])
    assert staff.post(page, {"ending": ending}).status_code == 302
    one.refresh_from_db()
    assert one.state == ending
    held = ranks(ladder)
    assert sorted(held, key=held.__getitem__) == order
    assert StaffAction.objects.get(kind="challenge").after == {"Challenge": ending}
    assert staff.post(page, {"ending": ending}).status_code == 409
    assert ranks(ladder) == held
    assert verify(season) == []


def test_a_challenge_ends_without_a_game_by_organisers_who_do_not_play(
    staff: Client, club: tuple[Arena, list[Player]], client: Client
) -> None:
    ladder, players = club
    now = database_now()
    one = entering.enter(ladder, players[3], players[1], by=olga(), now=now)
    page = reverse("challenge_end", args=[one.pk])
    client.force_login(user_of(players[0]))
    assert client.post(page, {"ending": "ignored"}).status_code == 403
    assert staff.post(page, {"ending": "accepted"}).status_code == 400
    assert staff.post(page, {"ending": ""}).status_code == 400
    Player.objects.filter(pk=players[3].pk).update(user=None)
    olga_plays = Player.objects.get(name="Olga")
    Challenge.objects.filter(pk=one.pk).update(challenger=olga_plays)
    with pytest.raises(Forbidden):
        unplayed.end(one.pk, "ignored", by=olga(), now=now)
    Challenge.objects.filter(pk=one.pk).update(challenger=players[0], challenged=olga_plays)
    with pytest.raises(Refused):
        unplayed.end(one.pk, "ignored", by=user_of(account("Otto", superuser=True)), now=now)
    assert Challenge.objects.get().is_agreed


@pytest.mark.parametrize(
    ("scores", "shown"),
    [((3.0, 1.0), "Dora won 3–1"), ((1.0, 3.0), "Bob won 3–1"), ((None, None), "Dora won")],
)
def test_past_challenges_show_their_results(
    staff: Client,
    club: tuple[Arena, list[Player]],
    scores: tuple[float | None, float | None],
    shown: str,
) -> None:
    ladder, players = club
    now = database_now()
    one = entering.enter(ladder, players[3], players[1], by=olga(), now=now)
    first = scores[0] is None or scores[0] > (scores[1] or 0)
    sides = [
        side(players[3], place=0 if first else 1, score=scores[0]),
        side(players[1], place=1 if first else 0, score=scores[1]),
    ]
    result_entering.enter(ladder, sides, by=olga(), reason="Club.", played_at=now, now=now)
    one.refresh_from_db()
    assert one.match_id is not None
    page = words(staff.get(reverse("challenges", args=["ladder"])))
    assert f"Dora challenged Bob: {shown}" in page
    Match.objects.filter(pk=one.match_id).update(status="void", rated_order=None)
    page = words(staff.get(reverse("challenges", args=["ladder"])))
    assert "Dora challenged Bob: void" in page
