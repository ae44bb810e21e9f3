"""No-shows of rosters: a claim names the players of both sides, as a report does."""

from datetime import datetime
from typing import cast

import pytest
from django.urls import reverse

from league.models import Arena, Arrangement, Match, Player, Rating, Roster, Status, User
from league.services.core.clock import database_now
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.dates.limits import NO_SHOW_AFTER
from league.services.dates.no_shows import claim, concede
from league.services.dishonor.bans import ban
from league.services.integrity.ratings import verify
from tests.support.api_steps import by_token, fields_at_fault, send
from tests.support.date_steps import SATURDAY
from tests.support.web_steps import browser_of, words

WAITED = SATURDAY + NO_SHOW_AFTER


@pytest.fixture
def two_each(team_date: Arrangement) -> Arrangement:
    """The date of the Owls and the Foxes, in an arena where nobody plays alone."""
    Arena.objects.filter(pk=team_date.arena_id).update(team_size_min=2)
    return team_date


def an_hour_ago(one: Arrangement) -> datetime:
    """Let the date have been an hour ago by the real clock."""
    now = database_now()
    Arrangement.objects.filter(pk=one.pk).update(play_at=now - NO_SHOW_AFTER * 4)
    return now


def sides(match: Match) -> dict[str, tuple[int | None, set[str]]]:
    return {
        side.roster.name: (
            side.place,
            set(side.participants.values_list("player__name", flat=True)),
        )
        for side in match.sides.select_related("roster")
        if side.roster
    }


def test_a_conceded_no_show_of_a_roster_is_a_confirmed_result(
    two_each: Arrangement, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    claim(two_each.pk, by=alice, now=WAITED, came=[alice, bob], absent=[charlie, dora])
    match = concede(two_each.pk, by=charlie, now=WAITED)
    assert match
    assert (match.status, match.reported_by, match.confirmed_by) == (Status.RATED, alice, charlie)
    assert sides(match) == {"Owls": (0, {"Alice", "Bob"}), "Foxes": (1, {"Charlie", "Dora"})}
    assert Rating.objects.filter(player__in=[alice, bob, charlie, dora]).count() == 4
    assert verify(two_each.arena.seasons.get()) == []


def test_a_claim_names_only_players_of_the_two_rosters(
    two_each: Arrangement, alice: Player, bob: Player, charlie: Player, dora: Player, eve: Player
) -> None:
    for came, absent, field in (
        ([alice], [charlie, dora], "came"),
        ([alice, bob, eve], [charlie, dora], "came"),
        ([alice, eve], [charlie, dora], "came"),
        ([alice, bob], [charlie], "absent"),
        ([alice, bob], [charlie, eve], "absent"),
        ([alice, bob], [charlie, bob], "absent"),
        ([alice, alice], [charlie, dora], ""),
    ):
        with pytest.raises(Refused) as refusal:
            claim(two_each.pk, by=alice, now=WAITED, came=came, absent=absent)
        assert refusal.value.field == field, (came, absent)
    two_each.refresh_from_db()
    assert (two_each.claimed_by, two_each.no_show_players.count()) == (None, 0)


def test_a_captain_who_led_alone_claims_without_names(
    team_date: Arrangement, alice: Player, charlie: Player
) -> None:
    claim(team_date.pk, by=alice, now=WAITED)
    match = concede(team_date.pk, by=charlie, now=WAITED)
    assert match
    assert sides(match) == {"Owls": (0, {"Alice"}), "Foxes": (1, {"Charlie"})}


def test_claims_that_could_not_be_reported_are_refused_at_once(
    two_each: Arrangement, alice: Player, bob: Player, charlie: Player, dora: Player, olga: Player
) -> None:
    named = {"came": [alice, bob], "absent": [charlie, dora]}
    Arena.objects.update(result_rules={"reporters": "organisers"})
    with pytest.raises(Forbidden, match="Only organisers"):
        claim(two_each.pk, by=alice, now=WAITED, **named)
    Arena.objects.update(result_rules={})
    Arena.objects.update(is_open=False)
    with pytest.raises(Refused, match="No season"):
        claim(two_each.pk, by=alice, now=WAITED, **named)
    Arena.objects.update(is_open=True)
    Roster.objects.filter(name="Owls").update(captain=bob)
    with pytest.raises(Refused, match="In no roster of Alice"):
        claim(two_each.pk, by=alice, now=WAITED, **named)
    Roster.objects.filter(name="Owls").update(captain=alice)
    Roster.objects.filter(name="Foxes").delete()
    with pytest.raises(Refused, match="Not in Charlie: Dora"):
        claim(two_each.pk, by=alice, now=WAITED, **named)
    assert not Match.objects.exists()


def test_who_left_the_roster_after_the_claim_is_not_rated(
    two_each: Arrangement, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    claim(two_each.pk, by=alice, now=WAITED, came=[alice, bob], absent=[charlie, dora])
    two_each.opponent_roster.memberships.filter(player=dora).delete()  # type: ignore[union-attr]
    with pytest.raises(Refused, match="In no roster of Charlie in Teams: Dora"):
        concede(two_each.pk, by=charlie, now=WAITED)
    two_each.refresh_from_db()
    assert (two_each.state, two_each.match) == ("accepted", None)
    assert not Match.objects.exists()


def test_bans_after_the_claim_leave_nothing_half_done(
    two_each: Arrangement, alice: Player, bob: Player, charlie: Player, dora: Player, olga: Player
) -> None:
    claim(two_each.pk, by=alice, now=WAITED, came=[alice, bob], absent=[charlie, dora])
    ban(alice, arena=two_each.arena, by=cast("User", olga.user), reason="Insults", now=WAITED)
    with pytest.raises((Forbidden, Conflict), match="Alice is banned"):
        concede(two_each.pk, by=charlie, now=WAITED)
    assert not Match.objects.exists()


def test_a_team_no_show_on_the_page(
    two_each: Arrangement, teams: Arena, alice: Player, bob: Player, charlie: Player, eve: Player
) -> None:
    owls = two_each.proposer_roster
    assert owls
    owls.memberships.create(player=eve)
    an_hour_ago(two_each)
    Arena.objects.update(team_size_max=3)
    address = reverse("date_no_show", args=["teams", two_each.pk])
    hers, his = browser_of(alice), browser_of(charlie)
    page = words(hers.get(two_each.get_absolute_url()))
    assert "Players of yours who came Alice Bob Eve" in page
    nobody = hers.post(address, {"answer": "claim"})
    assert (nobody.status_code, "Select the players." in words(nobody)) == (400, True)
    alone = hers.post(address, {"answer": "claim", "came": [alice.pk]})
    assert (alone.status_code, "You selected 1." in words(alone)) == (400, True)
    foreign = hers.post(address, {"answer": "claim", "came": [alice.pk, charlie.pk]})
    assert foreign.status_code == 400
    assert browser_of(bob).post(address, {"answer": "claim"}).status_code == 403
    claimed = hers.post(address, {"answer": "claim", "came": [alice.pk, bob.pk]}, follow=True)
    assert "Claimed." in words(claimed)
    page = words(his.get(two_each.get_absolute_url()))
    assert "Said to have come Alice Bob Said not to have come Charlie Dora" in page
    conceded = his.post(address, {"answer": "concede"}, follow=True)
    assert "You agreed. The other side has won." in words(conceded)
    assert sides(Match.objects.get())["Owls"] == (0, {"Alice", "Bob"})


def test_no_shows_in_the_api(
    two_each: Arrangement, alice: Player, bob: Player, charlie: Player, dora: Player, eve: Player
) -> None:
    address = reverse("api:date-no-show", args=[two_each.pk])
    answer = reverse("api:date-no-show-answer", args=[two_each.pk])
    named = {"came": [alice.pk, bob.pk], "absent": [charlie.pk, dora.pk]}
    an_hour_ago(two_each)
    for body, field in (
        ({}, "came"),
        (named | {"came": [10**9]}, "came"),
        (named | {"came": [alice.pk, eve.pk]}, "came"),
        (named | {"absent": []}, "absent"),
        (named | {"absent": "all"}, "absent"),
        (named | {"winner": 1}, "winner"),
    ):
        refused = send(by_token(alice), address, body)
        assert (refused.status_code, fields_at_fault(refused)) == (400, {field}), body
    assert send(by_token(eve), address, named).status_code == 403
    unclaimed = send(by_token(charlie), answer, {"answer": "concede"})
    assert unclaimed.status_code == 409
    claimed = send(by_token(alice), address, named)
    assert (claimed.status_code, claimed.json()["claimed_by"]) == (200, alice.pk)
    assert send(by_token(alice), address, named).status_code == 409
    assert send(by_token(alice), answer, {"answer": "concede"}).status_code == 403
    silent = send(by_token(charlie), answer, {"answer": "deny"})
    assert (silent.status_code, fields_at_fault(silent)) == (400, {"reason"})
    denied = send(by_token(charlie), answer, {"answer": "deny", "reason": "We were there."})
    assert (denied.status_code, denied.json()["status"]) == (201, "disputed")
    assert send(by_token(charlie), answer, {"answer": "concede"}).status_code == 409
