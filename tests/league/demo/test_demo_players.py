"""The demo's simulated players use the same services as people and disturb nobody."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import transaction
from django.db.models import F
from pytest_django import DjangoDbBlocker, Settings

from league.models import (
    Arena,
    ArenaQueue,
    Match,
    Participant,
    Player,
    Proposal,
    Rating,
    Roster,
    Settlement,
    Side,
    Status,
    Ticket,
)
from league.services.demo import players, seeding
from league.services.demo.players import Crowd, simulated_players
from league.services.demo.skirmish import TEAM, character
from league.services.integrity.queue import breaches, summarize_queue
from league.services.integrity.ratings import verify
from league.services.queue import queueing, ready_checks, ticks
from league.services.results.reports import answers
from tests.support.cast import NOW
from tests.support.effort import LONG

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def demo_arena(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """One skirmish for all tests of this file. What each of them changes is rolled back."""
    with django_db_blocker.unblock(), transaction.atomic():
        seeding.seed_skirmish(NOW, lambda *_: None)
        seeding.analyze_tables()
        yield
        transaction.set_rollback(True)


@pytest.fixture
def skirmish(demo_arena: None, db: None) -> Arena:
    return Arena.objects.get(slug="skirmish")


def test_make_run_is_told_where_simulated_players_can_play(
    skirmish: Arena, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.STATIC_ROOT = settings.DATA_DIR = tmp_path
    monkeypatch.setenv("DEMO", "0")
    Arena.objects.update(name="Five a side")
    call_command("prepare")
    note = tmp_path / "simulated-players"
    assert note.read_text() == "Five a side"
    Arena.objects.update(slug="another")
    call_command("prepare")
    assert not note.exists()


def pass_time(
    arena: Arena,
    crowd: Crowd,
    now: datetime,
    seconds: int,
    *,
    until: Callable[[], bool] = lambda: False,
) -> datetime:
    """Run the players, the dispatcher and the sweepers, second by second."""
    for _ in range(seconds):
        if until():
            break
        now += timedelta(seconds=1)
        crowd.act(now)
        ticks.tick(arena.pk, now=now, seed=int(now.timestamp()))
        ready_checks.cancel_expired(now)
        answers.confirm_expired(now)
    return now


LONGEST = 600
"""Seconds of demo time after which something must have happened."""

CHARACTERS = """
import sys, django
django.setup()
from league.services.demo.skirmish import character
print([character(name) for name in sys.argv[1:]])
"""


def queued(arena: Arena) -> list[Match]:
    """Return the matches of the queue."""
    return list(Match.objects.filter(arena=arena, proposal__isnull=False))


def enough(arena: Arena, rated: int) -> bool:
    """Return whether so many matches are rated. A long run goes on for the whole minute."""
    return not LONG and sum(match.status == Status.RATED for match in queued(arena)) >= rated


def test_ratings_move_within_a_minute_and_no_rule_is_broken(
    skirmish: Arena,
) -> None:
    before = dict(Rating.objects.filter(season__arena=skirmish).values_list("player", "rating"))
    crowd = Crowd(skirmish)
    now = pass_time(skirmish, crowd, NOW, 60, until=lambda: enough(skirmish, 1))
    assert len(crowd.players) == seeding.SKIRMISHERS
    first = [match for match in queued(skirmish) if match.status == Status.RATED]
    assert first
    after = dict(Rating.objects.filter(season__arena=skirmish).values_list("player", "rating"))
    assert before != after

    crowd = Crowd(skirmish)  # as after a restart: what was begun is gone on with
    now = pass_time(skirmish, crowd, now, 60, until=lambda: enough(skirmish, len(first) + 4))
    assert breaches(now) == []
    known = summarize_queue(skirmish)
    assert sum(known.matches.values()) == known.checks["accepted"] >= 4
    assert known.matches["rated"] > len(first)
    assert known.served >= 30
    parties = Ticket.objects.filter(state=Ticket.State.PLAYED).exclude(roster=None)
    assert any(party.members.count() > 1 for party in parties)
    for match in queued(skirmish):
        assert match.participants.count() == 2 * TEAM
    assert verify(skirmish.seasons.get()) == []


def test_while_the_queue_is_closed_they_finish_their_matches_and_rest(
    skirmish: Arena,
) -> None:
    crowd = Crowd(skirmish)
    now = pass_time(skirmish, crowd, NOW, 40, until=lambda: len(queued(skirmish)) > 1)
    ArenaQueue.objects.update(is_open=False)
    tickets = Ticket.objects.count()
    now = pass_time(skirmish, crowd, now, 120)
    assert Ticket.objects.count() == tickets
    # Simulated players have no account, so a report that one of them forgets to answer lapses.
    lapsed = [match for match in queued(skirmish) if match.settlement == Settlement.LAPSED]
    ended = {match.status for match in queued(skirmish) if match not in lapsed}
    assert ended <= {Status.RATED, Status.DISPUTED}
    assert all(match.reported_by_side is not None for match in lapsed)
    assert not Participant.objects.filter(live=True).exists()
    assert breaches(now) == []


def test_an_error_of_one_player_is_logged_and_stops_nobody_else(
    skirmish: Arena, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    real = queueing.join
    tried: list[Player] = []

    def join(arena: Arena, captain: Player, *arguments: object, **options: object) -> object:
        tried.append(captain)
        if len(tried) % 2:
            raise RuntimeError("an error of one player")
        return real(arena, captain, *arguments, **options)  # type: ignore[arg-type] # as they came

    monkeypatch.setattr(queueing, "join", join)
    pass_time(skirmish, Crowd(skirmish), NOW, 4)
    assert len(tried) >= 20
    assert Ticket.objects.count() >= len(tried) // 3
    assert "an error of one player" in caplog.text
    assert breaches(NOW) == []


def test_alice_queues_with_them_accepts_plays_and_is_rated(skirmish: Arena, alice: Player) -> None:
    crowd = Crowd(skirmish)
    now = pass_time(skirmish, crowd, NOW, 2)
    mine = queueing.join(skirmish, alice, [], now=now)
    rated = Rating.objects.filter(player=alice, games=1)
    for _ in range(LONGEST):
        if rated.exists():
            break
        now = pass_time(skirmish, crowd, now, 1)
        mine = go_on(mine, alice, now)
    assert rated.exists()
    assert alice.pk not in crowd.players
    assert breaches(now) == []


def go_on(ticket: Ticket, player: Player, now: datetime) -> Ticket:
    """Do what waits for a player with this ticket, and return their current one."""
    ticket.refresh_from_db()
    proposal = ticket.proposal
    if proposal and ticket.state == Ticket.State.PROPOSED:
        ready_checks.accept(proposal.pk, by=player, now=now)
    match = proposal.match if proposal else None
    if match and match.settlement == Settlement.LAPSED:  # the simulated captain forgot it
        return queueing.join(ticket.arena, player, [], now=now)
    leads = Side.objects.filter(match=match, captain=player).exclude(
        match__reported_by_side=F("index")
    )
    if match and match.status == Status.REPORTED and leads.exists():
        answers.confirm(match.pk, by=player, now=now)
    return ticket


def test_players_with_an_account_are_not_simulated(skirmish: Arena, alice: Player) -> None:
    own = simulated_players(skirmish)[0]
    alice.user, user = None, alice.user
    alice.save()
    own.user = user
    own.save()
    assert own not in simulated_players(skirmish)
    assert alice not in simulated_players(skirmish)


def test_the_same_people_do_the_same_in_every_process(skirmish: Arena) -> None:
    names = [player.name for player in simulated_players(skirmish)[:20]]
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            CHARACTERS,
            *names,
        ],
        env={
            "DJANGO_SETTINGS_MODULE": "league.settings",
            "LAUREL_OFFLINE": "1",
            "PYTHONHASHSEED": "7",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.strip() == str([character(name) for name in names])
    match = Match(pk=17, played_at=NOW)
    assert players.length_of(match) == players.length_of(Match(pk=17))
    assert players.length_of(match) != players.length_of(Match(pk=18))


def test_the_rosters_of_the_skirmish_are_of_its_players_each_in_one(skirmish: Arena) -> None:
    people = {player.pk for player in simulated_players(skirmish)}
    rosters = Roster.objects.filter(arena=skirmish).prefetch_related("members")
    members = [member.pk for roster in rosters for member in roster.members.all()]
    assert len(members) == len(set(members)) > 60
    assert people.issuperset(members)
    assert {roster.members.count() for roster in rosters} == {2, 3, 4, 5}


def test_missing_a_ready_check_is_penalised_and_the_others_find_another_match(
    skirmish: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players, "UNFIT_RELIABLE", 0.05)

    def both() -> bool:
        cancelled = Proposal.objects.filter(state=Proposal.State.CANCELLED)
        return any(proposal.missed for proposal in cancelled) and any(
            match.status == Status.RATED for match in queued(skirmish)
        )

    now = pass_time(skirmish, Crowd(skirmish), NOW, LONGEST, until=both)
    assert both()
    assert breaches(now) == []
