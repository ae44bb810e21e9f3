"""Everything that the league knows about a player, for moderators.

Each part is a list, newest first. A page shows the start of every list, or one list page by page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import DateTimeField, Exists, F, OuterRef, Q, TextField
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, JSONObject, Now

from league.models import (
    Case,
    CasePlayer,
    DishonorAward,
    Flag,
    FormerName,
    Match,
    MatchMessage,
    Objection,
    Participant,
    Player,
    PlayerClaim,
    PlayerReport,
    Rating,
    RosterMember,
    StaffAction,
)
from league.services.core.shown_ratings import with_shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import QuerySet

FEW = 20
"""The rows of a list that the file starts with."""
NAMES = 100
"""The most former names and rosters."""


def player_for_file(player_id: int) -> QuerySet[Any]:
    """Return the player with what is known of their account, former names and rosters."""
    names = FormerName.objects.filter(player=OuterRef("pk")).order_by("-given_up_at", "-pk")
    rosters = RosterMember.objects.filter(player=OuterRef("pk")).order_by("roster__sort_name")
    addresses = EmailAddress.objects.filter(user=OuterRef("user"))
    factors = Authenticator.objects.filter(user=OuterRef("user"))
    return (
        Player.ever.filter(pk=player_id)
        .select_related("user", "merged_into")
        .annotate(
            now=Now(output_field=DateTimeField()),
            has_second_factor=Exists(factors),
            has_address=Exists(addresses),
            has_confirmed_address=Exists(addresses.filter(verified=True)),
            names=ArraySubquery(
                names.values(row=JSONObject(name="name", at="given_up_at"))[:NAMES]
            ),
            in_rosters=ArraySubquery(
                rosters.values(
                    row=JSONObject(
                        id="roster_id",
                        name="roster__name",
                        arena="roster__arena__name",
                        captain="roster__captain_id",
                    )
                )[:NAMES]
            ),
        )
    )


def ratings(player: Player) -> QuerySet[Any]:
    found = with_shown(Rating.objects.filter(player=player)).select_related("season__arena")
    return found.order_by("-season__starts_at", "-season_id")


def reports(player: Player) -> QuerySet[Any]:
    """Return the reports that the player made or that are about them."""
    found = PlayerReport.objects.filter(Q(reporter=player) | Q(reported=player))
    return found.select_related("reporter", "reported")


def disputes(player: Player) -> QuerySet[Any]:
    """Return the player's matches that somebody disputed."""
    found = Match.objects.filter(participants__player=player, disputed_at__isnull=False)
    return found.order_by("-disputed_at", "-pk").values_list(
        "pk",
        "disputed_at",
        "dispute_reason",
        "status",
        "arena__name",
        "disputed_by",
        "disputed_by__name",
        named=True,
    )


def penalties(player: Player) -> QuerySet[Any]:
    """Return penalties and bans with who gave them, and who made them void."""
    found = DishonorAward.objects.filter(player=player).annotate(
        lifted_by=F("amnesties__action__actor__username"),
        lifted_why=F("amnesties__action__reason"),
    )
    return found.order_by("-at", "-pk").values_list(
        "pk",
        "at",
        "offence",
        "stacks",
        "ends_at",
        "match",
        "arena__name",
        "action__actor__username",
        "action__reason",
        "lifted_by",
        "lifted_why",
        "appeal__pk",
        "appeal__state",
        named=True,
    )


def flags(player: Player) -> QuerySet[Any]:
    found = Flag.objects.filter(Q(player=player) | Q(other=player))
    return found.select_related("season__arena", "player", "other").only(
        "kind",
        "evidence",
        "raised_at",
        "note",
        "player__name",
        "other__name",
        "season__name",
        "season__arena__name",
    )


def claims(player: Player) -> QuerySet[Any]:
    """Return the claims of the player, and those that their account made."""
    concerned = Q(player=player)
    if player.user_id:
        concerned |= Q(account=player.user_id)
    return PlayerClaim.objects.filter(concerned).select_related("player", "account")


def objections(player: Player) -> QuerySet[Any]:
    found = Objection.objects.filter(player=player).order_by("-at", "-pk")
    columns = ("at", "match", "match__arena__name", "reason", "state")
    return found.values_list(*columns, named=True)


def messages(player: Player) -> QuerySet[Any]:
    """Return the player's messages about disputed matches."""
    found = MatchMessage.objects.filter(player=player).order_by("-pk")
    return found.values_list("at", "match", "match__arena__name", "text", named=True)


def actions(player: Player) -> QuerySet[Any]:
    """Return the decisions of staff that name the player, or are about their matches."""
    named = StaffAction.objects.filter(
        Q(details__contains={"player": player.pk})
        | Q(details__contains={"kept": player.pk})
        | Q(details__contains={"merged": player.pk})
        | Q(details__contains={"player_ids": [player.pk]})
        | Q(details__contains={"players": [player.name]})
    )
    played = Participant.objects.filter(player=player)
    about_matches = StaffAction.objects.filter(match__in=played.values("match"))
    both = named.order_by().values("pk").union(about_matches.order_by().values("pk"))
    found = StaffAction.objects.filter(pk__in=both).order_by("-pk")
    return found.values_list(
        "pk", "at", "actor__username", "kind", "match", "reason", "details", named=True
    )


def cases(player: Player) -> QuerySet[Any]:
    return Case.objects.filter(players=player).select_related("assignee").order_by("-pk")


LISTS: dict[str, Callable[[Player], QuerySet[Any]]] = {
    "ratings": ratings,
    "cases": cases,
    "reports": reports,
    "penalties": penalties,
    "flags": flags,
    "disputes": disputes,
    "objections": objections,
    "messages": messages,
    "claims": claims,
    "actions": actions,
}
"""The lists of a file by name, in the order in which it shows them."""


def rows_of(name: str, player: Player, reader: Player | None) -> QuerySet[Any]:
    """Return a list without what it says about its reader, who may not know of it."""
    rows = LISTS[name](player)
    if reader is None:
        return rows
    if name == "reports":
        return rows.exclude(reported=reader)
    if name == "cases":
        return rows.exclude(pk__in=CasePlayer.objects.filter(player=reader).values("case"))
    if name == "actions":
        return without_own_cases(rows, reader)
    return rows


def without_own_cases(rows: QuerySet[StaffAction], reader: Player | None) -> QuerySet[StaffAction]:
    """Return actions of staff without those about cases and reports about their reader.

    The latter are looked for among the actions of their kind, which an index holds: few of many.
    """
    if reader is None:
        return rows
    about = Q(details__contains={"player": reader.pk})
    about |= Q(details__contains={"player_ids": [reader.pk]})
    theirs = CasePlayer.objects.filter(player=reader).values(number=Cast("case", TextField()))
    about |= Q(case_number__in=theirs)  # what was done before they were added to it
    of_cases = StaffAction.objects.filter(kind=StaffAction.Kind.CASE).order_by()
    hidden = of_cases.alias(case_number=KT("details__case")).filter(about)
    return rows.exclude(pk__in=hidden.values("pk"))
