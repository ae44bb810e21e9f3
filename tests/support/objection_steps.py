"""Steps with objections to rated results."""

from datetime import datetime

import pytest

from league.models import (
    Agreement,
    Arena,
    Match,
    Notice,
    NoticeKind,
    Objection,
    Player,
    Rating,
    Roster,
    StaffAction,
)
from league.services.core.errors import Refused
from league.services.results.reports.answers import confirm
from league.services.results.reports.live import Finish, StartingSide, finish, start
from league.services.results.staff.objections import object_to, reject
from tests.support.cast import NOW
from tests.support.result_steps import user_of


def reported_by_owls(teams: Arena, owls: Roster, foxes: Roster) -> Match:
    """The Owls report that they beat the Foxes, two against two."""
    sides = [
        StartingSide(roster.captain, list(roster.members.all()), roster) for roster in (owls, foxes)
    ]
    match = start(teams, sides, now=NOW, agreed_by=Agreement.READY_CHECK)
    return finish(match.pk, [Finish(0), Finish(1)], reporter=owls.captain, now=NOW)


@pytest.fixture
def team_match(teams: Arena, owls: Roster, foxes: Roster) -> Match:
    """The Owls beat the Foxes, two against two."""
    match = reported_by_owls(teams, owls, foxes)
    return confirm(match.pk, by=foxes.captain, now=NOW)


def objects(
    match: Match, player: Player, *, now: datetime = NOW, reason: str = "A draw."
) -> Objection:
    object_to(match.pk, by=player, reason=reason, now=now)
    return Objection.objects.get(match=match, player=player)


def rejects(match: Match, olga: Player, *, now: datetime = NOW) -> Match:
    return reject(match.pk, by=user_of(olga), reason="The replay shows it.", now=now)


def refused(match: Match, player: Player, *, now: datetime = NOW) -> str:
    """Return the code by which an objection is refused without writing anything."""
    before = (Objection.objects.count(), Notice.objects.count(), StaffAction.objects.count())
    with pytest.raises(Refused) as refusal:
        object_to(match.pk, by=player, reason="A draw.", now=now)
    assert before == (
        Objection.objects.count(),
        Notice.objects.count(),
        StaffAction.objects.count(),
    )
    assert refusal.value.message
    return refusal.value.code


def rating_of(player: Player) -> float:
    return Rating.objects.get(player=player).rating


def told(player: Player, kind: NoticeKind, match: Match) -> bool:
    return Notice.objects.filter(player=player, kind=kind, match=match).exists()
