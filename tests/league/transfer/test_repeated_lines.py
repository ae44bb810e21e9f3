"""A line that repeats another line of its file is listed, and imported once or as its own match."""

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from league.models import Arena, FileImport, Match, Player, Season, User
from league.services.transfer.files.repeats import EACH, ONCE
from tests.support.api_steps import by_token, fields_at_fault, send
from tests.support.import_steps import boss, bring, checked, imported, undone, upload

__all__ = ["boss"]
HEADER = "date,home,away,home score,away score\n"
TWICE = (
    f"{HEADER}2026-01-02 19:30,Alice,Bob,3,1\n2026-01-02 19:34,Alice,Bob,3,1\n"
    "2026-01-03,Bob,Alice,2,2\n2026-01-02 19:30,Bob,ALICE,1,3\n03.01.2026,Alice,Bob,2,2\n"
)
REPEATS = [[5, 2], [6, 4]]


def chosen(file: FileImport, choice: str) -> FileImport:
    file.mapping["repeats"] = choice
    file.save()
    return file


def pairs(report: dict[str, Any]) -> list[list[int]]:
    return [list(pair) for pair in report["repeats"]]


def test_repeated_lines_are_listed_and_imported_once_until_chosen_otherwise(
    duel: Arena, boss: User
) -> None:
    report = checked(upload(duel, boss, TWICE))
    assert (pairs(report), report["new"]) == (REPEATS, 3)
    file = bring(duel, boss, TWICE)
    assert len(file.matches) == Match.objects.rated().count() == 3
    again = checked(upload(duel, boss, TWICE))
    assert (again["known"], again["new"], pairs(again)) == (3, 0, REPEATS)

    more = chosen(upload(duel, boss, TWICE), EACH)
    report = checked(more)
    assert (report["known"], report["new"], pairs(report)) == (3, 2, REPEATS)
    imported(more)
    assert Match.objects.rated().count() == 5
    undone(more)
    assert Match.objects.rated().count() == 3
    undone(file)
    assert not Match.objects.rated().exists()


@pytest.mark.parametrize("seed", range(8))
def test_random_files_have_as_many_repeats_as_a_count_of_their_games(
    duel: Arena, boss: User, seed: int
) -> None:
    chance = random.Random(seed)  # noqa: S311 - no secret
    games: list[tuple[Any, ...]] = []
    rows = []
    for _ in range(40):
        day, minute = chance.randint(1, 2), chance.choice([None, 0, 1])
        first, second = chance.sample(["Ann", "Bea", "Cem"], 2)
        scores = {first: chance.randint(0, 1), second: chance.randint(0, 1)}
        games.append((day, minute, tuple(sorted(scores.items()))))
        time = "" if minute is None else f" 19:{minute:02}"
        date = chance.choice([f"2026-01-{day:02}", f"{day:02}.01.2026"])
        named = [chance.choice([name, name.upper()]) for name in (first, second)]
        rows.append(f"{date}{time},{named[0]},{named[1]},{scores[first]},{scores[second]}\n")
    expected = [[at + 2, games.index(game) + 2] for at, game in enumerate(games)
                if games.index(game) < at]  # fmt: skip
    file = upload(duel, boss, HEADER + "".join(rows))
    report = checked(file)
    assert pairs(report) == expected
    assert report["repeat_count"] == len(games) - len(Counter(games))
    choice = chance.choice([ONCE, EACH])
    checked(chosen(file, choice))
    imported(file)
    assert Match.objects.rated().count() == (len(games) if choice == EACH else len(set(games)))
    undone(file)
    assert not Match.objects.rated().exists()


def test_match_numbers_rounds_and_modes_tell_equal_lines_apart(duel: Arena, boss: User) -> None:
    file = bring(duel, boss, f"{HEADER}2026-01-02,Alice,Bob,3,1\n")
    pk = file.matches[0]
    line = f"{pk},2026-01-02,Alice,Bob,3,1\n"
    report = checked(upload(duel, boss, f"match,{HEADER}{line}{line}"))
    assert (report["known"], pairs(report)) == (2, [])
    rounds = f"round,{HEADER}1,2026-01-05,A,B,3,1\n2,2026-01-05,A,B,3,1\n1,2026-01-05,A,B,3,1\n"
    report = checked(upload(duel, boss, rounds))
    assert (report["new"], pairs(report)) == (2, [[4, 2]])


def test_rows_of_a_program_are_imported_once_unless_it_says_otherwise(
    duel: Arena, olga: Player
) -> None:
    staff, address = by_token(olga), "/api/v1/arenas/duel/results/bulk/"
    row = {"played_at": "2026-01-02T12:00:00Z", "side_1": "Ann", "side_2": "Bob", "winner": "1"}
    turned = {**row, "side_1": "Bob", "side_2": "Ann", "winner": "2"}
    rows = [row, {**row, "played_at": "2026-01-02T12:05:00Z"}, turned]

    def outcomes(**given: Any) -> list[tuple[str, int | None]]:
        answer = send(staff, address, {"rows": rows, **given})
        assert answer.status_code in {200, 201}, answer.content
        return [(one["outcome"], one["repeats"]) for one in answer.json()["rows"]]

    once = [("new", None), ("new", None), ("repeated", 0)]
    each = [*once[:2], ("new", 0)]
    assert outcomes(dry_run=True) == outcomes(dry_run=True, repeats=ONCE) == once
    assert outcomes(dry_run=True, repeats=EACH) == each
    assert outcomes() == once
    assert Match.objects.rated().count() == 2
    assert outcomes(repeats=EACH) == [("known", None), ("known", None), ("new", 0)]
    assert outcomes(repeats=EACH) == [("known", None), ("known", None), ("known", 0)]
    assert Match.objects.rated().count() == 3
    refused = send(staff, address, {"rows": rows, "repeats": "no"})
    assert fields_at_fault(refused) == {"repeats"}


@pytest.mark.parametrize(("choice", "matches"), [(ONCE, 3), (EACH, 4)])
def test_the_command_refuses_repeated_lines_unless_told_what_they_are(
    duel: Arena, tmp_path: Path, choice: str, matches: int
) -> None:
    file = tmp_path / "results.csv"
    file.write_text(
        "date,home_team,away_team,home_score,away_score\n2026-01-02,Ann,Bob,3,1\n"
        "2026-01-02,Bob,Ann,1,3\n2026-01-02T19:00:00Z,Ann,Bob,3,1\n2026-01-03,Ann,Bob,3,1\n"
    )
    with pytest.raises(CommandError, match="line 3 repeats line 2"):
        call_command("import_history", str(file), arena="duel")
    assert not Match.objects.exists()
    for _ in range(2):  # the second time changes nothing
        call_command("import_history", str(file), arena="duel", repeats=choice)
        assert Match.objects.filter(season=Season.objects.get()).count() == matches
