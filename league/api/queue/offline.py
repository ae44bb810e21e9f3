"""Offline matching: players that the league does not store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from league.api.core.fields import Choice, Number, Strict, Text, Whole
from league.api.core.offline import Computation, finite, name_field, only_one, wrong_at
from league.services.core.offline_limits import LONGEST_NAME, MODES, TEAM, TICKETS, WAITING
from league.services.queue import offline
from matchmaking.facade import Match, Matcher
from matchmaking.matchers import MATCHERS
from matchmaking.presets import PRESETS
from matchmaking.ticket import Player

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rest_framework.request import Request

LARGEST = 100_000
"""The largest rating, deviation, rank and number of games."""
LONGEST_WAIT = 86_400.0 * 365
USUAL_PRESET = "recommended"


def an_amount(**options: Any) -> Number:
    return Number(min_value=0, max_value=LARGEST, default=0.0, **options)


class OfflinePlayer(Strict):
    """A player who waits."""

    id = name_field(help_text=gettext_lazy("The player's name, each once."))
    rating = Number(min_value=-LARGEST, max_value=LARGEST)
    deviation = an_amount(help_text=gettext_lazy("How sure the rating is: its standard deviation."))
    rank = an_amount(help_text=gettext_lazy("The rank, which counts up from 0."))
    games = an_amount(help_text=gettext_lazy("Rated matches."))
    profession = name_field(
        default="", allow_blank=True, help_text=gettext_lazy("What they play as; may be empty.")
    )
    dishonor = an_amount(help_text=gettext_lazy("Stacks of dishonor."))


class OfflineTicket(Strict):
    """A player or party that waits for a match."""

    id = name_field(help_text=gettext_lazy("The name of the ticket, each once."))
    players = serializers.ListField(
        child=OfflinePlayer(),
        min_length=1,
        max_length=TEAM,
        help_text=gettext_lazy("The players, who play on the same team."),
    )
    waited = Number(
        min_value=0,
        max_value=LONGEST_WAIT,
        default=0.0,
        help_text=gettext_lazy("How long it has waited, in seconds."),
    )
    modes = serializers.ListField(
        child=name_field(),
        max_length=MODES,
        default=list,
        help_text=gettext_lazy("The game modes they want. All players of a match share one."),
    )


class OfflineMatchingForm(Strict):
    """Who waits, and the rules of the matcher."""

    arena = Text(
        required=False,
        max_length=LONGEST_NAME,
        help_text=gettext_lazy("The slug of an arena: the matcher and rules of its queue."),
    )
    preset = Choice(
        choices=list(PRESETS), required=False, help_text=gettext_lazy("The rules. `recommended`")
    )
    matcher = Choice(
        choices=list(MATCHERS), required=False, help_text=gettext_lazy("The matcher. `laurel`")
    )
    team_size = Whole(
        required=False,
        min_value=1,
        max_value=TEAM,
        help_text=gettext_lazy("Players of a team, without it as in the rules."),
    )
    seed = Whole(
        min_value=0,
        max_value=2**53,
        default=0,
        help_text=gettext_lazy("What chance depends on: the same seed gives the same matches."),
    )
    tickets = serializers.ListField(
        child=OfflineTicket(),
        max_length=TICKETS,
        help_text=gettext_lazy("Who waits, in the order of the queue."),
    )

    def validate(self, attrs: Any) -> Any:
        for name in ("preset", "matcher", "team_size"):
            only_one(attrs, ["arena", name])
        check_once(attrs["tickets"])
        return attrs


def check_once(tickets: list[Any]) -> None:
    """Refuse a ticket or player that waits twice, and too many players."""
    seen: set[str] = set()
    waiting: set[str] = set()
    for number, ticket in enumerate(tickets):
        if ticket["id"] in seen:
            text = _("This ticket is there twice.")
            raise wrong_at(text, "tickets", number, "id")
        seen.add(ticket["id"])
        for place, player in enumerate(ticket["players"]):
            if player["id"] in waiting:
                text = _("This player waits twice.")
                raise wrong_at(text, "tickets", number, "players", place, "id")
            waiting.add(player["id"])
    if len(waiting) > WAITING:
        text = _("There are %(count)d players. The most are %(most)d.")
        values = {"count": len(waiting), "most": WAITING}
        raise wrong_at(text % values, "tickets")


class PickSerializer(serializers.Serializer[Any]):
    """Why a ticket was picked."""

    ticket = serializers.CharField(help_text=gettext_lazy("The id of the ticket."))
    team = serializers.IntegerField(help_text=gettext_lazy("The team that it joined: 1 or 2."))
    score = serializers.FloatField(
        allow_null=True, help_text=gettext_lazy("Its score; null if it is infinite.")
    )
    shares = serializers.DictField(
        child=serializers.FloatField(allow_null=True),
        help_text=gettext_lazy("What each metric added to the score."),
    )


class MadeMatchSerializer(serializers.Serializer[Any]):
    """Two teams that the matcher put together."""

    teams = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text=gettext_lazy("The ids of the players of both teams."),
    )
    tickets = serializers.ListField(
        child=serializers.CharField(),
        help_text=gettext_lazy("The ids of the tickets, those of the first team first."),
    )
    waits = serializers.ListField(
        child=serializers.FloatField(),
        help_text=gettext_lazy("How long each ticket waited, in seconds."),
    )
    mode = serializers.CharField(help_text=gettext_lazy("The game mode; empty without one."))
    chance = serializers.FloatField(
        help_text=gettext_lazy("The chance of the first team, from 0 to 1.")
    )
    gap = serializers.FloatField(
        help_text=gettext_lazy("The difference of the teams' average ratings minus deviations.")
    )
    spread = serializers.FloatField(
        help_text=gettext_lazy("The highest rating minus the lowest one.")
    )
    mirror = serializers.FloatField(
        help_text=gettext_lazy("How many professions the teams do not share.")
    )
    fair = serializers.BooleanField(
        help_text=gettext_lazy("Whether both chances are between 40% and 60%.")
    )
    picks = PickSerializer(
        many=True, help_text=gettext_lazy("Why each ticket after the first was picked.")
    )


class MatchedSerializer(serializers.Serializer[Any]):
    """The matches, and who keeps waiting."""

    matches = MadeMatchSerializer(many=True, help_text=gettext_lazy("The matches that were made."))
    waiting = serializers.ListField(
        child=serializers.CharField(),
        help_text=gettext_lazy("The ids of the tickets that keep waiting, in their new order."),
    )


class MakeMatches(Computation):
    serializer_class = OfflineMatchingForm

    @extend_schema(
        operation_id="match_players",
        request=OfflineMatchingForm,
        responses={200: MatchedSerializer},
    )
    def post(self, _request: Request) -> Response:
        """Make matches of players that the league does not store."""
        body = self.body(OfflineMatchingForm)
        found = offline.match(self.matcher_of(body), [party(one) for one in body["tickets"]])
        return Response(
            {"matches": [one_match(made) for made in found.matches], "waiting": found.waiting}
        )

    def matcher_of(self, body: Mapping[str, Any]) -> Matcher:
        """Return the matcher that a body asks for."""
        if "arena" in body:
            return offline.matcher_of(self.arena_named(body["arena"]), body["seed"])
        return Matcher(
            body.get("matcher", "laurel"),
            team_size=body.get("team_size"),
            rules=body.get("preset", USUAL_PRESET),
            seed=body["seed"],
        )


def party(ticket: Mapping[str, Any]) -> offline.Waiting:
    players = tuple(Player(**player) for player in ticket["players"])
    return offline.Waiting(ticket["id"], players, ticket["waited"], ticket["modes"])


def one_match(made: Match) -> dict[str, Any]:
    return {
        "teams": [[player.id for player in team] for team in (made.team1, made.team2)],
        "tickets": made.tickets,
        "waits": made.waits,
        "mode": made.mode,
        "chance": made.chance,
        "gap": made.quality.gap,
        "spread": made.quality.spread,
        "mirror": made.quality.mirror,
        "fair": made.quality.fair,
        "picks": [
            {
                "ticket": pick.ticket,
                "team": pick.team,
                "score": finite(pick.score),
                "shares": {name: finite(share) for name, share in pick.shares.items()},
            }
            for pick in made.explain()
        ],
    }
