"""Open dates follow a roster to its new captain."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from threading import Event

import pytest
from django.db import transaction
from django.urls import reverse

from league.models import (
    Arena,
    Arrangement,
    Competition,
    Fixture,
    Match,
    Notice,
    Player,
    Roster,
    Team,
)
from league.services.competitions import counting, progress
from league.services.competitions.running import entering
from league.services.core.errors import Forbidden, Refused
from league.services.dates import changing, no_shows, playing
from league.services.dates.answers import accept, decline, withdraw
from league.services.dates.proposals import propose
from league.services.people.captains import announce
from league.services.privacy.leaving import hand_over_rosters
from league.services.teams import membership, rosters
from tests.support.cast import NOW, roster, side
from tests.support.competition_steps import START, date_of, opened
from tests.support.concurrency import all_at_once
from tests.support.date_steps import SATURDAY, SUNDAY, state, steps
from tests.support.import_steps import bring, undone
from tests.support.result_steps import user_of
from tests.support.team_steps import joined, team_of
from tests.support.web_steps import browser_of


@pytest.fixture
def club(alice: Player, bob: Player) -> Team:
    return joined(team_of(alice), bob)


@pytest.fixture
def owls(teams: Arena, club: Team, alice: Player, bob: Player) -> Roster:
    """Alice leads a roster of her team, in which Bob plays, too."""
    return rosters.line_up(club, teams, "Owls", [alice, bob], alice, by=alice, now=NOW)


def hand_over(own: Roster, captain: Player, by: Player) -> None:
    """Let a player of a team lead its roster, which keeps its name and its members."""
    assert own.team
    members = list(own.members.all())
    rosters.line_up(own.team, own.arena, own.name, members, captain, by=by, now=NOW, roster=own)


def asked(owls: Roster, foxes: Roster) -> Arrangement:
    """The captain of the Owls asks the captain of the Foxes to play on Saturday."""
    one, other = owls.captain, foxes.captain
    return propose(owls.arena, other, SATURDAY, by=one, now=NOW, roster=owls, opponent_roster=foxes)


def agreed(owls: Roster, foxes: Roster) -> Arrangement:
    one = asked(owls, foxes)
    return accept(one.pk, by=one.opponent, seen=1, now=NOW)


def kinds(player: Player) -> list[str]:
    return list(Notice.objects.unseen().filter(player=player).values_list("kind", flat=True))


def test_the_new_captain_answers_a_proposal(
    owls: Roster, foxes: Roster, alice: Player, bob: Player, charlie: Player
) -> None:
    one = propose(
        owls.arena, alice, SATURDAY, by=charlie, now=NOW, roster=foxes, opponent_roster=owls
    )
    hand_over(owls, bob, by=alice)
    assert (kinds(alice), kinds(bob), kinds(charlie)) == ([], ["waiting"], ["dated"])
    with pytest.raises(Forbidden):
        accept(one.pk, by=alice, seen=1, now=NOW)
    accept(one.pk, by=bob, seen=1, now=NOW)
    assert steps(one) == [("proposed", "Charlie"), ("handed", "Bob"), ("accepted", "Bob")]
    page = browser_of(bob).get(one.get_absolute_url()).content.decode()
    assert "Bob became the captain of a side." in page


def test_a_proposal_still_waits_for_the_other_side(
    owls: Roster, foxes: Roster, alice: Player, bob: Player, charlie: Player
) -> None:
    one = asked(owls, foxes)
    hand_over(owls, bob, by=alice)
    one.refresh_from_db()
    assert (one.proposer, one.asked) == (bob, charlie)
    assert kinds(bob) == ["dated"]


def test_the_new_captain_moves_and_reports_an_agreed_date(
    owls: Roster, foxes: Roster, alice: Player, bob: Player, charlie: Player
) -> None:
    one = agreed(owls, foxes)
    hand_over(owls, bob, by=alice)
    request = changing.ask_to_move(one.pk, SUNDAY, by=bob, seen=1, now=NOW).request_id
    changing.agree(one.pk, by=charlie, request=request or 0, now=NOW)
    sides = [side(bob, place=0), side(charlie, place=1)]
    later = SUNDAY + timedelta(hours=1)
    with pytest.raises(Forbidden):
        playing.report(one.pk, sides, reporter=alice, played_at=SUNDAY, now=later)
    match = playing.report(one.pk, sides, reporter=bob, played_at=SUNDAY, now=later)
    assert match.arrangement == one


def test_requests_and_claims_of_the_old_captain_are_the_new_ones(
    owls: Roster, foxes: Roster, alice: Player, bob: Player, charlie: Player
) -> None:
    one = agreed(owls, foxes)
    request = changing.ask_to_move(one.pk, SUNDAY, by=alice, seen=1, now=NOW).request_id or 0
    hand_over(owls, bob, by=alice)
    with pytest.raises(Forbidden):
        changing.agree(one.pk, by=bob, request=request, now=NOW)
    changing.drop(one.pk, by=bob, request=request, now=NOW)

    later = SATURDAY + timedelta(hours=1)
    no_shows.claim(one.pk, by=charlie, now=later)
    hand_over(owls, alice, by=alice)
    match = no_shows.concede(one.pk, by=alice, now=later)
    assert match
    assert match.sides.get(place=0).captain == charlie


def test_a_claim_of_the_old_captain_stands(
    owls: Roster, foxes: Roster, alice: Player, bob: Player, charlie: Player
) -> None:
    one = agreed(owls, foxes)
    later = SATURDAY + timedelta(hours=1)
    no_shows.claim(one.pk, by=alice, now=later, came=[alice, bob])
    hand_over(owls, bob, by=alice)
    match = no_shows.concede(one.pk, by=charlie, now=later)
    assert match
    assert match.sides.get(place=0).captain == bob


def test_dates_that_are_over_stay_with_who_led_then(
    owls: Roster, foxes: Roster, alice: Player, bob: Player, charlie: Player
) -> None:
    one = asked(owls, foxes)
    decline(one.pk, by=charlie, seen=1, now=NOW)
    hand_over(owls, bob, by=alice)
    one.refresh_from_db()
    assert one.proposer == alice


@pytest.fixture
def cup(teams: Arena, olga: Player, owls: Roster, foxes: Roster) -> Competition:
    one = opened(teams, olga)
    for each in (owls, foxes):
        entering.register(one.pk, by=each.captain, roster=each, now=NOW)
    progress.sweep(START)
    return one


def test_the_date_of_a_fixture_follows_and_counts(
    cup: Competition, owls: Roster, alice: Player, bob: Player, charlie: Player
) -> None:
    fixture = cup.fixtures.get()
    hand_over(owls, bob, by=alice)
    date = date_of(fixture)
    assert {date.proposer, date.opponent} == {bob, charlie}
    sides = [side(bob, place=0), side(charlie, place=1)]
    later = date.play_at + timedelta(hours=1)
    playing.report(date.pk, sides, reporter=bob, played_at=date.play_at, now=later)
    assert date_of(fixture).state == Arrangement.State.PLAYED


@pytest.mark.parametrize(("answered", "ends"), [(False, "withdrawn"), (True, "called_off")])
def test_one_captain_of_both_sides_ends_the_date(
    owls: Roster,
    foxes: Roster,
    alice: Player,
    bob: Player,
    charlie: Player,
    olga: Player,
    answered: bool,
    ends: str,
) -> None:
    one = agreed(owls, foxes) if answered else asked(owls, foxes)
    given_in_the_admin(foxes, alice, olga)
    assert state(one) == ends
    assert steps(one)[-1] == ("same", None)
    assert "dated" in kinds(charlie)
    page = browser_of(charlie).get(one.get_absolute_url()).content.decode()
    assert "Both sides got the same captain, so the date is off." in page


def given_in_the_admin(given: Roster, captain: Player, olga: Player) -> None:
    """Let staff make a player the captain of a roster."""
    address = reverse("admin:league_roster_change", args=[given.pk])
    browser = browser_of(olga)
    page = browser.get(address)
    form = page.context["adminform"].form
    fields = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    for formset in page.context["inline_admin_formsets"]:
        management = formset.formset.management_form
        fields |= {
            management[each].html_name: management[each].value() for each in management.fields
        }
        for one in formset.formset.initial_forms:
            fields |= {one[each].html_name: one[each].value() or "" for each in one.fields}
    fields |= {"captain": captain.pk}
    answer = browser.post(
        address, {key: value for key, value in fields.items() if value is not None}
    )
    assert answer.status_code == 302, answer.content.decode()
    given.refresh_from_db()
    assert given.captain == captain


def test_a_fixture_waits_until_its_sides_have_two_captains(
    cup: Competition, owls: Roster, foxes: Roster, alice: Player, charlie: Player, olga: Player
) -> None:
    fixture = cup.fixtures.get()
    given_in_the_admin(foxes, alice, olga)
    assert date_of(fixture).state == Arrangement.State.CALLED_OFF
    progress.sweep(START)
    assert fixture.games.count() == 1
    given_in_the_admin(foxes, charlie, olga)
    progress.sweep(START)
    assert Fixture.objects.get(pk=fixture.pk).result == Fixture.Result.OPEN
    assert date_of(fixture).state == Arrangement.State.ACCEPTED


def test_dates_follow_when_a_captain_leaves_the_team(
    club: Team, owls: Roster, foxes: Roster, alice: Player, bob: Player
) -> None:
    hand_over(owls, bob, by=alice)
    one = agreed(Roster.objects.get(pk=owls.pk), foxes)
    membership.leave(club, by=bob, now=NOW)
    one.refresh_from_db()
    assert one.proposer == alice


def test_dates_follow_when_an_account_goes(
    owls: Roster, foxes: Roster, charlie: Player, dora: Player
) -> None:
    one = agreed(owls, foxes)
    hand_over_rosters(charlie, NOW)
    one.refresh_from_db()
    assert one.opponent == dora


def test_dates_follow_an_import_of_rosters_and_its_undoing(
    teams: Arena, foxes: Roster, alice: Player, charlie: Player, dora: Player, olga: Player
) -> None:
    own = roster(teams, "Owls", alice)
    one = agreed(own, foxes)
    text = "roster,captain,members\nFoxes,Dora,Charlie\n"
    file = bring(teams, user_of(olga), text, what="rosters", name="rosters.csv")
    one.refresh_from_db()
    assert one.opponent == dora
    assert undone(file).state == "done"
    one.refresh_from_db()
    assert one.opponent == charlie


def test_a_date_that_is_open_again_has_the_captain_of_now(
    cup: Competition, owls: Roster, alice: Player, bob: Player, charlie: Player
) -> None:
    date = date_of(cup.fixtures.get())
    sides = [side(alice, place=0), side(charlie, place=1)]
    later = date.play_at + timedelta(hours=1)
    match = playing.report(date.pk, sides, reporter=alice, played_at=date.play_at, now=later)
    hand_over(owls, bob, by=alice)
    date.refresh_from_db()
    assert {date.proposer, date.opponent} == {alice, charlie}
    counting.unlink([match.pk], later)
    date.refresh_from_db()
    assert {date.proposer, date.opponent} == {bob, charlie}


@pytest.mark.django_db(transaction=True)
def test_a_date_proposed_while_a_captain_hands_over_never_names_the_old_one(
    owls: Roster, foxes: Roster, alice: Player, bob: Player, charlie: Player
) -> None:
    for hour in range(6):
        calls: list[Callable[[], object]] = [
            partial(
                propose,
                owls.arena,
                charlie,
                SATURDAY + timedelta(hours=hour),
                by=alice,
                now=NOW,
                roster=owls,
                opponent_roster=foxes,
            ),
            partial(hand_over, owls, bob, by=alice),
        ]
        proposed, handed = all_at_once(calls)
        assert handed is None
        assert isinstance(proposed, Arrangement | Refused)
        for one in Arrangement.objects.filter(state="proposed"):
            assert one.proposer == bob
            withdraw(one.pk, by=bob, now=NOW)
        hand_over(owls, alice, by=alice)


@pytest.mark.django_db(transaction=True)
def test_a_date_proposed_before_the_new_captain_is_saved_waits_and_is_refused(
    owls: Roster, foxes: Roster, alice: Player, bob: Player, charlie: Player
) -> None:
    announced, waited = Event(), Event()

    def hand_over_slowly() -> None:
        with transaction.atomic():
            announce([(owls, bob)], NOW)
            announced.set()
            waited.wait(0.5)  # meanwhile the proposal has come as far as it can
            Roster.objects.filter(pk=owls.pk).update(captain=bob)

    def propose_meanwhile() -> object:
        announced.wait(5)
        asked = partial(propose, owls.arena, charlie, SATURDAY, by=alice, now=NOW)
        try:
            return asked(roster=owls, opponent_roster=foxes)
        finally:
            waited.set()

    given = all_at_once([hand_over_slowly, propose_meanwhile])
    assert isinstance(given[1], Refused)
    assert given[1].code == "roster"
    assert not Arrangement.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_report_and_a_new_captain_at_once_do_not_block_each_other(
    owls: Roster, foxes: Roster, alice: Player, bob: Player, charlie: Player
) -> None:
    later = SATURDAY + timedelta(days=1)
    for hour in range(4):
        one = propose(
            owls.arena,
            charlie,
            SATURDAY + timedelta(hours=hour),
            by=alice,
            now=NOW,
            roster=owls,
            opponent_roster=foxes,
        )
        accept(one.pk, by=charlie, seen=1, now=NOW)
        calls: list[Callable[[], object]] = [
            partial(
                playing.report,
                one.pk,
                [side(alice, place=0), side(charlie, place=1)],
                reporter=charlie,
                played_at=one.play_at,
                now=later,
            ),
            partial(hand_over, owls, bob, by=alice),
        ]
        given = all_at_once(calls)
        assert given[1] is None
        one.refresh_from_db()
        reported = isinstance(given[0], Match)
        assert one.state == ("played" if reported else "accepted")
        assert one.proposer == (alice if reported else bob)
        hand_over(owls, alice, by=alice)
