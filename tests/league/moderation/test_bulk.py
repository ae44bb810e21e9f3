"""What staff do to many players at once."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import Arena, Job, Letter, Notice, Player, Roster, StaffAction, User
from league.services.core.errors import Forbidden
from league.services.dishonor.bans import ban
from league.services.dishonor.discipline import bans_of
from league.services.jobs import jobs
from league.services.moderation import bulk
from league.work import WORK
from tests.support.admin_steps import browser_of as admin_of
from tests.support.admin_steps import messages_of
from tests.support.cast import account
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, words

LIST = reverse("admin:league_player_changelist")


@pytest.fixture
def staff(olga: Player) -> Client:
    return admin_of(olga.user)


def act(staff: Client, action: str, *players: Player, **given: Any) -> Any:
    form = {"action": action, "_selected_action": [one.pk for one in players]}
    return staff.post(LIST, form | given)


def sent(staff: Client, action: str, *players: Player, **given: Any) -> Any:
    return act(staff, action, *players, confirmed="1", **given)


def test_olga_bans_several_players_and_reads_who_could_not_be_banned(
    staff: Client, duel: Arena, alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    until = timezone.now() + timedelta(days=3)
    page = act(staff, "ban_selected", alice, bob, olga)
    assert "3 players: Alice Bob Olga" in words(page)
    assert not bans_of([alice.pk], timezone.now())
    ban(bob, arena=duel, by=user_of(olga), reason="Earlier.", until=until, now=timezone.now())
    given = {"arena": duel.pk, "until": f"{until:%Y-%m-%dT%H:%M}", "reason": "A brawl."}
    assert sent(staff, "ban_selected", alice, bob, olga).context["form"].errors["reason"]
    past = given | {"until": "2020-01-01T00:00"}
    assert sent(staff, "ban_selected", alice, **past).context["form"].errors["until"]
    done = sent(staff, "ban_selected", alice, bob, olga, **given)
    said = messages_of(done)
    assert "1 player is banned." in said
    assert "Bob: Bob is already banned." in said
    assert "Olga: Nobody decides about themselves." in said
    assert set(bans_of([alice.pk, charlie.pk, olga.pk], timezone.now())) == {alice.pk}


def test_many_bans_are_a_job_whose_page_names_the_rest(
    staff: Client, duel: Arena, olga: Player
) -> None:
    crowd = [account(f"Player {number:02}") for number in range(bulk.MOST_AT_ONCE + 5)]
    page = words(act(staff, "ban_selected", *crowd))
    assert "Player 19 and 10 more" in page
    ban(crowd[3], arena=duel, by=user_of(olga), reason="Earlier.", now=timezone.now())
    led = sent(staff, "ban_selected", *crowd, arena=duel.pk, until="", reason="A brawl.")
    (job,) = Job.objects.all()
    assert led["Location"] == reverse("admin:league_job_change", args=[job.pk])
    jobs.carry_out(job.pk, WORK, timezone.now())
    job.refresh_from_db()
    assert job.state == "done"
    assert job.result
    assert job.result["done"] == len(crowd) - 1
    result = words(staff.get(reverse("admin:league_player_banned", args=[job.pk])))
    assert "29 players are banned." in result
    assert "Player 03: Player 03 is already banned." in result


def test_a_message_reaches_everybody_with_an_account(
    staff: Client, alice: Player, bob: Player, db: None
) -> None:
    nobody = Player.objects.create(name="Nobody")
    text = "The hall opens at <b>six</b>."
    done = sent(staff, "write_to_selected", alice, bob, nobody, text=text)
    assert "2 players got the message." in messages_of(done)
    assert "1 player has no account" in messages_of(done)
    inbox = words(browser_of(bob).get(reverse("inbox")))
    assert "Staff wrote to you: “The hall opens at <b>six</b>.”" in inbox
    assert not Notice.objects.filter(kind="letter", mail_at__isnull=False).exists()
    sent(staff, "write_to_selected", alice, text="With mail.", mail="on")
    assert Notice.objects.filter(kind="letter", mail_at__isnull=False).get().player == alice
    action = StaffAction.objects.earliest("pk")
    assert (action.kind, action.details["players"]) == ("messaged", ["Alice", "Bob"])
    refused = sent(staff, "write_to_selected", nobody, text="Hello?")
    assert "None of these players has an account" in words(refused)
    assert sent(staff, "write_to_selected", alice, text="x" * 1001).status_code == 200
    assert Letter.objects.count() == 2


def test_players_join_a_roster_all_or_none(
    staff: Client, owls: Roster, charlie: Player, dora: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = act(staff, "add_selected_to_roster", charlie, dora)
    assert "2 players: Charlie Dora" in words(page)
    monkeypatch.setattr(bulk, "MOST_IN_ROSTER", 3)
    assert sent(staff, "add_selected_to_roster", charlie, dora, roster=owls.pk).status_code == 200
    assert owls.memberships.count() == 2
    monkeypatch.undo()
    done = sent(staff, "add_selected_to_roster", charlie, dora, owls.captain, roster=owls.pk)
    assert "2 players joined the roster." in messages_of(done)
    assert owls.memberships.count() == 4


def test_each_action_needs_its_permission_and_has_a_limit(
    duel: Arena, alice: Player, eve: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    User.objects.filter(player=eve).update(is_staff=True)
    eve.user = User.objects.get(player=eve)
    eve.user.user_permissions.add(Permission.objects.get(codename="view_player"))
    theirs = admin_of(eve.user)
    for action in ("ban_selected", "write_to_selected", "add_selected_to_roster"):
        sent(theirs, action, alice, arena=duel.pk, reason="So.", text="So.")
    assert not StaffAction.objects.exists()
    with pytest.raises(Forbidden):
        bulk.write_to([alice.pk], "So.", by=eve.user, now=timezone.now(), mail=False)
    monkeypatch.setattr(bulk, "MOST", 1)
    User.objects.filter(player=eve).update(is_superuser=True)
    refused = act(admin_of(User.objects.get(player=eve)), "ban_selected", alice, eve)
    assert "Select at most 1 players." in messages_of(refused)
