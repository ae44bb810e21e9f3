"""Two players who are one person become one: what moves, what stays and what is refused."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.contrib.auth.models import Permission
from django.db import IntegrityError, transaction

from league.models import (
    AccessToken,
    Arena,
    Arrangement,
    Award,
    CalendarAddress,
    DishonorAward,
    FinalStanding,
    Flag,
    FormerName,
    InvitationDay,
    MailPreference,
    Match,
    Notice,
    NoticeKind,
    Offence,
    Participant,
    Player,
    RosterInvitation,
    RosterMember,
    StaffAction,
    Status,
    TicketMember,
    User,
)
from league.services.competitions.exports.calendars import token_of
from league.services.core.constraints import violated_rule
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.dates.proposals import propose
from league.services.dishonor import bans, discipline
from league.services.merging.merging import merge, preview
from league.services.people.renaming import rename_again_at
from league.services.results.reports.answers import confirm
from league.services.results.reports.live import StartingSide, start
from league.services.results.staff.decisions import decide
from league.services.seasons.ending import freeze_early
from tests.support.api_steps import a_token
from tests.support.cast import NOW, account, beats, roster
from tests.support.concurrency import all_at_once
from tests.support.correction_steps import correct
from tests.support.merge_steps import all_differences, merged


@pytest.fixture
def old_eve(db: None) -> Player:
    """Eve's first player, without an account."""
    return Player.objects.create(name="Eve of old")


def user_of(player: Player) -> User:
    assert player.user
    return player.user


def won(winner: Player, loser: Player, place: Arena, days_ago: int = 0) -> Match:
    match = beats(winner, loser, place, now=NOW - timedelta(days=days_ago))
    return confirm(match.pk, by=loser, now=NOW)


def test_one_person_has_one_history_afterwards(
    duel: Arena, eve: Player, alice: Player, bob: Player, boss: User
) -> None:
    old = account("Eve of old")
    won(old, alice, duel, days_ago=9)
    won(eve, bob, duel, days_ago=5)
    won(alice, old, duel, days_ago=3)
    notice = Notice.objects.filter(player=old).count()
    seen = preview(eve, old, account=None, by=boss, now=NOW)
    assert Player.objects.filter(pk=old.pk).exists()
    assert not StaffAction.objects.exists()
    done = merged(eve, old, boss)
    assert done.moved == seen.moved
    assert [(s.season, s.before, s.theirs, s.after) for s in done.seasons] == [
        (s.season, s.before, s.theirs, s.after) for s in seen.seasons
    ]
    assert {one.label: one.count for one in done.moved}["participants"] == 2
    rating = duel.seasons.get().ratings.get(player=eve)
    assert (rating.games, rating.wins) == (3, 2)
    assert not Player.objects.filter(pk=old.pk).exists()
    assert Player.ever.get(pk=old.pk).merged_into == eve
    assert Notice.objects.filter(player=eve).count() >= notice
    assert [name.name for name in FormerName.objects.filter(player=eve)] == ["Eve of old"]
    assert rename_again_at(eve) is None
    action = StaffAction.objects.get()
    assert action.kind == StaffAction.Kind.MERGED
    assert action.player_names() == ["Eve", "Eve of old"]
    assert all_differences() == []


def test_players_who_met_are_two_people_until_their_match_is_void(
    duel: Arena, eve: Player, bob: Player, boss: User
) -> None:
    old = account("Eve of old")
    match = won(eve, old, duel)
    won(old, bob, duel)
    with pytest.raises(Conflict, match=f"both played in match {match.pk}"):
        merged(eve, old, boss)
    correct(match, boss)
    merged(eve, old, boss)
    assert set(match.participants.values_list("player", flat=True)) == {eve.pk, old.pk}
    assert all_differences() == []


def test_open_business_is_finished_first(
    duel: Arena, eve: Player, bob: Player, old_eve: Player, boss: User
) -> None:
    old = account("Older Eve")
    live = start(duel, [StartingSide(old, [old]), StartingSide(bob, [bob])], now=NOW)
    with pytest.raises(Conflict, match="Older Eve is in a live match"):
        merged(eve, old, boss)
    with pytest.raises(Conflict, match="Older Eve is in a live match"):
        merged(old, eve, boss)
    decide(live.pk, by=boss, verdict=StaffAction.Kind.VOIDED, reason="Never played.", now=NOW)
    report = beats(old, bob, duel)
    with pytest.raises(Conflict, match=f"open results: match {report.pk}"):
        merged(eve, old, boss)
    confirm(report.pk, by=bob, now=NOW)
    merged(eve, old, boss)
    with pytest.raises(Conflict, match="Older Eve has been merged"):
        merged(old_eve, old, boss)
    assert all_differences() == []


def test_only_staff_with_the_permission_merge_and_never_themselves(
    eve: Player, old_eve: Player, olga: Player, boss: User
) -> None:
    frank = user_of(account("Frank"))
    with pytest.raises(Forbidden, match="permission"):
        merged(eve, old_eve, frank)
    frank.user_permissions.add(Permission.objects.get(codename="merge_player"))
    frank = User.objects.get(pk=frank.pk)
    with pytest.raises(Forbidden, match="Somebody else"):
        merged(frank.player, old_eve, frank)
    with pytest.raises(Forbidden, match="Somebody else"):
        merged(eve, olga, boss)
    with pytest.raises(Refused, match="two different"):
        merged(eve, eve, frank)
    with pytest.raises(Refused, match="Give a reason"):
        merge(eve, old_eve, account=None, by=frank, reason=" ", now=NOW)
    merged(eve, old_eve, frank)


def test_nobody_sheds_a_ban_or_penalties_by_merging(duel: Arena, eve: Player, boss: User) -> None:
    old = account("Eve of old")
    bans.ban(old, arena=duel, by=boss, reason="Insults.", now=NOW)
    DishonorAward.objects.create(player=old, arena=duel, at=NOW, offence=Offence.ABANDON, stacks=3)
    assert discipline.ban_of(eve, NOW) is None
    merged(eve, old, boss)
    ban = discipline.ban_of(eve, NOW)
    assert ban
    assert ban.action
    assert ban.action.reason == "Insults."
    assert DishonorAward.objects.filter(player=eve).count() == 2
    assert not DishonorAward.objects.filter(player=old).exists()


def test_of_two_accounts_one_stays_and_the_other_is_locked(eve: Player, boss: User) -> None:
    old = account("Eve of old")
    first, second = user_of(eve), user_of(old)
    a_token(second)
    other = account("Somebody else")
    with pytest.raises(Refused, match="Choose the account"):
        merged(eve, old, boss, account=user_of(other).pk)
    done = merged(eve, old, boss, account=second.pk)
    assert (done.account, done.locked) == (second, first)
    eve.refresh_from_db()
    assert eve.user == second
    first.refresh_from_db()
    assert not first.is_active
    assert AccessToken.objects.filter(user=second).count() == 1
    third = account("Eve the third")
    a_token(user_of(third))
    merged(eve, third, boss)
    assert not AccessToken.objects.filter(user__username="eve the third").exists()


def test_a_locked_account_cannot_be_left_for_another_and_staff_keep_theirs(
    eve: Player, boss: User
) -> None:
    old = account("Eve of old")
    User.objects.filter(pk=user_of(old).pk).update(is_active=False)
    with pytest.raises(Conflict, match="is locked"):
        merged(eve, old, boss)
    merged(eve, old, boss, account=user_of(old).pk)
    eve.refresh_from_db()
    assert not user_of(eve).is_active
    helper = account("Helper")
    User.objects.filter(pk=user_of(helper).pk).update(is_staff=True)
    User.objects.filter(pk=user_of(eve).pk).update(is_active=True)
    with pytest.raises(Conflict, match="account of staff"):
        merged(Player.objects.get(pk=eve.pk), Player.objects.get(pk=helper.pk), boss)


def test_an_account_moves_to_a_player_without_one(eve: Player, old_eve: Player, boss: User) -> None:
    user = user_of(eve)
    assert merged(old_eve, eve, boss).account == user
    assert Player.objects.get(user=user) == old_eve


def test_rosters_invitations_and_preferences_are_joined(
    teams: Arena, eve: Player, old_eve: Player, alice: Player, bob: Player, boss: User
) -> None:
    both = roster(teams, "Owls", alice, eve, old_eve)
    theirs = roster(teams, "Foxes", bob, old_eve)
    led = roster(teams, "Bears", old_eve)
    RosterInvitation.objects.create(roster=theirs, player=eve, invited_at=NOW)
    RosterInvitation.objects.create(roster=led, player=eve, invited_at=NOW)
    for player, sent in ((eve, 3), (old_eve, 4)):
        InvitationDay.objects.create(captain=player, day=NOW.date(), sent=sent)
        MailPreference.objects.create(player=player, pace="never" if player == eve else "daily")
    merged(eve, old_eve, boss)
    for one in (both, theirs, led):
        assert RosterMember.objects.filter(roster=one, player=eve).count() == 1
    led.refresh_from_db()
    assert led.captain == eve
    assert not RosterInvitation.objects.exists()
    assert InvitationDay.objects.get().sent == 7
    assert MailPreference.objects.get().pace == "never"


def test_the_address_of_a_calendar_stays_that_of_the_player_who_is_kept(
    eve: Player, old_eve: Player, boss: User
) -> None:
    CalendarAddress.objects.create(player=old_eve, renewals=3)
    token = token_of(eve)
    merged(eve, old_eve, boss)
    assert token_of(eve) == token
    assert not CalendarAddress.objects.exists()


def test_dates_move_unless_they_are_with_each_other(
    duel: Arena, eve: Player, bob: Player, boss: User
) -> None:
    old = account("Eve of old")
    when = NOW + timedelta(days=1)
    own = propose(duel, old, when, by=eve, now=NOW)
    moving = propose(duel, bob, when + timedelta(hours=3), by=old, now=NOW)
    with pytest.raises(Conflict, match="have a date with each other"):
        merged(eve, old, boss)
    Arrangement.objects.filter(pk=own.pk).update(state="withdrawn", answered_at=NOW)
    merged(eve, old, boss)
    moving.refresh_from_db()
    assert (moving.proposer, moving.asked) == (eve, bob)
    assert list(moving.steps.values_list("by", flat=True)) == [eve.pk]
    own.refresh_from_db()
    assert (own.proposer, own.opponent) == (eve, old)


def test_flags_move_once(
    duel: Arena, eve: Player, old_eve: Player, bob: Player, boss: User
) -> None:
    season = duel.seasons.get()
    kind = Flag.Kind.ONE_SIDED
    for player, other in ((eve, bob), (old_eve, bob), (bob, old_eve), (eve, old_eve)):
        Flag.objects.create(kind=kind, season=season, player=player, other=other, raised_at=NOW)
    merged(eve, old_eve, boss)
    assert sorted(Flag.objects.values_list("player__name", "other__name")) == [
        ("Bob", "Eve"),
        ("Eve", "Bob"),
        ("Eve", "Eve of old"),
    ]


def test_archives_stay_and_merged_players_can_be_merged_on(
    duel: Arena, eve: Player, bob: Player, alice: Player, boss: User
) -> None:
    old = account("Eve of old")
    won(old, bob, duel, days_ago=9)
    won(eve, bob, duel, days_ago=8)
    season = duel.seasons.get()
    season.ends_at = NOW - timedelta(days=1)
    season.save()
    freeze_early(season.pk, now=NOW)
    stored = list(FinalStanding.objects.order_by("pk").values())
    awards = list(Award.objects.order_by("pk").values())
    done = merged(eve, old, boss)
    assert (done.seasons, done.archived) == ([], 1)
    assert list(FinalStanding.objects.order_by("pk").values()) == stored
    assert list(Award.objects.order_by("pk").values()) == awards
    assert Participant.objects.filter(player=old).count() == 1
    merged(alice, eve, boss)
    assert Player.ever.get(pk=old.pk).merged_into == alice
    assert set(FormerName.objects.filter(player=alice).values_list("name", flat=True)) == {
        "Eve",
        "Eve of old",
    }
    assert all_differences() == []


def test_the_database_refuses_new_rows_about_merged_players(
    duel: Arena, teams: Arena, eve: Player, old_eve: Player, alice: Player, boss: User
) -> None:
    owls = roster(teams, "Owls", alice)
    merged(eve, old_eve, boss)
    with pytest.raises(IntegrityError, match="has been merged"), transaction.atomic():
        RosterMember.objects.create(roster=owls, player=old_eve)
    with pytest.raises(IntegrityError, match="has been merged"), transaction.atomic():
        DishonorAward.objects.create(
            player=old_eve, arena=duel, at=NOW, offence=Offence.BANNED, stacks=1
        )
    with pytest.raises(Refused, match="Eve of old"):
        beats(alice, old_eve, duel)
    match = won(alice, eve, duel)
    with pytest.raises(IntegrityError, match="has been merged"), transaction.atomic():
        Participant.objects.create(
            match=match, side=match.sides.all()[0], player=old_eve, position=1
        )


def test_ledgers_follow_a_merge_and_change_in_no_other_way(
    duel: Arena, eve: Player, old_eve: Player, bob: Player, boss: User
) -> None:
    award = DishonorAward.objects.create(
        player=old_eve, arena=duel, at=NOW, offence=Offence.ABANDON, stacks=1
    )
    rows = DishonorAward.objects.filter(pk=award.pk)
    with pytest.raises(IntegrityError, match="is a ledger"), transaction.atomic():
        rows.update(player=eve)
    merged(eve, old_eve, boss)
    with pytest.raises(IntegrityError, match="is a ledger"), transaction.atomic():
        rows.update(player=bob)
    with pytest.raises(IntegrityError, match="is a ledger"), transaction.atomic():
        rows.update(stacks=0)
    with pytest.raises(IntegrityError, match="is a ledger"), transaction.atomic():
        rows.delete()


def test_the_name_of_a_merged_player_stays_taken(eve: Player, old_eve: Player, boss: User) -> None:
    merged(eve, old_eve, boss)
    with pytest.raises(Exception, match="taken"):
        Player(name="Eve of Old").full_clean()


@pytest.mark.django_db(transaction=True)
def test_of_two_merges_at_once_the_second_is_refused(eve: Player, bob: Player, boss: User) -> None:
    answers = all_at_once([partial(merged, eve, bob, boss), partial(merged, bob, eve, boss)])
    refusals = [answer for answer in answers if isinstance(answer, Conflict)]
    assert [refusal.code for refusal in refusals] == ["merged"]
    assert Player.objects.filter(pk__in=[eve.pk, bob.pk]).count() == 1
    assert StaffAction.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_results_reported_during_a_merge_belong_to_the_one_who_stays_or_are_refused(
    duel: Arena, eve: Player, alice: Player, boss: User
) -> None:
    old = account("Eve of old")

    def play(winner: Player, loser: Player) -> object:
        try:
            with transaction.atomic():
                return won(winner, loser, duel)
        except IntegrityError as error:
            return violated_rule(error)

    others = [account(f"Opponent {number}") for number in range(6)]
    calls: list[Callable[[], object]] = [partial(play, old, other) for other in others]
    calls.insert(3, partial(merged, eve, old, boss))
    answers = all_at_once(calls)
    assert {answer for answer in answers if isinstance(answer, str)} <= {"player_is_merged"}
    if any(isinstance(answer, Conflict) for answer in answers):
        merged(eve, old, boss)
    open_ = [Status.LIVE, Status.REPORTED, Status.DISPUTED]
    assert not Participant.objects.filter(player=old).exclude(match__status__in=open_).exists()
    assert not Participant.objects.filter(player=old).exists()
    assert not TicketMember.objects.filter(player=old).exists()
    assert all_differences() == []


def test_a_lifted_ban_is_told(duel: Arena, eve: Player, boss: User) -> None:
    bans.ban(eve, arena=duel, by=boss, reason="Insults.", now=NOW)
    bans.lift(eve, by=boss, reason="It was somebody else.", now=NOW)
    unseen = Notice.objects.filter(player=eve, seen_at=None)
    assert [notice.kind for notice in unseen] == [NoticeKind.UNBANNED]
