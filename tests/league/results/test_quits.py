"""A player is a leaver by their own word, that of a game server or that of staff."""

from datetime import timedelta

import pytest

from league.models import Agreement, Arena, DishonorAward, Match, Notice, Player, Rating, Status
from league.services.core.errors import Conflict, Forbidden
from league.services.core.types import PlayedBy, ReportedSide
from league.services.dishonor.abandons import leave
from league.services.notices.reading import with_names
from league.services.notices.texts import tell
from league.services.results.reports.answers import answer_claim, confirm, confirm_expired, dispute
from league.services.results.reports.changing import change
from league.services.results.reports.live import Finish, StartingSide, finish, start
from league.services.results.reports.reporting import report
from tests.support.api_steps import by_token, send
from tests.support.cast import NOW
from tests.support.web_steps import browser_of, words

pytestmark = pytest.mark.usefixtures("owls", "foxes")

LATER = NOW + timedelta(days=30)


@pytest.fixture
def accusing_match(
    teams: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> Match:
    """Alice reports that her team mate Bob quit."""
    sides = [team(alice, bob, 0, left=True), team(charlie, dora, 1)]
    return report(teams, sides, reporter=alice, played_at=NOW, now=NOW)


def team(captain: Player, mate: Player, place: int, *, left: bool = False) -> ReportedSide:
    return ReportedSide(captain, [PlayedBy(captain), PlayedBy(mate, quit=left)], place)


def leavers() -> list[str]:
    return [award.player.name for award in DishonorAward.objects.select_related("player")]


def quitters(match: Match) -> list[str]:
    return list(match.participants.filter(quit=True).values_list("player__name", flat=True))


def test_two_captains_make_nobody_a_leaver(
    accusing_match: Match, bob: Player, charlie: Player
) -> None:
    assert confirm(accusing_match.pk, by=charlie, now=NOW).status == Status.REPORTED
    with pytest.raises(Conflict, match="already confirmed"):
        confirm(accusing_match.pk, by=charlie, now=NOW)
    assert confirm_expired(LATER) == 1
    accusing_match.refresh_from_db()
    assert (accusing_match.status, accusing_match.settlement) == (Status.RATED, "captain")
    assert (accusing_match.confirmed_by, accusing_match.confirmed_by_side) == (charlie, 1)
    assert (leavers(), quitters(accusing_match)) == ([], [])
    with pytest.raises(Conflict, match="Nobody asks you"):
        answer_claim(accusing_match.pk, by=bob, left=True, now=LATER)


@pytest.mark.parametrize("first", ["Bob", "Charlie"])
@pytest.mark.parametrize("left", [True, False])
def test_the_accused_answers_before_or_after_the_other_captain(
    accusing_match: Match, bob: Player, charlie: Player, first: str, left: bool
) -> None:
    def both() -> list[Match]:
        match = (
            answer_claim(accusing_match.pk, by=bob, left=left, now=NOW)
            if first == "Bob"
            else accusing_match
        )
        other = confirm(accusing_match.pk, by=charlie, now=NOW)
        if first == "Charlie":
            match = other
            other = answer_claim(accusing_match.pk, by=bob, left=left, now=NOW)
        return [match, other]

    assert [match.status for match in both()] == [Status.REPORTED, Status.RATED]
    assert leavers() == quitters(accusing_match) == (["Bob"] if left else [])
    with pytest.raises(Conflict):
        answer_claim(accusing_match.pk, by=bob, left=not left, now=NOW)


def test_a_dispute_of_the_accused_wins_over_two_captains(
    accusing_match: Match, bob: Player, charlie: Player
) -> None:
    confirm(accusing_match.pk, by=charlie, now=NOW)
    dispute(accusing_match.pk, by=bob, reason="I stayed.", now=NOW)
    assert confirm_expired(LATER) == 0
    assert leavers() == []


@pytest.mark.parametrize("stranger", ["alice", "dora", "eve"])
def test_nobody_answers_for_another(
    accusing_match: Match, stranger: str, request: pytest.FixtureRequest
) -> None:
    for left in (True, False):
        with pytest.raises((Conflict, Forbidden), match=r"Nobody asks you|do not play"):
            answer_claim(
                accusing_match.pk, by=request.getfixturevalue(stranger), left=left, now=NOW
            )
    assert quitters(accusing_match) == ["Bob"]


@pytest.mark.parametrize("reporter", ["alice", "charlie"])
def test_in_a_match_from_the_queue_only_their_own_leave_counts(
    teams: Arena,
    alice: Player,
    bob: Player,
    charlie: Player,
    dora: Player,
    reporter: str,
    request: pytest.FixtureRequest,
) -> None:
    sides = [StartingSide(alice, [alice, bob]), StartingSide(charlie, [charlie, dora])]
    match = start(teams, sides, now=NOW, agreed_by=Agreement.READY_CHECK)
    leave(match.pk, by=dora, now=NOW)
    claim = [PlayedBy(alice), PlayedBy(bob, quit=True)]
    by = request.getfixturevalue(reporter)
    finish(match.pk, [Finish(0, None, claim), Finish(1)], reporter=by, now=NOW)
    with pytest.raises(Conflict, match="Nobody asks you"):
        answer_claim(match.pk, by=bob, left=True, now=NOW)
    other = charlie if by == alice else alice
    assert confirm(match.pk, by=other, now=NOW).status == Status.RATED
    assert leavers() == quitters(match) == ["Dora"]


def test_those_who_report_or_confirm_that_they_quit_are_not_asked(
    teams: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    for captain, mates in ((alice, [bob]), (charlie, [dora])):
        own = [PlayedBy(captain, quit=True), *map(PlayedBy, mates)]
        sides = [team(alice, bob, 0), team(charlie, dora, 1)]
        at = [alice, charlie].index(captain)
        sides[at] = ReportedSide(captain, own, at)
        now = NOW + timedelta(days=2 * at)
        match = report(teams, sides, reporter=alice, played_at=now, now=now)
        assert confirm(match.pk, by=charlie, now=now).status == Status.RATED
    assert sorted(leavers()) == ["Alice", "Charlie"]


def test_a_changed_report_asks_those_whom_it_names_now(
    teams: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    sides = [team(alice, bob, 0), team(charlie, dora, 1)]
    match = report(teams, sides, reporter=alice, played_at=NOW, now=NOW)
    claim = [PlayedBy(alice), PlayedBy(bob, quit=True)]
    change(match.pk, [Finish(0, None, claim), Finish(1)], by=alice, now=NOW)
    assert (
        "you left a match in Teams early. Did you?"
        in tell(with_names(Notice.objects.filter(player=bob)).get()).text
    )
    confirm(match.pk, by=charlie, now=NOW, revision=2)
    assert answer_claim(match.pk, by=bob, left=False, now=NOW).status == Status.RATED
    assert leavers() == []


def test_bob_answers_on_his_pages(accusing_match: Match, bob: Player, charlie: Player) -> None:
    browser = browser_of(bob)
    assert "1 report says that you left early" in words(browser.get("/players/"))
    assert "Did you leave early?" in words(browser.get("/matches/waiting/"))
    page = accusing_match.get_absolute_url()
    assert "Alice reports that you left" in words(browser.get(page))
    assert "Asked whether they left early" in words(browser_of(charlie).get(page))
    assert "Did you leave early?" not in words(browser_of(charlie).get(page))
    assert browser.post(f"{page}left/", {"left": "perhaps"}).status_code == 302
    assert "no longer says" in words(browser.post(f"{page}left/", {"left": "no"}, follow=True))
    assert quitters(accusing_match) == []
    refused = browser.post(f"{page}left/", {"left": "yes"})
    assert (refused.status_code, "Nobody asks you" in words(refused)) == (409, True)


def test_bob_answers_through_the_api(accusing_match: Match, bob: Player, charlie: Player) -> None:
    address = f"/api/v1/matches/{accusing_match.pk}/left/"
    assert send(by_token(bob), address, {}).status_code == 400
    assert send(by_token(charlie), address, {"left": True}).status_code == 409
    assert send(by_token(bob), address, {"left": True}).status_code == 200
    assert leavers() == ["Bob"]
    assert not Rating.objects.exists()
    assert confirm(accusing_match.pk, by=charlie, now=NOW).status == Status.RATED
    with pytest.raises(Forbidden):
        confirm(accusing_match.pk, by=bob, now=NOW)
