"""The inbox: notices, newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.core.paginator import Paginator
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from league.models import Notice
from league.services.core.clock import database_now
from league.services.notices import grouping, reading
from league.services.notices.texts import tell
from league.web.core.acting import acting_player, player_required
from league.web.core.parameters import whole_number

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

PAGE_SIZE = 50


@require_safe
@player_required
def inbox(request: HttpRequest) -> HttpResponse:
    """List my notices. A notice is read once its link was opened or its subject was answered."""
    notices = reading.inbox(acting_player(request))
    page = Paginator(notices, PAGE_SIZE).get_page(whole_number(request.GET.get("page")))
    groups = grouping.group(page)
    return render(request, "notices/inbox.html", {"groups": groups, "page": page})


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def mark_read(request: HttpRequest) -> HttpResponse:
    """Mark all my notices as read. GET requests return to the inbox."""
    if request.method == "POST":
        count = reading.mark_read(acting_player(request), database_now())
        message = ngettext(
            "%(count)d notice marked as read.", "%(count)d notices marked as read.", count
        )
        messages.success(request, message % {"count": count} if count else _("Nothing was unread."))
    return redirect("inbox")


@require_safe
@player_required
def open_notice(request: HttpRequest, pk: int) -> HttpResponse:
    """Mark a notice and the earlier ones of its subject as read, and go to the page about it."""
    me = acting_player(request)
    notice = get_object_or_404(reading.with_names(Notice.objects.filter(player=me)), pk=pk)
    if request.method == "GET":
        together = reading.unread(me).filter(grouping.read_together(notice))
        reading.mark_read(me, database_now(), together.values_list("pk", flat=True))
    return redirect(tell(notice).url)
