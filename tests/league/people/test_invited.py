"""Ines follows her invitation to an account, and others try to use her link."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse

from league import tasks
from league.models import Arena, Player, PlayerClaim, PlayerInvitation, User
from league.services.competitions.running import entering_by_staff
from league.services.core.clock import database_now
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.dishonor import bans
from league.services.people import claims, invited, inviting
from league.services.people.entry_lists import read_list
from league.services.people.invitation_mails import token_of
from league.services.results.reports.answers import confirm
from tests.support.cast import NOW, account, beats
from tests.support.competition_steps import opened
from tests.support.concurrency import all_at_once
from tests.support.mail_steps import Mailbox, mail_server, text_of
from tests.support.merge_steps import merged
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, words

INES = "ines@club.example"
PASSWORD = "a stone in the river 7"
SIGN_UP = {"email": INES, "password1": PASSWORD, "password2": PASSWORD}
State = PlayerInvitation.State


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    with mail_server() as made:
        yield made


@pytest.fixture
def ines(duel: Arena) -> Player:
    return Player.objects.create(name="Ines Sole")


@pytest.fixture
def invitation(ines: Player, olga: Player) -> PlayerInvitation:
    return invite_ines(olga)


def invite_ines(by: Player) -> PlayerInvitation:
    people = read_list(f"Ines Sole; {INES}").complete()
    [made] = inviting.invite_from_plan(
        people, {}, competition=None, by=user_of(by), now=database_now()
    )
    return made


def page_of(invitation: PlayerInvitation) -> str:
    return reverse("invited", args=[token_of(invitation)])


def sign_up(browser: Client, invitation: PlayerInvitation, **changes: str) -> Any:
    """Press “Sign up as Ines Sole”, and send the form of the sign-up."""
    form = browser.post(page_of(invitation), {"answer": "sign-up"})
    return browser.post(form["Location"], SIGN_UP | changes, follow=True)


def test_ines_follows_the_mail_to_an_account_and_reports_a_result(
    mailbox: Mailbox, duel: Arena, olga: Player, alice: Player
) -> None:
    one = opened(duel, olga, "swiss")
    entries = read_list(f"Ines Sole <{INES}>").entries
    now = database_now()
    entering_by_staff.enter(one.pk, entries, {}, by=user_of(olga), now=now, invites=True)
    assert tasks.deliver_mail() == 1
    [mail] = mailbox.received
    assert mailbox.recipients == [INES]
    assert str(mail["Subject"]) == "Laurel: your results are waiting for you"
    text = text_of(mail)
    assert "Hello Ines Sole," in text
    assert "You play in Spring Cup in Laurel" in text
    link = re.search(r"http://localhost:8000(/invited/\S+)", text)
    assert link
    ines = Player.objects.get(name="Ines Sole")

    browser = Client()
    page = browser.get(link[1])
    assert "Ines Sole, you are invited" in words(page)
    assert page["Cache-Control"].startswith("max-age=0")
    form = browser.post(link[1], {"answer": "sign-up"}, follow=True)
    assert 'value="Ines Sole"' in form.content.decode()
    assert f'value="{INES}"' in form.content.decode()
    address = f"{form.redirect_chain[-1][0]}"
    done = browser.post(address, SIGN_UP | {"username": "Somebody Else"}, follow=True)
    assert done.redirect_chain[-1][0] == one.get_absolute_url()
    ines.refresh_from_db()
    assert user_of(ines).username == "ines sole"
    assert Player.objects.filter(user__email=INES).get() == ines
    assert EmailAddress.objects.get().verified, "the link has reached it"
    match = beats(ines, alice, duel)
    assert words(browser.get(match.get_absolute_url()))
    confirm(match.pk, by=alice, now=NOW)
    counts = words(browser_of(olga).get(reverse("invitations")))
    assert "1 sent, 1 opened, 1 joined" in counts


def test_another_address_has_to_be_confirmed(invitation: PlayerInvitation, ines: Player) -> None:
    sign_up(Client(), invitation, email="other@x.example")
    ines.refresh_from_db()
    assert user_of(ines).email == "other@x.example"
    assert not EmailAddress.objects.get().verified


def test_a_confirmed_address_of_somebody_else_stays_theirs(
    invitation: PlayerInvitation, ines: Player, alice: Player
) -> None:
    EmailAddress.objects.create(user=user_of(alice), email=INES, verified=True)
    sign_up(Client(), invitation)
    ines.refresh_from_db()
    assert EmailAddress.objects.get(email=INES, verified=True).user == user_of(alice)


def test_an_account_without_a_history_takes_the_player_over(
    invitation: PlayerInvitation, ines: Player, eve: Player
) -> None:
    user, browser = user_of(eve), browser_of(eve)
    claims.claim(user, ines, evidence="It is me.", now=NOW)
    assert "Eve is merged into them." in words(browser.get(page_of(invitation)))
    done = browser.post(page_of(invitation), {"answer": "join"}, follow=True)
    assert "From now on you act for Ines Sole." in words(done)
    ines.refresh_from_db()
    assert ines.user == user
    assert Player.ever.get(pk=eve.pk).merged_into == ines
    assert PlayerClaim.objects.get().state == PlayerClaim.State.WITHDRAWN


def test_an_account_without_a_player_takes_the_player_over(
    invitation: PlayerInvitation, ines: Player, eve: Player
) -> None:
    user, browser = user_of(eve), browser_of(eve)
    Player.objects.filter(pk=eve.pk).update(user=None)
    browser.post(page_of(invitation), {"answer": "join"})
    ines.refresh_from_db()
    assert ines.user == user


def test_an_account_with_a_history_does_not(
    invitation: PlayerInvitation, ines: Player, alice: Player, bob: Player, duel: Arena
) -> None:
    confirm(beats(alice, bob, duel).pk, by=bob, now=NOW)
    browser = browser_of(alice)
    page = words(browser.get(page_of(invitation)))
    assert "Your own player Alice has matches" in page
    assert "I am Ines Sole" not in page
    assert browser.post(page_of(invitation), {"answer": "join"}).status_code == 409
    ines.refresh_from_db()
    assert ines.user is None
    invitation.refresh_from_db()
    assert invitation.state == State.OPEN


def test_a_link_works_once(invitation: PlayerInvitation, eve: Player) -> None:
    sign_up(Client(), invitation)
    for browser in (Client(), browser_of(eve)):
        for answer in (
            browser.get(page_of(invitation)),
            browser.post(page_of(invitation), {"answer": "join"}),
            browser.post(page_of(invitation), {"answer": "sign-up"}),
            browser.post(page_of(invitation), {"answer": "decline"}),
        ):
            assert answer.status_code == 409
            assert "This link has been used." in words(answer)


def test_a_sign_up_that_comes_too_late_takes_nobody_over(
    invitation: PlayerInvitation, ines: Player
) -> None:
    """Two open the form with one link. The second is asked for a name of their own."""
    slow, fast = Client(), Client()
    form = slow.post(page_of(invitation), {"answer": "sign-up"})["Location"]
    sign_up(fast, invitation)
    ines.refresh_from_db()
    first = ines.user
    late = slow.post(form, SIGN_UP | {"email": "", "username": "Ines Sole"})
    assert late.status_code == 200
    assert "is taken or too similar" in words(late)
    slow.post(form, SIGN_UP | {"email": "", "username": "Zed"})
    ines.refresh_from_db()
    assert ines.user == first
    assert Player.objects.filter(name="Zed").exists()


def test_a_link_that_has_expired_was_withdrawn_or_is_forged_does_not_work(
    invitation: PlayerInvitation, olga: Player
) -> None:
    token, now = token_of(invitation), database_now()
    assert invited.read_link(token, now)
    with pytest.raises(Conflict, match="has expired"):
        invited.read_link(token, invitation.expires_at)
    for place in range(len(token)):
        changed = token[:place] + ("x" if token[place] != "x" else "y") + token[place + 1 :]
        with pytest.raises(Refused, match="incomplete"):
            invited.read_link(changed, now)
    assert Client().get(f"/invited/{token[:-1]}/").status_code == 400
    inviting.withdraw(invitation.pk, by=user_of(olga), now=now)
    with pytest.raises(Conflict, match="was withdrawn"):
        invited.read_link(token, now)
    PlayerInvitation.objects.all().delete()
    with pytest.raises(Conflict, match="was withdrawn"):
        invited.read_link(token, now)


def test_a_player_who_got_an_account_meanwhile_is_safe(
    invitation: PlayerInvitation, ines: Player, eve: Player, bob: Player
) -> None:
    Player.objects.filter(pk=bob.pk).update(user=None)
    Player.objects.filter(pk=ines.pk).update(user=user_of(bob))
    answer = browser_of(eve).post(page_of(invitation), {"answer": "join"})
    assert answer.status_code == 409
    assert "Ines Sole has an account." in words(answer)


def test_a_link_leads_to_the_player_into_whom_the_invited_one_was_merged(
    invitation: PlayerInvitation, ines: Player, olga: Player, eve: Player
) -> None:
    real = Player.objects.create(name="Ines S.")
    merged(real, ines, user_of(olga))
    user = user_of(eve)
    browser_of(eve).post(page_of(invitation), {"answer": "join"})
    real.refresh_from_db()
    assert real.user == user


def test_of_two_invitations_a_merge_keeps_that_of_the_player_who_stays(
    invitation: PlayerInvitation, ines: Player, olga: Player
) -> None:
    real = Player.objects.create(name="Ines S.")
    people = read_list("Ines S.; real@x.example").complete()
    now = database_now()
    inviting.invite_from_plan(people, {}, competition=None, by=user_of(olga), now=now)
    merged(real, ines, user_of(olga))
    assert PlayerInvitation.objects.get().address == "real@x.example"
    with pytest.raises(Conflict, match="was withdrawn"):
        invited.read_link(token_of(invitation), now)


def test_a_banned_account_does_not_get_a_clean_player(
    invitation: PlayerInvitation, duel: Arena, olga: Player, eve: Player
) -> None:
    browser = browser_of(eve)
    bans.ban(eve, arena=duel, by=user_of(olga), reason="Rude.", now=database_now())
    assert "Eve is banned" in words(browser.get(page_of(invitation)))
    assert browser.post(page_of(invitation), {"answer": "join"}).status_code == 403


def test_a_player_who_is_banned_meanwhile_gets_no_account(
    invitation: PlayerInvitation, ines: Player, duel: Arena, olga: Player
) -> None:
    bans.ban(ines, arena=duel, by=user_of(olga), reason="Rude.", now=database_now())
    answer = sign_up(Client(), invitation)
    assert "Ines Sole is banned" in words(answer)
    assert not User.objects.filter(email=INES).exists()


def test_an_organiser_does_not_take_over_whom_they_invite(
    invitation: PlayerInvitation, olga: Player
) -> None:
    with pytest.raises(Forbidden, match="another organiser must invite you"):
        invited.join(token_of(invitation), user_of(olga), database_now())


def test_whoever_declines_gets_no_more_mails(invitation: PlayerInvitation, olga: Player) -> None:
    done = Client().post(page_of(invitation), {"answer": "decline"}, follow=True)
    assert "You get no more of these mails." in words(done)
    with pytest.raises(Refused, match="wants no invitations"):
        invite_ines(olga)


def test_somebody_else_at_the_same_device_signs_up_under_their_own_name(
    invitation: PlayerInvitation, ines: Player
) -> None:
    browser = Client()
    browser.post(page_of(invitation), {"answer": "sign-up"})
    form = browser.post(page_of(invitation), {"answer": "other-name"})["Location"]
    browser.post(form, SIGN_UP | {"username": "Zed"})
    ines.refresh_from_db()
    assert ines.user is None
    assert Player.objects.get(name="Zed").user


def test_every_way_to_the_sign_up_leads_to_the_invited_player(
    invitation: PlayerInvitation, ines: Player
) -> None:
    browser = Client()
    browser.get(page_of(invitation))
    browser.post(reverse("account_signup"), SIGN_UP)
    ines.refresh_from_db()
    assert user_of(ines).email == INES


def test_an_hour_later_a_sign_up_is_not_that_of_the_invited_person(
    invitation: PlayerInvitation, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = Client()
    form = browser.post(page_of(invitation), {"answer": "sign-up"})["Location"]
    monkeypatch.setattr("league.web.people.invited.time.time", lambda: 4e9)
    assert "You were invited as" not in words(browser.get(form))


def test_a_log_in_name_that_is_taken_leaves_another_way(
    invitation: PlayerInvitation, ines: Player
) -> None:
    User.objects.create_user("ines sole")
    browser = Client()
    assert "is taken or too similar" in words(sign_up(browser, invitation))
    form = browser.post(page_of(invitation), {"answer": "other-name"})["Location"]
    back = browser.post(form, SIGN_UP | {"username": "Zed"}, follow=True)
    assert "Zed is merged into them." in words(back)
    browser.post(page_of(invitation), {"answer": "join"})
    ines.refresh_from_db()
    assert user_of(ines).username == "zed"


def test_opening_a_link_changes_nothing_but_the_count(invitation: PlayerInvitation) -> None:
    Client().head(page_of(invitation))
    invitation.refresh_from_db()
    assert invitation.opened_at is None
    for _time in range(2):
        Client().get(page_of(invitation))
    invitation.refresh_from_db()
    assert invitation.opened_at is not None
    assert invitation.state == State.OPEN
    for sent in ({}, {"answer": "nonsense"}):
        assert Client().post(page_of(invitation), sent).status_code == 400
    assert Client().post(page_of(invitation), {"answer": "join"}).status_code == 403


@pytest.mark.django_db(transaction=True)
def test_of_many_who_use_a_link_at_once_one_gets_the_player(
    invitation: PlayerInvitation, ines: Player
) -> None:
    users = [user_of(account(f"Player {number}")) for number in range(6)]
    token = token_of(invitation)
    now = database_now() + timedelta(seconds=1)
    answers = all_at_once([lambda u=u: invited.join(token, u, now) for u in users])  # type: ignore[misc]
    assert sum(isinstance(answer, PlayerInvitation) for answer in answers) == 1
    assert all(isinstance(answer, PlayerInvitation | Conflict) for answer in answers)
    ines.refresh_from_db()
    assert ines.user in users
