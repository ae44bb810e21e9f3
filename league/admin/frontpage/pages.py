"""Pages behind the admin's first page: test mail, invitation, backups, late tasks and filters."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlencode

from celery import current_app
from django import forms
from django.apps import apps
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.mail import send_mail
from django.http import FileResponse, Http404, HttpResponseRedirect, QueryDict
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from league.models import Backup, Email, SavedFilter
from league.models.mail_addresses import validate_domain
from league.schedule import SECONDS
from league.services.core.clock import database_now
from league.services.frontpage.first_steps import mail_is_configured
from league.services.operations import keeping
from league.services.operations.backups import stream
from league.services.people.invitation_checks import INVITES

if TYPE_CHECKING:
    from django.contrib.admin import AdminSite
    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

    from league.models import User

MOST_FILTERS = 30
"""The most filters that an account may keep for a list."""
BACKUPS_SHOWN = 20
log = logging.getLogger(__name__)


class TestMailForm(forms.Form):
    address = forms.EmailField(
        label=gettext_lazy("Address"),
        max_length=320,
        validators=[validate_domain],
        help_text=gettext_lazy("Where the test mail goes."),
        widget=forms.EmailInput(attrs={"class": "vTextField", "autocomplete": "email"}),
    )


def about(site: AdminSite, request: HttpRequest, title: str) -> dict[str, Any]:
    return {**site.each_context(request), "title": title}


def allow(request: HttpRequest, permission: str) -> None:
    if not request.user.has_perm(permission):
        raise PermissionDenied


@require_http_methods(["GET", "HEAD", "POST"])
def test_mail(request: HttpRequest, site: AdminSite) -> HttpResponse:
    """Write a test mail, and lead to the page that says what became of it."""
    allow(request, "league.change_email")
    user = cast("User", request.user)
    form = TestMailForm(request.POST or None, initial={"address": user.email})
    if request.method == "POST" and form.is_valid():
        address = form.cleaned_data["address"]
        host = settings.SITE_URL
        send_mail(
            _("Test mail"),
            _("This mail was sent from %(site)s. Mail works.") % {"site": host},
            None,
            [address],
        )
        mail = Email.objects.filter(recipient=address).latest("pk")
        text = _("The mail is on its way. Reload this page to see what the mail server said.")
        messages.info(request, text)
        return HttpResponseRedirect(reverse("admin:league_email_change", args=[mail.pk]))
    context = about(site, request, _("Test mail")) | {
        "form": form,
        "is_configured": mail_is_configured(),
    }
    return TemplateResponse(request, "admin/league/frontpage/test_mail.html", context)


@require_safe
def invite(request: HttpRequest, site: AdminSite) -> HttpResponse:
    """Show the addresses to give to players, and the ways to send and print them."""
    names = ("account_signup", "arenas", "poster", "invitations")
    links = {name: f"{settings.SITE_URL}{reverse(name)}" for name in names}
    context = about(site, request, _("Invite people")) | links
    context["may_invite"] = request.user.has_perm(INVITES)
    return TemplateResponse(request, "admin/league/frontpage/invite.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def backups(request: HttpRequest, site: AdminSite) -> HttpResponse:
    """List the last backups, and let a worker make one now."""
    allow(request, "league.view_backup")
    if request.method == "POST":
        allow(request, "league.add_backup")
        if settings.BACKUP_FOLDER:
            send(request, "back_up_now", _("A worker is making a backup. Reload in a moment."))
        return HttpResponseRedirect(request.path)
    context = about(site, request, _("Backups")) | {
        "backups": Backup.objects.order_by("-made_at")[:BACKUPS_SHOWN],
        "folder": settings.BACKUP_FOLDER,
        "hours": settings.BACKUP_HOURS,
        "copies": settings.BACKUP_COPIES,
        "may_make": request.user.has_perm("league.add_backup"),
        "may_download": is_superuser(request),
        "is_encrypted": bool(settings.BACKUP_KEY),
    }
    return TemplateResponse(request, "admin/league/frontpage/backups.html", context)


@require_POST
def download(request: HttpRequest) -> HttpResponseBase:
    """Send everything that the site knows as a backup that is made meanwhile."""
    if not is_superuser(request):
        raise PermissionDenied
    pieces = stream()
    next(pieces)  # what is refused gets a page
    log.info("%s downloads an archive of the whole league.", request.user)
    response = FileResponse(pieces, content_type="application/zip")
    name = f"{database_now():{keeping.NAME}}"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "no-store"
    return response


def is_superuser(request: HttpRequest) -> bool:
    return cast("User", request.user).is_superuser


@require_POST
def run_task(request: HttpRequest, name: str) -> HttpResponse:
    """Let a worker do a regular task now."""
    allow(request, "league.change_job")
    if name not in SECONDS:
        raise Http404
    send(request, name, _("A worker does it now. Reload this page in a moment."))
    return HttpResponseRedirect(reverse("admin:index"))


def send(request: HttpRequest, task: str, message: str) -> None:
    """Send a task to the workers and say so, or that the broker does not answer."""
    try:
        current_app.send_task(f"league.tasks.{task}", retry=False)
    except (OperationalError, RedisError):
        text = _("The broker does not answer, so no worker can be told. Try again in a moment.")
        messages.error(request, text)
    else:
        messages.info(request, message)


class FilterForm(forms.Form):
    """A filter to keep. ``query`` is the address of the list after ``?``."""

    page = forms.CharField(max_length=100)
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=60,
        error_messages={"required": gettext_lazy("Give the filter a name.")},
    )
    query = forms.CharField(max_length=2000, required=False)

    def clean_query(self) -> str:
        """Leave out the page of the list."""
        given = QueryDict(self.cleaned_data["query"])
        kept = [(key, value) for key, values in given.lists() for value in values if key != "p"]
        if not kept:
            raise forms.ValidationError(_("Choose a filter first, or search for something."))
        return urlencode(kept)


@require_POST
def save_filter(request: HttpRequest, site: AdminSite) -> HttpResponse:
    """Keep the filter of a list under a name, or forget one that was kept."""
    form = FilterForm(request.POST)
    page = request.POST.get("page", "")
    address = changelist(site, page, request)
    user = cast("User", request.user)
    if "forget" in request.POST:
        SavedFilter.objects.filter(user=user, page=page, name=request.POST["forget"]).delete()
    elif not form.is_valid():
        for problem in {str(one) for listed in form.errors.values() for one in listed}:
            messages.error(request, problem)
    elif SavedFilter.objects.filter(user=user, page=page).count() >= MOST_FILTERS:
        text = _("You keep %(count)d filters for this list already. Forget one first.")
        messages.error(request, text % {"count": MOST_FILTERS})
    else:
        SavedFilter.objects.update_or_create(
            user=user,
            page=page,
            name=form.cleaned_data["name"],
            defaults={"query": form.cleaned_data["query"]},
        )
        return HttpResponseRedirect(f"{address}?{form.cleaned_data['query']}")
    return HttpResponseRedirect(address)


def changelist(site: AdminSite, page: str, request: HttpRequest) -> str:
    """Return the address of a model's list. Raises ``Http404`` unless the account may see it."""
    try:
        model = apps.get_model(page)
    except (LookupError, ValueError):
        raise Http404 from None
    if not site.is_registered(model) or not site.get_model_admin(model).has_view_permission(
        request
    ):
        raise Http404
    return reverse(f"admin:{page.replace('.', '_')}_changelist")
