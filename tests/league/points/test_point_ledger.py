"""The ledger of ladder points: revised by corrections, verified, and added up."""

from collections.abc import Callable
from functools import partial
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league import tasks
from league.models import Arena, Match, Player, PointEntry, PointTally, PointTotal
from league.services import corrections
from league.services.integrity.points import differences
from league.services.points import points_leaderboard
from league.services.replay.point_changes import PointChanges
from league.services.results.reports.answers import confirm
from tests.support.cast import NOW, beats, side
from tests.support.concurrency import all_at_once
from tests.support.correction_steps import correct
from tests.support.effort import examples
from tests.support.imported_histories import import_matches, played
from tests.support.point_steps import plays, ranks, superuser, totals, verified, with_points


def entries(arena: Arena) -> list[tuple[Any, ...]]:
    """Return the current entries of the ledger without their ids."""
    rows = PointEntry.objects.filter(season__arena=arena).order_by(
        "match__rated_order", "player__name"
    )
    return list(
        rows.values_list(
            "match__external_id", "player__name", "odds", "score_ratio", "victory", "deserted",
            "points",
        )
    )  # fmt: skip


def test_a_void_match_takes_its_points_away_and_a_correction_gives_others(
    ladder: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    season, boss = ladder.seasons.get(), superuser()
    first = plays(ladder, side(alice, place=0, score=9), side(bob, place=1, score=6))
    second = plays(ladder, side(bob, place=0, score=5), side(charlie, place=1, score=0))
    # Only a score is corrected, which moves no rating.
    correct(first, boss, [(0, 9.0), (1, 3.0)])
    entry = PointEntry.objects.get(match=first, player=bob)
    assert entry.score_ratio == pytest.approx(1 / 3)
    assert PointEntry.ever.filter(match=first, player=bob).count() == 2
    assert PointEntry.ever.filter(match=second).count() == 2
    assert differences(season) == []

    correct(first, boss)
    assert set(totals(ladder)) == {"Bob", "Charlie"}
    assert not PointEntry.objects.filter(match=first).exists()
    # Bob was the outsider by what was known when they played.
    assert totals(ladder)["Bob"] == (2, 1, 1)
    assert differences(season) == []
    assert verified(ladder) == "no differences"


@pytest.mark.parametrize("new_result", [False, True], ids=["void", "new result"])
@settings(
    max_examples=examples(2),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],  # every example is undone
)
@given(data=st.data())
def test_points_after_a_correction_are_those_of_a_history_without_the_mistake(
    db: None, new_result: bool, data: st.DataObject
) -> None:
    told = data.draw(played("glicko-2", most=10), "told")
    wrong = data.draw(st.integers(0, len(told) - 1), "wrong")
    with transaction.atomic():
        one, other = (with_points(slug, sides_max=4) for slug in ("one", "other"))
        for each in (one, other):
            Arena.objects.filter(pk=each.pk).update(team_size_max=3)
            each.refresh_from_db()
        import_matches(one, told)
        before = entries(one)
        assert len(before) == sum(len(s.participants) for match in told for s in match.sides)
        match = Match.objects.get(arena=one, external_id=told[wrong].match_id)
        placings: list[tuple[int, float | None]] | None = None
        straight = list(told)
        if new_result:
            count = len(told[wrong].sides)
            placings = [(count - 1 - index, 2.0 + index) for index in range(count)]
            straight[wrong] = type(told[wrong])(
                told[wrong].match_id,
                told[wrong].played_at_us,
                [
                    type(side)(place, side.participants, score)
                    for side, (place, score) in zip(told[wrong].sides, placings, strict=True)
                ],
                told[wrong].weight,
            )
        else:
            del straight[wrong]
        staff = superuser()
        had = totals(one)
        foreseen = corrections.preview(match, by=staff, placings=placings).points
        assert totals(one) == had
        correct(match, staff, placings)
        check_foreseen(foreseen, match, had, totals(one))
        import_matches(other, straight)
        assert entries(one) == entries(other)
        assert totals(one) == totals(other)
        assert ranks(points_leaderboard.page(one.seasons.get())) == ranks(
            points_leaderboard.page(other.seasons.get())
        )
        assert differences(one.seasons.get()) == []
        transaction.set_rollback(True)


def check_foreseen(
    foreseen: PointChanges | None,
    match: Match,
    had: dict[str, tuple[int, int, int]],
    have: dict[str, tuple[int, int, int]],
) -> None:
    """The preview had the changed points of each player of the match, and their number."""
    assert foreseen
    became = {
        name: (points, have[name][0] if name in have else None)
        for name, (points, _matches, _wins) in had.items()
    }
    changed = {name: both for name, both in became.items() if both[0] != both[1]}
    playing = match.participants.values_list("player__name", flat=True)
    assert {one.player.name: (one.before, one.after) for one in foreseen.shown} == {
        name: changed[name] for name in playing if name in changed
    }
    assert foreseen.players == len(changed)
    assert foreseen.others == len(changed.keys() - set(playing))


def test_the_ledger_of_points_is_written_once(ladder: Arena, alice: Player, bob: Player) -> None:
    plays(ladder, side(alice, place=0), side(bob, place=1))
    for change in (
        lambda: PointEntry.ever.update(points=1_000),
        lambda: PointEntry.ever.all().delete(),
    ):
        with pytest.raises(DatabaseError, match="is a ledger"), transaction.atomic():
            change()
    entry = PointEntry.objects.get(player=alice)
    entry.pk = None
    with pytest.raises(DatabaseError, match="a_result_gives_points_once"), transaction.atomic():
        entry.save(force_insert=True)


def test_wrong_points_are_found_and_rebuilt(ladder: Arena, alice: Player, bob: Player) -> None:
    plays(ladder, side(alice, place=0), side(bob, place=1))
    season = ladder.seasons.get()
    PointTotal.objects.filter(player=alice).update(points=50)
    PointTally.objects.create(season_id=season.pk, points=7, players=1)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE league_pointentry DISABLE TRIGGER USER")
        cursor.execute("UPDATE league_pointentry SET points = 9 WHERE player_id = %s", [bob.pk])
        cursor.execute("ALTER TABLE league_pointentry ENABLE TRIGGER USER")
    found = "\n".join(differences(season))
    assert f"points of player {bob.pk} in match" in found
    assert f"total of player {alice.pk}: (50, 1, 1, True) stored, (1, 1, 1, True) added up" in found
    assert "players listed with 7 points: 1 stored, 0 counted" in found
    with pytest.raises(CommandError, match="differ from the replay"):
        verified(ladder)
    call_command("rebuild_standings", stdout=StringIO())
    assert [one for one in differences(season) if "of player" not in one] == []
    assert totals(ladder) == {"Alice": (1, 1, 1), "Bob": (9, 1, 0)}


@pytest.mark.django_db(transaction=True)
def test_points_of_many_results_at_once_add_up_while_tallies_are_added_together(
    ladder: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    pairs = [(alice, bob), (bob, charlie), (charlie, alice)] * 8
    reports = [(beats(winner, loser, ladder).pk, loser) for winner, loser in pairs]
    confirmations = [partial(confirm, match, by=loser, now=NOW) for match, loser in reports]
    mixed: list[Callable[[], object]] = [
        call for each in confirmations for call in (each, each, tasks.tally_points)
    ]
    answers = all_at_once(mixed)
    assert sum(isinstance(answer, Match) for answer in answers) == len(reports)
    assert PointEntry.ever.count() == 2 * len(reports)
    assert {matches for _points, matches, _wins in totals(ladder).values()} == {16}
    assert differences(ladder.seasons.get()) == []


def test_tallies_are_added_together_and_stay_what_they_were(
    ladder: Arena, alice: Player, bob: Player
) -> None:
    season = ladder.seasons.get()
    for _ in range(3):
        plays(ladder, side(alice, place=0), side(bob, place=1))
    before = ranks(points_leaderboard.page(season))
    assert PointTally.objects.count() > 1
    assert tasks.tally_points() == 1
    assert list(PointTally.objects.values_list("points", "players")) == [(3, 1)]
    assert ranks(points_leaderboard.page(season)) == before == [(1, "Alice", 3)]
    assert tasks.tally_points() == 0
