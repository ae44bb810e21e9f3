"""Merging players: choose two, read what would happen, and give a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.models import Player, User
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.merging.merging import merge, preview

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse, QueryDict
    from django.urls import URLPattern

    from league.services.merging.merging import Merge

PAGE = "admin:league_player_merge"


class ByName(forms.CharField):
    """A player, given by name."""

    def clean(self, value: Any) -> Any:
        name = super().clean(value)
        player = Player.objects.named(name).first() if name else None
        if name and player is None:
            raise forms.ValidationError(_("There is no player with this name."))
        return player


class PairForm(forms.Form):
    """The two players, and which of their accounts stays."""

    kept = ByName(
        label=gettext_lazy("Player who stays"),
        help_text=gettext_lazy("With this name. The other name becomes a former name."),
        widget=forms.TextInput(attrs={"class": "vTextField"}),
    )
    merged = ByName(
        label=gettext_lazy("Merged player"),
        help_text=gettext_lazy("Everything of this player moves to the one who stays."),
        widget=forms.TextInput(attrs={"class": "vTextField"}),
    )
    account = forms.ModelChoiceField(
        User.objects.none(),
        label=gettext_lazy("Account that stays"),
        help_text=gettext_lazy("The other account is locked, and its API tokens are revoked."),
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
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("How staff know that the two are one person. It stays on record."),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3, "class": "vLargeTextField"}),
    )


class Merges(admin.ModelAdmin[Any]):
    """A page on which staff merge two players, and an action that leads to it."""

    actions = ["merge_selected"]

    def has_merge_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("league.merge_player")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        return [
            path("merge/", view(self.merge_view), name="league_player_merge"),
            *super().get_urls(),
        ]

    @admin.action(description=gettext_lazy("Merge the two selected players"), permissions=["merge"])
    def merge_selected(self, request: HttpRequest, chosen: QuerySet[Player]) -> HttpResponse | None:
        """Open the page with two players: with an account first, then by who joined earlier."""
        players = sorted(chosen[:3], key=lambda one: (one.user_id is None, one.pk))
        if len(players) != 2:
            self.message_user(request, _("Select exactly two players."), messages.ERROR)
            return None
        kept, merged = players
        pair = urlencode({"kept": kept.name, "merged": merged.name})
        return HttpResponseRedirect(f"{reverse(PAGE)}?{pair}")

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def merge_view(self, request: HttpRequest) -> HttpResponse:
        """Ask for two players, show what a merge would do, and merge them."""
        if not self.has_merge_permission(request):
            raise PermissionDenied
        pair = PairForm(request.GET)
        form = MergeForm(request.POST if request.method == "POST" else None)
        seen = None
        if pair.is_valid():
            if request.method == "POST" and form.is_valid():
                if done := self.attempt(request, pair, form.cleaned_data["reason"]):
                    return self.back_to(request, done)
            else:
                seen = self.attempt(request, pair)
        context = {
            **self.admin_site.each_context(request),
            "title": _("Merge two players"),
            "opts": self.opts,
            "pair": pair,
            "form": form,
            "seen": seen,
            "swapped": swapped(request.GET),
            "back": reverse("admin:league_player_changelist"),
        }
        return TemplateResponse(request, "admin/league/player/merge.html", context)

    def attempt(self, request: HttpRequest, pair: PairForm, reason: str = "") -> Merge | None:
        """Preview the merge, or make it if there is a reason. None if it is refused."""
        given = pair.cleaned_data
        account = given.get("account")
        staff, now = cast("User", request.user), database_now()
        number = account.pk if account else None
        try:
            if not reason:
                return preview(given["kept"], given["merged"], account=number, by=staff, now=now)
            return merge(
                given["kept"], given["merged"], account=number, by=staff, reason=reason, now=now
            )
        except Refused as refusal:
            known = refusal.field in pair.fields
            pair.add_error(refusal.field if known else None, refusal.message)
            return None

    def back_to(self, request: HttpRequest, done: Merge) -> HttpResponse:
        text = _("%(merged)s is now %(kept)s.") % {"merged": done.merged, "kept": done.kept}
        self.message_user(request, text, messages.SUCCESS)
        return HttpResponseRedirect(reverse("admin:league_player_change", args=[done.kept.pk]))


def swapped(query: QueryDict) -> str:
    """Return the query for the same two players the other way round."""
    return urlencode({"kept": query.get("merged", ""), "merged": query.get("kept", "")})
