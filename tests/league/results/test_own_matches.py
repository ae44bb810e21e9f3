"""Nobody decides, corrects or enters a match that they played in, unless nobody else can."""

from collections.abc import Callable
from functools import partial

import pytest
from django.contrib.auth.models import Group, Permission
from django.urls import reverse

from league.models import Arena, Match, Objection, Player, Roster, StaffAction, Status, User
from league.services import corrections
from league.services.core.errors import Forbidden
from league.services.results.rules import own_matches
from league.services.results.staff.decisions import decide
from league.services.results.staff.entering import enter
from league.services.results.staff.objections import reject
from tests.support.api_steps import by_token, send
from tests.support.cast import NOW, beats, side
from tests.support.correction_steps import correct
from tests.support.objection_steps import objects, reported_by_owls
from tests.support.result_steps import placed, user_of
from tests.support.season_steps import win
from tests.support.web_steps import browser_of, words

UPHELD, VOIDED = StaffAction.Kind.UPHELD, StaffAction.Kind.VOIDED
SENTENCE = "You played in this match. Ask another organiser to decide it."


def organises(player: Player) -> None:
    """Make a player an organiser, by a group as the admin does."""
    group, _new = Group.objects.get_or_create(name="Organisers")
    codes = ["decide_match", "enter_result", "correct_match", "void_match"]
    codes += ["view_match", "view_staffaction"]
    group.permissions.set(Permission.objects.filter(codename__in=codes))
    user_of(player).groups.add(group)
    User.objects.filter(player=player).update(is_staff=True)
    player.refresh_from_db()


def forbidden(action: Callable[[], object]) -> None:
    before = StaffAction.objects.count()
    with pytest.raises(Forbidden) as refusal:
        action()
    assert (refusal.value.code, refusal.value.message) == ("own_match", SENTENCE)
    assert StaffAction.objects.count() == before


@pytest.fixture
def reported_match(duel: Arena, alice: Player, charlie: Player) -> Match:
    """Alice reported that she beat Charlie."""
    return beats(alice, charlie, duel)


@pytest.mark.parametrize("verdict", [UPHELD, VOIDED, StaffAction.Kind.CORRECTED])
def test_an_organiser_does_not_decide_their_own_match(
    reported_match: Match, charlie: Player, olga: Player, verdict: StaffAction.Kind
) -> None:
    organises(charlie)
    placings: list[tuple[int, float | None]] = [(1, None), (0, None)]
    forbidden(
        lambda: decide(
            reported_match.pk,
            verdict=verdict,
            by=user_of(charlie),
            reason="Me",
            now=NOW,
            placings=placings,
        )
    )
    assert Match.objects.get(pk=reported_match.pk).status == Status.REPORTED
    decide(reported_match.pk, verdict=UPHELD, by=user_of(olga), reason="Seen.", now=NOW)
    assert not StaffAction.objects.get().own_match


def test_neither_members_nor_captains_who_watch_decide(
    teams: Arena, owls: Roster, foxes: Roster, bob: Player, eve: Player, olga: Player
) -> None:
    match = reported_by_owls(teams, owls, foxes)
    match.sides.filter(index=1).update(captain=eve)
    for player in (bob, eve):
        organises(player)
        by = user_of(player)
        forbidden(partial(decide, match.pk, verdict=VOIDED, by=by, reason="Me", now=NOW))


def test_an_organiser_neither_previews_nor_corrects_nor_rejects_nor_enters_their_own(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    organises(alice)
    own, by = win(duel, alice, charlie), user_of(alice)
    objection = objects(own, charlie)
    forbidden(lambda: corrections.preview(own, by=by))
    forbidden(lambda: corrections.ask(own, by=by, reason="Me", digest="", horizon=0, now=NOW))
    forbidden(lambda: reject(own.pk, by=by, reason="Me", now=NOW))
    forbidden(
        lambda: enter(duel, placed(alice, charlie), by=by, reason="Me", played_at=NOW, now=NOW)
    )
    assert Match.objects.count() == 1
    objection.refresh_from_db()
    assert objection.state == Objection.State.OPEN


def test_the_only_organiser_decides_and_it_is_said(
    duel: Arena, reported_match: Match, alice: Player, charlie: Player
) -> None:
    """One person runs the league and plays in it. Others have left, or only look after players."""
    organises(alice)
    gone = User.objects.create(username="gone", is_superuser=True, is_active=False)
    User.objects.create(username="helper", is_staff=True)
    decide(reported_match.pk, verdict=UPHELD, by=user_of(alice), reason="Seen.", now=NOW)
    assert StaffAction.objects.get().own_match
    said = "They played in this match themselves, and nobody else could decide it."
    assert said in words(browser_of(charlie).get(reported_match.get_absolute_url()))
    address = reverse("api:match", args=[reported_match.pk])
    (decision,) = by_token(charlie).get(address).json()["decisions"]
    assert decision["own_match"] is True

    correct(Match.objects.get(pk=reported_match.pk), user_of(alice))
    entered = enter(
        duel,
        [side(alice, place=0), side(charlie, place=1)],
        by=user_of(alice),
        reason="Seen.",
        played_at=NOW,
        now=NOW,
    )
    objects(entered, charlie)
    reject(entered.pk, by=user_of(alice), reason="Seen.", now=NOW)
    assert all(action.own_match for action in StaffAction.objects.all())
    assert StaffAction.objects.count() == 4

    User.objects.filter(pk=gone.pk).update(is_active=True)
    forbidden(lambda: corrections.preview(entered, by=user_of(alice)))


def test_organisers_who_played_each_other_may_decide_if_no_other_can(
    reported_match: Match, alice: Player, charlie: Player
) -> None:
    organises(alice)
    organises(charlie)
    decide(reported_match.pk, verdict=UPHELD, by=user_of(charlie), reason="Agreed.", now=NOW)
    assert StaffAction.objects.get().own_match


def test_nobody_plays_a_step_of_decay(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    organises(alice)
    match = win(duel, alice, charlie)
    assert own_matches.is_own(match, user_of(alice))
    match.kind = Match.Kind.DECAY
    assert own_matches.check_own_match(match, user_of(alice)) == {}


def test_pages_and_the_api_refuse_it_and_offer_no_decision(
    duel: Arena, reported_match: Match, alice: Player, charlie: Player, bob: Player, olga: Player
) -> None:
    organises(charlie)
    rated = win(duel, charlie, bob)
    browser, program = browser_of(charlie), by_token(charlie)
    assert "Decide this match as staff" not in words(browser.get(reported_match.get_absolute_url()))
    assert "as staff" not in words(browser.get(rated.get_absolute_url()))
    assert "Decide this match as staff" in words(
        browser_of(olga).get(reported_match.get_absolute_url())
    )
    verdict = {"verdict": "upheld", "reason": "Me"}
    for name, match in (("match_decide", reported_match), ("match_correct", rated)):
        address = reverse(name, args=[match.pk])
        for page in (browser.get(address), browser.post(address, verdict)):
            assert (page.status_code, SENTENCE in words(page)) == (403, True)
    admin = browser.get(reverse("admin:league_match_change", args=[reported_match.pk]))
    assert (admin.status_code, "Decide this result" in words(admin)) == (200, False)
    answers = [
        send(program, reverse("api:match-decision", args=[reported_match.pk]), verdict),
        send(program, reverse("api:correction-preview", args=[rated.pk]), {}),
        send(
            program,
            reverse("api:corrections", args=[rated.pk]),
            {"reason": "Me", "digest": "0", "horizon": 0},
        ),
    ]
    for answer in answers:
        assert (answer.status_code, answer.json()["detail"]) == (403, SENTENCE)
    assert not StaffAction.objects.exists()


def test_the_staff_log_names_it(reported_match: Match, alice: Player) -> None:
    User.objects.filter(player=alice).update(is_staff=True, is_superuser=True)
    alice.refresh_from_db()
    decide(reported_match.pk, verdict=UPHELD, by=user_of(alice), reason="Seen.", now=NOW)
    log = browser_of(alice).get(reverse("admin:league_staffaction_changelist"))
    assert "Own match" in words(log)
    assert b"icon-yes" in log.content
