"""Quick entry: the results of a whole evening on one page, by keyboard."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast
from uuid import UUID, uuid4

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.views.decorators.http import require_http_methods, require_safe

from league.admin.jobs import jobs as job_pages
from league.admin.transfer.permissions import may_import
from league.models import (
    Arena,
    Competition,
    FileImport,
    Format,
    Job,
    Match,
    Player,
    Roster,
    Side,
    StaffAction,
)
from league.models.lists import list_of
from league.rates import tries_out
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.results.forecasts.outcomes import Change
from league.services.results.rules.own_matches import ENTER, VOID
from league.services.transfer.evenings import evening_rows, evening_undoing, evenings, walkovers
from league.services.transfer.evenings.evening_rows import EveningRow, Fix, Tried
from league.services.transfer.evenings.evenings import RowErrors, SavedBefore
from ratings.tunables.wording import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest, HttpResponse
    from django.urls import URLPattern

    from league.models import User

ROWS = 20
SUGGESTED = 12
CELLS = {"first": "side_1", "second": "side_2", "outcome": "outcome", "order": "order",
         "mode": "mode"}  # fmt: skip
"""The names of the inputs of a row."""

job_pages.RESULTS |= dict.fromkeys(evening_undoing.WORK, "admin:league_arena_evening_of_job")


def may_enter(request: HttpRequest, arena: Arena) -> bool:
    """Return whether the reader may enter results of an arena."""
    if not request.user.has_perm(ENTER, arena):
        return False
    return admin.site.get_model_admin(Arena).has_view_permission(request, arena)


def urls() -> list[URLPattern]:
    """Return the addresses of the pages, below those of arenas."""
    view = admin.site.admin_view
    return [
        path("<int:arena_id>/evening/", view(enter), name="league_arena_evening"),
        path("<int:arena_id>/evening/names/", view(names), name="league_arena_evening_names"),
        path(
            "<int:arena_id>/evening/<int:action_id>/",
            view(show_evening),
            name="league_arena_evening_entered",
        ),
        path("evening/of-job/<int:job_id>/", view(of_job), name="league_arena_evening_of_job"),
    ]


def arena_for(request: HttpRequest, arena_id: int) -> Arena:
    arena = get_object_or_404(Arena, pk=arena_id)
    if not may_enter(request, arena):
        raise PermissionDenied
    return arena


@tries_out(lambda sent: "save" not in sent)
@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest, arena_id: int) -> HttpResponse:
    """Show the rows of an evening, what they would do, and save them together."""
    arena = arena_for(request, arena_id)
    now = database_now()
    if request.method != "POST":
        return page(
            request, arena, [EveningRow()] * ROWS, {}, given={"played_at": local(now, arena)}
        )
    rows = apply_fix(request, rows_of(request), arena)
    given = {
        "played_at": request.POST.get("played_at", ""),
        "reason": request.POST.get("reason", ""),
        "token": request.POST.get("token", ""),
        "for_fixtures": request.POST.get("for_fixtures", ""),
        "add_players": request.POST.get("add_players", ""),
    }
    tried: dict[int, Tried] = {}
    error = ""
    options = {
        "for_fixtures": "for_fixtures" in request.POST,
        "add_players": "add_players" in request.POST and may_add(request, arena),
    }
    try:
        played_at = time_of(given["played_at"], arena)
        if "save" in request.POST:
            action = evenings.save(
                arena,
                rows,
                by=cast("User", request.user),
                reason=given["reason"],
                played_at=played_at,
                token=token_of(given["token"]),
                now=now,
                **options,
            )
            messages.success(request, _("Entered. They count from now on."))
            return HttpResponseRedirect(
                reverse("admin:league_arena_evening_entered", args=[arena.pk, action.pk])
            )
        tried = evenings.try_out(
            arena,
            rows,
            by=cast("User", request.user),
            played_at=played_at,
            now=now,
            **options,
        )
    except RowErrors as errors:
        tried, error = errors.tried, _("Nothing was saved. Correct the marked rows.")
        if may_add(request, arena) and any(own.unknown for own in tried.values()):
            error = _(
                "Nothing was saved. Correct the marked rows, or tick “Add new players” to make "
                "players of the names that nobody has."
            )
    except SavedBefore as refusal:
        error, given["token"] = refusal.message, ""  # of another evening from now on
    except Refused as refusal:
        error = refusal.message
    if request.headers.get("HX-Request"):
        name = "admin/league/arena/_evening_trial.html"
        context = {"cells": cells(rows, tried, arena), "error": error}
        return TemplateResponse(request, name, context)
    if "more" in request.POST:
        rows = [*rows, *[EveningRow()] * ROWS]
    return page(request, arena, rows, tried, given=given, error=error)


def page(
    request: HttpRequest,
    arena: Arena,
    rows: Sequence[EveningRow],
    tried: dict[int, Tried],
    *,
    given: dict[str, str],
    error: str = "",
) -> HttpResponse:
    context = {
        **admin.site.each_context(request),
        "title": _("Enter an evening"),
        "subtitle": str(arena),
        "opts": Arena._meta,  # noqa: SLF001 - Django's name for it
        "arena": arena,
        "cells": cells(rows, tried, arena),
        "in_order": in_order(arena),
        "has_fixtures": Competition.objects.running().filter(season__arena=arena).exists(),
        "may_add": may_add(request, arena),
        "error": error,
        "given": {
            "reason": _("Evening of the club"),
            "for_fixtures": "on",
            **given,
            "token": given.get("token") or str(uuid4()),
        },
    }
    return TemplateResponse(request, "admin/league/arena/evening.html", context)


def may_add(request: HttpRequest, arena: Arena) -> bool:
    """Return whether the reader may create players."""
    return may_import(request, arena, FileImport.What.PLAYERS)


def in_order(arena: Arena) -> bool:
    """Return whether a row is an order of finish, not two sides and a score."""
    return arena.format == Format.FREE_FOR_ALL or arena.sides_min > 2


def cells(
    rows: Sequence[EveningRow], tried: dict[int, Tried], arena: Arena
) -> list[dict[str, Any]]:
    """Return the rows for the page, with the shown ratings of what they would do."""
    season = arena.current_season(database_now())
    shows = season.shows_in(arena) if season else None
    found = []
    for number, row in enumerate(rows):
        one = tried.get(number)
        changes = []
        if one is not None and shows is not None:
            changes = [(name, Change(before, after)) for name, before, after in one.changes]
        found.append(
            {
                "number": number,
                "row": row,
                "errors": one.errors if one else [],
                "fixes": [(fix_value(number, each), each) for each in one.fixes] if one else [],
                "added": one.added if one else [],
                "first": one.first if one else "",
                "chance": one.chance if one else None,
                "changes": changes,
                "shows": shows,
                "walkover": one.walkover if one else "",
                "counts_for": one.counts_for if one else "",
            }
        )
    return found


def rows_of(request: HttpRequest) -> list[EveningRow]:
    """Return the rows as they were typed."""
    columns = {name: request.POST.getlist(field) for name, field in CELLS.items()}
    length = min(max(map(len, columns.values())), evenings.MOST_ROWS + 1)
    return [
        EveningRow(**{
            name: values[at].strip()[:500] if at < len(values) else ""
            for name, values in columns.items()
        })
        for at in range(length)
    ]  # fmt: skip


def fix_value(number: int, one: Fix) -> str:
    """Return what the button sends that puts a name of a row right."""
    return json.dumps([number, one.wrong, one.right], ensure_ascii=False)


def apply_fix(request: HttpRequest, rows: list[EveningRow], arena: Arena) -> list[EveningRow]:
    """Return the rows with the name put right whose button was pressed."""
    try:
        number, wrong, right = json.loads(request.POST.get("fix", ""))
        one = Fix(str(wrong), str(right)[:500])
    except (ValueError, TypeError):
        return rows
    solo = arena.team_size_max == 1
    return evening_rows.fix(rows, number, one, solo=solo) if isinstance(number, int) else rows


def local(now: datetime, arena: Arena) -> str:
    return f"{now.astimezone(arena.zone):%Y-%m-%dT%H:%M}"


def time_of(text: str, arena: Arena) -> datetime:
    """Return the time of the evening, in the arena's time zone. Raises ``Refused``."""
    try:
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=moment.tzinfo or arena.zone).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Refused("played_at", _("Give the day and time, such as 2024-05-31T19:30.")) from None


def token_of(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise Refused("token", _("Open the page again.")) from None


@require_safe
def names(request: HttpRequest, arena_id: int) -> HttpResponse:
    """Suggest players and rosters whose names begin like what is typed."""
    arena = arena_for(request, arena_id)
    text = next((request.GET[name] for name in CELLS.values() if request.GET.get(name)), "")
    head, last = split(text, arena)
    found: list[str] = []
    if last:
        if arena.team_size_max > 1:
            rosters = Roster.objects.filter(arena=arena).search(last)[:SUGGESTED]
            found += [roster.name for roster in rosters]
        players = Player.objects.search(last).order_by("sort_name")[:SUGGESTED]
        found += [player.name for player in players]
    context = {"names": [f"{head}{name}" for name in found[:SUGGESTED]]}
    return TemplateResponse(request, "admin/league/_names.html", context)


def split(text: str, arena: Arena) -> tuple[str, str]:
    """Return what comes before the name that is being typed, and that name."""
    signs = [" > ", " = "] if in_order(arena) else []
    if arena.team_size_max > 1:
        signs.append(", ")
    at = max((text.rfind(sign) + len(sign) for sign in signs if sign in text), default=0)
    return text[:at], text[at:].strip()[:60]


@require_http_methods(["GET", "HEAD", "POST"])
def show_evening(request: HttpRequest, arena_id: int, action_id: int) -> HttpResponse:
    """Show the results of an evening, and undo them together."""
    arena = arena_for(request, arena_id)
    kind = StaffAction.Kind.EVENING
    action = get_object_or_404(
        StaffAction.objects.select_related("actor"),
        pk=action_id,
        kind=kind,
        details__arena_id=arena.pk,
        details__has_key="matches",  # not the undo of an evening
    )
    may_undo = request.user.has_perm(VOID, arena)
    if request.method == "POST":
        if not may_undo:
            raise PermissionDenied
        by, now = cast("User", request.user), database_now()
        try:
            if "undo" in request.POST:
                reason = request.POST.get("reason", "")
                job = evening_undoing.ask_undo(action, arena, by=by, reason=reason, now=now)
            else:
                job = evening_undoing.ask_preview(action, arena, by=by, now=now)
            return job_pages.lead_to(job)
        except Refused as refusal:
            messages.error(request, refusal.message)
    matches = evening_undoing.evening_of(action)
    context = {
        **admin.site.each_context(request),
        "title": action.reason,
        "subtitle": str(arena),
        "opts": Arena._meta,  # noqa: SLF001 - as above
        "arena": arena,
        "action": action,
        "walkovers": walkovers.standing(action),
        "results": [(match, describe_match(match)) for match in matches],
        "reason": request.POST.get("reason", ""),
        "preview": job_pages.preview_result(request, evening_undoing.PREVIEW, action=action.pk),
        "may_undo": may_undo and evening_undoing.counts(action),
    }
    return TemplateResponse(request, "admin/league/arena/evening_entered.html", context)


def describe_match(match: Match) -> str:
    """Return who played, and the score or the winner, or the places of more than two."""
    sides = sorted(match.sides.all(), key=lambda side: side.index)
    if len(sides) > 2:
        placed = [(side.place, name_of(side)) for side in sides if side.place is not None]
        ranked = sorted(placed, key=lambda each: each[0])[:SUGGESTED]
        listed = list_of(
            _("%(place)s. %(name)s") % {"place": place + 1, "name": name} for place, name in ranked
        )
        return f"{listed} …" if len(sides) > SUGGESTED else listed
    names = " – ".join(map(name_of, sides))
    scores = [side.score for side in sides]
    places = [side.place for side in sides]
    if None not in scores:
        return f"{names} {':'.join(plain(score) for score in scores if score is not None)}"
    if len(set(places)) == 1:
        return _("%(names)s, a draw") % {"names": names}
    return _("%(names)s, %(winner)s won") % {
        "names": names,
        "winner": name_of(sides[places.index(0)]),
    }


def name_of(side: Side) -> str:
    """Return the name of a side: of its team, or of its captain."""
    return str(side.roster or side.captain)


@require_safe
def of_job(request: HttpRequest, job_id: int) -> HttpResponse:
    """Redirect from a job to the evening that it undid or previewed."""
    job = get_object_or_404(Job, pk=job_id, kind__in=evening_undoing.WORK)
    arena = arena_for(request, job.arena_id or 0)
    address = reverse("admin:league_arena_evening_entered", args=[arena.pk, job.given["action"]])
    seen = f"?preview={job.pk}#preview" if job.kind == evening_undoing.PREVIEW else ""
    return HttpResponseRedirect(f"{address}{seen}")
