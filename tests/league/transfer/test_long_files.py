"""Long files: the memory that their import needs grows with their length, so it is limited."""

import random
import tracemalloc
from datetime import UTC, datetime, timedelta

import pytest

from league.models import Arena, Job, User
from league.services.core.clock import database_now
from league.services.integrity.ratings import verify
from league.services.jobs import jobs
from league.services.transfer.files import file_imports
from league.work import WORK
from tests.support.cast import OPENING
from tests.support.import_steps import boss, upload

__all__ = ["boss"]

LINES = 5_000
MOST_BYTES = (3_400, 5_000)
"""For each line of a check and of an import, with the events that are written at once."""


def long_file(lines: int) -> str:
    """Return duels of 200 players, a minute apart."""
    rng = random.Random(1)  # noqa: S311 - players of a test
    at = max(OPENING, datetime(2026, 1, 1, tzinfo=UTC))
    text = ["date,home,away,home score,away score"]
    for number in range(lines):
        one, other = rng.sample(range(200), 2)
        when = at + timedelta(seconds=60 * number)
        text.append(f"{when:%Y-%m-%d %H:%M},P{one},P{other},{rng.randrange(5)},{rng.randrange(5)}")
    return "\n".join(text)


def peak_of(job: Job) -> int:
    """Do a job, and return the most bytes that it needed at once."""
    tracemalloc.start()
    try:
        jobs.carry_out(job.pk, WORK, database_now())
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_the_memory_of_an_import_is_limited(duel: Arena, boss: User) -> None:
    file = upload(duel, boss, long_file(LINES))
    peaks = []
    for ask in (file_imports.ask_check, file_imports.ask_import):
        peaks.append(peak_of(ask(file, by=boss, now=database_now())) / LINES)
        file.refresh_from_db()
    assert file.state == file.State.IMPORTED
    assert len(file.matches) == LINES
    assert verify(duel.seasons.get()) == []
    assert all(peak < most for peak, most in zip(peaks, MOST_BYTES, strict=True)), peaks


def test_progress_goes_on_from_reading_to_writing(
    duel: Arena, boss: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = upload(duel, boss, long_file(50))
    told: list[str] = []
    monkeypatch.setattr(
        jobs.Progress, "__call__", lambda _self, step, _done, _of: told.append(step)
    )
    for ask in (file_imports.ask_check, file_imports.ask_import):
        jobs.carry_out(ask(file, by=boss, now=database_now()).pk, WORK, database_now())
        file.refresh_from_db()
    assert list(dict.fromkeys(told)) == [
        "Reading",
        "Checking the lines",
        "Rating",
        "Writing",
        "Writing ratings",
        "Done",
    ]
