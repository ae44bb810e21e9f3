"""Rosters on the pages."""

from django.urls import reverse

from league.models import Arena, Player, Roster
from tests.support.web_steps import browser_of, words


def answers(player: Player, roster: Roster, word: str) -> str:
    invitation = roster.invitations.get(player=player)
    where = reverse("invitation_answer", args=[invitation.pk])
    return words(browser_of(player).post(where, {"answer": word}, follow=True))


def test_alice_invites_bob_and_eve_who_join_by_accepting(
    teams: Arena, alice: Player, bob: Player, eve: Player
) -> None:
    browser = browser_of(alice)
    assert "You have no rosters here yet" in words(browser.get(reverse("rosters", args=["teams"])))
    new = reverse("roster_new", args=["teams"])
    answer = browser.post(new, {"name": "Owls", "members": "bob"}, follow=True)
    assert "Saved Owls. Invited: Bob." in words(answer)
    assert "Bob invited" in words(answer)
    roster = Roster.objects.get()
    assert set(roster.members.all()) == {alice}

    assert "1 roster invites you. Review" in words(browser_of(bob).get("/"))
    page = words(browser_of(bob).get(reverse("waiting")))
    assert "Alice invites you to Owls in Teams" in page
    assert "You have joined Owls." in answers(bob, roster, "accept")
    assert "invites you" not in words(browser_of(bob).get("/"))
    assert set(roster.members.all()) == {alice, bob}

    edit = reverse("roster_edit", args=["teams", roster.pk])
    assert "Bob</textarea>" in browser.get(edit).content.decode()
    browser.post(edit, {"name": "Night Owls", "members": "Bob\nEve\n"})
    assert "Bob\nEve</textarea>" in browser.get(edit).content.decode()
    assert "You have declined to join Night Owls." in answers(eve, roster, "decline")
    roster.refresh_from_db()
    assert (roster.name, set(roster.members.all())) == ("Night Owls", {alice, bob})
    assert "Bob</textarea>" in browser.get(edit).content.decode()


def test_bob_leaves_the_owls_and_alice_cannot(teams: Arena, owls: Roster, bob: Player) -> None:
    where = reverse("roster_leave", args=["teams", owls.pk])
    said = words(browser_of(bob).post(where, follow=True))
    assert "You have left Owls." in said
    assert not owls.members.filter(pk=bob.pk).exists()
    refused = browser_of(owls.captain).post(where)
    assert refused.status_code == 400
    assert "The captain cannot leave the roster" in words(refused)


def test_a_roster_that_is_too_small_is_refused(teams: Arena, alice: Player) -> None:
    Arena.objects.update(team_size_min=2)
    new = reverse("roster_new", args=["teams"])
    answer = browser_of(alice).post(new, {"name": "Lone Owl", "members": ""})
    assert answer.status_code == 400
    assert "A side in Teams needs at least 2 players." in words(answer)
