"""A Swiss that goes on with a tournament report of FIDE (TRF) of another program.

Entrants, pairings, byes and forfeits are as in the file. Its games wait for their results, which
come by an import of the same file, so that they are rated and count as any others.
"""

from __future__ import annotations

from datetime import datetime, time
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Arrangement, Competition, Entrant, Fixture, FixtureGame, Round
from league.models.competition_rules import MOST_ENTRANTS
from league.models.own_words import own_words
from league.services.competitions.locking import check_may_run, check_state, lock
from league.services.competitions.records import record
from league.services.competitions.running import drawing, entering_by_staff, starting
from league.services.core.errors import Conflict, Refused
from league.services.people.entry_lists import Entry
from ratings.tunables.reading import ParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from league.models import User
    from ratings.files.trf import Trf

Result = Fixture.Result
By = Fixture.DecidedBy
MOST_ROUNDS = 30
BYES = {"U": Result.HOME, "F": Result.HOME, "H": Result.DRAW, "Z": Result.NEITHER}
DECIDED = {
    "+": (Result.HOME, By.FORFEIT),
    "W": (Result.HOME, By.STAFF),
    "D": (Result.DRAW, By.STAFF),
    "L": (Result.AWAY, By.STAFF),
}
"""The decisions of pairings without a rated game, by the code of the home side."""
POINTS = {"win": "W", "draw": "D", "loss": "L", "forfeit": "A", "bye": "P"}


def go_on(
    competition_id: int, report: Trf, chosen: Mapping[str, int], *, by: User, now: datetime
) -> Competition:
    """Fill a Swiss without entrants with those of a report and its rounds, and start it.

    Its next round waits for staff to draw it. ``chosen`` are players for folded names that nobody
    has.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena.
        Conflict: it is no Swiss of individuals, has begun or has entrants.
        Refused: the report does not fit it, or somebody in it cannot enter.
    """
    with transaction.atomic():
        one = lock(competition_id)
        check_may_run(by, one)
        check_state(one, Competition.State.DRAFT, Competition.State.REGISTRATION)
        check_takes(one, report)
        prepare(one, report, now)
        numbers = sorted(report.players)
        entries = [
            Entry(
                player.line,
                player.name,
                rating=float(player.rating) if player.rating else None,
                seed=seed,
            )
            for seed, player in enumerate((report.players[each] for each in numbers), start=1)
        ]
        made = entering_by_staff.enter(one.pk, entries, chosen, by=by, now=now)
        one.refresh_from_db()
        starting.draw(one, made, now)
        entrants = dict(zip(numbers, one.entrants.with_people().order_by("seed"), strict=True))
        write_rounds(one, report, entrants, now)
        record(one, by, now, own_words("goes on"))
    return one


def check_takes(one: Competition, report: Trf) -> None:
    arena = one.season.arena
    if one.format != Competition.Format.SWISS or arena.team_size_max > 1 or arena.sides_min > 2:
        raise Conflict("no_swiss", _("Only a Swiss of individuals can go on with a report."))
    if one.entrants.exists():
        raise Conflict("entrants", _("This competition has entrants. Create another one."))
    if not 2 <= len(report.players) <= MOST_ENTRANTS:
        text = _("A competition has 2 to %(most)d entrants.") % {"most": MOST_ENTRANTS}
        raise Refused("entrants", text, field="file")
    if max(report.rounds, report.paired) > MOST_ROUNDS:
        text = _("A Swiss has at most %(most)d rounds.") % {"most": MOST_ROUNDS}
        raise Refused("rounds", text, field="file")
    first = report.day_of(0)
    if first is not None and first < one.season.starts_at.astimezone(arena.zone).date():
        raise Refused(
            "season",
            _(
                "The tournament began on %(day)s, before %(season)s did. Create the competition in "
                "a season of that time."
            )
            % {"day": first.isoformat(), "season": one.season},
            field="file",
        )


def prepare(one: Competition, report: Trf, now: datetime) -> None:
    """Publish a locked competition, with the places, rounds and points of a report.

    Raises:
        Refused: the points are impossible, such as more for a draw than for a win.
    """
    values = {"A": 0.0, "L": 0.0, "P": report.values.get("W", 1.0), **report.values}
    rules: dict[str, Any] = {name: dict(section) for name, section in one.rules.items()}
    places = max(one.ruled_by().entry.entrants, len(report.players))
    rounds = max(report.rounds, report.paired)
    rules.setdefault("entry", {}).update(entrants=places, check_in=0)
    rules.setdefault("play", {}).update(rounds=rounds)
    rules.setdefault("table", {}).update({name: values[code] for name, code in POINTS.items()})
    one.rules = rules
    try:
        one.ruled_by()
    except ParameterError:
        text = _("The points for a win, a draw and a loss in the report do not fit together.")
        raise Refused("points", text, field="file") from None
    one.state, one.opened_at = Competition.State.REGISTRATION, one.opened_at or now
    one.save(update_fields=["rules", "state", "opened_at"])


def write_rounds(
    one: Competition, report: Trf, entrants: Mapping[int, Entrant], now: datetime
) -> None:
    """Write the fixtures of the rounds that are paired, and plan those to come from now on."""
    rounds = list(one.rounds.order_by("number"))
    wanted = max(report.rounds, report.paired)
    for number in range(len(rounds) + 1, wanted + 1):
        begins_at = drawing.after_a_round(one, one.starts_at, number - 1)
        round_ = drawing.plan_round(one, Round.Stage.SWISS, number, begins_at)
        round_.save()
        rounds.append(round_)
    for at, round_ in enumerate(rounds):
        if at < report.paired:
            open_as_played(one, round_, report, at, now)
            write_round(one, round_, report, entrants, now)
            continue
        begins_at = drawing.after_a_round(one, one.starts_at, at - report.paired)
        drawing.set_window(one, round_, begins_at)
        round_.waits_for_staff = at == report.paired
        round_.save()
        for result, absent in absences(report, round_.number).items():
            drawing.write_byes(one, round_, [entrants[each] for each in absent], now, result)


def open_as_played(one: Competition, round_: Round, report: Trf, at: int, now: datetime) -> None:
    """Open a round on the day of the report. It closes only once there was time to import it."""
    day = report.day_of(at)
    zone = one.season.arena.zone
    begun = datetime.combine(day, time(), zone) if day else now
    round_.opens_at = round_.play_at = min(max(begun, one.season.starts_at), now)
    round_.closes_at, round_.opened_at = drawing.after_a_round(one, now), now
    round_.save()


def write_round(
    one: Competition, round_: Round, report: Trf, entrants: Mapping[int, Entrant], now: datetime
) -> None:
    at, games, byes = round_.number - 1, [], dict[Result, list[Entrant]]()
    for number, player in sorted(report.players.items()):
        cell = player.cells[at] if at < len(player.cells) else None
        if cell is None:
            continue
        if not cell.opponent:
            byes.setdefault(BYES[cell.code], []).append(entrants[number])
        elif cell.colour == "w" or (not cell.colour and number < cell.opponent):
            games.append((number, cell))
    pairs = [(entrants[number], entrants[cell.opponent]) for number, cell in games]
    fixtures = drawing.write_fixtures(one, round_, pairs)
    played = []
    for fixture, (_number, cell) in zip(fixtures, games, strict=True):
        if cell.code in {"1", "=", "0"}:
            played.append(fixture)
        elif cell.code:
            back = report.players[cell.opponent].cells[at].code
            decided = DECIDED.get(cell.code) or (
                Result.AWAY if back == "+" else Result.NEITHER,
                By.FORFEIT,
            )
            fixture.result, fixture.decided_by = decided
            fixture.decided_at = now
    Fixture.objects.bulk_update(fixtures, ["result", "decided_by", "decided_at"])
    for result, people in byes.items():
        drawing.write_byes(one, round_, people, now, result)
    wait_for_results(one, round_, played, now)


def wait_for_results(
    one: Competition, round_: Round, fixtures: Sequence[Fixture], now: datetime
) -> None:
    """Give games that were played elsewhere a date, so that results count for them."""
    dates = Arrangement.objects.bulk_create(
        Arrangement(
            arena=one.season.arena,
            proposer=fixture.home.captain,
            opponent=fixture.away.captain,
            asked=fixture.away.captain,
            play_at=now,
            play_until=round_.closes_at,
            moves_left=0,
            state=Arrangement.State.ACCEPTED,
            created_at=now,
            answered_at=now,
            accepted_at=now,
        )
        for fixture in fixtures
        if fixture.home and fixture.away
    )
    FixtureGame.objects.bulk_create(
        FixtureGame(fixture=fixture, number=1, arrangement=date)
        for fixture, date in zip(fixtures, dates, strict=True)
    )


def absences(report: Trf, number: int) -> dict[Result, list[int]]:
    """Return who does not play in a round that is not paired, by what it counts for them."""
    asked: dict[int, Result] = {}
    if number == report.paired + 1:
        asked |= dict.fromkeys(sorted(report.absent), Result.NEITHER)
        for one, player in sorted(report.players.items()):
            if len(player.cells) >= number and player.cells[number - 1].code in {"H", "Z"}:
                asked[one] = BYES[player.cells[number - 1].code]
    asked |= {
        one: BYES[code] for at, code, one in report.byes if at == number and code in {"H", "Z"}
    }
    found: dict[Result, list[int]] = {}
    for one, result in asked.items():
        if one in report.players:
            found.setdefault(result, []).append(one)
    return found
