"""The first page of the arena wizard: a preset, another arena or a file becomes a draft."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from league.admin.arenas.wizard.forms import StartForm
from league.models import Arena
from league.models.explained import translate
from league.models.lists import list_of
from league.services.arenas import starting
from league.services.arenas.pages import may_see_draft
from league.services.arenas.presets import PRESETS
from league.services.core.clock import database_now
from league.services.core.isolation import gettext as _
from league.services.queue.ranks import needs_of
from league.services.transfer.configuration.drafts import drafts_from
from matchmaking.io.xmltree import XmlError

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from league.models import User

MOST_PROBLEMS = 10


@require_http_methods(["GET", "HEAD", "POST"])
def start(request: HttpRequest) -> HttpResponse:
    """Show what an arena can start from; on POST create a draft and lead to its first step."""
    if not request.user.has_perm("league.add_arena"):
        raise PermissionDenied
    posted = request.method == "POST"
    form = StartForm(
        request.POST if posted else None,
        request.FILES if posted else None,
        arenas=Arena.objects.order_by("sort_name"),
        initial={"copied": request.GET.get("copy")},
    )
    if posted and form.is_valid() and (arena := create_draft(request, form)):
        step = [arena.pk, "format"]
        leads = reverse("admin:league_arena_step", args=step)
        if not may_see_draft(request.user, arena):  # may add arenas, but not change them
            leads = reverse("admin:index")
        return HttpResponseRedirect(leads)
    context = {
        **admin.site.each_context(request),
        "title": _("Add an arena"),
        "opts": Arena._meta,  # noqa: SLF001 - Django's name for it
        "form": form,
        "presets": [(key, one, needs_of(one.queue)) for key, one in PRESETS.items()],
    }
    return TemplateResponse(request, "admin/league/arena/wizard/start.html", context)


def create_draft(request: HttpRequest, form: StartForm) -> Arena | None:
    """Create the draft, or return ``None`` after adding the problem to the form."""
    given, chosen = form.cleaned_data, request.POST.get("start", "")
    by = cast("User", request.user)
    if chosen == "file":
        return import_drafts(request, form, by)
    named = {"name": given["name"], "slug": given["slug"], "by": by, "now": database_now()}
    try:
        if chosen == "copy":
            arena = starting.from_arena(given["copied"], **named)
        elif chosen in PRESETS:
            arena = starting.from_preset(PRESETS[chosen], **named)
        else:
            form.add_error(None, _("Choose what the arena starts from."))
            return None
    except ValidationError as error:
        form.refuse(error)
        return None
    text = _("“%(arena)s” is a draft: only staff who may change it see it. Publish it at the end.")
    messages.success(request, text % {"arena": arena})
    return arena


def import_drafts(request: HttpRequest, form: StartForm, by: User) -> Arena | None:
    """Create the drafts of a file, and return the first, or ``None`` after adding its problems."""
    try:
        arenas, remarks = drafts_from(
            form.cleaned_data["file"], str(request.FILES["file"]), by=by, now=database_now()
        )
    except XmlError as error:
        form.add_error(
            "file", [_("Nothing was imported."), *map(translate, error.problems[:MOST_PROBLEMS])]
        )
        return None
    names = list_of(f"“{arena}”" for arena in arenas)
    messages.success(request, _("Drafts from the file: %(names)s.") % {"names": names})
    for remark in remarks:
        messages.warning(request, remark)
    return arenas[0]
