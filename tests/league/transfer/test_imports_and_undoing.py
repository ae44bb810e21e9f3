"""Corrections are undone after imports only where the order of rating allows it."""

from datetime import datetime

import pytest

from league.models import Arena, CorrectionRequest, Job, Match, Status, User
from league.services.core.errors import Conflict
from league.services.corrections import undoing
from league.services.integrity.ratings import verify
from tests.support.correction_steps import correct, undo
from tests.support.import_steps import boss, bring, undone
from tests.support.imported_histories import stored_history

__all__ = ["boss"]


HEAD = "date,home,away,home score,away score\n"
MIDDLE = f"""{HEAD}2026-01-02 10:00,Alice,Bob,3,1
2026-01-03 10:00,Bob,Charlie,3,1
2026-01-04 10:00,Charlie,Alice,3,1
2026-01-05 10:00,Alice,Bob,3,1
2026-01-06 10:00,Charlie,Bob,3,1
"""
EARLY = f"{HEAD}2026-01-01 20:00,Alice,Charlie,3,1\n"
LATE = f"{HEAD}2026-01-07 20:00,Alice,Charlie,3,1\n"


def third() -> Match:
    return Match.objects.rated().order_by("rated_order")[2]


def in_order() -> list[datetime]:
    return list(Match.objects.rated().order_by("rated_order").values_list("played_at", flat=True))


def test_a_result_keeps_the_place_that_an_import_gave_it(duel: Arena, boss: User) -> None:
    bring(duel, boss, MIDDLE)
    season = duel.seasons.get()
    made = correct(third(), boss, [(1, 1.0), (0, 3.0)]).correction
    assert made
    bring(duel, boss, EARLY)
    done = undo(made, boss)
    assert done.state == CorrectionRequest.State.DONE, done.refusal
    assert in_order() == sorted(in_order())
    assert verify(season) == []
    again = done.correction
    assert again
    bring(duel, boss, f"{HEAD}2026-01-01 10:00,Bob,Charlie,3,1\n")
    assert undo(again, boss).state == CorrectionRequest.State.DONE
    assert in_order() == sorted(in_order())
    assert verify(season) == []


def test_a_void_match_that_lost_its_place_does_not_come_back(duel: Arena, boss: User) -> None:
    bring(duel, boss, MIDDLE)
    season = duel.seasons.get()
    made = correct(third(), boss).correction
    assert made
    file = bring(duel, boss, EARLY)
    with pytest.raises(Conflict, match="Enter them again"):
        undo(made, boss)
    assert undone(file).state == Job.State.DONE
    with pytest.raises(Conflict, match="Enter them again"):
        undo(made, boss)
    assert in_order() == sorted(in_order())
    assert verify(season) == []


def test_a_void_match_keeps_its_place_before_later_imports(duel: Arena, boss: User) -> None:
    bring(duel, boss, MIDDLE)
    season = duel.seasons.get()
    before = stored_history(season)
    made = correct(third(), boss).correction
    assert made
    late = bring(duel, boss, LATE)
    assert undone(late).state == Job.State.DONE
    bring(duel, boss, LATE)
    assert undo(made, boss).state == CorrectionRequest.State.DONE
    assert in_order() == sorted(in_order())
    assert verify(season) == []
    correct(Match.objects.rated().order_by("rated_order")[5], boss)
    assert stored_history(season) == before


def test_no_correction_is_undone_over_the_undo_of_an_import(duel: Arena, boss: User) -> None:
    file = bring(duel, boss, MIDDLE)
    match = third()
    made = correct(match, boss, [(1, 1.0), (0, 3.0)]).correction
    assert made
    assert undone(file).state == Job.State.DONE
    with pytest.raises(Conflict, match="Undo the later correction first"):
        undo(made, boss)
    match.refresh_from_db()
    assert match.status == Status.VOID
    assert undoing.undoable(match) == []


def test_no_correction_is_undone_over_a_result_that_an_import_set(duel: Arena, boss: User) -> None:
    bring(duel, boss, f"id,{HEAD}a,2026-01-02 10:00,Alice,Bob,3,1\n")
    made = correct(Match.objects.get(), boss, [(1, 1.0), (0, 3.0)]).correction
    assert made
    file = bring(duel, boss, f"id,{HEAD}a,2026-01-02 10:00,Alice,Bob,2,2\n")
    with pytest.raises(Conflict, match="Undo the later correction first"):
        undo(made, boss)
    assert undone(file).state == Job.State.DONE
    with pytest.raises(Conflict, match="Undo the later correction first"):
        undo(made, boss)
    assert verify(duel.seasons.get()) == []
