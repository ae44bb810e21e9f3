"""Voiding and correcting rated results: as if the mistake had never happened."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from django.db import IntegrityError, connection, transaction

from league.models import (
    Arena,
    Correction,
    CorrectionKind,
    CorrectionRequest,
    Match,
    Player,
    Rating,
    RatingEvent,
    StaffAction,
    Status,
    User,
)
from league.services import corrections
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.integrity.ratings import verify
from league.services.rating.tail import read_tail
from league.services.replay.diff import digest
from league.services.replay.edits import Change, Edit
from league.services.results.reports.answers import confirm
from tests.support.cast import NOW, beats
from tests.support.concurrency import all_at_once
from tests.support.correction_steps import ask, correct
from tests.support.imported_histories import stored_history


def win(arena: Arena, winner: Player, loser: Player, days_ago: int = 0) -> Match:
    match = beats(winner, loser, arena, now=NOW - timedelta(days=days_ago))
    return confirm(match.pk, by=loser, now=NOW)


def test_the_preview_shows_moves_without_writing_anything(
    duel: Arena, alice: Player, bob: Player, charlie: Player, dora: Player, boss: User
) -> None:
    mistake = win(duel, alice, charlie)
    win(duel, bob, alice)
    win(duel, dora, bob)
    before = stored_history(duel.seasons.get())
    seen = corrections.preview(mistake, by=boss)
    assert stored_history(duel.seasons.get()) == before
    assert (seen.matches, seen.players, seen.events) == (2, 4, 6)
    moved = {movement.player.name: movement for movement in seen.movements}
    assert set(list(moved)[:2]) == {"Alice", "Charlie"}
    assert moved["Charlie"].rating_after is None
    done = correct(mistake, boss)
    assert done.correction
    assert done.correction.players == seen.players
    assert done.correction.largest_change == seen.largest_change > 0
    ranked = Rating.objects.filter(season__arena=duel).order_by("-rating")
    assert [rating.player.name for rating in ranked] == [
        movement.player.name
        for movement in sorted(moved.values(), key=lambda m: m.rank_after or 9)
        if movement.rank_after
    ]
    assert {r.player.name: r.rating for r in ranked} == {
        name: movement.rating_after for name, movement in moved.items() if name != "Charlie"
    }


def test_a_late_result_keeps_its_place_in_the_order_of_rating(
    duel: Arena, alice: Player, bob: Player, charlie: Player, boss: User
) -> None:
    win(duel, alice, bob)
    mistake = win(duel, alice, charlie, days_ago=9)
    win(duel, bob, charlie, days_ago=20)
    win(duel, alice, bob, days_ago=3)
    correct(mistake, boss, [(1, None), (0, None)])
    assert verify(duel.seasons.get()) == []
    correct(Match.objects.get(pk=mistake.pk), boss)
    assert verify(duel.seasons.get()) == []
    assert Rating.objects.get(player=charlie).last_played_at == NOW - timedelta(days=20, hours=1)


def test_the_ledgers_record_the_correction_and_the_old_result(
    duel: Arena, alice: Player, charlie: Player, boss: User
) -> None:
    match = win(duel, alice, charlie)
    told = match.events.get(player=alice).rating_after
    correct(match, boss, [(1, 2.0), (0, 3.0)])
    match.refresh_from_db()
    assert match.status == Status.RATED
    assert [side.place for side in match.sides.order_by("index")] == [1, 0]
    assert match.events.get(player=alice).rating_after < 1200
    old = RatingEvent.ever.get(player=alice, superseded_by__isnull=False)
    assert old.rating_after == told
    made = Correction.objects.get()
    assert (made.kind, made.reason, made.by) == (CorrectionKind.RESULT, "A mistake", boss)
    assert made.details["was"] == [{"place": 0, "score": None}, {"place": 1, "score": None}]
    assert made.details["is"] == [{"place": 1, "score": 2.0}, {"place": 0, "score": 3.0}]
    action = StaffAction.objects.get()
    assert (action.kind, action.match, action.reason) == ("corrected", match, "A mistake")

    correct(match, boss)
    match.refresh_from_db()
    assert (match.status, match.rated_order, match.events.count()) == (Status.VOID, None, 0)
    assert not Rating.objects.filter(season=match.season).exists()
    assert RatingEvent.ever.filter(match=match).count() == 4


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE league_ratingevent SET superseded_by_id = NULL WHERE superseded_by_id IS NOT NULL",
        "UPDATE league_ratingevent SET superseded_by_id = {}, rating_after = 9000",
        "UPDATE league_ratingevent SET superseded_by_id = {} WHERE superseded_by_id IS NOT NULL",
        "UPDATE league_correction SET reason = 'None'",
        "DELETE FROM league_correction",
        "DELETE FROM league_ratingevent",
    ],
)
def test_an_event_is_superseded_once_and_never_changed(
    duel: Arena, alice: Player, charlie: Player, boss: User, statement: str
) -> None:
    done = correct(win(duel, alice, charlie), boss, [(1, None), (0, None)])
    with (
        pytest.raises(IntegrityError, match="written once and never changed"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement.format(done.correction_id))


def test_invalid_corrections_are_refused_with_a_reason(
    duel: Arena, alice: Player, charlie: Player, boss: User
) -> None:
    open_match, match = beats(alice, charlie, duel), win(duel, alice, charlie)
    duel.seasons.update(archived_at=NOW)
    with pytest.raises(Conflict, match="is archived"):
        corrections.preview(Match.objects.get(pk=match.pk), by=boss)
    duel.seasons.update(archived_at=None)
    match.refresh_from_db()
    with pytest.raises(Conflict, match="not rated yet"):
        corrections.preview(open_match, by=boss)
    assert alice.user
    with pytest.raises(Forbidden, match="Only staff"):
        corrections.preview(match, by=alice.user)
    with pytest.raises(Refused, match="already the result that counts"):
        corrections.preview(match, by=boss, placings=[(0, None), (1, None)])
    with pytest.raises(Refused, match="each of the 2 sides"):
        corrections.preview(match, by=boss, placings=[(0, None)])
    with pytest.raises(Refused, match="At least one side must be first"):
        corrections.preview(match, by=boss, placings=[(1, None), (1, None)])
    with pytest.raises(Refused, match="Give a reason"):
        corrections.ask(match, by=boss, reason=" ", digest="", horizon=0, now=NOW)
    correct(match, boss)
    match.refresh_from_db()
    with pytest.raises(Conflict, match="already void"):
        corrections.preview(match, by=boss)


def test_results_confirmed_after_the_preview_are_rated_again_too(
    duel: Arena, alice: Player, bob: Player, charlie: Player, boss: User
) -> None:
    mistake = win(duel, alice, charlie)
    win(duel, bob, alice)
    asked = ask(mistake, boss)
    win(duel, charlie, bob)
    done = corrections.carry_out(asked.pk, NOW)
    assert done
    assert done.state == CorrectionRequest.State.DONE
    assert done.correction
    assert done.correction.matches == 2
    assert verify(duel.seasons.get()) == []


def test_a_correction_with_an_outdated_preview_is_refused(
    duel: Arena, alice: Player, bob: Player, charlie: Player, boss: User
) -> None:
    first, second = win(duel, alice, charlie), win(duel, bob, alice)
    asked = ask(first, boss)
    assert ask(first, boss) == asked
    with pytest.raises(Conflict, match="is already waiting"):
        ask(first, boss, [(1, None), (0, None)])
    correct(second, boss)
    done = corrections.carry_out(asked.pk, NOW)
    assert done
    assert done.state == CorrectionRequest.State.REFUSED
    assert "Check it again" in done.refusal
    assert Match.objects.get(pk=first.pk).status == Status.RATED
    correct(first, boss)
    assert verify(duel.seasons.get()) == []


def test_a_request_from_before_the_column_of_counted_matches_is_still_made(
    duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    mistake = win(duel, alice, charlie)
    win(duel, bob, alice)
    assert mistake.rated_order is not None
    now = read_tail(duel.seasons.get(), -1)
    columns = {name: values for name, values in now.columns.items() if name != "counted"}
    edit = Edit([Change(mistake.pk, mistake.rated_order)])
    prints = [digest(tail, edit, now.horizon) for tail in (replace(now, columns=columns), now)]
    assert prints[0] == prints[1]


@pytest.mark.django_db(transaction=True)
def test_concurrent_workers_make_a_correction_once(
    duel: Arena, alice: Player, bob: Player, charlie: Player, boss: User
) -> None:
    first, second = win(duel, alice, charlie), win(duel, bob, alice)
    waits = beats(charlie, bob, duel)
    both = [ask(first, boss), ask(second, boss)]
    calls = [partial(corrections.carry_out, asked.pk, NOW) for asked in both * 4]
    all_at_once([*calls, partial(confirm, waits.pk, by=bob, now=NOW)])
    states = sorted(CorrectionRequest.objects.values_list("state", flat=True))
    # Whichever comes first moves the other's history, unless it is of later results alone.
    assert states in (["done", "done"], ["done", "refused"])
    assert Correction.objects.count() == states.count("done")
    assert corrections.waiting() == []
    assert verify(duel.seasons.get()) == []


CARRY_OUT_AND_HANG = """
import sys, time, django
django.setup()
from django.db import connections
connections["default"].settings_dict["NAME"] = sys.argv[1]
from django.db import transaction
from league.services import corrections
from league.services.core.clock import database_now
with transaction.atomic():
    corrections.carry_out(int(sys.argv[2]), database_now())
    print("made", flush=True)
    time.sleep(600)
"""


@pytest.mark.django_db(transaction=True)
def test_a_killed_correction_leaves_nothing_and_the_next_worker_finishes(
    duel: Arena, alice: Player, bob: Player, charlie: Player, boss: User
) -> None:
    mistake = win(duel, alice, charlie)
    win(duel, bob, alice)
    asked = ask(mistake, boss)
    before = stored_history(duel.seasons.get())
    command = [sys.executable, "-c", CARRY_OUT_AND_HANG]
    name = str(connection.settings_dict["NAME"])
    with subprocess.Popen([*command, name, str(asked.pk)], stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"made\n"
        os.kill(process.pid, signal.SIGKILL)
    assert stored_history(duel.seasons.get()) == before
    deadline = time.monotonic() + 60
    while corrections.waiting() and time.monotonic() < deadline:
        corrections.carry_out(asked.pk, NOW)
    assert Correction.objects.count() == 1
    assert verify(duel.seasons.get()) == []
