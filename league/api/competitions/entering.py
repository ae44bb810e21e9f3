"""Entering competitions, checking in and withdrawing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from league.api.competitions.serializers import EntrantSerializer
from league.api.competitions.views import CompetitionEndpoint
from league.api.core.fields import LARGEST_ID, NoFields, Strict, Whole
from league.models import Roster, Scope
from league.services.competitions import returning
from league.services.competitions.running import entering, sitting_out, withdrawing
from league.services.core.clock import database_now

if TYPE_CHECKING:
    from rest_framework.request import Request

    from league.models import Entrant


class CompetitionEntryForm(Strict):
    """An entry into a competition."""

    roster = Whole(
        required=False,
        allow_null=True,
        default=None,
        min_value=1,
        max_value=LARGEST_ID,
        help_text=gettext_lazy("The roster that enters. Leave it out where everyone plays alone."),
    )


class EntryEndpoint(CompetitionEndpoint):
    serializer_class: Any = EntrantSerializer
    scopes = (Scope.ACCOUNT,)

    def arena_at(self, **at: Any) -> int | None:
        return self.competition(at["pk"]).season.arena_id if "pk" in at else None

    def shown_entrant(self, entrant: Entrant, http_status: int = status.HTTP_200_OK) -> Response:
        return Response(EntrantSerializer(entrant).data, status=http_status)


class Entry(EntryEndpoint):
    @extend_schema(
        operation_id="enter_competition",
        request=CompetitionEntryForm,
        responses={201: EntrantSerializer},
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Enter a competition, alone or with a roster that you lead.

        If all places are taken, you wait for one.
        """
        me, one = self.player(), self.competition(pk)
        roster = roster_with(self.body(CompetitionEntryForm)["roster"])
        made = entering.register(one.pk, by=me, now=database_now(), roster=roster)
        return self.shown_entrant(made, status.HTTP_201_CREATED)

    @extend_schema(operation_id="leave_competition", responses={204: None})
    def delete(self, _request: Request, pk: int) -> Response:
        """Cancel your entry before the start."""
        me, one = self.player(), self.competition(pk)
        entering.leave(one.pk, by=me, now=database_now())
        return Response(status=status.HTTP_204_NO_CONTENT)


class CheckIn(EntryEndpoint):
    @extend_schema(operation_id="check_in", request=NoFields, responses={200: EntrantSerializer})
    def post(self, _request: Request, pk: int) -> Response:
        """Check in, shortly before the start."""
        me, one = self.player(), self.competition(pk)
        self.body(NoFields)
        return self.shown_entrant(entering.check_in(one.pk, by=me, now=database_now()))


class Withdrawal(EntryEndpoint):
    @extend_schema(
        operation_id="withdraw_from_competition",
        request=NoFields,
        responses={200: EntrantSerializer},
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Withdraw from a running competition.

        You forfeit the remaining fixtures, or all your results are annulled, as its rules say."""
        me, one = self.player(), self.competition(pk)
        self.body(NoFields)
        return self.shown_entrant(withdrawing.withdraw(one.pk, by=me, now=database_now()))


class Return(EntryEndpoint):
    @extend_schema(
        operation_id="return_to_competition", request=NoFields, responses={200: EntrantSerializer}
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Come back after you have withdrawn, if its rules allow that.

        Fixtures of rounds that are still open are to be played again."""
        me, one = self.player(), self.competition(pk)
        self.body(NoFields)
        return self.shown_entrant(returning.come_back(one.pk, by=me, now=database_now()))


class SitOutForm(Strict):
    """An entrant's wish for a round of a Swiss."""

    round = Whole(min_value=1, max_value=1000, help_text=gettext_lazy("One that is not drawn yet."))
    choice = serializers.ChoiceField(
        choices=sitting_out.CHOICES,
        help_text=gettext_lazy(
            "A bye with the points of a `draw`, one with `nothing`, or a game after all: `play`."
        ),
    )


class SitOut(EntryEndpoint):
    @extend_schema(
        operation_id="sit_out_round", request=SitOutForm, responses={200: EntrantSerializer}
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Sit out a round of a Swiss, as often as its rules allow, or play it after all.

        The bye is among the fixtures at once, and counts when the round is drawn."""
        me, one, given = self.player(), self.competition(pk), self.body(SitOutForm)
        number, choice = given["round"], given["choice"]
        made = sitting_out.ask(one.pk, number, choice, by=me, now=database_now())
        return self.shown_entrant(made)


def roster_with(number: int | None) -> Roster | None:
    """Return the roster with an id. Raises ``ValidationError`` if there is none."""
    if number is None:
        return None
    found = Roster.objects.select_related("arena", "captain").filter(pk=number).first()
    if found is None:
        raise ValidationError({"roster": [_("There is no roster %(id)d.") % {"id": number}]})
    return found
