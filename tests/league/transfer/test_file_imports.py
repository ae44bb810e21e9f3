"""Staff import files of results: checked first, imported as a whole, and undone as a whole."""

import random
import re
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import Permission

from league.models import (
    Arena,
    Correction,
    FileImport,
    Job,
    Match,
    Player,
    Rating,
    RatingEvent,
    StaffAction,
    Status,
    User,
)
from league.services.decay.steps import take_due
from league.services.integrity.ratings import verify
from league.services.jobs import jobs
from league.services.results.reports.answers import confirm
from league.services.seasons.opening import open_season
from league.services.transfer.files import file_imports
from league.services.transfer.files.player_imports import rename
from tests.support.cast import NOW, OPENING, account, arena, beats
from tests.support.import_steps import RESULTS, boss, bring, checked, done, imported, undone, upload
from tests.support.imported_histories import stored_history
from tests.support.result_steps import user_of

__all__ = ["boss"]


def numbers(arena: Arena) -> list[tuple[Any, ...]]:
    rows = Rating.objects.filter(season__arena=arena).order_by("player__name")
    return list(
        rows.values_list(
            "player__name", "rating", "deviation", "volatility", "games", "last_played_at",
            "wins", "draws", "outcome", "streak",
        )
    )  # fmt: skip


def test_a_check_says_what_would_happen_and_changes_nothing(
    duel: Arena, boss: User, alice: Player
) -> None:
    before = Match.objects.count(), Player.objects.count()
    report = checked(upload(duel, boss, RESULTS))
    assert (report["new"], report["known"], report["error_count"]) == (3, 0, 0)
    assert [row["name"] for row in report["players"]] == ["Bob", "Charlie", "Dora"]
    assert report["seasons"][0]["players"] == 4
    assert report["differences"][0]["sides"] == "Alice – Bob"
    assert (Match.objects.count(), Player.objects.count()) == before


def test_results_are_imported_rated_and_logged(duel: Arena, boss: User) -> None:
    file = bring(duel, boss, RESULTS)
    assert len(file.matches) == 3
    assert len(file.players) == 4
    assert verify(duel.seasons.get()) == []
    action = StaffAction.objects.get(kind=StaffAction.Kind.IMPORTED)
    assert (action.details["matches"], action.details["file"]) == (3, "results.csv")
    assert action.details["digest"] == file.digest


def test_the_same_file_twice_doubles_nothing(duel: Arena, boss: User) -> None:
    bring(duel, boss, RESULTS)
    before = numbers(duel)
    file = upload(duel, boss, RESULTS)
    assert file_imports.imported_before(file) is not None
    assert checked(file)["known"] == 3
    job = done(file_imports.ask_import(file, by=boss, now=NOW))
    assert (job.state, Match.objects.count()) == (Job.State.FAILED, 3)
    assert numbers(duel) == before


def test_results_in_the_middle_are_rated_as_if_they_had_been_there(
    duel: Arena, boss: User, alice: Player, bob: Player, charlie: Player
) -> None:
    middle = RESULTS.replace("2026-01-02,Alice,Bob,3,1\n", "")
    bring(duel, boss, "date,home,away,home score,away score\n2026-01-02,Alice,Bob,3,1\n")
    confirm(beats(bob, alice, duel, now=NOW).pk, by=alice, now=NOW)
    bring(duel, boss, middle)
    assert verify(duel.seasons.get()) == []

    other = arena("other")
    bring(other, boss, RESULTS)
    confirm(beats(bob, alice, other, now=NOW).pk, by=alice, now=NOW)
    assert numbers(duel) == numbers(other)
    assert stored_history(duel.seasons.get())[0] == stored_history(other.seasons.get())[0]
    assert Correction.objects.filter(kind="import", season__arena=duel).count() == 1


def test_undoing_gives_back_the_ratings_to_the_bit(
    duel: Arena, boss: User, alice: Player, bob: Player
) -> None:
    confirm(beats(bob, alice, duel, now=NOW).pk, by=alice, now=NOW)
    before = stored_history(duel.seasons.get())[0]
    file = bring(duel, boss, RESULTS)
    assert stored_history(duel.seasons.get())[0] != before
    assert undone(file).state == Job.State.DONE
    assert stored_history(duel.seasons.get())[0] == before
    assert verify(duel.seasons.get()) == []
    assert Match.objects.filter(status=Status.VOID).count() == 3
    assert StaffAction.objects.filter(kind=StaffAction.Kind.UNIMPORTED).count() == 1
    assert bring(duel, boss, RESULTS).report["new"] == 3  # type: ignore[index] # it was imported
    assert verify(duel.seasons.get()) == []


def test_a_season_of_the_past_is_created_filled_and_emptied(duel: Arena, boss: User) -> None:
    file = upload(
        duel,
        boss,
        RESULTS.replace("2026-", "2024-"),
        season={
            "name": "2024",
            "starts_at": datetime(2024, 1, 1, tzinfo=UTC).isoformat(),
            "ends_at": datetime(2025, 1, 1, tzinfo=UTC).isoformat(),
        },
    )
    assert checked(file)["new_season"] == "Duel · 2024"
    assert duel.seasons.count() == 1
    imported(file)
    season = duel.seasons.get(name="2024")
    assert season.archive_due_at == NOW + timedelta(days=7)
    assert (season.ratings.count(), verify(season)) == (4, [])
    assert undone(file).state == Job.State.DONE
    assert season.ratings.count() == 0


def test_an_archived_season_refuses_new_results(duel: Arena, boss: User) -> None:
    duel.seasons.update(archived_at=NOW)
    report = checked(upload(duel, boss, RESULTS))
    assert "archived" in report["errors"][0][1]
    file = FileImport.objects.get()
    job = done(file_imports.ask_import(file, by=boss, now=NOW))
    assert (job.state, Match.objects.count()) == (Job.State.FAILED, 0)


def test_an_edited_result_becomes_a_correction_and_comes_back(duel: Arena, boss: User) -> None:
    bring(duel, boss, RESULTS)
    before = stored_history(duel.seasons.get())[0]
    ids = list(Match.objects.order_by("rated_order").values_list("pk", flat=True))
    text = (
        "match,date,home,away,home score,away score,void\n"
        f"{ids[0]},2026-01-02,Alice,Bob,1,3,\n"
        f"{ids[1]},2026-01-03 20:00,Charlie,Alice,2,2,\n"
        f"{ids[2]},2026-01-03 21:00,Bob,Dora,0,1,yes\n"
        ",2026-01-04,Eve,Dora,5,0,\n"
    )
    file = upload(duel, boss, text)
    report = checked(file)
    assert [report[name] for name in ("known", "changed", "void", "new")] == [1, 1, 1, 1]
    assert [row["kind"] for row in report["differences"]] == ["changed", "void", "new"]
    imported(file)
    assert verify(duel.seasons.get()) == []
    assert Match.objects.get(pk=ids[2]).status == Status.VOID
    assert RatingEvent.objects.filter(match=ids[2]).count() == 0
    assert undone(file).state == Job.State.DONE
    assert verify(duel.seasons.get()) == []
    assert stored_history(duel.seasons.get())[0] == before


def test_a_line_voids_a_match_only_for_those_who_may(duel: Arena, boss: User) -> None:
    bring(duel, boss, RESULTS)
    match = Match.objects.earliest("rated_order")
    referee = account("Frank").user
    assert referee
    referee.is_staff = True
    referee.save()
    names = ["enter_result", "correct_match", "add_fileimport", "view_fileimport"]
    referee.user_permissions.set(Permission.objects.filter(codename__in=names))
    text = (
        "match,date,home,away,home score,away score,void\n"
        f"{match.pk},2026-01-02,Alice,Bob,3,1,yes\n"
    )
    assert "may not void" in checked(upload(duel, referee, text))["errors"][0][1]
    assert checked(upload(duel, boss, text))["error_count"] == 0


def test_a_cancelled_import_leaves_nothing(duel: Arena, boss: User) -> None:
    file = upload(duel, boss, RESULTS)
    checked(file)
    job = file_imports.ask_import(file, by=boss, now=NOW)
    jobs.cancel(job, NOW)
    assert done(job).state == Job.State.CANCELLED
    assert (Match.objects.count(), Player.objects.filter(name="Dora").count()) == (0, 0)


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo"])
@pytest.mark.parametrize("hour", [0, 9, 23])
def test_a_season_takes_results_of_the_day_on_which_it_starts(
    duel: Arena, boss: User, zone: str, hour: int
) -> None:
    """Its day is that of the arena's clocks, and no result is before its start."""
    duel.time_zone = zone
    duel.save()
    start = datetime(2026, 1, 2, hour, 31, tzinfo=ZoneInfo(zone))
    duel.seasons.update(starts_at=start)
    bring(duel, boss, RESULTS)
    assert Match.objects.earliest("played_at").played_at == start
    assert checked(upload(duel, boss, RESULTS))["known"] == 3
    before = checked(upload(duel, boss, RESULTS.replace("2026-01-02", "2026-01-01")))
    assert "No season ran on 1 Jan 2026, " in str(before)
    timed = checked(upload(duel, boss, RESULTS.replace("2026-01-02", "2026-01-02 00:05")))
    assert "No season ran on 2 Jan 2026, " in str(timed)


def test_a_day_on_which_a_season_ended_and_another_began_stays_with_the_first(
    duel: Arena, boss: User
) -> None:
    noon = datetime(2026, 1, 2, 12, tzinfo=UTC)
    duel.seasons.update(ends_at=noon)
    first = duel.seasons.get()
    open_season(duel, starts_at=noon)
    bring(duel, boss, RESULTS)
    that_day = Match.objects.filter(played_at=datetime(2026, 1, 2, tzinfo=UTC))
    assert set(that_day.values_list("season", flat=True)) == {first.pk}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (RESULTS.replace("2026-01-02", "yesterday"), "“yesterday” is not a date"),
        (RESULTS.replace("3,1\n", "3,x\n"), "“x” is not a number"),
        (RESULTS.replace("Alice,Bob", "Alice,alice"), "in this match twice"),
        (RESULTS.replace("Alice,Bob", "Alice,"), "Name both sides"),
        (RESULTS.replace("2026-01-02", "1999-01-02"), "No season ran on 2 Jan 1999, "),
        (RESULTS.replace("2026-01-02", "2026-12-02"), "in the future"),
        (RESULTS.replace("3,1\n", "3,1,9\n"), "has 6 cells, but the header has 5"),
        (RESULTS.replace("Bob,3", "#99999,3"), "no player number 99999"),
    ],
)
def test_a_bad_line_is_named_and_nothing_is_imported(
    duel: Arena, boss: User, text: str, sentence: str
) -> None:
    file = upload(duel, boss, text)
    report = checked(file)
    assert report["errors"][0][0] == 2
    assert sentence in report["errors"][0][1]
    job = done(file_imports.ask_import(file, by=boss, now=NOW))
    assert (job.state, Match.objects.count()) == (Job.State.FAILED, 0)


def test_organisers_do_not_import_their_own_matches(duel: Arena, boss: User, alice: Player) -> None:
    User.objects.filter(player=alice).update(is_superuser=True, is_staff=True)
    report = checked(upload(duel, user_of(alice), RESULTS))
    assert [line for line, _text in report["errors"]] == [2, 3]
    assert checked(upload(duel, boss, RESULTS))["error_count"] == 0


def test_an_import_that_was_corrected_since_cannot_be_undone(duel: Arena, boss: User) -> None:
    bring(duel, boss, RESULTS)
    first = bring(duel, boss, RESULTS.replace("20:00,Charlie,Alice,2,2", "20:00,Charlie,Alice,2,1"))
    assert first.changed
    second = bring(duel, boss, RESULTS.replace("Charlie,Alice,2,2", "Charlie,Alice,2,4"))
    job = undone(first)
    assert job.state == Job.State.FAILED
    assert "changed since the import" in job.refusal
    assert undone(second).state == Job.State.DONE
    assert undone(first).state == Job.State.DONE
    assert verify(duel.seasons.get()) == []


def test_a_job_is_not_done_for_those_who_may_not_import(
    duel: Arena, boss: User, alice: Player
) -> None:
    file = upload(duel, boss, RESULTS)
    checked(file)
    job = done(file_imports.ask_import(file, by=user_of(alice), now=NOW))
    assert (job.state, job.refusal) == (Job.State.FAILED, "You may not import these.")
    file = imported(file)
    User.objects.filter(player=alice).update(is_superuser=True, is_staff=True)
    job = done(
        file_imports.ask_undo(file, by=User.objects.get(player=alice), reason="A mistake.", now=NOW)
    )
    assert (job.state, Match.objects.rated().count()) == (Job.State.FAILED, 3)
    assert "You played in this match" in job.refusal


def played(seed: int, draws: bool) -> list[str]:
    """Return the lines of thirty matches of six players, in the order of time."""
    drawn = random.Random(seed)  # noqa: S311 - no secret
    lines = []
    for number in range(30):
        first, second = drawn.sample(["Ann", "Ben", "Cem", "Dan", "Eva", "Fay"], 2)
        score = drawn.randint(0, 2), drawn.randint(0 if draws else 3, 3)
        lines.append(
            f"2026-01-{2 + number // 2:02} 20:{number:02},{first},{second},{score[0]},{score[1]}"
        )
    return lines


@pytest.mark.parametrize("system", ["glicko-2", "elo", "elo-mmr", "ladder", "trueskill"])
def test_any_order_of_imports_gives_the_ratings_of_one(boss: User, system: str) -> None:
    header, lines = (
        "date,home,away,home score,away score\n",
        played(len(system), system != "ladder"),
    )
    late = random.Random(system).sample(range(30), 12)  # noqa: S311 - as above
    one, two = (arena(name, rating_system=system) for name in ("one", "two"))
    bring(one, boss, header + "\n".join(lines))
    first = [line for at, line in enumerate(lines) if at not in late]
    bring(two, boss, header + "\n".join(first))
    before = stored_history(two.seasons.get())[0]
    file = bring(two, boss, header + "\n".join(lines[at] for at in late))
    assert verify(two.seasons.get()) == []
    assert stored_history(two.seasons.get())[0] == stored_history(one.seasons.get())[0]
    assert undone(file).state == Job.State.DONE
    assert verify(two.seasons.get()) == []
    assert stored_history(two.seasons.get())[0] == before


def test_steps_of_decay_go_with_the_results_that_they_decayed(boss: User) -> None:
    decay = {"max_gain": 8.0, "decay": 0.2, "decay_period": "10d"}
    fermi = arena("fermi", rating_system="fermi", rating_parameters=decay)
    file = bring(fermi, boss, RESULTS)
    bring(fermi, boss, "date,home,away,winner\n2026-01-13,Alice,Dora,1\n")
    assert take_due(OPENING + timedelta(days=20)) == 1
    late = upload(fermi, boss, "date,home,away,winner\n2026-01-14,Alice,Dora,1\n")
    assert re.search(r"Ratings decayed on 2\d Jan 2026,", checked(late)["errors"][0][1])
    job = undone(file)
    assert (job.state, "Ratings decayed" in job.refusal) == (Job.State.FAILED, True)

    other = arena("other", rating_system="fermi", rating_parameters=decay)
    alone = bring(other, boss, RESULTS + "2026-01-13,Alice,Dora,1,0\n")
    assert take_due(OPENING + timedelta(days=20)) == 1
    assert undone(alone).state == Job.State.DONE
    assert not other.seasons.get().ratings.exists()
    assert verify(other.seasons.get()) == []


def test_players_who_have_an_account_since_stay(duel: Arena, boss: User) -> None:
    file = bring(duel, boss, "name\nZoe\nYan\n", what="players")
    zoe = Player.objects.get(name="Zoe")
    Player.objects.filter(pk=zoe.pk).update(user=User.objects.create(username="zoe"))
    job = undone(file)
    assert (job.state, "“Zoe” has been used" in job.refusal) == (Job.State.FAILED, True)
    assert set(Player.objects.filter(pk__in=file.players)) == {zoe, Player.objects.get(name="Yan")}


def test_players_who_were_renamed_since_stay(duel: Arena, boss: User) -> None:
    file = bring(duel, boss, "name\nZoe\n", what="players")
    rename(Player.objects.get(name="Zoe"), "Zora", by=boss, now=NOW)
    assert undone(file).state == Job.State.FAILED
    assert Player.objects.filter(name="Zora").exists()
