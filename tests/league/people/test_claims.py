"""Claims of imported players, and the staff who decide them."""

from functools import partial

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from league.models import (
    Arena,
    DishonorAward,
    Offence,
    Participant,
    Player,
    PlayerClaim,
    StaffAction,
    User,
)
from league.services.core.clock import database_now
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.people.claims import claim, decide, withdraw
from league.services.results.reports.answers import confirm
from league.services.results.reports.live import StartingSide, start
from tests.support.cast import NOW, account, beats
from tests.support.concurrency import all_at_once
from tests.support.web_steps import browser_of, words


@pytest.fixture
def old_eve(duel: Arena, alice: Player) -> Player:
    """An imported player with a match, and without an account."""
    player = account("Eve of old")
    beats(alice, player, duel)
    player.user = None
    player.save()
    return player


def user_of(player: Player) -> User:
    assert player.user
    return player.user


def claimed(player: Player, *, by: Player) -> PlayerClaim:
    return claim(user_of(by), player, evidence="My mail.", now=NOW)


def test_eve_claims_her_history_and_olga_approves(old_eve: Player, eve: Player, boss: User) -> None:
    browser = browser_of(eve)
    assert "This is me" in words(browser.get(old_eve.get_absolute_url()))
    page = f"/players/{old_eve.pk}/claim/"
    empty = browser.post(page, {"evidence": "  "})
    assert empty.status_code == 400
    assert empty.context["form"].errors["evidence"]
    answer = browser.post(page, {"evidence": "My mail is in the file."}, follow=True)
    assert "Eve of old : waiting." in words(answer)
    assert browser.post(page, {"evidence": "Again."}).status_code == 409

    staff = Client()
    staff.force_login(boss)
    rows = "/admin/league/playerclaim/"
    chosen = {"action": "approve", "_selected_action": [PlayerClaim.objects.get().pk]}
    answer = staff.post(rows, chosen, follow=True)
    assert "Give a reason." in words(answer)
    answer = staff.post(rows, chosen | {"reason": "The mail fits."}, follow=True)
    assert "1 claim decided." in words(answer)
    old_eve.refresh_from_db()
    assert old_eve.user == eve.user
    assert Player.ever.get(pk=eve.pk).merged_into == old_eve
    assert Participant.objects.filter(player=old_eve).count() == 1
    action = StaffAction.objects.get(kind=StaffAction.Kind.CLAIM)
    assert (action.kind, action.reason) == (StaffAction.Kind.CLAIM, "The mail fits.")
    assert action.player_names() == ["Eve of old"]
    said = words(browser_of(old_eve).get("/settings/"))
    assert "Everyone sees you as Eve of old" in said
    assert "Eve of old : approved. Reason given by staff: “The mail fits.”" in said


def offers(browser: Client, player: Player) -> bool:
    return "This is me" in words(browser.get(player.get_absolute_url()))


def test_a_claim_is_offered_only_to_those_who_could_make_it(
    duel: Arena, old_eve: Player, eve: Player, bob: Player, alice: Player
) -> None:
    assert not offers(Client(), old_eve)
    assert offers(browser_of(eve), old_eve)
    assert not offers(browser_of(eve), bob)  # who has an account
    beats(bob, alice, duel)
    assert not offers(browser_of(bob), old_eve)  # who has a history of his own
    asked = words(browser_of(bob).get(f"/players/{old_eve.pk}/claim/"))
    assert "Ask staff to merge the two." in asked
    assert "Send the claim" not in asked
    newcomer = Client()
    newcomer.force_login(User.objects.create(username="newcomer"))
    assert offers(newcomer, old_eve)


def test_who_has_a_player_reads_what_becomes_of_it(old_eve: Player, eve: Player) -> None:
    page = f"/players/{old_eve.pk}/claim/"
    assert "Your player so far, Eve, is then merged into it." in words(browser_of(eve).get(page))
    newcomer = Client()
    newcomer.force_login(User.objects.create(username="newcomer"))
    assert "merged" not in words(newcomer.get(page))


def test_a_second_claim_is_not_offered_while_one_waits(old_eve: Player, eve: Player) -> None:
    wilma = Player.objects.create(name="Wilma")
    claimed(old_eve, by=eve)
    assert not offers(browser_of(eve), old_eve)
    assert not offers(browser_of(eve), wilma)
    withdraw(user_of(eve), now=NOW)
    assert offers(browser_of(eve), wilma)


def test_a_player_who_left_the_league_cannot_be_claimed(old_eve: Player, eve: Player) -> None:
    Player.objects.filter(pk=old_eve.pk).update(left_at=NOW)
    old_eve.refresh_from_db()
    assert not offers(browser_of(eve), old_eve)
    with pytest.raises(Refused, match="Eve of old has left the league"):
        claimed(old_eve, by=eve)


def test_staff_decide_several_claims_at_once_and_read_which_failed(
    old_eve: Player, eve: Player, bob: Player, boss: User
) -> None:
    one, other = claimed(old_eve, by=eve), claimed(old_eve, by=bob)
    staff = Client()
    staff.force_login(boss)
    form = {"action": "approve", "_selected_action": [one.pk, other.pk], "reason": "So."}
    page = words(staff.post("/admin/league/playerclaim/", form, follow=True))
    assert "1 claim decided." in page
    assert "Eve of old has an account." in page
    other.refresh_from_db()
    assert other.state == PlayerClaim.State.OPEN
    decide(other.pk, approve=False, by=boss, reason="Too late.", now=NOW)
    other.refresh_from_db()
    assert (other.state, other.answer) == (PlayerClaim.State.REFUSED, "Too late.")


def test_a_player_with_an_account_cannot_be_claimed(alice: Player, eve: Player) -> None:
    with pytest.raises(Refused, match="Alice has an account"):
        claimed(alice, by=eve)


def test_a_player_in_a_live_match_can_neither_be_claimed_nor_handed_over(
    duel: Arena, alice: Player, old_eve: Player, eve: Player, boss: User
) -> None:
    asked = claimed(old_eve, by=eve)
    start(duel, [StartingSide(alice, [alice]), StartingSide(old_eve, [old_eve])], now=NOW)
    with pytest.raises(Conflict, match="Eve of old is in a live match"):
        decide(asked.pk, approve=True, by=boss, reason="So.", now=NOW)
    asked.refresh_from_db()
    assert asked.state == PlayerClaim.State.OPEN
    assert not StaffAction.objects.exists()
    withdraw(user_of(eve), now=NOW)
    with pytest.raises(Conflict, match="Eve of old is in a live match"):
        claimed(old_eve, by=eve)


def test_an_account_with_a_history_of_its_own_cannot_leave_it_behind(
    duel: Arena, old_eve: Player, eve: Player, bob: Player, boss: User
) -> None:
    early = claimed(old_eve, by=eve)
    confirm(beats(eve, bob, duel).pk, by=bob, now=NOW)
    with pytest.raises(Conflict, match="Your own player Eve has matches"):
        decide(early.pk, approve=True, by=boss, reason="So.", now=NOW)
    with pytest.raises(Conflict, match="Your own player Bob has matches"):
        claimed(old_eve, by=bob)


def test_a_banned_player_cannot_escape_to_another(
    duel: Arena, old_eve: Player, eve: Player
) -> None:
    DishonorAward.objects.create(
        player=eve, arena=duel, at=NOW, offence=Offence.BANNED, stacks=1_000_000
    )
    with pytest.raises(Conflict, match="penalties"):
        claimed(old_eve, by=eve)


def test_only_staff_with_the_permission_decide_and_nobody_their_own_claim(
    old_eve: Player, eve: Player, boss: User
) -> None:
    asked = claimed(old_eve, by=eve)
    frank = user_of(account("Frank"))
    User.objects.filter(pk=frank.pk).update(is_staff=True)
    frank = User.objects.get(pk=frank.pk)
    with pytest.raises(Forbidden, match="permission"):
        decide(asked.pk, approve=True, by=frank, reason="So.", now=NOW)
    frank.user_permissions.add(Permission.objects.get(codename="decide_claim"))
    frank = User.objects.get(pk=frank.pk)
    withdraw(user_of(eve), now=NOW)
    own = claim(frank, old_eve, evidence="Me.", now=NOW)
    with pytest.raises(Forbidden, match="Somebody else"):
        decide(own.pk, approve=True, by=frank, reason="So.", now=NOW)
    with pytest.raises(Conflict, match="not open"):
        decide(asked.pk, approve=True, by=boss, reason="So.", now=NOW)


def test_an_account_without_a_player_claims_one(old_eve: Player, boss: User) -> None:
    newcomer = User.objects.create(username="newcomer")
    asked = claim(newcomer, old_eve, evidence="Me.", now=NOW)
    decide(asked.pk, approve=True, by=boss, reason="So.", now=NOW)
    assert Player.objects.get(user=newcomer) == old_eve


@pytest.mark.django_db(transaction=True)
def test_of_two_claims_approved_at_once_one_account_gets_the_player(
    eve: Player, bob: Player, boss: User
) -> None:
    old = Player.objects.create(name="Somebody of old")
    now = database_now()
    asked = [claim(user_of(one), old, evidence="Me.", now=now) for one in (eve, bob)]
    all_at_once(
        [partial(decide, one.pk, approve=True, by=boss, reason="So.", now=now) for one in asked]
    )
    states = sorted(PlayerClaim.objects.values_list("state", flat=True))
    assert states == ["approved", "open"]
    assert StaffAction.objects.filter(kind=StaffAction.Kind.CLAIM).count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_claims_of_one_account_at_once_one_is_made(eve: Player) -> None:
    now = database_now()
    players = [Player.objects.create(name=name) for name in ("Wilma", "Wanda")]
    all_at_once([partial(claim, user_of(eve), one, evidence="Me.", now=now) for one in players])
    assert PlayerClaim.objects.count() == 1
