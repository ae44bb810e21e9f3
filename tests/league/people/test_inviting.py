"""Organisers invite people, with or without an e-mail address, to accounts for their players."""

from datetime import datetime, timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from league import tasks
from league.models import Arena, BouncingAddress, Competition, Email, Player, PlayerInvitation
from league.services.competitions.running import entering_by_staff
from league.services.core.clock import database_now
from league.services.core.errors import Conflict, Forbidden, LimitReached, Refused
from league.services.dishonor import bans
from league.services.people import inviting, roles
from league.services.people.entry_lists import read_list, write_list
from league.services.people.invitation_checks import MOST_TO_ADDRESS, PAUSE
from tests.support.cast import NOW, arena
from tests.support.competition_steps import opened
from tests.support.concurrency import all_at_once
from tests.support.mail_steps import site_mail_to
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, textarea, words

INES = "ines@club.example"
State = PlayerInvitation.State


def invite(
    text: str, by: Player, one: Competition | None = None, now: datetime = NOW
) -> list[PlayerInvitation]:
    people = read_list(text).complete()
    return inviting.invite_from_plan(people, {}, competition=one, by=user_of(by), now=now)


def problems(text: str, by: Player, one: Competition | None = None) -> list[str]:
    people = read_list(text).complete()
    plan = inviting.plan_invitations(people, {}, competition=one, by=user_of(by), now=NOW)
    return [line.problem for line in plan.lines]


@pytest.mark.parametrize(
    "text",
    [
        f"Ines Sole <{INES}>",
        f'"Ines Sole" <{INES}>',
        f"Ines Sole; {INES}",
        f"{INES}, Ines Sole",
        f"{INES}\tInes  Sole",
        f"Ines Sole {INES.upper()}",
        f"{INES} Ines Sole\n\nTom Reed; \nZoë\t",
    ],
)
def test_a_list_is_read_as_people_copy_it(text: str) -> None:
    found = inviting.with_addresses(read_list(text))
    assert [(one.name, one.email) for one in found.entries] == [("Ines Sole", INES)]
    assert not found.problems


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Ines; ines.club.example", "“Ines” has no e-mail address."),
        (INES, "This line has no name."),
        ("Ines <a@@b>", "“a@@b” is no e-mail address."),
        (f"Ines; {'a' * 242}@club.example", f"“{'a' * 80}” is no e-mail address."),
        ("Ines; a@b\u200b.example", "“a@b\u200b.example” is no e-mail address."),
        ("Ann; a@x.example\nAnn; b@x.example", "“Ann” is on line 1 already."),
        ("Ann <a@x.example>, Bob <b@x.example>", "Write one person on each line."),
    ],
)
def test_what_cannot_be_read_is_named_by_its_line(text: str, problem: str) -> None:
    found = inviting.with_addresses(read_list(text))
    assert found.problems == [(text.count("\n") + 1, problem)]


@given(st.text(alphabet=st.sampled_from("a@<>,;\t \n\r\"'.x\0\u202e\x0b"), max_size=60))
@settings(max_examples=300)
def test_no_text_stops_the_reader_or_makes_a_header_of_two_lines(text: str) -> None:
    found = inviting.with_addresses(read_list(text))
    for one in found.entries:
        EmailMessage("x", "x", to=[one.email]).message()
    again = read_list(write_list(found.entries))
    assert [(e.name, e.email) for e in again.entries] == [(e.name, e.email) for e in found.entries]


def test_an_address_for_two_players_is_a_mistake(olga: Player) -> None:
    said = problems(f"Ines; {INES}\nTom; {INES}", olga)
    assert said == ["", "This player or address is on another line, too."]


def test_olga_checks_a_list_and_sends_it(
    olga: Player, alice: Player, mailoutbox: list[EmailMessage]
) -> None:
    there = Player.objects.create(name="Ines Sole")
    browser, page = browser_of(olga), reverse("invitations")
    text = f"Ines Sole <{INES}>\nTom Reed; tom@club.example\nAlice; a@x.example\nBad; a@@b"
    checked = browser.post(page, {"answer": "check", "names": text})
    said = words(checked)
    assert f"Ines Sole {INES}" in said
    assert "Tom Reed tom@club.example new player" in said
    assert "Line 3: Alice has an account." in said
    assert "Line 4: “a@@b” is no e-mail address." in said
    assert "Send 2 invitations" in said
    assert not PlayerInvitation.objects.exists()
    assert not Player.objects.filter(name="Tom Reed").exists()
    sent = {"answer": "send", "names": checked.context["as_text"]}
    assert "2 invitations sent. " in words(browser.post(page, sent, follow=True))
    assert {row.player.name for row in PlayerInvitation.objects.all()} == {"Ines Sole", "Tom Reed"}
    assert PlayerInvitation.objects.get(player=there).address == INES
    assert sorted(mail.to for mail in mailoutbox) == [[INES], ["tom@club.example"]]
    assert "2 sent, 0 opened, 0 joined" in words(browser.get(page))
    twice = browser.post(page, sent)
    assert twice.status_code == 400
    assert "Ines Sole is invited already" in words(twice)
    assert len(mailoutbox) == 2


def test_a_similar_name_is_offered_before_a_new_player_is_made(olga: Player) -> None:
    there = Player.objects.create(name="Ines Sole")
    browser, page = browser_of(olga), reverse("invitations")
    checked = browser.post(page, {"answer": "check", "names": f"Ines Solé; {INES}"})
    assert "Is Ines Solé somebody who is here already?" in words(checked)
    sent = {"answer": "send", "names": checked.context["as_text"], "means-Ines Solé": there.pk}
    browser.post(page, sent)
    assert PlayerInvitation.objects.get().player == there


def test_a_competition_invites_its_entrants_only(duel: Arena, olga: Player) -> None:
    one = opened(duel, olga, "swiss")
    entering_by_staff.enter(one.pk, read_list("Ines").entries, {}, by=user_of(olga), now=NOW)
    Player.objects.create(name="Tom")
    [there, outside, unknown] = problems(
        f"Ines; {INES}\nTom; t@x.example\nNew; n@x.example", olga, one
    )
    assert not there
    assert "“Tom” is not entered." in outside
    assert "“New” is not entered." in unknown
    page = reverse("competition_invitations", args=[duel.slug, one.pk])
    assert "Ines; \n" in browser_of(olga).get(page).content.decode()


def test_entrants_with_an_address_are_entered_and_invited_in_one_step(
    duel: Arena, olga: Player, alice: Player, mailoutbox: list[EmailMessage]
) -> None:
    one = opened(duel, olga, "swiss")
    page = reverse("competition_entrants", args=[duel.slug, one.pk])
    browser = browser_of(olga)
    names = f"Ines <{INES}>; 1540\nTom; tom@x.example\nAlice; alice@x.example"
    checked = browser.post(page, {"answer": "check", "names": names})
    said = words(checked)
    assert "Not invited: Alice has an account." in said
    assert "Send 2 of them personal links" in said
    sent = {"answer": "enter", "names": checked.context["as_text"]}
    browser.post(page, sent | {"invites": "1"})
    assert one.entrants.count() == 3
    rows = PlayerInvitation.objects.order_by("address")
    assert [(row.player.name, row.address) for row in rows] == [
        ("Ines", INES),
        ("Tom", "tom@x.example"),
    ]
    assert {row.competition for row in rows} == {one}
    assert "You play in Spring Cup in Laurel" in str(mailoutbox[0].body)


def test_addresses_are_not_kept_unless_their_owners_are_invited(duel: Arena, olga: Player) -> None:
    one = opened(duel, olga, "swiss")
    page = reverse("competition_entrants", args=[duel.slug, one.pk])
    browser_of(olga).post(page, {"answer": "enter", "names": f"Ines; {INES}"})
    assert one.entrants.count() == 1
    assert not PlayerInvitation.objects.exists()
    assert not Email.objects.exists()


def test_players_and_addresses_that_cannot_be_invited_have_a_reason(
    duel: Arena, olga: Player, alice: Player
) -> None:
    banned = Player.objects.create(name="Banned")
    bans.ban(banned, arena=duel, by=user_of(olga), reason="Rude.", now=NOW)
    EmailAddress.objects.create(user=user_of(alice), email="alice@x.example", verified=True)
    EmailAddress.objects.create(user=user_of(olga), email="claimed@x.example", verified=False)
    BouncingAddress.objects.create(address="gone@x.example", since=NOW, error="550")
    text = (
        "Alice; free@x.example\nBanned; b@x.example\nNew; alice@x.example\n"
        "Old; gone@x.example\nOther; claimed@x.example\n#99999; c@x.example"
    )
    said = problems(text, olga)
    assert said[0] == "Alice has an account."
    assert "Banned is banned" in said[1]
    assert "alice@x.example belongs to the account of Alice" in said[2]
    assert "refuses mails" in said[3]
    assert said[4] == "", "anybody can give an address that they do not own"
    assert "no player number 99999" in said[5]


def test_an_arena_organiser_does_not_learn_whose_address_it_is(
    duel: Arena, olga: Player, bob: Player, alice: Player
) -> None:
    EmailAddress.objects.create(user=user_of(alice), email="alice@x.example", verified=True)
    one = opened(duel, olga, "swiss")
    bob = make_arena_organiser(bob, duel)
    entering_by_staff.enter(one.pk, read_list("Ines").entries, {}, by=user_of(olga), now=NOW)
    assert problems("Ines; alice@x.example", bob, one) == [""]
    assert "belongs to the account of Alice" in problems("Ines; alice@x.example", olga, one)[0]


def make_arena_organiser(player: Player, *of: Arena) -> Player:
    roles.give(user_of(player), ["arena_organiser"], list(of))
    return Player.objects.get(pk=player.pk)


def test_an_arena_organiser_cannot_give_away_players_of_other_arenas(
    duel: Arena, olga: Player, bob: Player
) -> None:
    here, there = opened(duel, olga, "swiss"), opened(arena("elsewhere"), olga, "swiss")
    bob = make_arena_organiser(bob, duel)
    for one, names in ((there, "Star"), (here, "Star\nLocal")):
        entering_by_staff.enter(one.pk, read_list(names).entries, {}, by=user_of(olga), now=NOW)
    text = "Star; s@x.example\nLocal; l@x.example"
    star, local = problems(text, bob, here)
    assert "also plays in other arenas" in star
    assert not local
    assert problems(text, olga, here) == ["", ""]
    with pytest.raises(Forbidden):
        invite("Local; l@x.example", bob)
    with pytest.raises(Forbidden):
        invite("Star; s@x.example", bob, there)
    [theirs] = invite("Star; s@x.example", olga, there)
    with pytest.raises(Forbidden):
        inviting.withdraw(theirs.pk, by=user_of(bob), now=NOW)


def test_an_invitation_is_sent_again_once_a_day_and_can_be_withdrawn(
    olga: Player, mailoutbox: list[EmailMessage]
) -> None:
    [row] = invite(f"Ines; {INES}", olga)
    with pytest.raises(LimitReached, match="within the last day"):
        inviting.send_again(row.pk, by=user_of(olga), now=NOW + timedelta(hours=23))
    later = NOW + timedelta(days=29)
    again = inviting.send_again(row.pk, by=user_of(olga), now=later)
    assert again.expires_at == later + inviting.VALID_FOR
    assert len(mailoutbox) == 2
    inviting.withdraw(row.pk, by=user_of(olga), now=later)
    for late in (inviting.withdraw, inviting.send_again):
        with pytest.raises(Conflict, match="closed already"):
            late(row.pk, by=user_of(olga), now=later)
    with pytest.raises(Refused, match="no such"):
        inviting.withdraw(0, by=user_of(olga), now=later)


def test_nobody_is_flooded(olga: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    for _time in range(MOST_TO_ADDRESS):
        [row] = invite(f"Ines; {INES}", olga)
        inviting.withdraw(row.pk, by=user_of(olga), now=NOW)
    assert problems(f"Ines; {INES}", olga) == [f"{INES} has had enough invitations today."]
    assert invite(f"Ines; {INES}", olga, now=NOW + PAUSE)
    monkeypatch.setattr(inviting, "MOST_A_DAY", 3)
    with pytest.raises(LimitReached, match="3 invitations a day"):
        invite("Tom; t@x.example\nAnn; a@x.example\nZoë; z@x.example", olga, now=NOW + PAUSE * 1.5)
    assert not Player.objects.filter(name="Tom").exists()


def test_an_expired_invitation_makes_room_for_another(olga: Player) -> None:
    [old] = invite(f"Ines; {INES}", olga)
    late = NOW + inviting.VALID_FOR
    [new] = invite("Ines; other@club.example", olga, now=late)
    old.refresh_from_db()
    assert old.state == State.WITHDRAWN
    assert new.pk != old.pk


def test_no_mail_is_lost_while_the_mail_server_is_away(olga: Player) -> None:
    with site_mail_to(1):
        invite(f"Ines; {INES}", olga, now=database_now())
        assert tasks.deliver_mail() == 0
    mail = Email.objects.get()
    assert (mail.recipient, mail.state) == (INES, Email.State.WAITING)
    assert "Ines" not in mail.subject


def test_a_refused_list_leaves_no_mail(olga: Player, alice: Player) -> None:
    with site_mail_to(1), pytest.raises(Refused):
        invite(f"Ines; {INES}\nAlice; a@x.example", olga)
    assert not Email.objects.exists()
    assert not Player.objects.filter(name="Ines").exists()


@pytest.mark.django_db(transaction=True)
def test_two_organisers_who_invite_one_player_at_once_send_one_mail(
    olga: Player, mailoutbox: list[EmailMessage]
) -> None:
    Player.objects.create(name="Ines")
    calls = [lambda n=n: invite(f"Ines; ines{n}@x.example", olga) for n in range(4)]
    answers = all_at_once(list(calls))
    assert PlayerInvitation.objects.count() == 1
    assert sum(isinstance(answer, list) for answer in answers) == 1
    assert all(isinstance(answer, list | Refused) for answer in answers)


def test_slips_are_printed_for_entrants_without_an_invitation(
    duel: Arena, olga: Player, alice: Player
) -> None:
    one = opened(duel, olga, "swiss")
    names = f"Ines; {INES}\nTom\nAnn\nAlice"
    by = user_of(olga)
    entering_by_staff.enter(one.pk, read_list(names).entries, {}, by=by, now=NOW, invites=True)
    PlayerInvitation.objects.update(expires_at=database_now() + timedelta(days=1))
    page = reverse("competition_invitations", args=[duel.slug, one.pk])
    browser = browser_of(olga)
    assert "Make slips for 2 entrants" in words(browser.get(page))
    slips = browser.post(page, {"answer": "slips"}, follow=True)
    assert "2 new slips." in words(slips)
    assert [row.player.name for row, _code in slips.context["slips"]] == ["Ann", "Tom"]
    assert "0 new slips." in words(browser.post(page, {"answer": "slips"}, follow=True))


def test_bad_requests_get_an_error(duel: Arena, olga: Player) -> None:
    one = opened(duel, olga, "swiss")
    browser = browser_of(olga)
    for page in (
        reverse("invitations"),
        reverse("competition_invitations", args=[duel.slug, one.pk]),
    ):
        for sent in (
            {},
            {"answer": "check"},
            {"answer": "check", "names": "A\0; a@x.example"},
            {"answer": "check", "names": " ; \n"},
            {"answer": "send", "names": "nonsense"},
            {"answer": "again-99999999999999999999"},
            {"answer": "withdraw-x"},
        ):
            assert browser.post(page, sent).status_code in {400, 409}, sent


def test_addresses_are_forgotten_after_their_time(olga: Player) -> None:
    now = database_now()
    [row] = invite(f"Ines; {INES}", olga, now=now - inviting.VALID_FOR)
    assert tasks.forget_old_mail() == 0
    PlayerInvitation.objects.update(expires_at=now - inviting.KEPT - timedelta(seconds=1))
    PlayerInvitation.objects.update(state=State.DECLINED, closed_at=now)
    assert tasks.forget_old_mail() == 0, "or they would be invited again"
    PlayerInvitation.objects.update(state=State.WITHDRAWN)
    assert tasks.forget_old_mail() == 1
    row.refresh_from_db()
    assert row.address == ""


@pytest.mark.parametrize(
    "names", [f"Ines; {INES}\nTom\nTom; {INES}", "Name;Mail\nInes;ines@", f"Ines <b>; {INES}"]
)
def test_going_back_from_the_preview_keeps_what_was_typed(
    db: None, olga: Player, names: str
) -> None:
    browser, page = browser_of(olga), reverse("invitations")
    checked = browser.post(page, {"answer": "check", "names": names})
    back = {
        "answer": "edit",
        "names": textarea(checked, "names"),
        "typed": textarea(checked, "typed"),
    }
    again = browser.post(page, back)
    assert (again.status_code, textarea(again, "names")) == (200, names)
    refused = browser.post(page, back | {"answer": "send", "names": ""})
    assert (refused.status_code, textarea(refused, "names")) == (400, names)
