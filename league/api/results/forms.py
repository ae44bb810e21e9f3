"""Request bodies for reports, answers, decisions and live matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from league.api.core.fields import (
    Choice,
    ClientToken,
    Flag,
    Moment,
    Number,
    Strict,
    Text,
    Upload,
    Whole,
    player_id,
)
from league.api.core.references import players_of
from league.models import Player, StaffAction
from league.models.answer import LONGEST_LINK, LONGEST_MESSAGE
from league.models.arena import MAX_SIDES, MAX_TEAM_SIZE
from league.models.evidence import LONGEST_DESCRIPTION, LONGEST_REMOVAL_REASON
from league.models.match import LONGEST_MATCH_SECONDS
from league.models.name_lists import MODES
from league.models.staff import VERDICTS
from league.services.core.types import PlayedBy, ReportedSide
from league.services.results.rules.formats import (
    HEAVIEST,
    LIGHTEST,
    LONGEST_PROFESSION,
    places_by_score,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from league.models import Arena, Roster


LONGEST_REASON = 2_000
# What PostgreSQL's smallint holds.
LARGEST_REVISION = 32_767


def place() -> Whole:
    return Whole(
        required=False,
        allow_null=True,
        default=None,
        min_value=0,
        max_value=MAX_SIDES - 1,
        help_text="0 is best. Equal places tie. Where the arena says that the higher or the lower "
        "score wins, you can leave out the places of all sides: their scores decide.",
    )


def score() -> Number:
    return Number(required=False, allow_null=True, default=None)


def mode(help_text: str) -> Text:
    return Text(
        required=False, allow_blank=True, default="", max_length=MODES.longest, help_text=help_text
    )


def for_fixture() -> Flag:
    return Flag(
        required=False,
        default=True,
        help_text="Whether it counts for the fixture of a competition, if exactly one open fixture "
        "is between these sides. The answer's `fixture` says which one it is.",
    )


def rows(form: Any, most: int, **options: Any) -> Any:
    """Return a list field of ``form``.

    It can be empty if it is not required. Where null stands for no list, an empty one is a mistake.
    """
    may_be_empty = options.get("required") is False and not options.get("allow_null")
    # With ``many``, each row could be null, too.
    return serializers.ListSerializer(
        child=form(), allow_empty=may_be_empty, max_length=most, **options
    )


class PartForm(Strict):
    """One participant's part in a match."""

    player = player_id()
    seconds = Number(
        required=False,
        allow_null=True,
        default=None,
        min_value=0,
        max_value=LONGEST_MATCH_SECONDS,
        help_text="Seconds played.",
    )
    quit = Flag(
        required=False,
        default=False,
        help_text="True if they left before the end. In a captain’s report, this counts only by "
        "the player’s own word.",
    )
    profession = Text(required=False, allow_blank=True, default="", max_length=LONGEST_PROFESSION)


class PlacingForm(Strict):
    place = place()
    score = score()


class ReportedSideForm(PlacingForm):
    captain = player_id(help_text="The player who reports and answers for this side.")
    participants = rows(PartForm, MAX_TEAM_SIZE)


class PlayedForm(Strict):
    """A match that was played, with its result."""

    sides = rows(ReportedSideForm, MAX_SIDES)
    played_at = Moment(help_text="The end of the match with its time zone: 2026-03-01T12:00:00Z.")
    client_token = ClientToken(
        required=False,
        allow_null=True,
        default=None,
        help_text="A UUID of your choice. Reports with the same token return the first "
        "report's match, so you can safely retry. A different report with it is a conflict.",
    )
    mode = mode("The game mode. Needed if the arena has more than one.")
    for_fixture = for_fixture()


def weight() -> serializers.FloatField:
    return serializers.FloatField(
        required=False,
        default=1.0,
        min_value=LIGHTEST,
        max_value=HEAVIEST,
        help_text="How much the match counts: 2 counts as two matches.",
    )


def first_side() -> Whole:
    return Whole(
        required=False,
        allow_null=True,
        default=None,
        min_value=0,
        max_value=1,
        help_text="The number of the side, from 0, that is at home, has White or serves. "
        "Null on neutral ground.",
    )


class ReportForm(PlayedForm):
    """A result, reported by the captain of a side."""

    same_game = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Whether this is the game that another side has reported with another result, "
        "which then is a dispute. Needed after a conflict `maybe_same_game`.",
    )


class EntryForm(PlayedForm):
    """A result that an organiser enters."""

    weight = weight()
    first_side = first_side()
    reason = Text(max_length=LONGEST_REASON, help_text="Everyone can read it.")


class StartingSideForm(Strict):
    captain = player_id(help_text="The player who reports and answers for this side.")
    players = serializers.ListField(child=player_id(), allow_empty=False, max_length=MAX_TEAM_SIZE)


class LiveMatchForm(Strict):
    """The sides of a match to start."""

    sides = rows(StartingSideForm, MAX_SIDES)
    weight = weight()
    first_side = first_side()
    mode = mode("The game mode, if it is known already.")


class FinishedSideForm(PlacingForm):
    participants = rows(
        PartForm,
        MAX_TEAM_SIZE,
        required=False,
        default=list,
        help_text="Parts of the players of this side. Players left out played to the end.",
    )


class FinishForm(Strict):
    """The result of a live match, with its sides in order."""

    sides = rows(FinishedSideForm, MAX_SIDES)
    mode = mode("The game mode, if the arena has several and the match does not have one yet.")


class LiveReportForm(FinishForm):
    for_fixture = for_fixture()


class PlayedSideForm(PlacingForm):
    participants = rows(
        PartForm,
        MAX_TEAM_SIZE,
        required=False,
        default=list,
        help_text="The players of this side. By default its captain alone.",
    )


class AgreedReportForm(Strict):
    """The result of a match that two captains agreed to play, with their sides in order."""

    sides = rows(PlayedSideForm, 2)
    played_at = Moment(help_text="The end of the match with its time zone: 2026-03-01T12:00:00Z.")
    client_token = ClientToken(
        required=False,
        allow_null=True,
        default=None,
        help_text="A UUID of your choice, so that you can safely retry.",
    )
    mode = mode("The game mode. Needed if the arena has more than one.")


def revision() -> Whole:
    return Whole(
        required=False,
        default=1,
        min_value=1,
        max_value=LARGEST_REVISION,
        help_text="The revision of the report that you have read. An answer to a report that has "
        "changed since is a conflict.",
    )


class ConfirmForm(Strict):
    revision = revision()


class WithdrawForm(Strict):
    revision = revision()


class ChangeForm(FinishForm):
    """The new result of a report, with its sides in order."""

    revision = revision()


class CounterForm(Strict):
    """The result of a reported match according to another side, with its sides in order."""

    sides = rows(PlacingForm, MAX_SIDES)
    mode = mode("The game mode, if it is another than in the report.")
    comment = Text(required=False, allow_blank=True, default="", max_length=LONGEST_MESSAGE)
    revision = revision()


class ClaimAnswerForm(Strict):
    left = Flag(help_text="True if you left before the end.")


class CounterAnswerForm(Strict):
    accept = Flag(help_text="True to settle the match with the other result.")


class MessageForm(Strict):
    text = Text(max_length=LONGEST_MESSAGE)
    link = Text(
        required=False,
        allow_blank=True,
        default="",
        max_length=LONGEST_LINK,
        help_text="Evidence: a link that starts with https:// or http://.",
    )


class ImageMessageForm(MessageForm):
    """A message with an image, as a multipart form."""

    image = Upload(
        required=False, allow_null=True, default=None, help_text="A PNG, JPEG or WebP image."
    )
    description = Text(
        required=False,
        allow_blank=True,
        default="",
        max_length=LONGEST_DESCRIPTION,
        help_text="What the image shows, for those who cannot see it.",
    )


class ImageRemovalForm(Strict):
    reason = Text(max_length=LONGEST_REMOVAL_REASON, help_text="All readers of the message see it.")


class DisputeForm(Strict):
    revision = revision()
    reason = Text(max_length=LONGEST_REASON, help_text="What is wrong with the report.")


class ObjectionForm(Strict):
    reason = Text(max_length=LONGEST_REASON, help_text="What is wrong. Everyone can read it.")


class VoidForm(Strict):
    reason = Text(max_length=LONGEST_REASON, help_text="Both sides will read it.")


class ReopeningForm(Strict):
    reason = Text(max_length=LONGEST_REASON, help_text="Both sides will read it.")


class RejectionForm(Strict):
    reason = Text(max_length=LONGEST_REASON, help_text="Both sides will read it.")


class DecisionForm(Strict):
    """A staff decision about a match."""

    verdict = Choice(choices=VERDICTS)
    reason = Text(max_length=LONGEST_REASON, help_text="Both sides will read it.")
    placings = rows(
        PlacingForm,
        MAX_SIDES,
        required=False,
        allow_null=True,
        default=None,
        help_text="Only with the verdict “corrected”: a place and a score for each side, in order.",
    )

    leavers = serializers.ListField(
        child=player_id(),
        required=False,
        allow_null=True,
        default=None,
        max_length=MAX_SIDES * MAX_TEAM_SIZE,
        help_text="Only with the verdict “corrected”: the players who left before the end. "
        "By default those in the report.",
    )
    mode = mode(
        "Only with the verdict “corrected”: the game mode. Needed for a live match without one in "
        "an arena that has several; otherwise by default the one in the report."
    )

    def validate(self, attrs: Any) -> Any:
        corrected = attrs["verdict"] == StaffAction.Kind.CORRECTED
        if attrs["leavers"] is not None and not corrected:
            raise serializers.ValidationError(
                {"leavers": [_("Only the verdict “corrected” can have leavers.")]}
            )
        if attrs["mode"] and not corrected:
            raise serializers.ValidationError(
                {"mode": [_("Only the verdict “corrected” can have a game mode.")]}
            )
        if corrected != bool(attrs["placings"]):
            raise serializers.ValidationError(
                {
                    "placings": [
                        _("Give a place for each side.")
                        if corrected
                        else _("Only the verdict “corrected” can have placings.")
                    ]
                }
            )
        return attrs


def settle_places(
    sides: Sequence[dict[str, Any]], arena: Callable[[], Arena], *, path: str = "sides"
) -> None:
    """Fill in the places that the scores say, if none are given.

    ``arena`` reads the arena, which is only needed then. Services compare places and scores that
    are both given.

    Raises:
        ValidationError: with the path of each place or score that is missing.
    """
    missing = [number for number, side in enumerate(sides) if side["place"] is None]
    if not missing:
        return
    if len(missing) < len(sides):
        text = _("Give the place of every side, or of none.")
        raise serializers.ValidationError({f"{path}.{number}.place": [text] for number in missing})
    found = arena()
    scores = [side["score"] for side in sides]
    places = places_by_score(found, scores)
    if places is not None:
        for side, place in zip(sides, places, strict=True):
            side["place"] = place
        return
    if found.result_settings().scores == "free" or scores == [None] * len(sides):
        field, text = "place", _("Give a place for each side.")
        if found.result_settings().scores != "free":
            text = _("Give a score for each side, or a place.")
    else:
        field, text = "score", _("Give this score, too, or a place for each side.")
        missing = [number for number, score in enumerate(scores) if score is None]
    raise serializers.ValidationError({f"{path}.{number}.{field}": [text] for number in missing})


def played_by(parts: Iterable[Mapping[str, Any]], players: Mapping[int, Player]) -> list[PlayedBy]:
    """Return parts for the services."""
    return [
        PlayedBy(players[part["player"]], part["seconds"], part["quit"], part["profession"])
        for part in parts
    ]


def agreed_sides(
    arena: Arena,
    captains: Sequence[tuple[Player, Roster | None]],
    sides: Sequence[dict[str, Any]],
) -> list[ReportedSide]:
    """Return the sides of an ``AgreedReportForm`` for the services."""
    if len(sides) != len(captains):
        raise serializers.ValidationError({"sides": [_("Give a place for each side.")]})
    settle_places(sides, lambda: arena)
    named = players_of(
        (f"sides.{number}.participants.{index}.player", part["player"])
        for number, side in enumerate(sides)
        for index, part in enumerate(side["participants"])
    )
    return [
        ReportedSide(
            captain,
            played_by(side["participants"], named) or [PlayedBy(captain)],
            side["place"],
            side["score"],
            roster,
        )
        for (captain, roster), side in zip(captains, sides, strict=True)
    ]
