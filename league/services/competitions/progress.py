"""Progress of running competitions: safe to run twice, by several processes and in any order.

Everything follows from the outcomes of the fixtures, so running it again changes nothing. It runs
within the lock of the competition.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from django.db import transaction

from league.models import Competition, Entrant, Fixture, NoticeKind
from league.models.fixture import BRACKET
from league.outages import outage_behind
from league.services.competitions import chances, pages, simulating, trophies
from league.services.competitions.locking import lock
from league.services.competitions.outcomes import outcomes
from league.services.competitions.running import (
    bracket_plan,
    brackets,
    drawing,
    rounds,
    swiss_rounds,
)
from league.services.competitions.running.starting import start
from league.services.competitions.standings.competition_tables import read_group_tables, to_json
from league.services.core.errors import Conflict
from league.services.core.kill_points import committing
from league.services.notices.writing import notify
from league.services.site import frame

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from league.models.competition import CompetitionQuerySet
    from league.services.competitions.outcomes import Outcome

logger = logging.getLogger(__name__)

State = Competition.State
Format = Competition.Format
Attention = Fixture.Attention


def sweep(now: datetime, limit: int = 500) -> int:
    """Start competitions that are due, and process running ones. Return how many changed.

    Nothing is due during maintenance.
    """
    if frame.current().maintenance:
        return 0
    due = Competition.objects.filter(
        state=State.REGISTRATION, starts_at__lte=now, waits_for_staff=False
    )
    started = sum(attempt(start_if_possible, pk, now) for pk in ids_of(due, limit))
    running = ids_of(Competition.objects.running(), limit)
    return started + sum(attempt(process, pk, now) for pk in running)


def attempt(step: Callable[[int, datetime], bool], competition_id: int, now: datetime) -> bool:
    """Take a step of one competition. If it fails, the others go on."""
    try:
        return step(competition_id, now)
    except Exception as error:
        if outage_behind(error):
            raise
        logger.exception("Competition %d could not be processed.", competition_id)
        return False


def ids_of(rows: CompetitionQuerySet, limit: int) -> list[int]:
    return list(rows.order_by("pk").values_list("pk", flat=True)[:limit])


def start_if_possible(competition_id: int, now: datetime) -> bool:
    try:
        return start(competition_id, now=now) is not None
    except Conflict:  # another process was faster
        return False


def process(competition_id: int, now: datetime) -> bool:
    """Process a running competition, unless another process has it locked.

    Rounds open and close, fixtures get their dates, winners advance, and a competition whose
    fixtures are all decided ends.
    """
    with committing("progress of a competition"):
        # The next sweep does it: this one waits for nobody who is changing a competition.
        free = Competition.objects.select_for_update(of=("self",), skip_locked=True)
        one = free.select_related("season__arena").filter(pk=competition_id, state=State.RUNNING)
        found = one.first()
        changed, ended = advance(found, now) if found else (False, {})
    if found and chances.is_stale(found, ended):
        simulating.refresh(pages.load(found), now)
    return changed


def go_on_at_once(competition_id: int, now: datetime) -> None:
    """Process a competition after a step of staff, who do not wait for the next sweep.

    Only its chances are left to that. A sweep also finishes it if this process is killed.
    """
    with transaction.atomic():
        one = lock(competition_id)
        if one.state == State.RUNNING:
            advance(one, now)


def advance(one: Competition, now: datetime) -> tuple[bool, Mapping[int, Outcome]]:
    """Process a locked running competition.

    Return whether anything has changed, and the outcomes of its fixtures.
    """
    fixtures, games = rounds.state_of(one)
    moved = brackets.advance(fixtures, outcomes(fixtures, games), now)
    opened = open_rounds(one, now)
    if opened:
        fixtures, games = rounds.state_of(one)
    ended = outcomes(fixtures, games)
    dated = rounds.set_dates(one, fixtures, games, now)
    closed = rounds.close_due(one, fixtures, games, now)
    if moved or dated or closed:
        fixtures, games = rounds.state_of(one)
        ended = outcomes(fixtures, games)
    reviewed = rounds.review(one, fixtures, games, now)
    drawn = is_decided(fixtures, ended) and go_on(one, fixtures, now)
    return bool(opened or moved or dated or closed or reviewed or drawn), ended


def is_decided(fixtures: Sequence[Fixture], ended: Mapping[int, Outcome]) -> bool:
    """Return whether all fixtures have a result, and none needs a decision of staff."""
    left = {Attention.NONE, Attention.KEPT}
    return all(one.attention in left and ended[one.pk].is_decided for one in fixtures)


def open_rounds(one: Competition, now: datetime) -> bool:
    """Open the rounds that are due. Those of a Swiss are drawn first, once all before are over."""
    if one.format == Format.SWISS:
        return swiss_rounds.open_due(one, now)
    return bool(rounds.open_due(one, now))


def go_on(one: Competition, fixtures: Sequence[Fixture], now: datetime) -> bool:
    """Begin the next stage of a competition whose fixtures are all decided, or end it.

    It does not wait for a round of a bracket in which nothing is played, such as a second final.
    """
    if one.rounds.filter(opened_at=None).exclude(stage__in=BRACKET).exists():
        return False
    in_bracket = any(fixture.round.is_in_bracket for fixture in fixtures)
    if one.format == Format.GROUPS_KNOCKOUT and not in_bracket:
        if one.waits_for_staff:
            return False
        through = bracket_entrants(one)
        if len(through) > 1:
            drawing.draw_bracket(one, through, bracket_plan.begins_after(one, now))
            return True
    finish(one, now)
    return True


def bracket_entrants(one: Competition) -> list[Entrant]:
    """Return the entrants of the bracket after the groups, in the order of their seeds."""
    tiers: list[dict[int, Entrant]] = [{} for _ in range(one.ruled_by().play.qualify)]
    for group, table in enumerate(read_group_tables(one)):
        for tier, line in zip(tiers, table.lines, strict=False):
            if line.entrant.state == Entrant.State.PLAYING:
                tier[group] = line.entrant
    return bracket_plan.in_order_of_seeds(tiers)


def finish(one: Competition, now: datetime) -> None:
    """End a locked competition and keep its final table."""
    one.state, one.over_at = State.OVER, now
    one.final = to_json(one)
    one.save(update_fields=["state", "over_at", "final"])
    trophies.write_places(pages.load(one))
    people = one.entrants.filter(state=Entrant.State.PLAYING).with_people()
    notify([each.captain for each in people], NoticeKind.COMPETITION, now, competition=one)
