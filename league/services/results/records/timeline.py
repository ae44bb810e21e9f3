"""The events of a match, in order."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from django.db.models import Exists, OuterRef

from league.models import (
    CorrectionKind,
    CounterReport,
    DivisionChange,
    Match,
    Objection,
    RatingEvent,
    Settlement,
    StaffAction,
    Status,
)
from league.models.answer import may_be_linked
from league.services.results.records.lines import with_counts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from league.models import EvidenceImage, MatchMessage, Player, User
    from league.models.match import MatchQuerySet


class What(StrEnum):
    REPORTED = "reported"
    CHANGED = "changed"
    WITHDRAWN = "withdrawn"
    AGREED = "agreed"
    COUNTERED = "countered"
    DISPUTED = "disputed"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    MESSAGE = "message"
    CONFIRMED = "confirmed"
    EXPIRED = "expired"
    LAPSED = "lapsed"
    DECIDED = "decided"
    OBJECTED = "objected"
    UNDECIDED = "undecided"
    NO_LONGER_OBJECTS = "no_longer_objects"


@dataclass(frozen=True)
class Entry:
    """One event of a match. Those of people have a ``who``, a player or staff account."""

    what: What
    at: datetime
    who: Player | User | None = None
    text: str = ""
    link: str = ""
    image: EvidenceImage | None = None
    placings: Sequence[tuple[int, float | None]] = ()
    """The result that a counter-report gives, or that a change replaced."""
    mode: str = ""
    """The game mode that a counter-report or a decision gives, if it is another."""
    action: Any = None
    """The staff action of a decision, before or after the match was rated."""
    by_staff: bool = False


def with_traces(matches: MatchQuerySet) -> MatchQuerySet:
    """Tell of each match which traces it left. Most have no more than ratings."""
    own = {"match": OuterRef("pk")}
    return matches.annotate(
        has_counter_reports=Exists(CounterReport.objects.filter(**own)),
        has_objections=Exists(Objection.objects.filter(**own)),
        has_staff_actions=Exists(StaffAction.objects.filter(**own)),
        has_superseded_events=Exists(RatingEvent.ever.filter(superseded_by__isnull=False, **own)),
        has_division_changes=Exists(DivisionChange.objects.filter(**own)),
    )


def whole_match(pk: int) -> Match:
    """Return a match with its arena, season, people, date, challenge and map. One statement.

    It also has its ``side_count`` and ``winner_count``, and its traces.

    Raises:
        Match.DoesNotExist: there is none with this id.
    """
    people = ("reported_by", "disputed_by", "confirmed_by")
    proposer = ("arrangement__proposer", "arrangement__proposer_roster")
    related = (*people, *proposer, "challenge", "map_choice")
    match = with_traces(with_counts(Match.objects.select_related(*related))).get(pk=pk)
    match.season.arena = match.arena
    return match


def entries(match: Match, *, read_since: datetime | None) -> list[Entry]:
    """Return the events of a match loaded ``with_traces`` and its people.

    Of messages before ``read_since``, or of all if it is ``None``, they tell only that they were
    written.
    """
    events = [*reports(match), *counters(match), *answers(match), *objection_entries(match)]
    found = [*events, *messages(match, read_since), *staff(match), *together(match)]
    return sorted(found, key=lambda entry: entry.at)


def reports(match: Match) -> Iterator[Entry]:
    if match.reported_at is None:
        return
    yield Entry(What.REPORTED, match.reported_at, first_reporter(match))
    if match.revision > 1:
        for change in match.report_changes.select_related("by"):
            yield Entry(What.CHANGED, change.at, change.by, placings=change.was)
    if match.settlement == Settlement.WITHDRAWN and match.settled_at:
        yield Entry(What.WITHDRAWN, match.settled_at, match.reported_by)


def first_reporter(match: Match) -> Player | None:
    """Return who reported first: an accepted counter-report makes its reporter the match's."""
    accepted = next((c for c in counter_reports(match) if c.state == "accepted"), None)
    return accepted.against if accepted else match.reported_by


def counter_reports(match: Match) -> list[CounterReport]:
    """Return a match's counter-reports with their players, with one query for each match."""
    known: list[CounterReport] | None = getattr(match, "known_counter_reports", None)
    if known is None:
        people = ("reporter", "against", "answered_by")
        rows = match.counter_reports.select_related(*people)
        known = list(rows) if traces_of(match).has_counter_reports else []
        match.known_counter_reports = known  # type: ignore[attr-defined] # kept with the object
    return known


def traces_of(match: Match) -> Any:
    """Return a match with the annotations of :func:`with_traces`."""
    return match


def open_counter_report(match: Match) -> CounterReport | None:
    """Return the counter-report of a disputed match that waits for an answer."""
    if match.status != Status.DISPUTED:
        return None
    waiting = (c for c in counter_reports(match) if c.state == CounterReport.State.OPEN)
    return next(waiting, None)


def counters(match: Match) -> Iterator[Entry]:
    for counter in counter_reports(match):
        agrees = counter.state == CounterReport.State.AGREES
        yield Entry(
            What.AGREED if agrees else What.COUNTERED,
            counter.at,
            counter.reporter,
            counter.comment,
            placings=counter.placings,
            mode=counter.mode,
        )
        if counter.answered_at:
            what = What.ACCEPTED if counter.state == "accepted" else What.REJECTED
            yield Entry(what, counter.answered_at, counter.answered_by)


def answers(match: Match) -> Iterator[Entry]:
    countered = any(c.at == match.disputed_at for c in counter_reports(match))
    if match.disputed_at and not countered:
        yield Entry(What.DISPUTED, match.disputed_at, match.disputed_by, match.dispute_reason)
    if match.settled_at is None or match.reported_at is None:
        return
    if match.settlement == Settlement.WINDOW:
        yield Entry(What.EXPIRED, match.settled_at)
    if match.settlement == Settlement.LAPSED:
        yield Entry(What.LAPSED, match.settled_at)
    confirmed = any(c.answered_at == match.settled_at for c in counter_reports(match))
    agreed = any(c.at == match.settled_at for c in counter_reports(match))
    if match.settlement == Settlement.CAPTAIN and not confirmed and not agreed:
        yield Entry(What.CONFIRMED, match.settled_at, match.confirmed_by)


def messages(match: Match, read_since: datetime | None) -> Iterator[Entry]:
    if match.disputed_at is None and not objections_of(match):
        return
    for message in match.messages.select_related("player", "author__player", "image__removal"):
        with_text = read_since is not None and message.at >= read_since
        yield Entry(
            What.MESSAGE,
            message.at,
            writer(message),
            message.text if with_text else "",
            message.link if with_text and may_be_linked(message.link) else "",
            getattr(message, "image", None) if with_text else None,
            by_staff=message.player is None,
        )


def objection_entries(match: Match) -> Iterator[Entry]:
    for objection in objections_of(match):
        yield Entry(What.OBJECTED, objection.at, objection.player, objection.reason)
        if objection.state == Objection.State.LAPSED and objection.closed_at:
            yield Entry(What.UNDECIDED, objection.closed_at)
        if objection.state == Objection.State.WITHDRAWN and objection.closed_at:
            yield Entry(What.NO_LONGER_OBJECTS, objection.closed_at, objection.player)


def objections_of(match: Match) -> list[Objection]:
    """Return a match's objections with their players, with one query for each match."""
    known: list[Objection] | None = getattr(match, "known_objections", None)
    if known is None:
        rows = match.objections.select_related("player")
        known = list(rows) if traces_of(match).has_objections else []
        match.known_objections = known  # type: ignore[attr-defined] # kept with the object
    return known


def open_objection(match: Match) -> Objection | None:
    """Return the objection to a match that waits for staff."""
    return next((one for one in objections_of(match) if one.state == Objection.State.OPEN), None)


def staff(match: Match) -> Iterator[Entry]:
    if not traces_of(match).has_staff_actions:
        return
    for action in match.staff_actions.select_related("actor__player"):
        if not SEVERAL.isdisjoint(action.details):
            continue  # see ``together``
        yield Entry(
            What.DECIDED,
            action.at,
            name_of(action),
            action.why,
            mode=action.details.get("mode_is", ""),
            action=action,
            by_staff=True,
        )


SEVERAL = {"matches", "evening"}
"""The keys in details of decisions about several matches."""


def together(match: Match) -> Iterator[Entry]:
    """Yield the decisions that changed this match with others: void all matches of a player, and
    the undo of an evening's void. Each match that became void with its evening has its own."""
    if not traces_of(match).has_superseded_events:
        return
    rows = match.corrected_in.filter(correction__details__has_any_keys=list(SEVERAL))
    rows = rows.exclude(correction__kind=CorrectionKind.VOID)
    for row in rows.select_related("correction__by__player"):
        made = row.correction
        undone = made.kind == CorrectionKind.UNDO
        kind = StaffAction.Kind.UNDONE if undone else StaffAction.Kind.VOIDED_ALL
        action = StaffAction(actor=made.by, kind=kind, reason=made.reason, at=made.at)
        yield Entry(
            What.DECIDED, made.at, name_of(action), made.reason, action=action, by_staff=True
        )


def writer(message: MatchMessage) -> Player | User:
    return message.player or getattr(message.author, "player", None) or message.author


def name_of(action: StaffAction) -> Player | User:
    return getattr(action.actor, "player", None) or action.actor
