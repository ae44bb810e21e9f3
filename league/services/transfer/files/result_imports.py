"""Import a file of results into the seasons of an arena, or say what that would do."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import (
    CorrectionKind,
    Match,
    NoticeKind,
    Season,
    StaffAction,
)
from league.models.own_words import Why, own_words
from league.services.competitions.counting import link_all
from league.services.core.errors import Refused
from league.services.corrections.checks import change_of
from league.services.dishonor import abandons
from league.services.notices.writing import notify_of_match
from league.services.people import naming
from league.services.replay.apply import Cause, apply
from league.services.replay.edits import Added, Change, Edit, Part
from league.services.replay.starts import season_start
from league.services.results.rules import challenges, own_matches
from league.services.results.staff import objections
from league.services.seasons import opening
from league.services.transfer.files.fixture_links import COLOURED, found_for
from league.services.transfer.files.import_reports import effect_in_words, report_of
from league.services.transfer.files.repeats import EACH
from league.services.transfer.files.result_lines import taken_out
from league.services.transfer.files.result_plans import Plan, SeasonPlan, plan
from league.services.transfer.files.result_rows import first_side_of, write_matches
from league.services.transfer.files.seasons import diff, lock_open_season

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from league.models import FileImport, User
    from league.services.core.types import Progress
    from league.services.replay.starts import Start
    from league.services.transfer.files.fixture_links import Link
    from league.services.transfer.files.result_plans import Placings
    from ratings.files.documents import Found


@dataclass
class Done:
    """The effect of an import, made or tried."""

    report: dict[str, Any]
    matches: list[int] = field(default_factory=list)
    players: list[int] = field(default_factory=list)
    changed: list[dict[str, Any]] = field(default_factory=list)
    rows: dict[int, tuple[str, int | None]] = field(default_factory=dict)
    """The fate of lines that are new, and the id of the match or player."""


def preview(file: FileImport, read: Found, *, by: User, now: datetime, progress: Progress) -> Done:
    """Return what an import would do. Nothing is written.

    A season that the file brings along is created for two moments only, and never kept: creating
    one blocks all other writes of seasons.
    """
    brought = seen_season(file, now)
    found = plan_import(file, read, by, now, progress, brought)
    report = report_of(file, read, found, brought)
    if report["error_count"]:
        return Done(report)

    def start(season: Season, players: list[int]) -> Start:
        return season_start(season, players) if season.pk else seen_start(file, now, players)

    numbers = {number: number for number in range(-len(found.names.new), 0)}
    diffs, fixtures = [], 0
    done = Done(report, rows=fate_of_repeats(found))
    for one in found.seasons:
        if not one.nothing:
            links = found_for(one, by, keep_colours=read.format in COLOURED)
            fixtures += len(links)
            done.rows |= fates(one, [None] * len(one.new))
            edit = edit_of(one, numbers, {}, links)
            try:
                diffs.append(diff(one.season, one.was, edit, progress, start))
            except Refused as refusal:
                report["errors"].append([None, refusal.message])
                report["error_count"] += 1
    report["fixtures"] = fixtures
    names = {found.names.ids[folded]: name for folded, name in found.names.new.items()}
    report["seasons"] = [effect_in_words(each, names) for each in diffs]
    return done


def carry_out(
    file: FileImport, read: Found, *, by: User, now: datetime, progress: Progress
) -> Done:
    """Import a file as a whole, in the caller's transaction.

    Raises:
        Refused: the file has errors, or a season cannot take it.
    """
    season = new_season(file, now)
    checked = set((file.report or {}).get("season_ids", []))
    if season is not None:
        checked.add(season.pk)  # there may be one of that name by now, with results
    locked = {pk: lock_open_season(pk) for pk in sorted(open_among(file, checked))}
    found = plan_import(file, read, by, now, progress)
    report = report_of(file, read, found, season)
    if report["error_count"]:
        raise Refused(
            "errors",
            ngettext(
                "The file has %(count)d error. Check it again.",
                "The file has %(count)d errors. Check it again.",
                report["error_count"],
            )
            % {"count": report["error_count"]},
        )
    made = naming.make(found.names)
    done = Done(report, players=list(made.values()), rows=fate_of_repeats(found))
    why = own_words("import", file=file.file_name)
    effects, linked = [], 0
    for one in found.seasons:
        if one.nothing:
            continue
        if one.season.pk not in locked:
            raise Refused("season_in_use", _("Other results came meanwhile. Try again."))
        links = found_for(one, by, keep_colours=read.format in COLOURED)
        ids = write_matches(one, made, links, now, progress)
        done.matches += ids
        done.rows |= fates(one, ids)
        edit = edit_of(one, made, dict(enumerate(ids)), links)
        done.changed += before_change(one, edit)
        differs = diff(one.season, one.was, edit, progress)
        cause = Cause(CorrectionKind.IMPORT, why.text, by, now, {"import": file.pk})
        apply(differs, cause, progress)
        effects.append(effect_in_words(differs))
        brought = Match.objects.in_bulk([ids[place] for place in links])
        if one.season.lowest_first:
            challenges.link(one.season.pk, ids)
        linked += link_all({link.date: brought[ids[place]] for place, link in links.items()})
        for line, result, placings in one.changed:
            del line
            follow_up(result.match, StaffAction.Kind.CORRECTED, placings, why, by, now)
        for _line, result in one.void:
            follow_up(result.match, StaffAction.Kind.VOIDED, None, why, by, now)
    report["seasons"], report["fixtures"] = effects, linked
    return done


def fate_of_repeats(what: Plan) -> dict[int, tuple[str, int | None]]:
    """Return what becomes of lines that repeat another one."""
    return dict.fromkeys(what.repeats, ("repeated", None)) if what.left_out else {}


def fates(one: SeasonPlan, ids: Sequence[int | None]) -> dict[int, tuple[str, int | None]]:
    """Return what becomes of the lines of a season. ``ids`` has those of its new matches."""
    found: dict[int, tuple[str, int | None]] = {}
    found |= {line.line: ("new", pk) for (line, _sides), pk in zip(one.new, ids, strict=True)}
    found |= {line.line: ("changed", result.match) for line, result, _is in one.changed}
    found |= {line.line: ("void", result.match) for line, result in one.void}
    return found


def new_season(file: FileImport, now: datetime) -> Season | None:
    """Return the season that the import brings along, created if it is not there, or None."""
    return existing_season(file) or (created_season(file, now) if file.season else None)


def existing_season(file: FileImport) -> Season | None:
    """Return the season that the import brings along, if it is there already."""
    given = file.season
    if not given:
        return None
    return file.arena.seasons.filter(name=given["name"], starts_at=given["starts_at"]).first()


def created_season(file: FileImport, now: datetime) -> Season:
    """Create the season that the import brings along. Raises ``Refused``."""
    given: dict[str, str] = file.season or {}
    try:
        return opening.create_past(
            file.arena,
            name=given["name"],
            starts_at=datetime.fromisoformat(given["starts_at"]),
            ends_at=datetime.fromisoformat(given["ends_at"]),
            now=now,
        )
    except ValidationError as error:
        raise Refused("season", " ".join(error.messages)) from error


def seen_season(file: FileImport, now: datetime) -> Season | None:
    """Return the season that the import brings along. If it is not there, its id is 0."""
    season = existing_season(file)
    if season is None and file.season:
        with transaction.atomic():
            season = created_season(file, now)
            transaction.set_rollback(True)
        season.pk = 0
    return season


def seen_start(file: FileImport, now: datetime, players: list[int]) -> Start:
    """Return the states in which players would start the season that the import brings along."""
    with transaction.atomic():
        found = season_start(created_season(file, now), players)
        transaction.set_rollback(True)
    return found


def open_among(file: FileImport, seasons: set[int]) -> list[int]:
    """Return those of these seasons that there are: one that a check created is gone again."""
    rows = Season.objects.filter(arena=file.arena_id, pk__in=seasons)
    return list(rows.values_list("pk", flat=True))


def plan_import(
    file: FileImport,
    read: Found,
    by: User,
    now: datetime,
    progress: Progress,
    brought: Season | None = None,
) -> Plan:
    """Compare a file with its arena, and with a season that it brings along."""
    day = file.mapping.get("day")
    return plan(
        file.arena,
        read,
        file.mapping.get("names", {}),
        by=by,
        now=now,
        brought=brought,
        each=file.mapping.get("repeats") == EACH,
        day=date.fromisoformat(day) if day else None,
        left_out=frozenset(file.mapping.get("left_out", [])),
        progress=progress,
    )


def edit_of(
    one: SeasonPlan, made: Mapping[int, int], ids: Mapping[int, int], links: Mapping[int, Link]
) -> Edit:
    """Return what a plan changes. ``made`` has ids of new players, ``ids`` of new matches.

    This takes the new results out of the plan.
    """
    changes = [
        change_of(match_of(one, result.match), placings) for _line, result, placings in one.changed
    ]
    places = dict(zip(one.was["match"].tolist(), one.was["rated_order"].tolist(), strict=True))
    voids = [Change(result.match, places[result.match]) for _line, result in one.void]
    playing = {player for _line, sides in one.new for side in sides for player in side}
    parts = {player: Part(made.get(player, player)) for player in playing}
    return Edit(
        [*changes, *voids],
        [
            Added(
                ids.get(number, -1 - number),
                line.time,
                tuple([tuple([parts[player] for player in side]) for side in sides]),
                line.places,
                line.scores,
                line.weight,
                mode=line.mode,
                first=first_side_of(line, links, number),
            )
            for number, (line, sides) in enumerate(taken_out(one.new))
        ],
    )


def match_of(one: SeasonPlan, match_id: int) -> Match:
    match = Match.objects.get(pk=match_id)
    match.season, match.arena = one.season, one.season.arena
    return match


def before_change(one: SeasonPlan, edit: Edit) -> list[dict[str, Any]]:
    """Return the matches that an import will change, and after which the void ones were rated."""
    changed: list[dict[str, Any]] = [
        {"match": change.match, "is": change.placings}
        for change in edit.changes
        if not change.voids
    ]
    if dropped := set(edit.voided):
        starts = one.was.begins("rated_order")
        order = one.was["match"][starts].tolist()
        before = dict(zip(order, [0, *order], strict=False))
        changed += [
            {"match": match, "void": True, "after": before[match]}
            for match in order
            if match in dropped
        ]
    return changed


def follow_up(
    match_id: int,
    kind: StaffAction.Kind,
    placings: Placings | None,
    why: Why,
    by: User,
    now: datetime,
    correction: int | None = None,
) -> None:
    """Do for a changed result what a correction of it does."""
    match = Match.objects.get(pk=match_id)
    own = {"own_match": True} if own_matches.is_own(match, by) else {}
    made = {"correction": correction} if correction else {}
    said = (
        {"is": [{"place": place, "score": score} for place, score in placings]} if placings else {}
    )
    action = StaffAction.objects.create(
        actor=by,
        kind=kind,
        match=match,
        reason=why.text,
        details={**made, **said, **own, **why.details},
        at=now,
    )
    abandons.clear(match.pk, action, void=kind == StaffAction.Kind.VOIDED)
    objections.close_corrected(match.pk, action)
    notify_of_match(match.pk, NoticeKind.DECIDED, now)
