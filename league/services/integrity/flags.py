"""Raise flags for staff about records that look arranged, and resolve them. Flags punish nobody."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.utils.translation import gettext_lazy

from league.models import (
    Confirmation,
    Flag,
    Match,
    Participant,
    Proposal,
    Rating,
    RatingEvent,
    Season,
    Settlement,
    Side,
    Status,
)
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.integrity.detectors import (
    DAYS,
    DETECTORS,
    DODGES,
    QUICK,
    Answers,
    Finding,
    Games,
    dodgers,
    quick_answers,
)

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import User


def raise_all(now: datetime) -> int:
    """Raise the flags of every season that takes results. Return how many are new."""
    seasons = Season.objects.opened().filter(archived_at=None).select_related("arena")
    return sum(raise_flags(season, now) for season in seasons)


def raise_flags(season: Season, now: datetime) -> int:
    """Raise flags about a season's recent results. Return how many are new.

    Flags that are open are left as they are, and those that staff resolved are not raised again
    before the results behind them are too old to be read.
    """
    since = now - timedelta(days=DAYS)
    findings = find_dodgers(season, since) + quick_answers(read_answers(season, since))
    if not season.lowest_first:
        games = read_games(season, since)
        findings += [finding for detector in DETECTORS for finding in detector(games)]
    known = season.flags.open() | season.flags.resolved_since(since)
    seen = set(known.values_list("kind", "player", "other"))
    new = [one for one in findings if (one.kind, one.player, one.other) not in seen]
    made = Flag.objects.bulk_create(
        (flag_of(season, one, now) for one in new), ignore_conflicts=True
    )
    return len(made)


def flag_of(season: Season, finding: Finding, now: datetime) -> Flag:
    return Flag(
        kind=finding.kind,
        season=season,
        player_id=finding.player,
        other_id=finding.other,
        evidence=finding.figures,
        raised_at=now,
    )


def read_games(season: Season, since: datetime) -> Games:
    """Return a season's games of two sides since a moment, in the order of their ids.

    Imported ones are left out: nobody here reported them.
    """
    third = Side.objects.filter(match=OuterRef("match"), index=2)
    captains = RatingEvent.objects.filter(
        ~Exists(third),
        match__season=season,
        match__status=Status.RATED,
        match__kind=Match.Kind.GAME,
        match__settled_at__gt=since,
        match__sides__captain=F("player"),
    ).exclude(match__settlement=Settlement.IMPORT)
    gain = F("rating_after") - F("rating_before")
    rows = captains.order_by("match_id", "match__sides__index").values_list(
        "match", "player", "match__sides__place", gain
    )
    kinds = [("match", "i8"), ("player", "i8"), ("place", "i8"), ("gain", "f8")]
    found = np.fromiter(rows.iterator(), kinds)
    _matches, first, captains_of = np.unique(found["match"], return_index=True, return_counts=True)
    first = first[captains_of == 2]
    one, other = found[first], found[first + 1]
    connected = Rating.objects.filter(season=season, joined=True).order_by("player")
    return Games(
        one["player"],
        other["player"],
        0.5 + 0.5 * np.sign(other["place"] - one["place"]),
        one["gain"],
        other["gain"],
        np.fromiter(connected.values_list("player", flat=True).iterator(), np.int64),
    )


def read_answers(season: Season, since: datetime) -> Answers:
    """Return a season's confirmations of reports since a moment whose addresses are known."""
    reports = season.matches.exclude(status=Status.VOID).filter(
        reported_at__gt=since, reported_from__isnull=False
    )
    captains = reports.filter(settlement=Settlement.CAPTAIN)
    others = Confirmation.objects.filter(match__in=reports)
    given: list[Any] = [
        *captains.values_list(
            "reported_by", "confirmed_by", "reported_at", "settled_at",
            "reported_from", "confirmed_from",
        ),
        *others.values_list(
            "match__reported_by", "player", "match__reported_at", "at",
            "match__reported_from", "sent_from",
        ),
    ]  # fmt: skip
    return Answers(
        np.array([row[0] for row in given], np.int64),
        np.array([row[1] for row in given], np.int64),
        np.array([(row[3] - row[2]).total_seconds() for row in given]),
        np.array([row[4] == row[5] for row in given], np.bool_),
    )


def find_dodgers(season: Season, since: datetime) -> list[Finding]:
    """Find players who do not accept the matches that the season's queue offers them."""
    since = max(since, season.starts_at)
    offers = Proposal.objects.filter(arena=season.arena_id, proposed_at__gt=since)
    missed = Counter(chain.from_iterable(offers.values_list("missed", flat=True)))
    dodges = {player: count for player, count in sorted(missed.items()) if count >= DODGES}
    parts = Participant.objects.filter(match__in=offers.values("match"), player__in=dodges)
    played = Counter(parts.values_list("player", flat=True))
    rows = [(player, count, count + played[player]) for player, count in dodges.items()]
    return dodgers(*np.array(rows, np.int64).reshape(-1, 3).T)


def resolve(flag_id: int, *, by: User, note: str, now: datetime) -> Flag:
    """Resolve a flag as staff, with a note on the findings.

    Raises:
        Forbidden: ``by`` may not resolve flags.
        Refused: there is no note.
        Conflict: it is already resolved.
    """
    if not note.strip():
        raise Refused("no_note", _("Write what you found."), field="note")
    with transaction.atomic():
        flag = Flag.objects.select_for_update().get(pk=flag_id)
        if not by.has_perm("league.change_flag", flag):
            raise Forbidden("not_staff", _("Only staff can resolve a flag."))
        if flag.resolved_at is not None:
            raise Conflict("resolved", _("This flag is already resolved."))
        flag.resolved_at, flag.resolved_by, flag.note = now, by, note.strip()
        flag.save(update_fields=["resolved_at", "resolved_by", "note"])
    return flag


TEXTS = {
    Flag.Kind.ONE_SIDED: gettext_lazy(
        "%(player)s won %(wins)s of %(games)s matches against %(other)s in %(days)s days. "
        "These are %(of_all)s %% of all matches of %(player)s."
    ),
    Flag.Kind.ONE_OPPONENT: gettext_lazy(
        "%(share)s %% of the points that %(player)s won in %(days)s days came from %(wins)s "
        "wins in %(games)s matches against %(other)s."
    ),
    Flag.Kind.FEW_OPPONENTS: gettext_lazy(
        "%(share)s %% of the points that %(player)s won in %(days)s days came from %(wins)s "
        "wins over %(opponents)s opponents, who lose to %(player)s again and again."
    ),
    Flag.Kind.UNRANKED_OPPONENTS: gettext_lazy(
        "%(player)s won %(wins)s of %(games)s matches in %(days)s days, %(over)s of them "
        "against %(opponents)s players without a rank."
    ),
    Flag.Kind.ONE_ADDRESS: gettext_lazy(
        "In %(days)s days, %(player)s and %(other)s confirmed %(quick)s of %(answered)s "
        "matches of each other within %(seconds)s seconds and from one address. That is how "
        "%(share)s %% of all matches of %(player)s and %(other_share)s %% of %(other)s "
        "were confirmed."
    ),
    Flag.Kind.CONDUCT: gettext_lazy(
        "%(other)s reports %(player)s for this in match %(match)s: %(reason)s. “%(note)s”"
    ),
    Flag.Kind.DODGING: gettext_lazy(
        "%(player)s did not accept %(dodges)s of %(offered)s matches offered by the queue in "
        "%(days)s days."
    ),
}
"""The text of each kind of flag, with its figures."""


def describe_evidence(flag: Flag) -> str:
    """Return the evidence of a flag as a sentence."""
    names = {"player": flag.player, "other": flag.other, "days": DAYS, "seconds": QUICK}
    return str(TEXTS[Flag.Kind(flag.kind)]) % {**flag.evidence, **names}
