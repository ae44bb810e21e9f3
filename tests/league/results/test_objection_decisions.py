"""Staff decide objections after a discussion, and the end of the season ends them."""

from datetime import datetime, timedelta
from functools import partial

import pytest

from league.models import (
    Arena,
    Correction,
    CorrectionRequest,
    Match,
    MatchMessage,
    Notice,
    NoticeKind,
    Objection,
    Player,
    Roster,
    Season,
    StaffAction,
    Status,
    User,
)
from league.services import corrections
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.integrity.ratings import verify
from league.services.results.reports.answers import confirm
from league.services.results.reports.countering import accept, counter
from league.services.results.staff import objections
from league.services.results.staff.objections import closes_at, object_to, reject
from league.services.results.staff.threads import DISCUSSION, read_since, write
from league.services.seasons.end_previews import preview
from league.services.seasons.ending import end, freeze, freeze_early
from tests.support.cast import NOW, beats
from tests.support.concurrency import all_at_once
from tests.support.correction_steps import ask, correct
from tests.support.objection_steps import (
    objects,
    rating_of,
    refused,
    rejects,
    reported_by_owls,
    team_match,
    told,
)
from tests.support.result_steps import rules, user_of
from tests.support.season_steps import win

__all__ = ["team_match"]


DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)
OTHER_WAY: list[tuple[int, float | None]] = [(1, None), (0, None)]


@pytest.fixture
def rated_match(duel: Arena, alice: Player, charlie: Player) -> Match:
    return win(duel, alice, charlie)


# Staff decide


def test_staff_reject_with_a_reason(
    rated_match: Match, alice: Player, charlie: Player, olga: Player
) -> None:
    before = rating_of(alice)
    objection = objects(rated_match, charlie)
    match = rejects(rated_match, olga, now=NOW + DAY)
    objection.refresh_from_db()
    assert objection.action
    assert (objection.state, objection.closed_at) == ("rejected", NOW + DAY)
    assert (objection.action.kind, objection.action.reason) == ("rejected", "The replay shows it.")
    assert (match.status, match.settlement, rating_of(alice)) == ("rated", "captain", before)
    assert told(alice, NoticeKind.DECIDED, rated_match)
    assert told(charlie, NoticeKind.DECIDED, rated_match)
    with pytest.raises(Conflict, match="No objection"):
        rejects(rated_match, olga)


def test_only_staff_reject_and_only_with_a_reason(
    rated_match: Match, alice: Player, olga: Player, charlie: Player
) -> None:
    with pytest.raises(Conflict, match="No objection"):
        rejects(rated_match, olga)
    objects(rated_match, charlie)
    with pytest.raises(Forbidden, match="Only staff"):
        rejects(rated_match, alice)
    with pytest.raises(Refused) as refusal:
        reject(rated_match.pk, by=user_of(olga), reason=" ", now=NOW)
    assert refusal.value.field == "reason"
    assert objections.open_one(rated_match.pk)
    assert not StaffAction.objects.filter(kind=StaffAction.Kind.REJECTED).exists()


@pytest.mark.parametrize("placings", [None, OTHER_WAY])
def test_a_correction_grants_the_objection(
    rated_match: Match,
    duel: Arena,
    alice: Player,
    bob: Player,
    charlie: Player,
    olga: Player,
    placings: list[tuple[int, float | None]] | None,
) -> None:
    win(duel, bob, alice, now=NOW + timedelta(hours=1))
    objection = objects(rated_match, charlie, now=NOW + timedelta(hours=2))
    Notice.objects.all().delete()
    done = correct(rated_match, user_of(olga), placings)
    objection.refresh_from_db()
    assert (done.state, objection.state) == ("done", "corrected")
    assert objection.action
    assert objection.action.details["correction"] == Correction.objects.get().pk
    assert told(alice, NoticeKind.DECIDED, rated_match)
    assert told(charlie, NoticeKind.DECIDED, rated_match)
    assert verify(rated_match.season) == []
    assert refused(rated_match, alice) == ("decided" if placings else "void")
    with pytest.raises(Conflict, match="No objection"):
        rejects(rated_match, olga)


def test_staff_correct_without_an_objection_and_the_result_is_then_final(
    rated_match: Match, alice: Player, olga: Player
) -> None:
    correct(rated_match, user_of(olga), OTHER_WAY)
    assert refused(rated_match, alice) == "decided"


def test_staff_do_not_reject_an_objection_to_their_own_match(
    rated_match: Match, alice: Player, charlie: Player, olga: Player
) -> None:
    User.objects.filter(player=alice).update(is_staff=True, is_superuser=True)
    alice.refresh_from_db()
    objects(rated_match, charlie)
    with pytest.raises(Forbidden, match="Ask another organiser"):
        rejects(rated_match, alice)


def test_a_correction_that_waits_keeps_objections_and_rejections_out(
    rated_match: Match, alice: Player, charlie: Player, olga: Player
) -> None:
    asked = ask(rated_match, user_of(olga))
    assert refused(rated_match, charlie) == "correction_waits"
    CorrectionRequest.objects.filter(pk=asked.pk).update(digest="outdated")
    assert corrections.carry_out(asked.pk, NOW)
    objection = objects(rated_match, charlie)
    again = ask(rated_match, user_of(olga))
    with pytest.raises(Conflict, match="correcting this result"):
        rejects(rated_match, olga)
    objection.refresh_from_db()
    assert objection.state == "open"
    corrections.carry_out(again.pk, NOW)
    objection.refresh_from_db()
    assert objection.state == "corrected"


def test_a_correction_that_is_refused_leaves_the_objection_open(
    rated_match: Match, charlie: Player, olga: Player
) -> None:
    objection = objects(rated_match, charlie)
    asked = ask(rated_match, user_of(olga))
    CorrectionRequest.objects.filter(pk=asked.pk).update(digest="outdated")
    done = corrections.carry_out(asked.pk, NOW)
    assert done
    assert done.state == "refused"
    objection.refresh_from_db()
    assert objection.state == "open"
    assert not told(charlie, NoticeKind.DECIDED, rated_match)


@pytest.mark.django_db(transaction=True)
def test_objections_rejections_and_corrections_at_once_agree(
    rated_match: Match, alice: Player, charlie: Player, olga: Player
) -> None:
    objects(rated_match, charlie)
    asked = ask(rated_match, user_of(olga))
    all_at_once(
        [
            partial(corrections.carry_out, asked.pk, NOW),
            partial(rejects, rated_match, olga),
            partial(object_to, rated_match.pk, by=alice, reason="No.", now=NOW),
            partial(corrections.carry_out, asked.pk, NOW),
            partial(rejects, rated_match, olga),
        ]
    )
    corrections.carry_out(asked.pk, NOW)
    (objection,) = Objection.objects.all()
    assert objection.state == "corrected"
    assert Match.objects.get(pk=rated_match.pk).status == Status.VOID
    assert StaffAction.objects.count() == 1
    assert verify(rated_match.season) == []


@pytest.mark.django_db(transaction=True)
def test_of_two_staff_who_reject_at_once_one_does(
    rated_match: Match, charlie: Player, olga: Player
) -> None:
    objects(rated_match, charlie)
    answers = all_at_once([partial(rejects, rated_match, olga)] * 6)
    assert sum(isinstance(answer, Match) for answer in answers) == 1
    assert StaffAction.objects.filter(kind=StaffAction.Kind.REJECTED).count() == 1


# The thread


def test_players_and_staff_discuss_an_objection(
    team_match: Match, alice: Player, bob: Player, dora: Player, eve: Player, olga: Player
) -> None:
    def says(player: Player, now: datetime = NOW) -> MatchMessage:
        return write(team_match.pk, by=user_of(player), player=player, text="Look.", now=now)

    with pytest.raises(Conflict, match="not disputed"):
        says(alice)
    with pytest.raises(Forbidden, match="Only the players"):
        says(bob)
    objects(team_match, dora)
    assert [says(player).player for player in (alice, bob, dora)] == [alice, bob, dora]
    assert says(olga).player is None
    with pytest.raises(Forbidden, match="Only the players"):
        says(eve)
    with pytest.raises(Conflict, match="time for messages is over"):
        says(bob, NOW + DISCUSSION)
    says(olga, NOW + DISCUSSION)
    rejects(team_match, olga)
    with pytest.raises(Conflict, match="not disputed"):
        says(bob)


def test_players_do_not_read_what_captains_wrote_before(
    teams: Arena,
    owls: Roster,
    foxes: Roster,
    alice: Player,
    bob: Player,
    charlie: Player,
    eve: Player,
) -> None:
    """A dispute's captains wrote in confidence, and agreed on the other result."""
    match = reported_by_owls(teams, owls, foxes)
    counter(match.pk, OTHER_WAY, by=charlie, now=NOW)
    write(match.pk, by=user_of(alice), player=alice, text="Bob is tired.", now=NOW)
    match = accept(match.pk, by=alice, now=NOW)
    assert read_since(match, user_of(bob), bob) is None
    objects(match, bob, now=NOW + DAY)
    since = read_since(match, user_of(bob), bob)
    assert since == NOW + DAY
    assert not MatchMessage.objects.filter(match=match, at__gte=since).exists()
    captains = read_since(match, user_of(alice), alice)
    assert captains
    assert captains < NOW
    assert read_since(match, user_of(eve), eve) is None


# The end of the season


def test_a_late_result_is_open_until_the_season_is_archived(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    """Olga ends the season while a report waits. It is confirmed a day later."""
    reported = beats(alice, charlie, duel)
    season = duel.seasons.get()
    end(season.pk, now=NOW + timedelta(hours=1))
    season.refresh_from_db()
    confirm(reported.pk, by=charlie, now=NOW + timedelta(hours=2))
    late = Match.objects.get(pk=reported.pk)
    assert season.archive_due_at == NOW + timedelta(days=3, hours=1)
    assert closes_at(late) == season.archive_due_at
    assert refused(late, charlie, now=season.archive_due_at) == "too_late"
    objects(late, charlie, now=season.archive_due_at - SECOND)


def test_no_window_outlasts_the_season(duel: Arena, alice: Player, charlie: Player) -> None:
    match = win(duel, alice, charlie)
    rules(duel, objection_window="30d")
    season = duel.seasons.get()
    end(season.pk, now=NOW + timedelta(hours=1))
    match = Match.objects.get(pk=match.pk)
    assert closes_at(match) == NOW + timedelta(days=3, hours=1)
    assert freeze_early(season.pk, now=NOW + timedelta(hours=2))
    match = Match.objects.get(pk=match.pk)
    assert closes_at(match) is None
    assert refused(match, charlie, now=NOW + timedelta(hours=3)) == "archived"


def test_an_objection_does_not_hold_up_the_archive(
    duel: Arena, alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    match, other = win(duel, alice, charlie), win(duel, alice, bob)
    objection, rejected = objects(match, charlie), objects(other, bob)
    rejects(other, olga)
    season = duel.seasons.get()
    end(season.pk, now=NOW + SECOND)
    season = Season.objects.get(pk=season.pk)
    seen = preview(season, NOW + DAY)
    assert seen
    assert seen.objections == 1
    objection.refresh_from_db()
    assert objection.state == "open"

    assert season.archive_due_at
    assert freeze(season.pk, now=season.archive_due_at)
    objection.refresh_from_db()
    rejected.refresh_from_db()
    assert (objection.state, objection.closed_at) == ("lapsed", season.archive_due_at)
    assert rejected.state == "rejected"
    for player in (alice, charlie):
        assert told(player, NoticeKind.UNDECIDED, match)
    assert not told(bob, NoticeKind.UNDECIDED, other)
    with pytest.raises(Conflict, match="archived"):
        rejects(match, olga, now=season.archive_due_at)
    assert verify(season) == []


@pytest.mark.django_db(transaction=True)
def test_an_archive_and_objections_at_once_leave_none_open(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    matches = [win(duel, alice, charlie) for _number in range(4)]
    season = duel.seasons.get()
    end(season.pk, now=NOW + SECOND)
    due = NOW + SECOND + timedelta(days=3)
    now = NOW + timedelta(hours=1)
    all_at_once(
        [partial(object_to, m.pk, by=charlie, reason="A draw.", now=now) for m in matches]
        + [partial(freeze, season.pk, now=due)] * 4
    )
    freeze(season.pk, now=due)
    assert not Objection.objects.open().exists()
    assert Season.objects.get(pk=season.pk).archived_at == due
