"""Amnesties: previewed, and granted once."""

from collections import Counter
from datetime import timedelta
from functools import partial

import pytest

from league.models import Amnesty, Arena, DishonorAward, Offence, Player, StaffAction
from league.services.core.errors import Forbidden, Refused
from league.services.core.types import PlayedBy
from league.services.dishonor.amnesties import Effect, Incident, grant, preview
from league.services.dishonor.discipline import penalise, status_of
from league.services.results.reports.answers import confirm
from league.services.results.reports.live import Finish, StartingSide, finish, start
from tests.support.cast import NOW
from tests.support.concurrency import all_at_once

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
SINCE, UNTIL = NOW - MINUTE, NOW + MINUTE


@pytest.fixture
def fallen(duel: Arena, teams: Arena, alice: Player, bob: Player) -> Incident:
    """The duel's server crashed at noon. Bob dodged an hour before, and in another arena."""
    penalise([bob], Offence.QUEUE_DODGE, duel, now=NOW - HOUR)
    penalise([alice, bob], Offence.QUEUE_DODGE, duel, now=NOW)
    penalise([bob], Offence.QUEUE_DODGE, teams, now=NOW)
    return Incident(SINCE, UNTIL, duel)


def test_an_amnesty_does_what_its_preview_shows(
    fallen: Incident, alice: Player, bob: Player, olga: Player
) -> None:
    assert olga.user
    effect = preview(fallen, NOW)
    assert effect == Effect(
        penalties=2, players=2, stacks=6, freed=1, by_offence=[("not accepting a match", 2)]
    )
    assert not Amnesty.objects.exists()
    assert grant(fallen, by=olga.user, reason=" The server fell. ", now=NOW) == effect.penalties
    assert status_of(alice, NOW).stacks == 0
    assert not status_of(alice, NOW).in_timeout
    assert status_of(bob, NOW).stacks == 6
    action = StaffAction.objects.get()
    assert (action.kind, action.reason) == (StaffAction.Kind.AMNESTY, "The server fell.")
    void = Amnesty.objects.filter(action=action).values_list("award", flat=True)
    assert action.details["penalties"] == sorted(void)
    assert fallen.arena is not None
    assert (action.arena_id, action.details["arena"]) == (fallen.arena.pk, "Duel")


@pytest.mark.django_db(transaction=True)
def test_two_staff_at_once_grant_an_amnesty_once(fallen: Incident, olga: Player) -> None:
    assert olga.user
    granted = partial(grant, fallen, by=olga.user, reason="The server fell.", now=NOW)
    assert Counter(all_at_once([granted] * 8)) == {0: 7, 2: 1}
    assert StaffAction.objects.count() == 1


def test_an_amnesty_can_cover_all_arenas_or_one_player(
    fallen: Incident, bob: Player, olga: Player
) -> None:
    assert olga.user
    everywhere = Incident(SINCE, UNTIL)
    assert preview(everywhere, NOW).penalties == 3
    assert grant(Incident(SINCE, UNTIL, player=bob), by=olga.user, reason="So", now=NOW) == 2
    assert preview(everywhere, NOW).players == 1


def test_an_amnesty_lifts_bans_only_if_they_are_selected(
    duel: Arena, bob: Player, olga: Player
) -> None:
    assert olga.user
    penalise([bob], Offence.BANNED, duel, now=NOW)
    assert grant(Incident(SINCE, UNTIL), by=olga.user, reason="So", now=NOW) == 0
    lifted = Incident(SINCE, UNTIL, player=bob, offences=(Offence.BANNED,))
    assert preview(lifted, NOW).freed == 1
    assert grant(lifted, by=olga.user, reason="He appealed.", now=NOW) == 1
    assert not status_of(bob, NOW).in_timeout


def test_an_amnesty_covers_matches_settled_later(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    assert olga.user
    sides = [StartingSide(alice, [alice]), StartingSide(charlie, [charlie])]
    match = start(duel, sides, now=NOW - HOUR)
    quitter = [PlayedBy(charlie, quit=True)]
    finish(match.pk, [Finish(0), Finish(1, None, quitter)], reporter=alice, now=NOW)
    incident = Incident(SINCE, UNTIL, duel)
    assert preview(incident, NOW).penalties == 0
    confirm(match.pk, by=charlie, now=NOW + HOUR)
    assert grant(incident, by=olga.user, reason="The server fell.", now=NOW + HOUR) == 1
    assert status_of(charlie, NOW + HOUR).stacks == 0


def test_an_amnesty_is_for_staff_with_a_reason_and_a_window(
    fallen: Incident, bob: Player, olga: Player
) -> None:
    assert bob.user
    assert olga.user
    with pytest.raises(Forbidden):
        grant(fallen, by=bob.user, reason="Please", now=NOW)
    with pytest.raises(Refused, match="Give a reason"):
        grant(fallen, by=olga.user, reason=" ", now=NOW)
    backwards = Incident(UNTIL, SINCE)
    for refused in (
        partial(grant, backwards, by=olga.user, reason="So", now=NOW),
        partial(preview, backwards, NOW),
    ):
        with pytest.raises(Refused, match="must not end before it starts"):
            refused()
    assert DishonorAward.objects.standing().count() == 4
