"""Any edit of a season equals the replay of its results, and undone it leaves no trace."""

from dataclasses import dataclass
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league.models import (
    Arena,
    Correction,
    CorrectionKind,
    Match,
    Participant,
    Player,
    Rating,
    Season,
    User,
)
from league.services.core.clock import microseconds
from league.services.corrections.undoing import edit_back
from league.services.integrity import points
from league.services.integrity.ratings import verify
from league.services.rating import checkpoints
from league.services.rating.tail import read_tail
from league.services.replay.apply import Cause, apply, lock_season
from league.services.replay.diff import Diff, diff
from league.services.replay.edits import Added, Change, Edit, Part
from league.services.replay.previews import preview_of
from tests.support.cast import NOW, RANKED_AT_ONCE, arena
from tests.support.effort import examples
from tests.support.imported_histories import START, import_matches, played, stored_history
from tests.support.point_steps import totals
from tests.support.season_steps import win

SYSTEMS: list[tuple[str, dict[str, object]]] = [
    ("glicko-2", {"update": "period"}),
    ("elo-mmr", {"history_limit": 2, "ignore_all_tied": True}),
    ("ladder", {}),
    ("elo", {}),
]


@pytest.fixture(autouse=True)
def frequent_checkpoints(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take checkpoints after every few participations, so that short histories have some."""
    monkeypatch.setattr(checkpoints, "EVERY", 5)


@dataclass
class Editor:
    """Applies edits to a season, and takes them back."""

    season: Season
    by: User
    correction: Correction | None = None
    """The last one, if there was any."""

    def apply(self, edit: Edit) -> Diff:
        """Apply an edit, and check that the outcome equals a replay from scratch."""
        season = lock_season(self.season.pk)
        before = stored_history(season)
        found = diff(season, edit)
        preview_of(found)
        assert stored_history(season) == before
        cause = Cause(CorrectionKind.RESULT, "An edit", self.by, NOW)
        self.correction = apply(found, cause)
        assert verify(season) == []
        assert points.differences(season) == []
        moved = stored_history(season)[0] != before[0]
        assert moved == (found.movers > 0)
        shown = {one.player.pk: one.rating_after for one in preview_of(found).movements}
        stored = dict(Rating.objects.filter(season=season).values_list("player", "rating"))
        assert all(stored.get(player) == rating for player, rating in shown.items())
        return found

    def undo(self, found: Diff) -> None:
        """Apply the edit back to what was there before a diff."""
        rows = list(self.correction.corrected_matches.all()) if self.correction else []
        matches = Match.objects.in_bulk(row.match_id for row in rows)
        back = edit_back(rows, matches)
        orders = dict(Match.objects.values_list("pk", "rated_order"))
        drops = [Change(one.match, orders[one.match] or 0) for one in found.edit.added]
        if not found.edit.added:
            self.apply(back)
            return
        order = found.was["match"][found.was.begins("rated_order")].tolist()
        follows = dict(zip(order, [0, *order], strict=False))
        returns = sorted(
            (one for one in back.changes if one.returns), key=lambda one: order.index(one.match)
        )
        stays = [one for one in back.changes if not one.returns]
        again = [as_added(one.match, follows[one.match]) for one in returns]
        self.apply(Edit([*stays, *drops], again))


def as_added(match_id: int, after: int | None = None, **more: Any) -> Added:
    """Return a void match as one to add."""
    match = Match.objects.get(pk=match_id)
    sides = list(match.sides.order_by("index"))
    parts = [
        [
            Part(part.player_id, part.seconds, part.quit, part.profession)
            for part in Participant.objects.filter(side=side).order_by("position")
        ]
        for side in sides
    ]
    return Added(
        match.pk,
        microseconds(match.played_at),
        parts,
        [side.place or 0 for side in sides],
        [side.score for side in sides],
        match.weight,
        mode=match.mode,
        after=after,
        **more,
    )


@st.composite
def changes(draw: st.DrawFn, season: Season) -> list[Change]:
    """Draw voids and new results of some matches."""
    found = []
    for match in season.matches.rated().order_by("rated_order"):
        what = draw(st.sampled_from(["stays", "stays", "void", "result"]))
        order = match.rated_order or 0
        if what == "void":
            found.append(Change(match.pk, order))
        elif what == "result":
            places = draw(st.permutations(range(match.sides.count())))
            weight = draw(st.sampled_from([None, 2.0]))
            found.append(Change(match.pk, order, [(place, None) for place in places], weight))
    return found


@pytest.mark.parametrize(("system", "parameters"), SYSTEMS, ids=[name for name, _ in SYSTEMS])
@settings(
    max_examples=examples(4),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],  # every example is rolled back
)
@given(data=st.data())
def test_an_edit_equals_a_replay_and_its_undo_leaves_no_trace(
    olga: Player, system: str, parameters: dict[str, object], data: st.DataObject
) -> None:
    assert olga.user
    with transaction.atomic():
        league = arena(
            "one",
            rating_system=system,
            rating_parameters=parameters,
            season_rules={**RANKED_AT_ONCE, "points": {"counts": True}},
            sides_max=4,
            team_size_max=3,
        )
        import_matches(league, data.draw(played(system, start=START), "history"))
        season = league.seasons.get()
        editor = Editor(season, olga.user)
        # Voided once, so that they can be added again, as an import adds matches.
        ids = list(season.matches.rated().order_by("rated_order").values_list("pk", flat=True))
        spare = data.draw(st.sets(st.sampled_from(ids), max_size=2), "to add")
        orders = dict(season.matches.values_list("pk", "rated_order"))
        if spare and len(spare) < len(ids):
            editor.apply(Edit([Change(match, orders[match] or 0) for match in sorted(spare)]))
            added = [as_added(match) for match in sorted(spare)]
        else:
            added = []
        before, had = stored_history(season), totals(league)
        states = list(season.matches.order_by("pk").values_list("pk", "status", "weight"))
        changed = data.draw(changes(season), "changes")
        edit = Edit(changed, added)
        if not edit.is_empty:
            editor.undo(editor.apply(edit))
        assert (stored_history(season), totals(league)) == (before, had)
        assert list(season.matches.order_by("pk").values_list("pk", "status", "weight")) == states
        transaction.set_rollback(True)


def test_a_season_rated_anew_under_its_own_rules_stays_as_it_is(
    duel: Arena, olga: Player, alice: Player, bob: Player, charlie: Player
) -> None:
    assert olga.user
    for winner, loser in ((alice, bob), (bob, charlie), (charlie, alice)):
        win(duel, winner, loser)
    season = duel.seasons.get()
    before = stored_history(season)
    found = Editor(season, olga.user).apply(Edit(anew=True))
    assert (found.movers, found.rated_again, found.events) == (0, 0, 0)
    assert stored_history(season) == before


def test_a_diff_may_take_a_history_that_has_been_read(
    duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    for winner, loser in ((alice, bob), (bob, charlie), (charlie, alice)):
        last = win(duel, winner, loser)
    season = duel.seasons.get()
    edit = Edit([Change(last.pk, last.rated_order or 0)])
    read, of_all = diff(season, edit), diff(season, edit, was=read_tail(season, -1))
    assert (len(read.was), read.digest(0), read.events) == (2, of_all.digest(0), of_all.events)
