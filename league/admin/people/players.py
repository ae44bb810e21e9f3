"""Players and the accounts that act for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.core.base import Explained, NameSearch, NoChange, PlainChoices
from league.admin.core.concurrent import TellsOfChanges
from league.admin.core.deleting import CountsProtectedRows
from league.admin.core.exports import Exports
from league.admin.core.suggestions import Suggests
from league.admin.corrections.voiding_all import VoidsAll
from league.admin.dishonor.penalties import Penalties
from league.admin.merging.merges import Merges
from league.admin.moderation.bulk import Many
from league.admin.moderation.files import Files
from league.admin.people.seeing import SeenAs
from league.models import DishonorAward, FormerName, Player, ReservedWord, User
from league.models.names import fold
from league.models.player import SHORTEST_MIDDLE
from league.models.skeletons import without_accents
from league.services.core.clock import database_now
from league.services.people.renaming import rename_by_staff

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest


class FormerNameInline(NoChange, admin.TabularInline[FormerName, Player]):
    """The names that the player had before."""

    model = FormerName
    fields = ("name", "given_up_at")
    extra = 0
    can_delete = False


class PlayerForm(forms.ModelForm[Player]):
    def clean(self) -> dict[str, Any]:
        """Refuse a name with which another account logs in."""
        super().clean()
        name, user = self.cleaned_data.get("name"), self.instance.user
        if name and user and not self.errors:
            others = User.objects.exclude(pk=user.pk)
            if "name" in self.changed_data and others.filter(username=fold(name)).exists():
                self.add_error("name", _("Another account logs in with this name."))
        return self.cleaned_data


class Banned(admin.SimpleListFilter):
    """Players who are banned now, in an arena or everywhere."""

    title = gettext_lazy("ban")
    parameter_name = "banned"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:  # noqa: ARG002 - Django's signature
        return [("now", _("banned now"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Player]) -> QuerySet[Player]:  # noqa: ARG002 - Django's signature
        if self.value() != "now":
            return queryset
        bans = DishonorAward.objects.bans(database_now())
        return queryset.filter(pk__in=bans.values("player"))


@admin.register(Player)
class PlayerAdmin(
    VoidsAll,
    SeenAs,
    Penalties,
    Merges,
    Files,
    Many,
    Exports,
    NameSearch,
    Suggests,
    PlainChoices,
    TellsOfChanges,
    CountsProtectedRows,
    admin.ModelAdmin[Player],
):
    form = PlayerForm
    recorded_elsewhere = ("name",)
    export_columns = ("id", "name", "user__username", "created_at")
    list_filter = (("user", admin.EmptyFieldListFilter), "created_at", Banned)
    actions = [
        "write_to_selected",
        "ban_selected",
        "add_selected_to_roster",
        "merge_selected",
        "export_selected",
    ]
    list_display = ("name", "user", "created_at")
    list_select_related = ("user",)
    search_fields = ("search_name",)
    search_help_text = gettext_lazy("Part of a name.")
    ordering = ("sort_name",)
    autocomplete_fields = ("user",)
    fields = ("name", "may_resemble", "user", "level", "created_at", "ban")
    readonly_fields = ("created_at", "ban")
    inlines = [FormerNameInline]
    show_full_result_count = False
    list_per_page = 50

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Find names with each word of the term, by an index where a word has three letters."""
        found, repeats = super().get_search_results(request, queryset, search_term)
        for word in without_accents(search_term).split():
            if len(word) >= SHORTEST_MIDDLE:
                found = found.filter(pk__in=Player.ever.containing(word).values("pk"))
        return found, repeats

    def get_inlines(self, request: HttpRequest, obj: Player | None) -> Any:
        """Leave out an empty table of former names."""
        named = obj is not None and obj.former_names.exists()
        return super().get_inlines(request, obj) if named else []

    def get_readonly_fields(self, request: HttpRequest, obj: Player | None = None) -> Any:
        """Nobody sets their own level."""
        own = obj is not None and obj.user_id == request.user.pk
        return (*super().get_readonly_fields(request, obj), *(["level"] if own else []))

    def save_model(self, request: HttpRequest, obj: Player, form: Any, change: bool) -> None:
        """Save the player. A changed name stays on record, with who changed it."""
        super().save_model(request, obj, form, change)
        old = form.initial.get("name", "")
        if change and old != obj.name:
            rename_by_staff(obj, old, by=cast("User", request.user), now=database_now())

    def view_on_site(self, player: Player) -> str:
        return player.get_absolute_url()


@admin.register(ReservedWord)
class ReservedWordAdmin(Explained, Exports, TellsOfChanges, admin.ModelAdmin[ReservedWord]):
    export_columns = (
        "id",
        "name",
        "kind",
    )
    explanation = gettext_lazy(
        "Names of players, accounts and rosters may not contain these words, nor words that look "
        "like them. Existing names stay. To allow one name, set “May resemble other names” for "
        "its player or roster."
    )
    fields = ("name", "kind")
    list_display = ("name", "kind")
    list_filter = ("kind",)
    search_fields = ("name",)
