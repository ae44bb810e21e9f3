"""Read what organisers see while they run a competition."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from league.models import Competition, Fixture
from league.services.competitions import pages
from league.services.competitions.running import bracket_names, opening, swiss_rounds, undoing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Round
    from league.services.competitions.pages import CompetitionPage, FixtureLine

State = Competition.State


@dataclass(frozen=True)
class Control:
    """A competition with the round that organisers look at."""

    competition: Competition
    page: CompetitionPage
    round: Round | None

    @cached_property
    def names(self) -> dict[int, str]:
        return bracket_names.names_of(self.competition, self.page.rounds)

    @property
    def rounds(self) -> list[tuple[Round, str]]:
        return [(each, self.names[each.pk]) for each in self.page.rounds]

    @property
    def name(self) -> str:
        return self.names[self.round.pk] if self.round else ""

    @cached_property
    def lines(self) -> list[FixtureLine]:
        """Return the games of the round, open ones first. Byes come last."""
        lines = self.page.lines.get(self.round.pk, []) if self.round else []
        ordered = [line for line in lines if not line.outcome.is_decided]
        ordered += [line for line in lines if line.outcome.is_decided and not line.is_bye]
        return ordered + [line for line in lines if line.is_bye and not line.is_needless]

    @property
    def waiting(self) -> list[FixtureLine]:
        """Return the games of all open rounds that have no result."""
        return [line for each in self.page.rounds for line in self.open_lines(each)]

    def open_lines(self, round_: Round) -> list[FixtureLine]:
        if round_.opened_at is None:
            return []
        return [line for line in self.page.lines.get(round_.pk, []) if not line.outcome.is_decided]

    @cached_property
    def next_swiss_round(self) -> Round | None:
        """Return the round of a Swiss that can be drawn now."""
        one = self.competition
        if one.state != State.RUNNING or one.format != Competition.Format.SWISS:
            return None
        decided = all(outcome.is_decided for outcome in self.page.ended.values())
        return swiss_rounds.next_round(one) if decided else None

    @cached_property
    def next_to_open(self) -> Round | None:
        return opening.next_round(self.competition)

    @cached_property
    def undoable_round(self) -> Round | None:
        """Return the round of a Swiss whose draw can be undone."""
        if self.competition.state != State.RUNNING:
            return None
        latest = undoing.latest_round(self.competition)
        lines = self.page.lines.get(latest.pk, []) if latest else []
        return latest if latest and lines and not has_result(lines) else None

    @property
    def bracket_is_undoable(self) -> bool:
        """Return whether the draw of the bracket after groups can be undone."""
        is_grouped = self.competition.format == Competition.Format.GROUPS_KNOCKOUT
        if self.competition.state != State.RUNNING or not is_grouped or not self.page.bracket:
            return False
        return not any(has_result(each.fixtures) for each in self.page.bracket)

    @property
    def bracket_waits(self) -> bool:
        """Return whether organisers undid the draw of the bracket."""
        return self.competition.state == State.RUNNING and self.competition.waits_for_staff

    @property
    def is_undoable(self) -> bool:
        """Return whether the whole draw can be undone."""
        if self.competition.state != State.RUNNING:
            return False
        return not any(has_result(lines) for lines in self.page.lines.values())


def has_result(lines: Sequence[FixtureLine]) -> bool:
    return any(undoing.has_result(line.fixture, line.outcome.games) for line in lines)


def read(one: Competition, round_id: int = 0) -> Control:
    """Read a competition and one of its rounds.

    By default it is the first with an open game, else the last that is open.
    """
    page = pages.load(one)
    control = Control(one, page, None)
    chosen = next((each for each in page.rounds if each.pk == round_id), None)
    current = next((each for each in page.rounds if control.open_lines(each)), None)
    opened = [each for each in page.rounds if each.opened_at is not None]
    latest = opened[-1] if opened else page.rounds[0] if page.rounds else None
    return Control(one, page, chosen or current or latest)


def is_forfeit(fixture: Fixture) -> bool:
    """Return whether organisers decided a fixture, so that they can leave it to its games again."""
    return fixture.decided_by in {Fixture.DecidedBy.FORFEIT, Fixture.DecidedBy.STAFF}
