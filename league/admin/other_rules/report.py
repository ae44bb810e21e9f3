"""The findings of a trial, as its page shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _

from league.models import Player
from league.services.core.numbers import number, percent
from league.services.other_rules import outcomes
from league.services.other_rules.asking import LEAST_JUDGED
from league.services.other_rules.candidates import with_changes
from league.services.other_rules.replaying import with_rules
from league.services.other_rules.reports import describe_group
from league.services.rating.pace import warn_of_pace
from league.services.seasons.changing import Rules

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from league.models import Trial, TrialMove
    from league.services.other_rules.candidates import Candidate

MEASURES = (
    ("log_loss", 4),
    ("brier", 4),
    ("accuracy", None),
    ("slope", 2),
    ("pair_inversion", 1),
    ("rank_deviation", 1),
)
"""The measures of the table in their order, and their decimals; ``None`` for a share."""
MOST_FOUND = 20
LOWEST = 100.0
"""The lower edge of the reliability plot. Its y coordinates grow downwards."""
OWN = "own"


@dataclass(frozen=True)
class Point:
    """Sides with about the same chance, in the reliability plot."""

    x: float
    y: float
    size: float
    sides: str
    forecast: str
    came: str


@dataclass(frozen=True)
class Cell:
    """A measure with its interval, as text. Empty if it is not known."""

    value: str
    within: str


@dataclass(frozen=True)
class ForecastRow:
    """The forecasts of the season as it is, or of a candidate."""

    key: str
    label: str
    cells: list[Cell]
    gain: Cell
    """The log loss less that of the season as it is, on the same matches."""
    seconds: str
    is_best: bool
    points: list[Point]


def points_of(bins: Sequence[Mapping[str, Any]]) -> list[Point]:
    """Return a point for each range of chances: x is the forecast, y how often sides came first."""
    most = max((one["sides"] for one in bins), default=1)
    return [
        Point(
            round(LOWEST * one["predicted"], 1),
            round(LOWEST - LOWEST * one["observed"], 1),
            round(2 + 3 * (one["sides"] / most) ** 0.5, 1),
            intcomma(one["sides"]),
            percent(one["predicted"]),
            percent(one["observed"]),
        )
        for one in bins
    ]


def report_of(trial: Trial, text: str) -> dict[str, Any]:
    """Return what a trial found, and what changes for the players whose name contains a text."""
    report = trial.report
    if report is None:
        return {}
    labels = {OWN: _("As it is")} | {each.key: each.label for each, _new in with_changes(trial)}
    found = {key: report["own"] if key == OWN else report["found"][key] for key in labels}
    rated = {key: one for key, one in found.items() if not one["refusal"]}
    ordered = sorted(rated, key=lambda key: loss_of(rated[key]))
    slow = [warn_of_pace(one["system"], one["pace"]) for one in rated.values() if one["pace"]]
    names = {
        one.pk: one.name for one in Player.ever.filter(pk__in=[row[0] for row in report["top"]])
    }
    return {
        "report": report,
        "least_judged": LEAST_JUDGED,
        "rows": [row_of(key, labels[key], rated[key], best=key == ordered[0]) for key in ordered],
        "verdict": verdict_of(labels, rated),
        "refused": [(labels[key], one["refusal"]) for key, one in found.items() if one["refusal"]],
        "warnings": list(dict.fromkeys(slow)),
        "top": [
            (names.get(player, "–"), was, [(to, was - to if was and to else 0) for to in ranks])
            for player, was, *ranks in report["top"]
        ],
        **sections_of(trial, text.strip()),
    }


def verdict_of(labels: Mapping[str, str], rated: Mapping[str, Mapping[str, Any]]) -> str:
    """Return in a sentence whether any other rules would have forecast better than the season's.

    Empty if there is nothing to compare.
    """
    gains = {
        key: one["gain"]
        for key, one in rated.items()
        if key != OWN and None not in one["gain"].values()
    }
    if not gains:
        return ""
    key = min(gains, key=lambda one: gains[one]["value"])
    low, high = (number(gains[key][end], 4) for end in ("low", "high"))
    values = {"rules": labels[key], "low": low, "high": high}
    if gains[key]["high"] < 0:
        text = _(
            "%(rules)s would have forecast better: its log loss differs by %(low)s to %(high)s "
            "(95 %% interval)."
        )
    elif gains[key]["low"] > 0:
        text = _(
            "None of these would have forecast better. The nearest is %(rules)s, whose log loss "
            "differs by %(low)s to %(high)s (95 %% interval)."
        )
    else:
        text = _(
            "Whether any of these would have forecast better cannot be told. The best is "
            "%(rules)s, whose log loss differs by %(low)s to %(high)s (95 %% interval, which "
            "includes 0)."
        )
    return text % values


def loss_of(found: Mapping[str, Any]) -> float:
    loss = found["details"]["log_loss"]["value"]
    return float("inf") if loss is None else loss


def row_of(key: str, label: str, found: Mapping[str, Any], *, best: bool) -> ForecastRow:
    details = found["details"]
    return ForecastRow(
        key,
        label,
        [cell_of(details[name], decimals) for name, decimals in MEASURES],
        cell_of(found["gain"], 4) if "gain" in found else Cell("–", ""),
        number(found["seconds"], 2),
        best,
        points_of(details["calibration"]),
    )


def cell_of(measured: Mapping[str, float | None], decimals: int | None) -> Cell:
    value, low, high = (measured[name] for name in ("value", "low", "high"))
    if value is None or low is None or high is None:
        return Cell("–", "")

    def text(part: float) -> str:
        return percent(part, 1) if decimals is None else number(part, decimals)

    within = _("%(low)s to %(high)s") % {"low": text(low), "high": text(high)}
    return Cell(text(value), within)


def sections_of(trial: Trial, text: str) -> dict[str, Any]:
    """Return what each candidate would change, and what for the players whose name has a text."""
    report: Any = trial.report
    rated = [one for one in with_changes(trial) if not report["found"][one[0].key]["refusal"]]
    movers = {player for one, _changes in rated for player in report["found"][one.key]["movers"]}
    found = players_named(trial, text)
    moves: dict[str, dict[int, TrialMove]] = {}
    players = Player.ever.in_bulk(movers) | found
    # One query for the moves of all candidates.
    for move in trial.moves.filter(player__in=players):
        move.player = players[move.player_id]  # there is no foreign key to join by
        moves.setdefault(move.candidate, {})[move.player_id] = move
    sections = [
        section_of(trial, one, changes, moves.get(one.key, {}), found) for one, changes in rated
    ]
    changed = {player for of_one in moves.values() for player in of_one}
    return {
        "q": text,
        "sections": sections,
        "found": found,
        "unchanged": [one for one in found.values() if one.pk not in changed],
        "may_apply": any(not one["obstacle"] for one in sections),
        "may_rate_again": any(not one["rerate_obstacle"] for one in sections),
    }


def section_of(
    trial: Trial,
    candidate: Candidate,
    changes: Sequence[Any],
    moves: Mapping[int, TrialMove],
    found: Mapping[int, Player],
) -> dict[str, Any]:
    """Return what a candidate would change."""
    season, report = trial.season, trial.report["found"][candidate.key]  # type: ignore[index] # its page shows finished trials
    return {
        "key": candidate.key,
        "label": candidate.label,
        "changes": changes,
        "found": report,
        "rank_moves": [
            (describe_group(kind, low, high), count)
            for kind, low, high, count in report["rank_moves"]
            if count
        ],
        "most_rank_moves": max((count for *_group, count in report["rank_moves"]), default=0),
        "most_rating_moves": max((count for *_range, count in report["rating_moves"]), default=0),
        "movers": [moves[player] for player in report["movers"] if player in moves],
        "named": [moves[player] for player in found if player in moves],
        "new_shows": with_rules(season, candidate.rules(Rules.of(season))).shows,
        "obstacle": outcomes.obstacle(trial, candidate.key, "next"),
        "rerate_obstacle": outcomes.obstacle(trial, candidate.key, "rerate"),
    }


def players_named(trial: Trial, text: str) -> dict[int, Player]:
    """Return the rated players of the season whose name contains a text, none for an empty one."""
    if not text:
        return {}
    rated = Player.objects.search(text).filter(ratings__season=trial.season)
    return {player.pk: player for player in rated.order_by("sort_name")[:MOST_FOUND]}
