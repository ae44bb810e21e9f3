"""Import a history of results into an arena and rate it, all or nothing."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models.functions import Coalesce

from league.models import Match, Player, Rating, Season
from league.models.names import fold, tidy, validate_name
from league.models.skeletons import skeleton
from league.services.core.clock import microseconds, moment
from league.services.core.errors import Refused
from league.services.people.entry_lists import Entry
from league.services.points import awarding
from league.services.rating import bulk, checkpoints
from league.services.rating.rate import add_newcomers, lock_ratings
from league.services.rating.records import recount
from league.services.results.rules import formats
from league.services.seasons import starting_lists, starting_plans
from league.services.standings import connections
from league.services.standings.updating import update_all
from league.services.transfer.histories import imported_matches
from ratings.io.csvproblems import MOST_PROBLEMS, CsvError, Problem, Problems
from ratings.points.history import history_odds
from ratings.system import UnsupportedMatch
from ratings.types import MICROSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Arena
    from league.services.core.types import Progress
    from league.services.transfer.files.result_files import ResultFile
    from ratings.files.results import StartingRating
    from ratings.history import History


DAY = 24 * 60 * 60 * MICROSECONDS_PER_SECOND
MOST_PREDICTED = 100
"""The most sides of matches that get a forecast. It takes long for contests of thousands."""


@dataclass(frozen=True)
class Imported:
    """The effect of an import or a dry run."""

    matches: int
    already_there: int
    new_players: int


def import_history(
    arena: Arena,
    file: ResultFile,
    *,
    now: datetime,
    dry_run: bool = False,
    progress: Progress = lambda *_: None,
    starts: Sequence[StartingRating] = (),
) -> Imported:
    """Write the matches of ``file`` to the arena's running season and rate them in order.

    Matches of an earlier import are left as they are, so running it twice changes nothing. With
    ``dry_run`` everything is rolled back. ``starts`` are ratings with which players start the
    season, which then has to be without results.

    Raises:
        CsvError: lists all problems, with line numbers where there are any.
    """
    with transaction.atomic():
        season = lock_running_season(arena, now)
        started = give_starts(season, starts, now) if starts else 0
        file = replace(file, history=in_season(file.history, season))
        check_history(arena, season, file, now)
        ids, new_players = find_players(file.history)
        fresh = without_known(arena, season, file, ids)
        if len(fresh.history):
            write(arena, season, fresh, ids, now, progress)
        if dry_run:
            transaction.set_rollback(True)
    if not dry_run:
        update_all(season, now)
        if connections.refresh(season, now):
            update_all(season, now)
    return Imported(
        len(fresh.history), len(file.history) - len(fresh.history), started + new_players
    )


def lock_running_season(arena: Arena, now: datetime) -> Season:
    """Return the running season with an exclusive lock: confirmations of its results wait."""
    season = Season.objects.select_for_update().filter(arena=arena).running(now).first()
    if season is None:
        raise CsvError([Problem(f"no season is running in {arena}, open one first")])
    return season


def give_starts(season: Season, starts: Sequence[StartingRating], now: datetime) -> int:
    """Let a season without results start with ratings. Return the number of players created.

    Raises:
        CsvError: it has results or ranks, or a rating does not fit its system.
    """
    if season.lowest_first:
        raise CsvError([Problem(f"{season} has ranks, which are not given by ratings")])
    entries = [
        Entry(one.line, one.name, rating=one.rating, deviation=one.deviation) for one in starts
    ]
    try:
        starting_lists.season_to_start(season.arena, now)
        plan = starting_plans.plan_starts(season, entries, {})
    except Refused as refusal:
        raise CsvError([Problem(refusal.message)]) from None
    if wrong := [line for line in plan.lines if line.problem]:
        listed = [Problem(f"{line.name}: {line.problem}", line.line) for line in wrong]
        raise CsvError(listed[:MOST_PROBLEMS], more=len(listed) > MOST_PROBLEMS)
    return starting_lists.write_starts(season, plan)


def in_season(history: History, season: Season) -> History:
    """Return a history whose days without a time count from the start of a season, if it starts on
    that day. Such a day is written as midnight UTC."""
    start = microseconds(season.starts_at)
    midnight = start - start % DAY
    return replace(history, times=np.where(history.times == midnight, start, history.times))


def check_history(arena: Arena, season: Season, file: ResultFile, now: datetime) -> None:
    """Refuse matches that do not fit the arena or its season."""
    history = file.history
    problems = Problems()
    sides = np.diff(history.side_offsets)
    for match in np.flatnonzero((sides < arena.sides_min) | (sides > arena.sides_max)):
        problems.add(
            f"match {history.match_ids[match]} has {sides[match]} sides, but matches in {arena} "
            f"have {arena.sides_min} to {arena.sides_max}",
            line_of(file, match),
        )
    wrong = (history.sizes < arena.team_size_min) | (history.sizes > arena.team_size_max)
    for side in np.flatnonzero(wrong):
        match = np.searchsorted(history.side_offsets, side, side="right") - 1
        problems.add(
            f"match {history.match_ids[match]} has a side of {history.sizes[side]} players, but "
            f"sides in {arena} have {arena.team_size_min} to {arena.team_size_max}",
            line_of(file, match),
        )
    early, late = microseconds(season.starts_at), microseconds(now)
    for match in np.flatnonzero((history.times < early) | (history.times > late)):
        problems.add(
            f"match {history.match_ids[match]} was played outside {season} "
            f"({season.starts_at:%Y-%m-%d} to now)",
            line_of(file, match),
        )
    problems.raise_problems()
    check_results(arena, file, problems)
    problems.raise_problems()


def check_results(arena: Arena, file: ResultFile, problems: Problems) -> None:
    """Refuse results that the arena takes from nobody. Places may leave numbers out."""
    history = file.history
    scores = [None if math.isnan(score) else score for score in history.scores.tolist()]
    places = history.places.tolist()
    for match, (start, stop) in enumerate(pairwise(history.side_offsets.tolist())):
        ordered = sorted(places[start:stop])
        ranks = [bisect_left(ordered, place) for place in places[start:stop]]
        try:
            formats.check_result(arena, list(zip(ranks, scores[start:stop], strict=True)))
        except Refused as refusal:
            problems.add(
                f"match {history.match_ids[match]}: {refusal.message}", line_of(file, match)
            )


def line_of(file: ResultFile, match: int | np.integer) -> int | None:
    return file.lines[match] if file.lines else None


def find_players(history: History) -> tuple[list[int], int]:
    """Create missing players. Return all player ids by code, and the number created."""
    problems = Problems()
    by_fold: dict[str, str] = {}
    for name in history.players:
        folded = fold(name)
        if by_fold.setdefault(folded, name) != name:
            problems.add(f"“{name}” and “{by_fold[folded]}” read as the same name, use one of them")
        try:
            validate_name(name)
        except ValidationError as error:
            problems.add(f"player “{name}”: {' '.join(error.messages)}")
    problems.raise_problems()
    known = set(Player.ever.filter(folded_name__in=by_fold).values_list("folded_name", flat=True))
    new = {folded: name for folded, name in by_fold.items() if folded not in known}
    alike = lookalikes(new)
    Player.objects.bulk_create(
        [
            Player(name=tidy(name), folded_name=folded, may_resemble=folded in alike)
            for folded, name in new.items()
        ],
        batch_size=5_000,
        ignore_conflicts=True,
    )
    named = Player.ever.filter(folded_name__in=by_fold)
    ids = dict(named.values_list("folded_name", Coalesce("merged_into", "pk")).iterator())
    refuse_one_person_twice(by_fold, ids)
    return [ids[folded] for folded in by_fold], len(new)


def refuse_one_person_twice(names: dict[str, str], ids: dict[str, int]) -> None:
    """Refuse files that name a merged player and the one that they were merged into."""
    problems = Problems()
    by_id: dict[int, str] = {}
    for folded, name in names.items():
        if by_id.setdefault(ids[folded], name) != name:
            problems.add(
                f"“{name}” and “{by_id[ids[folded]]}” are one player, use one of the names"
            )
    problems.raise_problems()


def lookalikes(new: dict[str, str]) -> set[str]:
    """Return the keys of new names that look like another name. Staff import them knowingly."""
    bones = {folded: skeleton(name) for folded, name in new.items()}
    taken = set(Player.ever.filter(skeleton__in=bones.values()).values_list("skeleton", flat=True))
    alike = set()
    for folded, shape in bones.items():
        if shape in taken:
            alike.add(folded)
        taken.add(shape)
    return alike


def without_known(arena: Arena, season: Season, file: ResultFile, ids: list[int]) -> ResultFile:
    """Return the matches that are new. Refuse known matches with another result."""
    known = imported_matches.signatures_of_known(arena, file.history.match_ids)
    problems = Problems()
    fresh = []
    for match, signature in enumerate(imported_matches.signatures(file.history, ids)):
        stored = known.get(file.history.match_ids[match])
        if stored is None:
            fresh.append(match)
        elif stored != signature:
            problems.add(
                f"match {file.history.match_ids[match]} was imported before with another result",
                line_of(file, match),
            )
    if fresh:
        refuse_older_than_rated(season, file, fresh[0], problems)
    problems.raise_problems()
    return imported_matches.select(file, fresh)


def refuse_older_than_rated(
    season: Season, file: ResultFile, first: int, problems: Problems
) -> None:
    """Refuse matches older than the latest rated one: ratings are computed in order of time."""
    latest = Match.objects.rated().filter(season=season).order_by("-played_at").first()
    if latest and moment(int(file.history.times[first])) < latest.played_at:
        problems.add(
            f"match {file.history.match_ids[first]} was played before {latest.played_at:%Y-%m-%d}, "
            f"the latest rated result in {season}. Import older results into their own season",
            line_of(file, first),
        )


def write(
    arena: Arena,
    season: Season,
    file: ResultFile,
    ids: list[int],
    now: datetime,
    progress: Progress,
) -> None:
    """Rate the matches of ``file``, and write matches, events and ratings."""
    system = season.system()
    history = file.history
    playing = list(dict.fromkeys(ids[code] for code in history.player.tolist()))
    rated = set(
        Rating.objects.filter(season=season, player__in=playing).values_list("player", flat=True)
    )
    add_newcomers(season.pk, [player for player in playing if player not in rated], system)
    rating_ids, states = lock_ratings(season.pk, playing)
    row_of = {player: row for row, player in enumerate(playing)}
    codes = np.array([row_of.get(player, -1) for player in ids])
    done = 0

    def advance(matches: int) -> None:
        nonlocal done
        done += matches
        progress("rating", done, len(history))

    recoded = imported_matches.recode(history, codes, playing)
    cuts = checkpoints.regular_cuts(history)
    if cuts:
        checkpoints.save_now(season)
    try:
        outcome, notes = checkpoints.replay_with_checkpoints(system, recoded, states, cuts, advance)
    except UnsupportedMatch as error:
        raise CsvError([Problem(str(error))]) from error
    # Nobody has read a forecast of these matches. So where there are points they follow from the
    # ratings, and after a correction they are those of a history without the mistake.
    odds = None
    counts = season.season_rules().points.ladder.counts
    if not counts and np.diff(history.side_offsets).max(initial=0) <= MOST_PREDICTED:
        odds = history_odds(system, history, outcome.before)
    match_ids, orders = imported_matches.write_matches(
        arena, season, file, ids, odds, now, progress
    )
    bulk.write_events(season, file.history, ids, match_ids, outcome, now, progress)
    bulk.write_ratings(season, rating_ids, outcome.states)
    recount(season.pk, playing)
    checkpoints.write_checkpoints(season, notes, playing, orders)
    awarding.award_history(season, history, match_ids, ids, outcome.before, now)
