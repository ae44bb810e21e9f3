"""The page on which organisers run a competition: results, draws, venues and the clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from league.models import Competition
from league.models.own_words import own_words
from league.services.competitions import control, decisions, line_ups, progress, screens
from league.services.competitions.running import clock, opening, starting, swiss_rounds, undoing
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.core.isolation import ngettext
from league.services.results.rules import own_matches
from league.services.transfer.evenings import fixture_results
from league.services.transfer.evenings.fixture_results import Typed, with_result
from league.web.competitions.organising import competition_to_organise
from league.web.competitions.views import clock_of
from league.web.core.acting import account_of
from league.web.core.local_time import LOCAL_TIME, LocalTime
from league.web.core.middleware import status_of
from league.web.core.parameters import whole_number

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse, QueryDict

    from league.models import Fixture, User
    from league.services.competitions.line_ups import Substitution
    from league.services.competitions.pages import FixtureLine
    from league.services.transfer.evenings.fixture_results import Entered

State = Competition.State
MOST_NAMED = 3
"""The most games without a result that are named."""


@dataclass(frozen=True)
class GameRow:
    """A game of the round on the page."""

    line: FixtureLine
    typed: str
    error: str
    venue: str
    play_at: str
    after: int
    """The number of its games with a result."""
    substitutions: list[Substitution]
    """The substitutes of its games."""

    @property
    def takes_result(self) -> bool:
        return self.takes_line_up and self.line.fixture.round.opened_at is not None

    @property
    def takes_line_up(self) -> bool:
        one = self.line.fixture
        both = one.home is not None and one.away is not None
        is_running = one.competition.state == State.RUNNING
        return both and is_running and not self.line.outcome.is_decided and not self.line.waits

    @property
    def has_field(self) -> bool:
        """Return whether a result can be typed, or was."""
        return bool(self.takes_result or self.error or self.typed)

    @property
    def is_decision(self) -> bool:
        return control.is_forfeit(self.line.fixture)

    @property
    def match(self) -> int | None:
        """Return the id of its latest match that counts."""
        played = with_result(self.line.outcome.games)
        return played[-1].match_id if played else None


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def run(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show organisers the round that is played, and take their steps."""
    one = competition_to_organise(request, slug, pk)
    if request.method != "POST":
        return run_page(request, one)
    try:
        if request.POST.get("answer") == "save":
            return save(request, one)
        message = act(request, one)
    except Refused as refusal:
        return run_page(request, one, refusal=refusal)
    messages.success(request, message)
    return redirect(address_of(request, one))


def address_of(request: HttpRequest, one: Competition) -> str:
    """Return the address of the page, at the round that was opened or chosen."""
    address = reverse("competition_run", args=[one.season.arena.slug, one.pk])
    opened = request.POST.get("answer", "").partition("open-round:")[2]
    number = whole_number(opened or request.GET.get("round"), default=0)
    return f"{address}?round={number}" if number else address


def run_page(
    request: HttpRequest,
    one: Competition,
    *,
    refusal: Refused | None = None,
    errors: dict[int, str] | None = None,
) -> HttpResponse:
    """Show the page, with what was typed after an error."""
    one.refresh_from_db()
    found = control.read(one, whole_number(request.GET.get("round"), default=0))
    kept = request.POST if request.method == "POST" else None
    played_for = line_ups.substitutions_of(matches_of(one, found.lines))
    rows = [row_of(line, kept, errors or {}, played_for) for line in found.lines]
    waiting = found.waiting
    now = database_now()
    context = {
        "arena": one.season.arena,
        "competition": one,
        "control": found,
        "page": found.page,
        "rows": rows,
        "has_fields": any(row.has_field for row in rows),
        "open_games": waiting[:MOST_NAMED],
        "more": max(0, len(waiting) - MOST_NAMED),
        "placed": one.entrants.exclude(state="withdrawn").count(),
        "may_correct": may_correct(request, rows),
        **clock_of(one, now),
        "screen_code": screens.code_of(one),
        "screen_address": request.build_absolute_uri(reverse("tv")),
        "refusal": refusal,
        "errors": errors,
    }
    status = status_of(refusal) if refusal else 400 if errors else 200
    return render(request, "competitions/run.html", context, status=status)


def may_correct(request: HttpRequest, rows: list[GameRow]) -> bool:
    """Return whether the account may correct results of the arena."""
    return bool(rows) and request.user.has_perm(own_matches.CORRECT, rows[0].line.fixture)


def matches_of(one: Competition, lines: Sequence[FixtureLine]) -> list[int]:
    """Return the ids of the matches of teams in some lines: players alone have no substitutes."""
    if one.season.arena.team_size_max == 1:
        return []
    games = (game for line in lines for game in line.outcome.games)
    return [game.match_id for game in games if game.match_id is not None]


def row_of(
    line: FixtureLine,
    kept: QueryDict | None,
    errors: dict[int, str],
    played_for: Mapping[int, list[Substitution]],
) -> GameRow:
    one = line.fixture
    typed, venue = "", one.venue
    play_at = timezone.localtime(line.play_at).strftime(LOCAL_TIME) if line.play_at else ""
    if kept is not None:
        is_saved = bool(errors) and one.pk not in errors
        typed = "" if is_saved else kept.get(f"result-{one.pk}", "")
        venue = kept.get(f"venue-{one.pk}", venue)
        play_at = kept.get(f"time-{one.pk}", play_at)
    after = len(with_result(line.outcome.games))
    matches = [game.match_id for game in line.outcome.games]
    theirs = [each for match in matches for each in played_for.get(match or 0, [])]
    return GameRow(line, typed[:100], errors.get(one.pk, ""), venue, play_at, after, theirs)


def save(request: HttpRequest, one: Competition) -> HttpResponse:
    """Enter the results of all fields that are filled."""
    sent = request.POST
    typed = [
        Typed(
            int(key.removeprefix("result-")),
            sent[key],
            whole_number(sent.get(f"after-{key.removeprefix('result-')}"), default=0),
        )
        for key in sent
        if key.startswith("result-") and key[7:].isdecimal() and len(key) < 20 and sent[key].strip()
    ]
    if not typed:
        raise Refused("nothing", _("Enter a result first."))
    done = fixture_results.enter(one.pk, typed, by=account_of(request), now=database_now())
    if done.saved:
        messages.success(request, saved_in_words(done))
    if done.errors:
        return run_page(request, one, errors=done.errors)
    if not done.saved:
        messages.info(request, _("These results were saved before."))
    return redirect(address_of(request, one))


def saved_in_words(done: Entered) -> str:
    text = ngettext("%(count)d result saved.", "%(count)d results saved.", done.saved)
    return text % {"count": done.saved}


def act(request: HttpRequest, one: Competition) -> str:
    """Take the step that the form names, and return a message about it."""
    by, now, sent = account_of(request), database_now(), request.POST
    name, _dash, number = sent.get("answer", "").partition(":")
    steps: dict[str, Callable[[User, datetime, QueryDict, Competition, int], str]] = {
        "open": open_for_entries,
        "start": start,
        "draw": draw,
        "open-round": open_round,
        "undo": undo,
        "undo-bracket": undo_bracket,
        "draw-bracket": draw_bracket,
        "again": draw_again,
        "reopen": reopen,
        "places": set_places,
        "clock-set": set_clock,
        "clock-start": start_clock,
        "clock-pause": pause_clock,
        "screen": renew_screen,
        "screen-end": end_screen,
    }
    if name not in steps:
        raise Refused("answer", _("Choose what to do."))
    return steps[name](by, now, sent, one, whole_number(number, default=0))


def open_for_entries(
    by: User, now: datetime, _sent: QueryDict, one: Competition, _number: int
) -> str:
    starting.open_for_entries(one.pk, by=by, now=now)
    return _("Open for entries.")


def start(by: User, now: datetime, _sent: QueryDict, one: Competition, _number: int) -> str:
    starting.start(one.pk, by=by, now=now)
    progress.go_on_at_once(one.pk, now)
    return _("Drawn and started.")


def draw(by: User, now: datetime, _sent: QueryDict, one: Competition, number: int) -> str:
    round_ = swiss_rounds.pair_next(one.pk, None, by=by, now=now, number=number)
    progress.go_on_at_once(one.pk, now)
    return _("Round %(number)d is drawn.") % {"number": round_.number}


def open_round(by: User, now: datetime, _sent: QueryDict, one: Competition, number: int) -> str:
    opening.open_early(one.pk, number, by=by, now=now)
    progress.go_on_at_once(one.pk, now)
    return _("The round is open.")


def undo(by: User, now: datetime, _sent: QueryDict, one: Competition, number: int) -> str:
    """Undo the draw of the round with a number, or of the whole competition without one."""
    if number:
        undoing.undo_round(one.pk, by=by, now=now, number=number)
    else:
        undoing.undo_all(one.pk, by=by, now=now)
    return _("The draw is undone.")


def undo_bracket(by: User, now: datetime, _sent: QueryDict, one: Competition, _number: int) -> str:
    undoing.undo_bracket(one.pk, by=by, now=now)
    return _("The draw of the bracket is undone.")


def draw_bracket(by: User, now: datetime, _sent: QueryDict, one: Competition, _number: int) -> str:
    undoing.let_bracket_be_drawn(one.pk, by=by, now=now)
    progress.go_on_at_once(one.pk, now)
    drawn = Competition.objects.filter(pk=one.pk, rounds__stage="final").exists()
    return _("The bracket is drawn.") if drawn else _("The bracket is drawn after the groups.")


def draw_again(by: User, now: datetime, _sent: QueryDict, one: Competition, number: int) -> str:
    if number:
        undoing.undo_round(one.pk, by=by, now=now, again=True, number=number)
    else:
        undoing.undo_all(one.pk, by=by, now=now, again=True)
    progress.go_on_at_once(one.pk, now)
    return _("Drawn again.")


def reopen(by: User, now: datetime, _sent: QueryDict, one: Competition, number: int) -> str:
    """Leave a fixture that organisers decided to its games again."""
    fixture = fixture_in(one, number)
    decisions.decide(fixture.pk, "", by=by, reason=own_words("open again"), now=now)
    progress.go_on_at_once(one.pk, now)
    return _("The game is open again.")


def fixture_in(one: Competition, pk: int) -> Fixture:
    found = one.fixtures.filter(pk=pk).first()
    if found is None:
        raise Refused("no_fixture", _("There is no such fixture."))
    return found


def set_places(by: User, now: datetime, sent: QueryDict, one: Competition, _number: int) -> str:
    """Save the venues and start times of a round."""
    ids = [int(key[6:]) for key in sent if key.startswith("venue-") and key[6:].isdecimal()]
    places = [opening.Place(pk, sent.get(f"venue-{pk}", ""), new_time(sent, pk)) for pk in ids]
    opening.set_places(one.pk, places, by=by, now=now)
    return _("Saved.")


def new_time(sent: QueryDict, pk: int) -> datetime | None:
    """Return the start time that was typed for a fixture, ``None`` if it is unchanged."""
    typed = sent.get(f"time-{pk}", "")
    if not typed or typed == sent.get(f"before-{pk}"):
        return None
    try:
        return LocalTime(required=False).to_python(typed)
    except ValidationError as error:
        raise Refused("time", " ".join(error.messages), field=f"time-{pk}") from error


def set_clock(by: User, _now: datetime, sent: QueryDict, one: Competition, _number: int) -> str:
    minutes = sent.get("minutes", "").strip()
    if not (minutes.isdecimal() and len(minutes) < 6):
        raise Refused("minutes", _("Write the minutes as a number."), field="minutes")
    clock.set_to(one.pk, int(minutes), by=by)
    return _("The clock is set.") if int(minutes) else _("The clock is taken away.")


def start_clock(by: User, now: datetime, _sent: QueryDict, one: Competition, _number: int) -> str:
    clock.start(one.pk, by=by, now=now)
    return _("The clock runs.")


def pause_clock(by: User, now: datetime, _sent: QueryDict, one: Competition, _number: int) -> str:
    clock.pause(one.pk, by=by, now=now)
    return _("The clock is paused.")


def renew_screen(by: User, _now: datetime, _sent: QueryDict, one: Competition, _number: int) -> str:
    screens.renew_code(one, by=by)
    return _("Type the code on the screen.")


def end_screen(by: User, _now: datetime, _sent: QueryDict, one: Competition, _number: int) -> str:
    screens.revoke_code(one, by=by)
    return _("The screens end within seconds.")
