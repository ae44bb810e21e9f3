"""Pools: rosters meet rosters, and lone players meet lone players, where a queue says so."""

from datetime import timedelta

import pytest
from django.urls import reverse

from league.models import Arena, ArenaQueue, Match, Player, Proposal, Roster, RosterMember
from league.services.queue.queueing import join
from league.services.queue.ready_checks import accept
from league.services.queue.ticks import run_again, tick
from tests.support.cast import NOW
from tests.support.queue_steps import assert_laws, crowd, everyone_is_there
from tests.support.web_steps import browser_of, words


def apart(queue: ArenaQueue, matcher: str) -> ArenaQueue:
    queue.pools, queue.matcher = ArenaQueue.Pools.APART, matcher
    queue.rules["laurel"]["asking"] = -1e6
    queue.save()
    return queue


def pair(arena: Arena) -> list[Player]:
    captain, mate = crowd(2)
    roster = Roster.objects.create(arena=arena, name=captain.name, captain=captain)
    RosterMember.objects.bulk_create(
        RosterMember(roster=roster, player=player) for player in (captain, mate)
    )
    join(arena, captain, [captain, mate], now=NOW, roster=roster)
    everyone_is_there()
    return [captain, mate]


@pytest.mark.parametrize("matcher", ["new", "old", "laurel"])
def test_lone_players_and_rosters_meet_only_their_own(
    queue: ArenaQueue, teams: Arena, matcher: str
) -> None:
    teams.modes = ["Conquest", "Stronghold"]
    teams.save()
    apart(queue, matcher)
    pair(teams)
    for player in crowd(2):
        join(teams, player, [], now=NOW)
    assert tick(teams.pk, now=NOW, seed=1)
    assert not Proposal.objects.exists()
    pair(teams)
    for player in crowd(2):
        join(teams, player, [], now=NOW)
    made = tick(teams.pk, now=NOW + timedelta(minutes=1), seed=1)
    assert made
    assert made.proposed == 2
    sizes = [
        {ticket.members.count() for ticket in check.tickets.all()}
        for check in Proposal.objects.all()
    ]
    assert sorted(sizes, key=min) == [{1}, {2}]
    assert {check.mode for check in Proposal.objects.all()} <= set(teams.modes)
    assert run_again(made) == made.found
    assert_laws(players=8)


def test_without_modes_a_match_of_a_pool_has_none(queue: ArenaQueue, teams: Arena) -> None:
    apart(queue, "new")
    people = crowd(4)
    for player in people:
        join(teams, player, [], now=NOW)
    tick(teams.pk, now=NOW, seed=1)
    check = Proposal.objects.get()
    assert check.mode == ""
    for player in people:
        accept(check.pk, by=player, now=NOW)
    assert Match.objects.get().mode == ""


def test_mixed_is_the_default(queue: ArenaQueue, teams: Arena) -> None:
    pair(teams)
    for player in crowd(2):
        join(teams, player, [], now=NOW)
    made = tick(teams.pk, now=NOW, seed=1)
    assert made
    assert made.proposed == 1


def test_the_page_says_so(queue: ArenaQueue, teams: Arena, alice: Player) -> None:
    said = "Players who queue alone only meet each other here"
    where = reverse("queue", args=[teams.slug])
    queue.arena.seasons.update(starts_at=NOW)
    assert said not in words(browser_of(alice).get(where))
    apart(queue, "new")
    assert said in words(browser_of(alice).get(where))
