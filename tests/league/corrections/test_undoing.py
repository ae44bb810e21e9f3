"""Undoing corrections: everything is as before, to the bit."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league.models import (
    Amnesty,
    Arena,
    Correction,
    CorrectionKind,
    CorrectionRequest,
    DishonorAward,
    Match,
    Objection,
    Player,
    PointEntry,
    PointTotal,
    Rating,
    Season,
    Side,
    StaffAction,
    Standing,
    Status,
    User,
)
from league.services.core.errors import Conflict, Forbidden
from league.services.corrections import undoing
from league.services.dishonor import discipline
from league.services.integrity import points, ratings, standings
from league.services.rating import checkpoints
from league.services.results.reports.answers import confirm
from league.services.results.staff import objections
from league.services.standings.updating import update_pending
from tests.support.cast import NOW, RANKED_AT_ONCE, arena, beats
from tests.support.correction_steps import LATER, correct, undo
from tests.support.effort import examples
from tests.support.imported_histories import import_matches, played, stored_history
from tests.support.season_steps import win

POINTS = {**RANKED_AT_ONCE, "points": {"counts": True}}
SYSTEMS: list[tuple[str, dict[str, Any]]] = [
    ("elo", {}),
    ("glicko-2", {"update": "period"}),
    ("elo-mmr", {"history_limit": 2, "ignore_all_tied": True}),
    ("trueskill", {}),
    ("ladder", {}),
]


@pytest.fixture
def frequent_checkpoints(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take checkpoints after every few participations, so that short histories have some."""
    monkeypatch.setattr(checkpoints, "EVERY", 5)


def everything(season: Season) -> list[Any]:
    """Return all that results give in a season, without ids of rows."""
    update_pending(NOW)
    rows = Rating.objects.filter(season=season).order_by("player")
    matches = Match.objects.filter(season=season).order_by("pk")
    entries = PointEntry.objects.filter(season=season).order_by("match", "player")
    totals = PointTotal.objects.filter(season=season).order_by("player_id")
    board = Standing.objects.filter(season_id=season.pk).order_by("player_id")
    return [
        stored_history(season),
        list(rows.values_list("player", "wins", "draws", "outcome", "ignored", "streak")),
        list(
            matches.values_list(
                "pk", "status", "settlement", "settled_at", "rated_order", "weight", "one_sided",
                "mode",
            )
        ),
        list(Side.objects.order_by("pk").values_list("pk", "place", "score")),
        list(entries.values("match", "player", "at", "odds", "score_ratio", "points", "deserted")),
        list(totals.values_list("player_id", "points", "matches", "wins", "listed")),
        list(board.values_list("player_id", "key", "active", "decaying", "due")),
    ]  # fmt: skip


def check_season(season: Season) -> None:
    season = Season.objects.get(pk=season.pk)
    assert ratings.verify(season) == []
    assert points.differences(season) == []
    assert list(standings.differences(season, NOW)) == []


@pytest.mark.parametrize(("system", "parameters"), SYSTEMS)
@settings(
    max_examples=examples(2),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],  # every example is rolled back
)
@given(data=st.data())
def test_two_corrections_undone_in_any_order_leave_everything_as_it_was(
    frequent_checkpoints: None,
    boss: User,
    system: str,
    parameters: dict[str, Any],
    data: st.DataObject,
) -> None:
    told = data.draw(played(system), "told")
    chosen = data.draw(st.permutations(range(len(told))), "corrected")[:2]
    voids = data.draw(st.lists(st.booleans(), min_size=2, max_size=2), "void")
    cut = data.draw(st.integers(max(chosen) + 1, len(told)), "played before")
    order = data.draw(st.permutations([0, 1]), "undone in this order")
    with transaction.atomic():
        one, other = (
            arena(
                slug,
                rating_system=system,
                rating_parameters=parameters,
                season_rules=POINTS,
                sides_max=4,
                team_size_max=3,
            )
            for slug in ("one", "other")
        )
        season = one.seasons.get()
        import_matches(one, told[:cut])
        before = everything(season)
        made = [
            correction_of(one, told, at, boss, void=void)
            for at, void in zip(chosen, voids, strict=True)
        ]
        if cut == len(told):
            for at in order:
                done = undo(made[at], boss)
                assert done.state == CorrectionRequest.State.DONE, done.refusal
                check_season(season)
            assert everything(season) == before
        else:
            import_matches(one, told[cut:])
            import_matches(other, told)
            for at in order:
                undo(made[at], boss)
            assert stored_history(season) == stored_history(other.seasons.get())
            check_season(season)
        transaction.set_rollback(True)


def correction_of(
    league: Arena, told: Sequence[Any], at: int, by: User, *, void: bool
) -> Correction:
    match = Match.objects.get(arena=league, external_id=str(at))
    count = len(told[at].sides)
    placings = [((side.place + 1) % count, side.score) for side in told[at].sides]
    low = min(place for place, _score in placings)
    ranked = [(place - low, score) for place, score in placings]
    same = ranked == [(side.place, side.score) for side in told[at].sides]
    done = correct(match, by, None if void or same else ranked)
    assert done.correction, done.refusal
    return done.correction


def test_an_undo_can_be_undone(
    duel: Arena, boss: User, alice: Player, bob: Player, charlie: Player
) -> None:
    mistake = win(duel, alice, charlie)
    win(duel, bob, alice)
    season = duel.seasons.get()
    played_out = everything(season)
    void = correct(mistake, boss).correction
    assert void
    voided = everything(season)
    first = undo(void, boss).correction
    assert first
    assert everything(season) == played_out
    again = undo(first, boss).correction
    assert again
    assert everything(season) == voided
    assert undoing.undoable(Match.objects.get(pk=mistake.pk)) == [again]
    undo(again, boss)
    assert everything(season) == played_out
    check_season(season)
    kinds = StaffAction.objects.order_by("pk").values_list("kind", "reason")
    assert list(kinds) == [("voided", "A mistake"), *[("undone", "It was right")] * 3]


def test_the_preview_of_an_undo_shows_who_comes_back(
    duel: Arena, boss: User, alice: Player, bob: Player, charlie: Player
) -> None:
    mistake = win(duel, alice, charlie)
    win(duel, bob, alice)
    before = dict(Rating.objects.values_list("player__name", "rating"))
    void = correct(mistake, boss).correction
    assert void
    seen = undoing.preview(void, by=boss)
    moved = {one.player.name: one for one in seen.movements}
    assert {name: one.rating_after for name, one in moved.items()} == before
    assert (moved["Charlie"].rating_before, moved["Charlie"].rank_after) == (None, 3)
    assert (seen.matches, seen.players, seen.corrected) == (1, 3, 1)
    done = undo(void, boss).correction
    assert done
    assert (done.players, done.largest_change) == (seen.players, seen.largest_change)


def test_the_weight_of_an_order_of_sides_comes_back(
    duel: Arena, boss: User, alice: Player, bob: Player
) -> None:
    match = win(duel, alice, bob)
    Match.objects.filter(pk=match.pk).update(weight=0.5, one_sided=0.5)
    correct(Match.objects.get(pk=match.pk), boss)
    made = undo(Correction.objects.get(), boss).correction
    assert made
    other = correct(Match.objects.get(pk=match.pk), boss, [(1, None), (0, None)]).correction
    match.refresh_from_db()
    assert (match.weight, match.one_sided) == (1.0, None)
    assert other
    undo(other, boss)
    match.refresh_from_db()
    assert (match.weight, match.one_sided) == (0.5, 0.5)
    check_season(duel.seasons.get())


def test_penalties_and_objections_come_back(
    duel: Arena, boss: User, alice: Player, bob: Player
) -> None:
    match = beats(alice, bob, duel)
    match.participants.filter(player=bob).update(quit=True)
    match = confirm(match.pk, by=bob, now=NOW)
    objections.object_to(match.pk, by=bob, reason="I won", now=NOW)
    stacks = discipline.status_of(bob, NOW).stacks
    assert stacks
    void = correct(match, boss).correction
    assert void
    assert discipline.status_of(bob, NOW).stacks == 0
    assert not Objection.objects.open().exists()

    first = undo(void, boss).correction
    assert discipline.status_of(bob, NOW).stacks == stacks
    assert Objection.objects.open().get().match == match
    assert (DishonorAward.objects.count(), Amnesty.objects.count()) == (1, 0)
    assert first
    undo(first, boss)
    assert discipline.status_of(bob, NOW).stacks == 0
    assert not Objection.objects.open().exists()


def test_an_undone_correction_no_longer_makes_a_result_final(
    duel: Arena, boss: User, alice: Player, bob: Player
) -> None:
    match = win(duel, alice, bob)
    made = correct(match, boss, [(1, None), (0, None)]).correction
    with pytest.raises(Conflict, match="already decided"):
        objections.object_to(match.pk, by=bob, reason="I won", now=NOW)
    assert made
    undo(made, boss)
    objections.object_to(match.pk, by=bob, reason="I won", now=NOW)


def test_what_cannot_be_undone_says_what_to_do(
    duel: Arena, boss: User, alice: Player, bob: Player, charlie: Player
) -> None:
    match = win(duel, alice, bob)
    first = correct(match, boss, [(1, None), (0, None)]).correction
    second = correct(Match.objects.get(pk=match.pk), boss).correction
    assert first
    assert second
    assert alice.user
    with pytest.raises(Forbidden, match="Only staff"):
        undoing.preview(second, by=alice.user)
    with pytest.raises(Conflict, match="Undo the later correction first"):
        undoing.preview(first, by=boss)
    undo(second, boss)
    with pytest.raises(Conflict, match="already been undone"):
        undoing.preview(Correction.objects.get(pk=second.pk), by=boss)
    undo(first, boss)
    assert Match.objects.get(pk=match.pk).status == Status.RATED
    last = Correction.objects.first()
    assert last
    assert last.kind == CorrectionKind.UNDO
    Season.objects.update(archived_at=NOW)
    with pytest.raises(Conflict, match="Publish an erratum instead"):
        undoing.preview(Correction.objects.get(pk=last.pk), by=boss)


def test_an_undo_with_an_outdated_preview_is_refused(
    duel: Arena, boss: User, alice: Player, bob: Player, charlie: Player
) -> None:
    early, mistake = win(duel, alice, bob), win(duel, alice, charlie)
    void = correct(mistake, boss).correction
    assert void
    seen = undoing.preview(void, by=boss)
    correct(early, boss)
    with pytest.raises(Conflict, match="Check it again"):
        undoing.undo(
            void,
            by=boss,
            reason="It was right",
            digest=seen.digest,
            horizon=seen.horizon,
            now=LATER + timedelta(hours=1),
        )
    assert Match.objects.get(pk=mistake.pk).status == Status.VOID
    undo(void, boss)
    check_season(duel.seasons.get())
