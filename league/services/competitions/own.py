"""The competitions that a player is in, alone or with a roster, and where they stand."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import F, Q

from league.models import Competition, Entrant
from league.services.competitions import trophies
from league.services.competitions.pages import load_all
from league.services.competitions.versions import versions_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Player
    from league.services.competitions.pages import CompetitionPage, FixtureLine, RoundLines
    from league.services.competitions.standings.competition_tables import CompetitionTable, Line

State = Competition.State
SHOWN_AFTER_END = timedelta(days=7)
MOST = 30


@dataclass(frozen=True)
class Entries:
    """Entries of a player. Their competitions are read once a page needs them."""

    entrants: Sequence[Entrant]

    @property
    def version(self) -> tuple[object, ...]:
        """Return what changes with everything that is shown of them, in one statement."""
        pks = {one.competition_id for one in self.entrants}
        return *(one.pk for one in self.entrants), *sorted(versions_of(pks).items())

    @property
    def standings(self) -> list[Standing]:
        """Return where they stand, in four statements."""
        shared = {one.competition_id: one.competition for one in self.entrants}
        pages = {page.competition.pk: page for page in load_all(list(shared.values()))}
        return [Standing(one, pages[one.competition_id]) for one in self.entrants]


@dataclass(frozen=True)
class Standing:
    """The standing of an entrant in a competition."""

    entrant: Entrant
    page: CompetitionPage

    @property
    def competition(self) -> Competition:
        return self.page.competition

    @property
    def final_place(self) -> int | None:
        """Return a place in a bracket that is over, if it is one of the first."""
        place = self.entrant.place if self.competition.has_bracket else None
        return place if place and place <= trophies.LAST else None

    @property
    def out_in(self) -> RoundLines | None:
        return self.page.knocked_out_in(self.entrant)

    @property
    def in_table(self) -> tuple[CompetitionTable, Line] | None:
        """Return the table with the entrant's line, unless they play in the bracket or nothing
        counts yet.
        """
        if any(self.is_own(line) for each in self.page.bracket for line in each.fixtures):
            return None
        found = [(table, line) for table in self.page.tables for line in table.lines]
        own = [(table, line) for table, line in found if line.entrant.pk == self.entrant.pk]
        return own[0] if own and own[0][0].sums[self.entrant.pk] else None

    @property
    def next_line(self) -> FixtureLine | None:
        """Return the fixture to be played next, else one that waits for a confirmation."""
        lines = [line for those in self.page.lines.values() for line in those]
        open_ = [line for line in lines if self.is_own(line) and not line.outcome.is_decided]
        if self.competition.state != State.RUNNING or not open_:
            return None
        return min(
            open_, key=lambda line: (line.waits, line.play_at or line.fixture.round.opens_at)
        )

    @property
    def waits_for_draw(self) -> bool:
        """Return whether their next round is drawn once the one before is decided."""
        running = self.competition.state == State.RUNNING
        in_play = self.entrant.state == Entrant.State.PLAYING
        return running and in_play and any(not each.fixtures for each in self.page.tabled)

    def is_own(self, line: FixtureLine) -> bool:
        return self.entrant.pk in {line.fixture.home_id, line.fixture.away_id}


def entries_of(player: Player, now: datetime) -> Entries:
    """Return the entries of a player in what is open, running or just over, in one statement."""
    recent = Q(competition__state=State.OVER, competition__over_at__gt=now - SHOWN_AFTER_END)
    current = Q(competition__state__in=[State.REGISTRATION, State.RUNNING])
    rows = Entrant.objects.of(player).filter(current | recent)
    published = rows.filter(
        competition__opened_at__isnull=False, competition__season__arena__is_draft=False
    )
    ordered = published.order_by(
        F("competition__over_at").desc(nulls_first=True), "competition__starts_at", "pk"
    )
    return Entries(list(ordered.select_related("competition__season__arena")[:MOST]))
