"""Every way into the league takes the same scores: those that the arena allows."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from league.models import Arena, CounterReport, Match, Player, Side
from league.models.result_rules import LARGEST_SCORE, ResultRules, read_result_rules
from league.services.core.clock import database_now
from league.services.results.reports.answers import confirm
from league.services.results.reports.live import StartingSide, start
from league.services.transfer.files.result_files import read
from league.services.transfer.histories.imports import import_history
from ratings.io.csvproblems import CsvError
from tests.support.api_steps import by_token, send, side_of, win
from tests.support.cast import NOW, beats
from tests.support.import_steps import checked, upload
from tests.support.result_steps import rules, user_of
from tests.support.web_steps import browser_of, result_form, words

REFUSAL = "A score here"
REFUSALS = [REFUSAL, "is not a result. Write 3:1.", "Must be a finite number, and not so large."]
WRONG = [
    "1e300",
    "99999999",
    "-3",
    "9" * 40,
    "99999999999999999999",
    "10000.5",
    "2.25",
    "0.1",
    "-0.5",
]
RIGHT = ["0", "2.5", "10000", "7"]


class World:
    """A duel of Alice's and Charlie's, and Olga to run it."""

    def __init__(self, arena: Arena, folder: Path) -> None:
        self.arena, self.folder, self.status = arena, folder, 200
        named = {player.name: player for player in Player.objects.all()}
        self.alice, self.charlie, self.olga = (named[name] for name in ("Alice", "Charlie", "Olga"))

    def live(self) -> Match:
        sides = [StartingSide(player, [player]) for player in (self.alice, self.charlie)]
        return start(self.arena, sides, now=database_now())

    def reported(self) -> Match:
        return beats(self.alice, self.charlie, self.arena, now=database_now())

    def rated(self) -> Match:
        return confirm(self.reported().pk, by=self.charlie, now=database_now())

    def page(self, player: Player, name: str, at: object, **form: object) -> str:
        answer = browser_of(player).post(reverse(name, args=[at]), form)
        self.status = answer.status_code
        assert self.status in {200, 302, 400}, words(answer)
        return words(answer)

    def program(self, player: Player, address: str, body: object, score: str) -> str:
        answer = send(by_token(player), f"/api/v1/{address}", body, mark=score)
        self.status = answer.status_code
        assert self.status in {200, 201, 202, 400}, answer.content
        return str(answer.content.decode())


def scored(world: World, score: str, **more: object) -> dict[str, object]:
    """Return the fields of a form in which Alice won or, with no points, drew."""
    outcome = "draw" if float(score) == 0 else "0"
    return {"outcome": outcome, "score-0": score, "score-1": "0", **more}


def placings(score: str) -> list[dict[str, object]]:
    return [{"place": 0, "score": "MARK"}, {"place": int(float(score) != 0), "score": 0}]


def report_page(world: World, score: str) -> str:
    return world.page(
        world.alice, "report", "duel", **result_form("Charlie", **scored(world, score))
    )


def finish_page(world: World, score: str) -> str:
    return world.page(world.alice, "match_report", world.live().pk, **scored(world, score))


def change_page(world: World, score: str) -> str:
    form = scored(world, score, revision="1")
    return world.page(world.alice, "match_change", world.reported().pk, **form)


def counter_page(world: World, score: str) -> str:
    form = scored(world, score, revision="1", comment="No.")
    return world.page(world.charlie, "match_counter", world.reported().pk, **form)


def decision_page(world: World, score: str) -> str:
    form = scored(world, score, verdict="corrected", reason="Seen.")
    return world.page(world.olga, "match_decide", world.reported().pk, **form)


def entry_page(world: World, score: str) -> str:
    form = result_form("", sides="Alice\nCharlie", reason="Final", **scored(world, score))
    return world.page(world.olga, "enter", "duel", **form)


def correction_page(world: World, score: str) -> str:
    form = scored(world, score, verdict="corrected", reason="Seen.")
    return world.page(world.olga, "match_correct", world.rated().pk, **form)


def evening(world: World, score: str) -> str:
    form = {
        "side_1": ["Alice"],
        "side_2": ["Charlie"],
        "outcome": [f"{score}:0"],
        "played_at": f"{database_now():%Y-%m-%dT%H:%M}",
        "reason": "Club",
        "token": str(uuid4()),
    }
    return world.page(world.olga, "admin:league_arena_evening", world.arena.pk, **form)


def file(world: World, score: str, text: str) -> str:
    return str(checked(upload(world.arena, user_of(world.olga), text.replace("SCORE", score))))


def file_of_scores(world: World, score: str) -> str:
    text = "date,home,away,home score,away score\n2026-01-02,Alice,Bob,SCORE,0\n"
    return file(world, score, text)


def file_of_results(world: World, score: str) -> str:
    return file(world, score, "date,home,away,result\n2026-01-02,Alice,Bob,SCORE:0\n")


def history(world: World, score: str, text: str) -> str:
    path = world.folder / "history.csv"
    path.write_text(text.replace("SCORE", score))
    try:
        import_history(world.arena, read(path), now=NOW)
    except CsvError as error:
        return str(error)
    return ""


def history_of_scores(world: World, score: str) -> str:
    text = "date,home_team,away_team,home_score,away_score\n2026-01-02,Alice,Bob,SCORE,0\n"
    return history(world, score, text)


def history_of_parts(world: World, score: str) -> str:
    loser = int(float(score) != 0)
    head = "match_id,played_at,side,place,player,score\n"
    rows = f"m1,2026-01-02T10:00:00Z,a,0,Alice,SCORE\nm1,2026-01-02T10:00:00Z,b,{loser},Bob,0\n"
    return history(world, score, head + rows)


def api_bulk(world: World, score: str) -> str:
    row = {"played_at": "2026-01-02T12:00:00Z", "side_1": "Alice", "side_2": "Charlie"}
    body = {"rows": [{**row, "score_1": "MARK", "score_2": 0}], "dry_run": True}
    return world.program(world.olga, "arenas/duel/results/bulk/", body, score)


def api_bulk_result(world: World, score: str) -> str:
    row = {"played_at": "2026-01-02T12:00:00Z", "side_1": "Alice", "side_2": "Charlie"}
    body = {"rows": [{**row, "result": f"{score}:0"}], "dry_run": True}
    return world.program(world.olga, "arenas/duel/results/bulk/", body, score)


def sides_of(world: World, score: str) -> list[dict[str, Any]]:
    winner, loser = placings(score)
    return [
        side_of(world.alice, place=0, score=winner["score"]),
        side_of(world.charlie, place=cast("int", loser["place"]), score=0),
    ]


def api_report(world: World, score: str) -> str:
    body = win(world.alice, world.charlie) | {"sides": sides_of(world, score)}
    return world.program(world.alice, "arenas/duel/reports/", body, score)


def api_entry(world: World, score: str) -> str:
    body = win(world.alice, world.charlie) | {"sides": sides_of(world, score), "reason": "Final"}
    return world.program(world.olga, "arenas/duel/results/", body, score)


def api_finish(world: World, score: str) -> str:
    body = {"sides": placings(score)}
    return world.program(world.alice, f"matches/{world.live().pk}/report/", body, score)


def api_server(world: World, score: str) -> str:
    match = world.live()
    Match.objects.filter(pk=match.pk).update(started_by=world.olga.user)
    body = {"sides": placings(score)}
    return world.program(world.olga, f"matches/{match.pk}/report/", body, score)


def api_change(world: World, score: str) -> str:
    body = {"sides": placings(score)}
    return world.program(world.alice, f"matches/{world.reported().pk}/change/", body, score)


def api_counter(world: World, score: str) -> str:
    body = {"sides": placings(score)}
    address = f"matches/{world.reported().pk}/counter-report/"
    return world.program(world.charlie, address, body, score)


def api_decision(world: World, score: str) -> str:
    body = {"verdict": "corrected", "reason": "Seen.", "placings": placings(score)}
    return world.program(world.olga, f"matches/{world.reported().pk}/decision/", body, score)


def api_correction(world: World, score: str) -> str:
    body = {"placings": placings(score)}
    address = f"matches/{world.rated().pk}/correction-preview/"
    return world.program(world.olga, address, body, score)


DOORS: list[Callable[[World, str], str]] = [
    report_page, finish_page, change_page, counter_page, decision_page, entry_page,
    correction_page, evening, file_of_scores, file_of_results, history_of_scores,
    history_of_parts, api_bulk, api_bulk_result, api_report, api_entry, api_finish, api_server,
    api_change, api_counter, api_decision, api_correction,
]  # fmt: skip


@pytest.fixture
def world(duel: Arena, alice: Player, charlie: Player, olga: Player, tmp_path: Path) -> World:
    return World(duel, tmp_path)


def stored() -> list[float]:
    """Return every score in the database."""
    sides = Side.objects.exclude(score=None).values_list("score", flat=True)
    counters = CounterReport.objects.values_list("placings", flat=True)
    return [*sides, *(score for placed in counters for _place, score in placed if score)]


@contextmanager
def tried() -> Iterator[None]:
    """Take back what happens within."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.mark.parametrize("door", DOORS)
def test_no_door_takes_a_score_out_of_bounds(
    world: World, door: Callable[[World, str], str]
) -> None:
    for score in WRONG:
        with tried():
            answer = door(world, score)
            assert any(refusal in answer for refusal in REFUSALS), (score, answer)
            assert stored() == []


@pytest.mark.parametrize("door", DOORS)
def test_every_door_takes_a_score_within_bounds(
    world: World, door: Callable[[World, str], str]
) -> None:
    for score in RIGHT:
        with tried():
            assert REFUSAL not in door(world, score)
            assert world.status < 400
            assert set(stored()) <= {float(score), 0.0}


@pytest.mark.parametrize("door", DOORS)
def test_an_arena_can_raise_its_limit_for_all_doors(
    world: World, door: Callable[[World, str], str]
) -> None:
    rules(world.arena, highest_score=LARGEST_SCORE, score_steps="thousandths")
    assert REFUSAL not in door(world, "99999999.125")
    assert world.status < 400


def test_a_limit_that_computers_cannot_store_exactly_is_refused(duel: Arena) -> None:
    for name, value in (("highest_score", 1e10), ("lowest_score", 1), ("score_steps", "any")):
        with pytest.raises(ValidationError):
            rules(duel, **{name: value})


@given(score=st.floats() | st.integers(-10_000_000, 10_000_000).map(lambda whole: whole / 1_000))
def test_what_is_allowed_is_written_as_it_is_stored(score: float) -> None:
    loose = read_result_rules(
        {"lowest_score": -LARGEST_SCORE, "highest_score": LARGEST_SCORE,
         "score_steps": "thousandths"}
    )  # fmt: skip
    if loose.problem_of_score(score) is None:
        assert math.isclose(score * 1_000, round(score * 1_000))
        assert float(f"{score:.15g}") == score
        assert "e" not in f"{score:.15g}"
    if ResultRules().problem_of_score(score) is None:
        assert (2 * score).is_integer()
        assert 0 <= score <= 10_000
