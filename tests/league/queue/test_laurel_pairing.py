"""The league's queues with the matcher ``laurel``: fair by the odds that players are shown."""

from datetime import timedelta

from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import Arena, ArenaQueue, Player, Proposal
from league.services.queue.queueing import join
from league.services.queue.ticks import run_again, tick
from league.services.results.reports.live import StartingSide, start
from tests.support.cast import NOW
from tests.support.queue_steps import ANYBODY, crowd, rated


def uses_laurel(queue: ArenaQueue, **rules: object) -> None:
    """Make the queue use the Laurel matcher, at any cost unless ``rules`` say otherwise."""
    queue.matcher = ArenaQueue.Matcher.LAUREL
    queue.rules = {"queue": ANYBODY, "laurel": {"asking": -1e6, **rules}}
    queue.full_clean()
    queue.save()


def pair_of(proposal: Proposal) -> frozenset[str]:
    """Return the proposed pairings of teams of one."""
    return frozenset(ticket.captain.name for ticket in proposal.tickets.all())


def test_laurel_refuses_a_match_with_a_certain_winner(queue: ArenaQueue, teams: Arena) -> None:
    uses_laurel(queue, fairness=0.1)
    strong, *others = crowd(4)
    rated(strong, teams, 2400)
    for player in others:
        rated(player, teams, 1500)
    for player in (strong, *others):
        join(teams, player, [], now=NOW)
    assert (made := tick(teams.pk, now=NOW + timedelta(hours=2), seed=1))
    assert made.matches == 0
    uses_laurel(queue, fairness=0.5)
    assert (made := tick(teams.pk, now=NOW + timedelta(hours=3), seed=1))
    assert made.matches == 1


def meet(arena: Arena, one: Player, other: Player) -> None:
    match = start(arena, [StartingSide(one, [one]), StartingSide(other, [other])], now=NOW)
    match.participants.update(live=False)


def test_laurel_avoids_rematches(
    duel: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    queue = ArenaQueue.objects.create(arena=duel)
    uses_laurel(queue)
    meet(duel, alice, charlie)
    meet(duel, bob, dora)
    for player, rating in ((alice, 1500), (charlie, 1501), (bob, 1510), (dora, 1511)):
        rated(player, duel, rating)
        join(duel, player, [], now=NOW)
    assert (made := tick(duel.pk, now=NOW + timedelta(minutes=1), seed=1))
    assert made.proposed == 2
    again = {frozenset(("Alice", "Charlie")), frozenset(("Bob", "Dora"))}
    assert not again & {pair_of(proposal) for proposal in Proposal.objects.all()}
    assert run_again(made) == made.found


def test_laurel_allows_a_rematch_when_nobody_else_waits(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    queue = ArenaQueue.objects.create(arena=duel)
    uses_laurel(queue)
    meet(duel, alice, charlie)
    for player in (alice, charlie):
        join(duel, player, [], now=NOW)
    assert (made := tick(duel.pk, now=NOW + timedelta(minutes=1), seed=1))
    assert made.proposed == 1


def test_a_tick_reads_the_ratings_once_for_its_matcher_and_its_odds(
    queue: ArenaQueue, teams: Arena
) -> None:
    uses_laurel(queue)
    for number, player in enumerate(crowd(4)):
        rated(player, teams, 1500 + number)
        join(teams, player, [], now=NOW)
    with CaptureQueriesContext(connection) as statements:
        assert (made := tick(teams.pk, now=NOW, seed=1))
    assert made.proposed == 1
    assert Proposal.objects.get().forecast is not None
    assert sum('"league_rating"."rating"' in each["sql"] for each in statements) == 1
