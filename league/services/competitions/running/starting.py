"""From a draft to the first round: opening for entries, the draw, and cancelling."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from django.db import transaction

from league.models import Competition, Entrant, NoticeKind
from league.models.competition_rules import MOST_ENTRANTS
from league.models.own_words import own_words
from league.services.competitions.impartiality import refuse_own_competition
from league.services.competitions.locking import (
    check_may_run,
    check_state,
    checked_reason,
    lock,
)
from league.services.competitions.records import record
from league.services.competitions.running import drawing, rounds, swiss_rounds
from league.services.competitions.running.entering import PLACED, check_in_from
from league.services.competitions.running.rounds import cancel_dates
from league.services.competitions.running.seeding import seed_order, strengths
from league.services.core.errors import Conflict, Refused
from league.services.core.isolation import gettext as _
from league.services.core.kill_points import committing
from league.services.notices.writing import notify

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Season, User

State = Competition.State
Format = Competition.Format


def open_for_entries(competition_id: int, *, by: User, now: datetime) -> Competition:
    """Publish a draft, so that players can enter.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena.
        Conflict: it is no draft any more.
        Refused: its first round would open in the past or after the end of its season.
    """
    with transaction.atomic():
        one = lock(competition_id)
        check_may_run(by, one)
        check_state(one, State.DRAFT)
        check_start(one, now)
        one.state, one.opened_at = State.REGISTRATION, now
        one.save(update_fields=["state", "opened_at"])
        record(one, by, now, own_words("entries opened"))
    return one


def check_start(one: Competition, now: datetime) -> None:
    """Refuse a first round in the past or outside the season."""
    season = one.season
    if one.starts_at <= now:
        raise Refused("past", _("Choose a first round in the future."), field="starts_at")
    if is_over(season, one.starts_at):
        raise Refused(
            "season_over",
            _("%(season)s is over by then.") % {"season": season},
            field="starts_at",
        )
    if season.arena.sides_min > 2:
        raise Refused(
            "sides",
            _("Matches in %(arena)s have more than two sides, so it cannot have fixtures.")
            % {"arena": season.arena},
        )


def is_over(season: Season, moment: datetime) -> bool:
    """Return whether nothing is played in a season any more at a moment."""
    ended = season.ends_at is not None and season.ends_at <= moment
    return ended or season.archived_at is not None


def start(competition_id: int, *, now: datetime, by: User | None = None) -> Competition | None:
    """Draw a competition that is due, or that staff start, and return it.

    Without ``by`` it starts only if it is due, and returns ``None`` otherwise. Staff can do so
    before its time: the first round opens at once, and keeps its dates.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena.
        Conflict: it is not open for entries, or has too few entrants, or its season is over.
    """
    with committing("draw of a competition"):
        one = lock(competition_id)
        if by is None and (
            one.state != State.REGISTRATION or one.starts_at > now or one.waits_for_staff
        ):
            return None
        if by is not None:
            check_may_run(by, one)
        check_state(one, State.REGISTRATION)
        if is_over(one.season, now):
            if by is None:
                return None
            raise Conflict("season_over", _("%(season)s is over.") % {"season": one.season})
        playing = admit(one, now)
        if len(playing) < fewest(one):
            if by is None:
                return None
            raise Conflict(
                "too_few",
                _("At least %(count)d entrants are needed.") % {"count": fewest(one)},
            )
        draw(one, playing, now)
        if by is not None:
            open_first_round(one, now)
            record(one, by, now, own_words("started"))
    return one


def open_first_round(one: Competition, now: datetime) -> None:
    """Open what a locked competition that was just drawn begins with, whenever it is due."""
    if one.format != Format.SWISS:
        rounds.open_due(one, now, one.starts_at)
    elif (first := swiss_rounds.next_round(one)) is not None:
        swiss_rounds.open_next(one, first, now)


def fewest(one: Competition) -> int:
    """Return how many entrants a competition needs."""
    return 4 if one.format == Format.GROUPS_KNOCKOUT else 2


def admit(one: Competition, now: datetime) -> list[Entrant]:
    """Return the entrants who play: those checked in, if that is needed, then those waiting."""
    rules = one.ruled_by().entry
    entrants = list(one.entrants.with_people().order_by("entered_at", "id"))
    begins = check_in_from(one)
    wanted = {Entrant.State.CHECKED_IN} if begins and begins <= now else set(PLACED)
    placed = [entrant for entrant in entrants if entrant.state in wanted]
    waiting = [entrant for entrant in entrants if entrant.state == Entrant.State.WAITING]
    return (placed + waiting)[: rules.entrants]


def draw(one: Competition, playing: Sequence[Entrant], now: datetime) -> None:
    """Seed the entrants of a locked competition, draw its first stage and start it."""
    one.seed = secrets.randbits(62) if one.seed is None else one.seed
    one.state, one.drawn_at, one.waits_for_staff = State.RUNNING, now, False
    one.entrants.exclude(pk__in=[entrant.pk for entrant in playing]).delete()
    ordered = seed_all(one, playing)
    one.starts_at = begins_at = drawing.evening_of(one, one.starts_at, now)
    one.save(update_fields=["seed", "state", "drawn_at", "starts_at", "waits_for_staff"])
    match Format(one.format):
        case Format.TABLE:
            drawing.draw_table(one, ordered, begins_at)
        case Format.GROUPS | Format.GROUPS_KNOCKOUT:
            drawing.draw_groups(one, ordered, begins_at)
        case Format.SWISS:
            swiss_rounds.plan(one, len(ordered), begins_at)
        case Format.SINGLE | Format.DOUBLE:
            drawing.draw_bracket(one, ordered, begins_at)
    notify([entrant.captain for entrant in ordered], NoticeKind.COMPETITION, now, competition=one)


def seed_all(one: Competition, playing: Sequence[Entrant]) -> list[Entrant]:
    """Write seeds and return the entrants in their order, the best first.

    First come those to whom an organiser gave a seed, in its order, then the others by rating.
    """
    rated = strengths(one.season, playing)
    rated |= {entrant.pk: entrant.rating for entrant in playing if entrant.rating is not None}
    ordered = seed_order(playing, rated, lowest_first=one.season.lowest_first, seed=one.seed or 0)
    ordered.sort(key=lambda entrant: entrant.seed or MOST_ENTRANTS + 1)
    one.entrants.update(seed=None)  # no seed is taken while the new ones are written
    for number, entrant in enumerate(ordered):
        entrant.seed, entrant.rating = number + 1, rated[entrant.pk]
        entrant.state = Entrant.State.PLAYING
    Entrant.objects.bulk_update(ordered, ["seed", "rating", "state"])
    return ordered


def cancel(competition_id: int, *, by: User, reason: str, now: datetime) -> Competition:
    """Cancel a competition. Results that were played stay rated.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena, or plays in this one.
        Conflict: it is over.
        Refused: there is no reason.
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        one = lock(competition_id)
        check_may_run(by, one)
        check_state(one, State.DRAFT, State.REGISTRATION, State.RUNNING)
        sentence = _("You play in this competition. Ask another organiser to cancel it.")
        refuse_own_competition(one, by, sentence)
        cancel_dates(one.fixtures.all(), now)
        one.state = State.CANCELLED
        one.save(update_fields=["state"])
        record(one, by, now, reason)
        people = one.entrants.exclude(state=Entrant.State.WITHDRAWN).with_people()
        recipients = [entrant.captain for entrant in people]
        notify(recipients, NoticeKind.COMPETITION, now, competition=one)
    return one
