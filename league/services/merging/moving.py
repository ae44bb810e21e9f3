"""Move the rows of a merged player to the player who stays, by the rules."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.db.models import (
    BigIntegerField,
    Case,
    Exists,
    F,
    Func,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)

from league.models import (
    Arrangement,
    ArrangementMessage,
    ArrangementStep,
    Block,
    Challenge,
    DishonorAward,
    Flag,
    Follow,
    InvitationDay,
    Match,
    NoShowPlayer,
    Participant,
    Player,
    Proposal,
    RosterInvitation,
    RosterMember,
    Side,
    Status,
    TeamInvitation,
    TeamMember,
)
from league.services.core.id_lists import any_of
from league.services.merging.fates import RULES, Fate, Rule, Twin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import Model

PARTS_OF_DATES = {ArrangementMessage, ArrangementStep, NoShowPlayer}

BY_HAND = {Flag}
"""Models whose rows are moved one by one."""


@dataclass(frozen=True)
class Moved:
    """The number of rows of a kind that move."""

    label: str
    count: int


def move_all(kept: Player, gone: Player) -> list[Moved]:
    """Move all rows that move. The caller has locked both players and marked the merge."""
    matches = moving_matches(kept, gone)
    add_up_invitations(kept, gone)
    drop_needless_team_invitations(kept, gone)
    for tie, other in ((Follow, "followed"), (Follow, "team"), (Block, "blocked")):
        drop_needless_ties(tie, other, kept, gone)
    moved = []
    for model, fields in models_with_rules():
        if model in BY_HAND:
            count = move_flags(kept, gone)
        else:
            count = move(model, fields, kept, gone, matches)
        if count:
            moved.append(Moved(str(model._meta.verbose_name_plural), count))  # noqa: SLF001 - Django's documented name
    drop_needless_invitations(kept)
    move_missed_checks(kept, gone)
    return moved


def models_with_rules() -> Iterator[tuple[type[Model], dict[str, Rule]]]:
    """Yield the models of which rows move or are dropped, with the rules of their fields."""
    for name, keys in groupby(RULES, key=lambda key: key.split(".")[0]):
        fields = {key.split(".")[1]: RULES[key] for key in keys}
        if any(rule.fate in {Fate.MOVES, Fate.DROPPED} for rule in fields.values()):
            yield apps.get_model("league", name), fields


def moving_matches(kept: Player, gone: Player) -> list[int]:
    """Return the ids of the matches that move: of seasons not archived, and without ``kept``."""
    of_gone = Match.objects.filter(
        Q(pk__in=Participant.objects.filter(player=gone).values("match"))
        | Q(pk__in=Side.objects.filter(captain=gone).values("match")),
        season__archived_at=None,
    )
    shared = Participant.objects.filter(match=OuterRef("pk"), player=kept)
    return list(of_gone.filter(~Exists(shared)).order_by().values_list("pk", flat=True))


def move(
    model: type[Model], fields: dict[str, Rule], kept: Player, gone: Player, matches: list[int]
) -> int:
    """Move a model's rows in one statement, and return how many refer to ``kept`` instead."""
    rows: QuerySet[Any] = QuerySet(model)
    rule = next(iter(fields.values()))
    concerned = rows.filter(any_is(fields, gone))
    if rule.fate is Fate.DROPPED:
        concerned.delete()
        return 0
    if rule.match:
        concerned = concerned.filter(**{f"{rule.match}__in": any_of(matches)})
    if rule.season:
        concerned = concerned.filter(**{f"{rule.season}__archived_at": None})
    concerned = concerned.exclude(between(model, kept, gone))
    if rule.twin is not Twin.NEVER:
        has_twin = twins(model, next(iter(fields)), rule, kept)
        if rule.twin is Twin.DROPPED:
            concerned.filter(has_twin).delete()
        concerned = concerned.filter(~has_twin)
    return concerned.update(
        **{
            name: Case(
                When(**{name: gone}, then=Value(kept.pk)),
                default=F(f"{name}_id"),
                output_field=BigIntegerField(),
            )
            for name in fields
        }
    )


def any_is(fields: dict[str, Rule], player: Player) -> Q:
    """Return the condition that any of the fields refers to ``player``."""
    found = Q(pk__in=[])
    for name in fields:
        found |= Q(**{name: player})
    return found


def between(model: type[Model], kept: Player, gone: Player) -> Q:
    """Return which rows are about the two players' dealings with each other: these stay."""
    pair = [kept, gone]
    if model is Challenge:
        return Q(challenger__in=pair, challenged__in=pair)
    if model is Arrangement:
        return Q(proposer__in=pair, opponent__in=pair)
    if model in PARTS_OF_DATES:
        own = Q(arrangement__proposer__in=pair, arrangement__opponent__in=pair)
        if model is ArrangementMessage:
            own |= Q(challenge__challenger__in=pair, challenge__challenged__in=pair)
        return own
    return Q(pk__in=[])


def twins(model: type[Model], field: str, rule: Rule, kept: Player) -> Exists:
    """Return the condition that ``kept`` has the same row."""
    rows: QuerySet[Any] = QuerySet(model)
    own = rows.filter(**{field: kept})
    same: dict[str, Any] = {name: OuterRef(name) for name in rule.once if name}
    if model is DishonorAward:
        return Exists(own.filter(Q(**same) | Q(proposal=OuterRef("proposal"))))
    return Exists(own.filter(**same))


def add_up_invitations(kept: Player, gone: Player) -> None:
    """Count both players' invitations of a day together, so that the limit holds for both."""
    theirs = InvitationDay.objects.filter(captain=gone, day=OuterRef("day"))
    own = InvitationDay.objects.filter(Exists(theirs), captain=kept)
    own.update(sent=F("sent") + Subquery(theirs.values("sent")))


def drop_needless_invitations(kept: Player) -> None:
    """Delete open invitations to rosters in which the player is now."""
    own = RosterMember.objects.filter(player=kept).values("roster")
    RosterInvitation.objects.open().filter(player=kept, roster__in=own).delete()


def drop_needless_team_invitations(kept: Player, gone: Player) -> None:
    """Delete open invitations of ``gone`` to teams that have or invite ``kept``."""
    own = TeamMember.objects.current().filter(player=kept).values("team")
    asked = TeamInvitation.objects.filter(player=kept, closed_at=None).values("team")
    theirs = TeamInvitation.objects.filter(player=gone, closed_at=None)
    theirs.filter(Q(team__in=own) | Q(team__in=asked)).delete()


def drop_needless_ties(
    model: type[Follow] | type[Block], other: str, kept: Player, gone: Player
) -> None:
    """Delete what ``gone`` follows or blocks like ``kept``, or others like them, and each other."""
    rows: QuerySet[Any] = QuerySet(model)
    same = rows.filter(player=kept).values(other)
    rows.filter(player=gone, **{f"{other}__in": same}).delete()
    if other == "team":
        return
    rows.filter(player__in=[kept, gone], **{f"{other}__in": [kept, gone]}).delete()
    of_both = rows.filter(**{other: kept}).values("player")
    rows.filter(player__in=of_both, **{other: gone}).delete()


def move_missed_checks(kept: Player, gone: Player) -> None:
    """Name ``kept`` in the ready checks that ``gone`` missed and has been penalised for."""
    missed = DishonorAward.objects.filter(player=kept, proposal__missed__contains=[gone.pk])
    proposals = Proposal.objects.filter(pk__in=missed.values("proposal"))
    names_kept = Func("missed", Value(gone.pk), Value(kept.pk), function="array_replace")
    proposals.update(missed=names_kept)


def move_flags(kept: Player, gone: Player) -> int:
    """Move flags that stay different, and return how many. Flags about the two of them stay."""
    flags = Flag.objects.filter(Q(player=gone) | Q(other=gone), season__archived_at=None)
    moved = 0
    for flag in flags.order_by("pk"):
        player, other = (
            kept.pk if number == gone.pk else number for number in (flag.player_id, flag.other_id)
        )
        same = Flag.objects.open().filter(kind=flag.kind, season=flag.season_id)
        if player == other:
            continue
        if flag.resolved_at is None and same.filter(player=player, other=other).exists():
            flag.delete()
        else:
            Flag.objects.filter(pk=flag.pk).update(player=player, other=other)
            moved += 1
    return moved


def unsettled_matches(player: Player) -> QuerySet[Match]:
    """Return the player's matches whose result is still open."""
    open_ = [Status.LIVE, Status.REPORTED, Status.DISPUTED]
    played = Q(pk__in=Participant.objects.filter(player=player).values("match"))
    led = Q(pk__in=Side.objects.filter(captain=player).values("match"))
    return Match.objects.filter(played | led, status__in=open_)
