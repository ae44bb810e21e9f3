"""Steps of organisers in a round: open it early, give its games a venue and a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q
from django.utils.translation import override

from league.models import Competition, Fixture
from league.models.own_words import own_words
from league.models.words import without_controls
from league.services.competitions import decisions
from league.services.competitions.locking import check_may_run, check_state, lock
from league.services.competitions.records import record
from league.services.competitions.running.rounds import open_round
from league.services.core.errors import Conflict, Refused
from league.services.core.isolation import gettext as _

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Round, User

LONGEST_VENUE = 60


@dataclass(frozen=True)
class Place:
    """The venue and the start time of a fixture."""

    fixture: int
    venue: str
    play_at: datetime | None = None
    """``None`` leaves its date."""


def next_round(one: Competition) -> Round | None:
    """Return the next round that can open early: all sides of its fixtures are known.

    Rounds of a Swiss open when they are drawn.
    """
    if one.state != Competition.State.RUNNING or one.format == Competition.Format.SWISS:
        return None
    unknown = one.fixtures.undecided().filter(Q(home=None) | Q(away=None))
    waiting = one.rounds.filter(opened_at=None).exclude(pk__in=unknown.values("round"))
    return waiting.order_by("opens_at", "id").first()


def open_early(competition_id: int, round_id: int, *, by: User, now: datetime) -> Round:
    """Open the next round before its time. It keeps its dates.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena.
        Conflict: another round is next, or the competition does not run.
    """
    with transaction.atomic():
        one = lock(competition_id)
        check_may_run(by, one)
        check_state(one, Competition.State.RUNNING)
        round_ = next_round(one)
        if round_ is None or round_.pk != round_id:
            raise Conflict("opened", _("This round is open already, or cannot open yet."))
        open_round(one, round_, now)
        with override("en"):  # for the staff log
            after = {"round": str(round_)}
        record(one, by, now, own_words("round opened"), after=after)
    return round_


def set_places(competition_id: int, places: Sequence[Place], *, by: User, now: datetime) -> None:
    """Write where and when fixtures are played: all, or none after an error.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena, or sets a date and plays in it.
        Conflict: the competition does not run, or a fixture whose date is set has a result.
        Refused: a venue is too long, or a time does not fit the season.
    """
    with transaction.atomic():
        one = lock(competition_id)
        check_may_run(by, one)
        check_state(one, Competition.State.RUNNING)
        rows = one.fixtures.with_sides().in_bulk([place.fixture for place in places])
        changed: list[Fixture] = []
        before: dict[str, str] = {}
        after: dict[str, str] = {}
        for place in places:
            venue = " ".join(without_controls(place.venue).split())
            if len(venue) > LONGEST_VENUE:
                text = _("A venue has at most %(most)d characters.") % {"most": LONGEST_VENUE}
                raise Refused("venue", text, field=f"venue-{place.fixture}")
            row = rows.get(place.fixture)
            if row is not None and row.venue != venue:
                before[f"{row.number}: {row}"] = row.venue or "–"
                after[f"{row.number}: {row}"] = venue or "–"
                row.venue = venue
                changed.append(row)
        if changed:
            record(one, by, now, own_words("venues"), before=before, after=after)
        Fixture.objects.bulk_update(changed, ["venue"])
        for place in places:
            if place.fixture in rows and place.play_at is not None:
                why = own_words("start time")
                decisions.set_date(place.fixture, place.play_at, by=by, reason=why, now=now)
