"""Tickets and ready checks, to read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Count, Q
from django.utils.html import format_html_join
from django.utils.translation import gettext_lazy

from league.admin.core.base import Explained, NameSearch, NoChange, ReadOnly, link
from league.admin.core.exports import Exports
from league.models import Player, Proposal, Ticket, TicketMember
from league.models.lists import list_of
from league.models.names import fold
from league.services.core.isolation import gettext as _

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest
    from django.utils.safestring import SafeString

MOST_NAMED = 1_000
"""A name search looks at this many players at most."""


class MemberInline(NoChange, admin.TabularInline[TicketMember, Ticket]):
    model = TicketMember
    fields = ("player", "profession", "seen_at", "accepted_at")
    extra = 0
    can_delete = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[TicketMember]:
        return super().get_queryset(request).select_related("player", "ticket__captain")


@admin.register(Ticket)
class TicketAdmin(Explained, Exports, NameSearch, ReadOnly):
    export_columns = (
        "id",
        "arena__slug",
        "captain__name",
        "roster__name",
        "modes",
        "state",
        "queued_at",
        "closed_at",
        "proposal_id",
        "team",
    )
    explanation = gettext_lazy(
        "A ticket is a roster in a queue, as it was when it joined. A player is in one open ticket "
        "at most. Players and the matcher create and close tickets."
    )
    list_display = (
        "id",
        "captain",
        "arena",
        "players",
        "state",
        "queued_at",
        "closed_at",
        "ready_check",
    )
    list_display_links = ("id", "captain")
    list_filter = ("state", "arena", "queued_at")
    list_select_related = ("captain", "arena")
    ordering = ("-id",)
    search_fields = ("members__player__search_name",)
    search_help_text = gettext_lazy("Part of a player's name.")
    fields = (
        "arena",
        "captain",
        "roster",
        "state",
        "queued_at",
        "closed_at",
        "modes",
        "ready_check",
    )
    readonly_fields = ("ready_check",)
    inlines = [MemberInline]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Ticket]:
        tickets: QuerySet[Ticket] = super().get_queryset(request)
        return tickets.annotate(size=Count("members", distinct=True))

    @admin.display(description=gettext_lazy("players"))
    def players(self, ticket: Any) -> int:
        size: int = ticket.size
        return size

    @admin.display(description=gettext_lazy("ready check"))
    def ready_check(self, ticket: Ticket) -> str:
        if ticket.proposal_id is None:
            return "–"
        return link("proposal", ticket.proposal_id, _("Ready check %(number)d"))


@admin.register(Proposal)
class ProposalAdmin(Explained, Exports, ReadOnly):
    export_columns = (
        "id",
        "arena__slug",
        "state",
        "proposed_at",
        "deadline",
        "closed_at",
        "match_id",
        "mode",
        "region",
    )
    explanation = gettext_lazy(
        "Matches that the matcher found and asked everyone about. Players who declined or did not "
        "answer missed it and were penalised. The others went back to the front of the queue."
    )
    list_display = ("id", "arena", "state", "proposed_at", "deadline", "closed_at", "missing", "on")
    list_filter = ("state", "arena", "proposed_at")
    list_select_related = ("arena",)
    ordering = ("-id",)
    search_fields = ("arena__name",)  # shows the search box; get_search_results searches
    search_help_text = gettext_lazy(
        "Part of the name of a player who was asked and is still in the match, or who missed it."
    )
    fields = (
        "arena",
        "mode",
        "region",
        "state",
        "proposed_at",
        "deadline",
        "closed_at",
        "on",
        "list_teams",
    )
    readonly_fields = ("on", "list_teams")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        del request
        if not search_term:
            return queryset, False
        named = Player.objects.search(fold(search_term)).values_list("pk", flat=True)[:MOST_NAMED]
        players = list(named)
        asked = Q(tickets__members__player__in=players) | Q(missed__overlap=players)
        return queryset.filter(asked).distinct(), False

    @admin.display(description=gettext_lazy("missed by"))
    def missing(self, proposal: Proposal) -> int:
        return len(proposal.missed)

    @admin.display(description=gettext_lazy("match"))
    def on(self, proposal: Proposal) -> str:
        if proposal.match_id is None:
            return "–"
        return link("match", proposal.match_id, _("Match %(number)d"))

    @admin.display(description=gettext_lazy("players"))
    def list_teams(self, proposal: Proposal) -> SafeString:
        """Return both teams with each player's answer, if it is kept."""
        members = TicketMember.objects.filter(
            ticket__in=[ticket for team in proposal.seats for ticket in team]
        ).select_related("player")
        of_ticket: dict[int, list[TicketMember]] = {}
        for member in members.order_by("id"):
            of_ticket.setdefault(member.ticket_id, []).append(member)
        teams = (
            (
                number,
                list_of(
                    describe_answer(proposal, member)
                    for ticket in team
                    for member in of_ticket.get(ticket, [])
                ),
            )
            for number, team in enumerate(proposal.seats, start=1)
        )
        return format_html_join("", "<div>{}: {}</div>", ((_("Team %d") % n, t) for n, t in teams))


def describe_answer(proposal: Proposal, member: TicketMember) -> str:
    """Return a player's name and answer."""
    if member.player_id in proposal.missed:
        return _("%(player)s (missed it)") % {"player": member.player}
    still_in_it = proposal.state != Proposal.State.CANCELLED
    if still_in_it and member.accepted_at:
        return _("%(player)s (ready)") % {"player": member.player}
    return str(member.player)
