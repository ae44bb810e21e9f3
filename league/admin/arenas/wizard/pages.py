"""The pages of the arena wizard: a start, steps that change a draft, a review, and publishing.

Each draft has pages of its own, so that drafts in two tabs do not mix, and the back button shows
what was saved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import path, resolve, reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.admin.arenas import fair_play
from league.admin.arenas.wizard import advice, meanwhile, starts
from league.admin.arenas.wizard.divisions import DivisionsForm
from league.admin.arenas.wizard.forms import CalendarForm, FormatForm, PublishForm, RatingForm
from league.admin.arenas.wizard.matches import MatchesForm
from league.admin.core.base import sentence
from league.models import Arena, StaffAction
from league.models.own_words import own_words
from league.rates import tries_out
from league.services.arenas.pages import may_see_draft
from league.services.arenas.settings import (
    changes,
    preset_of,
    settings_in_english,
    settings_in_words,
)
from league.services.core.clock import database_now
from league.services.core.errors import Conflict
from league.services.core.isolation import gettext as _
from league.services.core.staff_log import of_arena
from league.services.seasons.opening import publish
from matchmaking.presets import PRESETS
from ratings.registry import KNOWN_SYSTEMS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest, HttpResponse
    from django.urls import URLPattern
    from django.utils.functional import Promise

    from league.models import ArenaQueue, User

STEPS: dict[str, tuple[Promise, Any]] = {
    "format": (gettext_lazy("Format"), FormatForm),
    "rating": (gettext_lazy("Rating system"), RatingForm),
    "calendar": (gettext_lazy("Calendar"), CalendarForm),
    "divisions": (gettext_lazy("Divisions"), DivisionsForm),
    "matches": (gettext_lazy("Maps and queue"), MatchesForm),
}
"""Titles and forms, in the order of the wizard. The review follows."""
FOLLOWING = dict(zip(STEPS, [*list(STEPS)[1:], ""], strict=True))


def urls() -> list[URLPattern]:
    """Return the addresses of the wizard, below those of arenas."""
    view = admin.site.admin_view
    return [
        path("start/", view(starts.start), name="league_arena_start"),
        path("<int:arena_id>/draft/", view(review), name="league_arena_draft"),
        path("<int:arena_id>/draft/<slug:name>/", view(step), name="league_arena_step"),
    ]


def may_publish(request: HttpRequest, arena: Arena) -> bool:
    """Return whether the reader may open the first season of a draft."""
    return may_see_draft(request.user, arena) and request.user.has_perm("league.add_season", arena)


def draft_of(request: HttpRequest, arena_id: int) -> Arena:
    """Return an arena that the reader may change, locked if they are about to."""
    arenas = Arena.objects.all()
    if request.method == "POST":
        arenas = arenas.select_for_update(no_key=True)
    arena = get_object_or_404(arenas, pk=arena_id)
    if not may_see_draft(request.user, arena):
        raise PermissionDenied
    return arena


def leave(request: HttpRequest, arena: Arena) -> HttpResponse:
    """Lead to the page of an arena that has been published in the meantime."""
    text = _("“%(arena)s” is published. Change it here.") % {"arena": arena}
    messages.info(request, text)
    return HttpResponseRedirect(reverse("admin:league_arena_change", args=[arena.pk]))


@tries_out(lambda sent: "preview" in sent)
@require_http_methods(["GET", "HEAD", "POST"])
@transaction.atomic
def step(request: HttpRequest, arena_id: int, name: str) -> HttpResponse:
    """Show a step of a draft; on POST save it and go on."""
    arena = draft_of(request, arena_id)
    if name not in STEPS:
        return HttpResponseRedirect(reverse("admin:league_arena_draft", args=[arena.pk]))
    if not arena.is_draft:
        return leave(request, arena)
    title, make = STEPS[name]
    before = settings_in_english(arena)
    sent, changed = meanwhile.merge(request, make, arena)
    loaded = meanwhile.loaded_of(make(instance=arena)).seal()
    form = make(sent if request.method == "POST" else None, instance=arena)
    fits = request.method == "POST" and form.is_valid()
    if fits and not changed and "preview" not in request.POST:
        return save_step(request, name, form, before)
    context = {
        **about(request, arena, name),
        "loaded": loaded,
        "meanwhile": changed,
        "last_saved": meanwhile.last_saved(arena) if changed else None,
        "title": title,
        "form": form,
        "systems": advice.list_advice(arena, form.suited) if name == "rating" else (),
    }
    whole = "admin/league/arena/wizard/step.html"
    shares = "admin/league/arena/wizard/_shares.html"
    template = shares if name == "divisions" and request.headers.get("HX-Request") else whole
    return TemplateResponse(request, template, context).render()


def save_step(
    request: HttpRequest, name: str, form: Any, before: Mapping[str, Any]
) -> HttpResponse:
    """Save a step, and go on to the next one or to the review."""
    system = form.instance.rating_system if name == "format" else ""
    arena = form.save()
    record(request, arena, before)
    for why in getattr(form, "adapted", ()):
        text = _("A rule of the seasons was changed: %(why)s")
        messages.warning(request, text % {"why": sentence(why)})
    following = "" if "review" in request.POST else FOLLOWING[name]
    if system and system != arena.rating_system:
        text = _("%(old)s cannot rate this format, so %(new)s was chosen. Choose another here.")
        names = {
            "old": _(KNOWN_SYSTEMS[system].label),
            "new": _(KNOWN_SYSTEMS[arena.rating_system].label),
        }
        messages.warning(request, text % names)
        following = "rating"
    return HttpResponseRedirect(address(arena, following))


def record(request: HttpRequest, arena: Arena, before: Mapping[str, Any]) -> None:
    """Write what changed into the ledger of staff."""
    arena = Arena.objects.select_related("queue").get(pk=arena.pk)
    old, new = changes(before, settings_in_english(arena))
    if old or new:
        why = own_words("draft changed", arena=arena)
        StaffAction.objects.create(
            actor=cast("User", request.user),
            kind=StaffAction.Kind.CHANGED,
            reason=why.text,
            details={**of_arena(arena), "object": str(arena), **why.details},
            before=old,
            after=new,
            at=database_now(),
        )


@require_http_methods(["GET", "HEAD", "POST"])
@transaction.atomic
def review(request: HttpRequest, arena_id: int) -> HttpResponse:
    """Show a draft in words; on POST publish it."""
    arena = draft_of(request, arena_id)
    if not arena.is_draft:
        return leave(request, arena)
    now = database_now()
    with timezone.override(arena.zone):
        form = PublishForm(request.POST if request.method == "POST" else None, now=now)
        valid = form.is_bound and form.is_valid()
    if request.method == "POST" and not may_publish(request, arena):
        raise PermissionDenied
    if valid and (response := publish_draft(request, arena, form)):
        return response
    queue = getattr(arena, "queue", None)
    context = {
        **about(request, arena, "review"),
        "title": _("Review"),
        "form": form,
        "words": words(request, arena),
        "may_publish": may_publish(request, arena),
        "queue": queue,
        "queue_rules": queue_rules(queue) if queue else "",
        "settings": settings_in_words(arena),
        "warnings": fair_play.warnings(arena.rules().fair_play),
    }
    return TemplateResponse(request, "admin/league/arena/wizard/review.html", context).render()


def publish_draft(request: HttpRequest, arena: Arena, form: PublishForm) -> HttpResponse | None:
    """Publish a draft, or return ``None`` after adding the obstacle to the form."""
    given = form.cleaned_data
    try:
        with transaction.atomic():
            season = publish(
                arena.pk,
                by=cast("User", request.user),
                now=database_now(),
                name=given["season_name"],
                starts_at=given["starts_at"],
            )
    except Conflict:
        arena.refresh_from_db()
        return leave(request, arena)
    except ValidationError as error:
        form.refuse(error)
        return None
    text = (
        _("“%(arena)s” is published, and “%(season)s” has begun.")
        if season.opened_at
        else _("“%(arena)s” is published. “%(season)s” begins when planned.")
    )
    messages.success(request, text % {"arena": arena, "season": season.name})
    return HttpResponseRedirect(reverse("admin:league_arena_change", args=[arena.pk]))


def words(request: HttpRequest, arena: Arena) -> str:
    """Return the arena's rules as players will read them on “How it works”."""
    page = resolve(reverse("how_it_works", args=[arena.slug]))
    asked, method = page.func, request.method
    request.method = "GET"  # a refused publication shows the page again
    try:
        response = asked(request, *page.args, **page.kwargs, template="arenas/how/_all.html")
    finally:
        request.method = method
    return response.rendered_content if isinstance(response, TemplateResponse) else ""


def queue_rules(queue: ArenaQueue) -> str:
    """Return which ready-made rules a queue has, empty if they are its own."""
    preset = preset_of(queue)
    return _(PRESETS[preset].about) if preset else ""


def address(arena: Arena, name: str) -> str:
    if name:
        return reverse("admin:league_arena_step", args=[arena.pk, name])
    return reverse("admin:league_arena_draft", args=[arena.pk])


def about(request: HttpRequest, arena: Arena, here: str) -> dict[str, Any]:
    """Return the context that all pages of a draft have."""
    places = [
        {"title": title, "url": address(arena, name), "here": name == here}
        for name, (title, _form) in STEPS.items()
    ]
    places.append({"title": _("Review"), "url": address(arena, ""), "here": here == "review"})
    return {
        **admin.site.each_context(request),
        "opts": Arena._meta,  # noqa: SLF001 - Django's name for it
        "arena": arena,
        "subtitle": str(arena),
        "steps": places,
        "step": here,
        "is_last": here == list(STEPS)[-1],
    }
