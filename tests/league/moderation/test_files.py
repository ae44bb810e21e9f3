"""The file of a player, on one page."""

from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league.models import Arena, Flag, Match, MatchMessage, Player, Roster, Season, User
from league.services.dishonor.bans import ban
from league.services.moderation.cases import open_case
from league.services.moderation.files import FEW, LISTS
from league.services.moderation.reports import report
from league.services.people.renaming import rename
from league.services.results.reports.answers import confirm, dispute
from league.services.results.staff.objections import object_to
from tests.support.admin_steps import browser_of as admin_of
from tests.support.cast import NOW, account, beats
from tests.support.result_steps import user_of
from tests.support.strict_pages import assert_strict
from tests.support.web_steps import words


def page(player: Player) -> str:
    return reverse("admin:league_player_file", args=[player.pk])


@pytest.fixture
def frank(db: None) -> Client:
    """Frank is a moderator without other permissions."""
    frank = account("Frank")
    assert frank.user
    User.objects.filter(pk=frank.user.pk).update(is_staff=True)
    frank.user.user_permissions.add(Permission.objects.get(codename="read_file"))
    return admin_of(User.objects.get(pk=frank.user.pk))


@pytest.fixture
def full(
    duel: Arena, alice: Player, charlie: Player, eve: Player, olga: Player, owls: Roster
) -> Player:
    """Alice, of whom the league knows something of every kind."""
    rated, disputed = (beats(alice, charlie, duel) for _ in range(2))
    confirm(rated.pk, by=charlie, now=NOW)
    dispute(disputed.pk, by=charlie, reason="She cheated.", now=NOW)
    object_to(rated.pk, by=alice, reason="I won higher.", now=NOW)
    MatchMessage.objects.create(
        match=disputed, author=user_of(alice), player=alice, at=NOW, text="I did not."
    )
    Flag.objects.create(
        kind=Flag.Kind.DODGING,
        season=Season.objects.get(arena=duel),
        player=alice,
        evidence={"dodges": 9, "offered": 10},
        raised_at=NOW,
    )
    report(alice, "cheating", "She saw all.", by=charlie, now=NOW)
    boss = user_of(olga)
    open_case("A bot?", [alice], by=boss, now=NOW)
    ban(alice, arena=duel, by=boss, reason="Insults.", until=NOW.replace(year=2027), now=NOW)
    EmailAddress.objects.create(user=user_of(alice), email="alice@mail.example", verified=True)
    User.objects.filter(player=alice).update(email="alice@mail.example")
    # Eve reported from Alice's address, in another match.
    shared, now = uuid4(), timezone.now()
    Match.objects.filter(pk=rated.pk).update(reported_from=shared, reported_at=now)
    with_eve = beats(eve, charlie, duel)
    Match.objects.filter(pk=with_eve.pk).update(reported_from=shared, reported_at=now)
    return alice


def test_a_moderator_reads_everything_about_a_player_on_one_page(
    frank: Client, full: Player
) -> None:
    answer = frank.get(page(full))
    text = words(answer)
    for said in (
        "Owls (Teams, captain)",
        "Duel, Season 1",
        "A bot?",
        "She saw all.",
        "olga: Insults.",
        "did not accept 9 of 10 matches",
        "She cheated.",
        "I won higher.",
        "I did not.",
        "banned a player",
        "Confirmed email address yes",
        "Second factor no",
        "Shares an address with Eve (once",
    ):
        assert said in text, said
    assert "alice@mail.example" not in text
    assert_strict(frank, page(full))


def test_the_page_asks_as_many_queries_however_much_there_is(
    frank: Client, full: Player, charlie: Player
) -> None:
    with CaptureQueriesContext(connection) as before:
        frank.get(page(full))
    MatchMessage.objects.bulk_create(
        MatchMessage(
            match=Match.objects.earliest("pk"),
            author=user_of(full),
            player=full,
            at=NOW,
            text=f"Message {number}.",
        )
        for number in range(130)
    )
    with CaptureQueriesContext(connection) as asked:
        answer = frank.get(page(full))
    assert len(asked) == len(before)
    (part,) = [part for part in answer.context["parts"] if part.name == "messages"]
    assert len(part.rows) == FEW
    first = frank.get(part.more).context["parts"][0]
    assert len(first.rows) == 100
    second = frank.get(first.more).context["parts"][0]
    assert (len(second.rows), second.more) == (31, "")
    for name in LISTS:
        assert_strict(frank, f"{page(full)}?list={name}&page=x")
    assert frank.get(f"{page(full)}?list=secrets").status_code == 404


def test_former_names_are_listed_and_addresses_only_with_permission(
    full: Player, eve: Player, olga: Player
) -> None:
    rename(eve, "Eva", now=timezone.now())
    staff = admin_of(olga.user)
    assert "Eve (until" in words(staff.get(page(eve)))
    assert "alice@mail.example" in words(staff.get(page(full)))


def test_nobody_but_moderators_reads_a_file_and_nobody_their_own(
    full: Player, olga: Player, charlie: Player
) -> None:
    assert admin_of(full.user).get(page(full)).status_code == 302
    User.objects.filter(player=charlie).update(is_staff=True)
    assert admin_of(User.objects.get(player=charlie)).get(page(full)).status_code == 403
    own = admin_of(olga.user).get(page(olga))
    assert own.status_code == 403
    assert "Nobody reads their own file." in words(own)


def test_a_moderator_reads_nothing_about_themselves_in_another_s_file(
    alice: Player, olga: Player, frank: Client
) -> None:
    moderator = Player.objects.get(name="Frank")
    report(moderator, "insults", "Frank was rude.", by=alice, now=NOW)
    open_case("Frank and Alice", [alice, moderator], by=user_of(olga), now=NOW)
    assert "Frank was rude." in words(admin_of(olga.user).get(page(alice)))
    text = words(frank.get(page(alice)))
    assert "Frank was rude." not in text
    assert "Frank and Alice" not in text
