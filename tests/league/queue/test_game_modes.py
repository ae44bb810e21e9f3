"""Game modes in a queue: players choose theirs, and the match gets one that all of them chose."""

from collections.abc import Sequence

import pytest

from league.models import Arena, ArenaQueue, Match, Player, Proposal, Ticket
from league.services.core.errors import Refused
from league.services.integrity.queue import breaches
from league.services.queue import ready_checks, ticks
from league.services.queue.queueing import join
from league.services.queue.snapshots import take_snapshot
from tests.support.api_steps import by_token
from tests.support.cast import NOW
from tests.support.queue_steps import ANYBODY
from tests.support.web_steps import browser_of, words

MODES = ["Conquest", "Stronghold", "Courtyard"]


@pytest.fixture
def queue(duel: Arena) -> ArenaQueue:
    duel.modes = MODES
    duel.save()
    made = ArenaQueue(arena=duel, matcher="laurel")
    made.rules = {"queue": ANYBODY, "laurel": {"asking": -1e6}}
    made.full_clean()
    made.save()
    return made


def found(duel: Arena, seed: int = 1) -> Sequence[Proposal]:
    duel.ticks.all().delete()
    assert ticks.tick(duel.pk, now=NOW, seed=seed)
    return list(Proposal.objects.filter(state="open").order_by("id"))


def test_a_match_has_a_mode_that_both_chose_and_keeps_it(
    queue: ArenaQueue, duel: Arena, alice: Player, bob: Player
) -> None:
    join(duel, alice, [], now=NOW, modes=["Conquest", "Stronghold"])
    join(duel, bob, [], now=NOW, modes=["Stronghold", "Courtyard"])
    [check] = found(duel)
    assert check.mode == "Stronghold"
    assert "Game mode: Stronghold" in words(browser_of(alice).get("/arenas/duel/queue/"))
    seen = by_token(bob).get("/api/v1/arenas/duel/queue/").json()["ticket"]
    assert seen["ready_check"]["mode"] == "Stronghold"
    for player in (alice, bob):
        ready_checks.accept(check.pk, by=player, now=NOW)
    match = Match.objects.get()
    assert match.mode == "Stronghold"
    assert breaches(NOW) == []


def test_players_without_a_common_mode_do_not_meet(
    queue: ArenaQueue, duel: Arena, alice: Player, bob: Player
) -> None:
    join(duel, alice, [], now=NOW, modes=["Conquest"])
    join(duel, bob, [], now=NOW, modes=["Stronghold"])
    assert not found(duel)


def test_by_default_players_would_play_every_mode(
    queue: ArenaQueue, duel: Arena, alice: Player, bob: Player
) -> None:
    assert join(duel, alice, [], now=NOW).modes == MODES
    answer = by_token(bob).post("/api/v1/arenas/duel/queue/", {}, format="json")
    assert answer.json()["ticket"]["modes"] == MODES


@pytest.mark.parametrize("modes", [[], ["Conquest", "Chess"], ["conquest"]])
def test_only_modes_of_the_arena_can_be_chosen(
    queue: ArenaQueue, duel: Arena, alice: Player, modes: list[str]
) -> None:
    with pytest.raises(Refused, match="Conquest, Stronghold, Courtyard") as refusal:
        join(duel, alice, [], now=NOW, modes=modes)
    assert refusal.value.field == "modes"
    assert not Ticket.objects.exists()


def test_the_same_seed_draws_the_same_mode(
    queue: ArenaQueue, duel: Arena, alice: Player, bob: Player
) -> None:
    drawn = []
    for seed in (5, 5, *range(20)):
        for player in (alice, bob):
            join(duel, player, [], now=NOW)
        [check] = found(duel, seed)
        drawn.append(check.mode)
        Ticket.objects.all().update(state="left", proposal=None, team=None, closed_at=NOW)
        Proposal.objects.update(state="cancelled", closed_at=NOW)
        for ticket in Ticket.objects.all():
            ticket.members.update(open=False)
    assert drawn[0] == drawn[1]
    assert set(drawn) == set(MODES)


def test_modes_may_change_while_players_wait(
    queue: ArenaQueue, duel: Arena, alice: Player, bob: Player
) -> None:
    join(duel, alice, [], now=NOW, modes=["Conquest"])
    join(duel, bob, [], now=NOW, modes=["Conquest", "Stronghold"])
    duel.modes = ["Stronghold", "Chess"]
    duel.save()
    [check] = found(duel)
    # Alice wanted nothing that is left, so she meets everybody; Bob keeps what is left.
    assert check.mode == "Stronghold"
    assert breaches(NOW) == []


def test_without_modes_nothing_is_asked_or_shown(
    queue: ArenaQueue, duel: Arena, alice: Player, bob: Player
) -> None:
    duel.modes = []
    duel.save()
    page = words(browser_of(alice).get("/arenas/duel/queue/"))
    assert "mode" not in page.lower()
    assert join(duel, alice, [], now=NOW).modes == []
    with pytest.raises(Refused, match="has no game modes"):
        join(duel, bob, [], now=NOW, modes=["Conquest"])
    join(duel, bob, [], now=NOW)
    tickets = take_snapshot(duel.seasons.get(), queue.matching(), NOW).tickets
    assert {ticket.modes for ticket in tickets} == {frozenset()}
    [check] = found(duel)
    assert check.mode == ""
    assert "mode" not in words(browser_of(alice).get("/arenas/duel/queue/")).lower()


def test_a_match_in_a_mode_that_nobody_chose_is_a_breach(
    queue: ArenaQueue, duel: Arena, alice: Player, bob: Player
) -> None:
    for player in (alice, bob):
        join(duel, player, [], now=NOW, modes=["Conquest"])
    [check] = found(duel)
    Proposal.objects.update(mode="Courtyard")
    assert [breach.rule for breach in breaches(NOW)] == [
        "has a game mode that one of its rosters does not want"
    ]
    Proposal.objects.update(mode="Conquest")
    for player in (alice, bob):
        ready_checks.accept(check.pk, by=player, now=NOW)
    Match.objects.update(mode="Courtyard")
    assert [breach.rule for breach in breaches(NOW)] == [
        "became a match in another game mode or region"
    ]


def test_the_page_says_who_can_be_met(queue: ArenaQueue, duel: Arena, alice: Player) -> None:
    assert "choose at least one of the same modes" in words(
        browser_of(alice).get("/arenas/duel/queue/")
    )
    queue.matcher = "new"
    queue.save()
    assert "exactly the same modes" in words(browser_of(alice).get("/arenas/duel/queue/"))
