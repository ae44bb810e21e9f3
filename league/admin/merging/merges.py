"""Merging players: choose two, read what would happen, give a reason, and follow a long merge."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import path, reverse, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.middleware import HtmxDetails

from league import waking
from league.admin.core.reasons import ReasonField
from league.models import MergeRequest, Player, User
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.merging.merging import preview
from league.services.merging.requests import ask

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse, QueryDict
    from django.urls import URLPattern

PAGE = "admin:league_player_merge"
NAMES = "admin:league_player_merge_names"
SUGGESTED = 10
PROGRESS = "admin:league_player_merge_request"

Done = TypeVar("Done")


class ByName(forms.CharField):
    """A player, given by name."""

    def clean(self, value: Any) -> Any:
        name = super().clean(value)
        player = Player.objects.named(name).first() if name else None
        if name and player is None:
            raise forms.ValidationError(_("There is no player with this name."))
        return player


def suggesting(name: str) -> forms.TextInput:
    """Return a field for a player's name that suggests some while it is typed."""
    return forms.TextInput(
        {
            "class": "vTextField",
            "autocomplete": "off",
            "list": "player-names",
            "hx-get": reverse_lazy(NAMES),
            "hx-trigger": "input changed delay:200ms",
            "hx-target": "#player-names",
            "hx-params": name,
        }
    )


class PairForm(forms.Form):
    """The two players, and which of their accounts stays."""

    kept = ByName(
        label=gettext_lazy("Player who stays"),
        help_text=gettext_lazy("With this name. The other name becomes a former name."),
        widget=suggesting("kept"),
    )
    merged = ByName(
        label=gettext_lazy("Merged player"),
        help_text=gettext_lazy("Everything of this player moves to the one who stays."),
        widget=suggesting("merged"),
    )
    account = forms.ModelChoiceField(
        User.objects.none(),
        label=gettext_lazy("Account that stays"),
        help_text=gettext_lazy(
            "The other account is locked, and loses its API tokens and connected apps."
        ),
        required=False,
        empty_label=None,
    )

    def __init__(self, query: QueryDict) -> None:
        given = query.copy()
        accounts = [
            player.user_id
            for name in ("kept", "merged")
            for player in Player.objects.named(query.get(name, ""))
            if player.user_id
        ]
        given.setdefault("account", str(accounts[0]) if accounts else "")
        both = "merged" in query
        super().__init__(given if both else None, initial={"kept": query.get("kept", "")})
        if len(set(accounts)) == 2:
            own = cast("forms.ModelChoiceField[User]", self.fields["account"])
            own.queryset = User.objects.filter(pk__in=accounts)
        else:
            del self.fields["account"]


class MergeForm(forms.Form):
    reason = ReasonField(
        help_text=gettext_lazy("How staff know that the two are one person. It stays on record."),
    )


class Merges(admin.ModelAdmin[Any]):
    """A page on which staff merge two players, and a button and an action that lead to it."""

    import_export_change_list_template = "admin/league/player/change_list.html"
    actions = ["merge_selected"]

    def has_merge_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("league.merge_player")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        return [
            path("merge/", view(self.merge_view), name="league_player_merge"),
            path("merge/names/", view(self.names_view), name="league_player_merge_names"),
            path(
                "merge/<int:request_id>/",
                view(self.progress_view),
                name="league_player_merge_request",
            ),
            *super().get_urls(),
        ]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the list, with the button for those who may merge."""
        may_merge = self.has_merge_permission(request)
        return super().changelist_view(request, {**(extra_context or {}), "may_merge": may_merge})

    @admin.action(description=gettext_lazy("Merge the two selected players"), permissions=["merge"])
    def merge_selected(self, request: HttpRequest, chosen: QuerySet[Player]) -> HttpResponse | None:
        """Open the page with two players: with an account first, then by who joined earlier."""
        players = sorted(chosen[:3], key=lambda one: (one.user_id is None, one.pk))
        if len(players) != 2:
            self.message_user(request, _("Select exactly two players."), messages.ERROR)
            return None
        kept, merged = players
        return HttpResponseRedirect(f"{reverse(PAGE)}?{pair_query(kept.name, merged.name)}")

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def merge_view(self, request: HttpRequest) -> HttpResponse:
        """Ask for two players, show what a merge would do, and request it."""
        if not self.has_merge_permission(request):
            raise PermissionDenied
        pair = PairForm(request.GET)
        form = MergeForm(request.POST if request.method == "POST" else None)
        seen = None
        if pair.is_valid():
            if request.method == "POST" and form.is_valid():
                if asked := attempt(
                    pair, partial(begin, reason=form.cleaned_data["reason"]), request
                ):
                    return self.after(request, asked)
            else:
                seen = attempt(pair, preview, request)
        context = {
            **self.admin_site.each_context(request),
            "title": _("Merge two players"),
            "opts": self.opts,
            "pair": pair,
            "form": form,
            "seen": seen,
            "swapped": swap_players(request.GET),
            "back": reverse("admin:league_player_changelist"),
        }
        return TemplateResponse(request, "admin/league/player/merge.html", context)

    @method_decorator(require_safe)
    def names_view(self, request: HttpRequest) -> HttpResponse:
        """Suggest players whose name contains what is typed."""
        if not self.has_merge_permission(request):
            raise PermissionDenied
        typed = request.GET.get("kept") or request.GET.get("merged", "")
        found = Player.objects.search(typed).order_by("sort_name") if typed.strip() else ()
        names = [player.name for player in found[:SUGGESTED]]
        return TemplateResponse(request, "admin/league/_names.html", {"names": names})

    @method_decorator(require_safe)
    def progress_view(self, request: HttpRequest, request_id: int) -> HttpResponse:
        """Show whether a merge is done. The page polls until it is."""
        if not self.has_merge_permission(request):
            raise PermissionDenied
        requests = MergeRequest.objects.select_related("kept", "merged")
        asked = get_object_or_404(requests, pk=request_id)
        context = {
            **self.admin_site.each_context(request),
            "title": _("Merge two players"),
            "opts": self.opts,
            "asked": asked,
            "pair": pair_query(asked.kept.name, asked.merged.name),
            "back": reverse("admin:league_player_changelist"),
        }
        name = "_merge_request" if HtmxDetails(request) else "merge_request"
        return TemplateResponse(request, f"admin/league/player/{name}.html", context)

    def after(self, request: HttpRequest, asked: MergeRequest) -> HttpResponse:
        """Lead to the player who stays, or to the progress of a merge that takes longer."""
        if asked.state == MergeRequest.State.DONE:
            names = {"merged": asked.merged, "kept": asked.kept}
            text = _("%(merged)s is now %(kept)s.") % names
            self.message_user(request, text, messages.SUCCESS)
            return HttpResponseRedirect(reverse("admin:league_player_change", args=[asked.kept.pk]))
        return HttpResponseRedirect(reverse(PROGRESS, args=[asked.pk]))


def attempt(pair: PairForm, step: Callable[..., Done], request: HttpRequest) -> Done | None:
    """Preview or begin the merge of a pair. None if it is refused, which the form then says."""
    given = pair.cleaned_data
    account = given.get("account")
    number = account.pk if account else None
    staff = cast("User", request.user)
    try:
        return step(given["kept"], given["merged"], account=number, by=staff, now=database_now())
    except Refused as refusal:
        known = refusal.field in pair.fields
        pair.add_error(refusal.field if known else None, refusal.message)
        return None


def begin(kept: Player, gone: Player, **given: Any) -> MergeRequest:
    """Request a merge. One that can be made at once is made, or refused, at once."""
    begun = waking.begin_merge(ask(kept, gone, **given))
    if begun.state == MergeRequest.State.REFUSED:
        raise Refused("refused", begun.refusal)
    return begun


def pair_query(kept: str, merged: str) -> str:
    return urlencode({"kept": kept, "merged": merged})


def swap_players(query: QueryDict) -> str:
    """Return the query for the same two players the other way round."""
    return pair_query(query.get("merged", ""), query.get("kept", ""))
