"""What a comparison found, as its page shows it."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _

from league.admin.seasons.reliability import points_of
from league.models import Job, Player
from league.services.core import durations
from league.services.core.declared import declarations
from league.services.core.numbers import number
from league.services.jobs import jobs
from league.services.laboratory.entries import OWN
from league.services.laboratory.working import TOP
from league.services.seasons.differences import in_words
from ratings.lab.differences import Losses, difference
from ratings.lab.pace import GENEROUS, PERIOD
from ratings.registry import SYSTEMS, build

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from league.admin.seasons.reliability import Point
    from league.services.laboratory.comparisons import Comparison

MEASURES = (
    ("log_loss", 4),
    ("brier", 4),
    ("accuracy", None),
    ("slope", 2),
    ("pair_inversion", 1),
    ("rank_deviation", 1),
)
"""The measures of the table in their order, and their decimals; ``None`` for a share."""
DAY = 86_400


@dataclass(frozen=True)
class Cell:
    """A measure with its interval, as text. Empty if it is not known."""

    value: str
    within: str


@dataclass(frozen=True)
class Changed:
    """A parameter that was fitted or differs from the arena's."""

    label: str
    before: str
    after: str
    is_fitted: bool


@dataclass(frozen=True)
class Row:
    """A system that is done."""

    key: str
    label: str
    matches: str
    gain: Cell
    """The log loss less that of the arena's own rules, on the same matches."""
    cells: list[Cell]
    seconds: str
    is_best: bool
    points: list[Point]
    parameters: list[Changed]
    fitting: tuple[str, str] | None
    """The log loss of the matches before the split, before and after the fit."""
    entering: list[tuple[str, str, str]]
    """Name, rank as it is and as it would be."""
    ranked: list[int]


@dataclass(frozen=True)
class Unfinished:
    """A system that waits, failed or was cancelled."""

    job: Job
    label: str
    step: str
    percent: int | None


@dataclass(frozen=True)
class Report:
    """What a comparison found so far."""

    rows: list[Row]
    unfinished: list[Unfinished]
    leaders: list[tuple[str, str, list[tuple[str, int]]]]
    """Each player at the top, their rank, and for each row the new rank and how far they climb."""
    taught: int
    """Matches before the split."""
    judged: int
    warnings: list[str]


def report(comparison: Comparison) -> Report:
    """Return what a comparison found, the best forecasts first."""
    done = comparison.done
    ordered = sorted(done, key=lambda key: loss_of(done[key]))
    names = names_of(done.values())
    own = done.get(OWN)
    fits = {job.given["entry"]: job.given["fit"] for job in comparison.jobs}
    return Report(
        [row_of(key, done[key], fits[key], names, own, best=key == ordered[0]) for key in ordered],
        [unfinished_of(job) for job in comparison.jobs if job.state != Job.State.DONE],
        leaders([done[key]["board"] for key in ordered], names),
        max((found["taught"] for found in done.values()), default=0),
        max((found["trial"]["matches"] for found in done.values()), default=0),
        warnings(done.values()),
    )


def loss_of(found: Mapping[str, Any]) -> float:
    loss = found["trial"]["log_loss"]
    return float("inf") if loss is None else loss


def label_of(key: str, system: str, fitted: Sequence[str]) -> str:
    """Return a system's name in a comparison."""
    label = _(SYSTEMS[system].label)
    if key == OWN:
        return _("%(system)s, as it is") % {"system": label}
    return _("%(system)s, fitted") % {"system": label} if fitted else label


def row_of(
    key: str,
    found: Mapping[str, Any],
    fitted: Sequence[str],
    names: Mapping[int, str],
    own: Mapping[str, Any] | None,
    *,
    best: bool,
) -> Row:
    trial = found["trial"]
    details = trial["details"]
    return Row(
        key,
        label_of(key, trial["system"], fitted),
        intcomma(trial["matches"]),
        gain_of(key, found, own),
        [cell_of(details[name], decimals) for name, decimals in MEASURES],
        number(trial["seconds"], 2),
        best,
        points_of(details["calibration"]),
        parameters_of(trial["system"], trial["parameters"], found["before"], fitted),
        tuple(number(loss, 4) for loss in found["fitting"]) if found["fitting"] else None,  # type: ignore[arg-type]
        [
            (names.get(player, "–"), rank_text(was), rank_text(becomes))
            for player, was, becomes in found["board"]["entering"]
        ],
        found["board"]["ranked"],
    )


def cell_of(measured: Mapping[str, float | None], decimals: int | None) -> Cell:
    value, low, high = (measured[name] for name in ("value", "low", "high"))
    if value is None or low is None or high is None:
        return Cell("–", "")

    def text(part: float) -> str:
        if decimals is None:
            return _("%(number)s%%") % {"number": number(100 * part, 1)}
        return number(part, decimals)

    within = _("%(low)s to %(high)s") % {"low": text(low), "high": text(high)}
    return Cell(text(value), within)


def gain_of(key: str, found: Mapping[str, Any], own: Mapping[str, Any] | None) -> Cell:
    """Return how much lower the log loss is than that of the arena's own rules."""
    if key == OWN or own is None:
        return Cell("–", "")
    measured = difference(Losses(**found["losses"]), Losses(**own["losses"]))
    return Cell("–", "") if math.isnan(measured.value) else cell_of(asdict(measured), 4)


def parameters_of(
    system: str, after: Mapping[str, Any], before: Mapping[str, Any], fitted: Sequence[str]
) -> list[Changed]:
    """Return the fitted parameters, and others of the arena that are not the defaults."""
    default = build(system).parameters.to_json()
    return [
        Changed(
            each.label,
            in_words(each, before[each.name]),
            in_words(each, after[each.name]),
            each.name in fitted,
        )
        for each in declarations(SYSTEMS[system].Parameters)
        if each.name in fitted or after[each.name] != default[each.name]
    ]


def warnings(results: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return what to know of systems whose ratings grow uncertain between usual matches."""
    slow = [found for found in results if found["pace"]]
    texts = [pace_in_words(found["trial"]["system"], found["pace"]) for found in slow]
    return list(dict.fromkeys(texts))


def pace_in_words(system: str, pace: Mapping[str, float]) -> str:
    return _(
        "Players’ matches are typically %(gap)s apart, but ratings in %(system)s grow uncertain "
        "after %(period)s without one. So no rating becomes certain, and each match moves it far. "
        "Set “%(label)s” in the arena to about %(days)s days."
    ) % {
        "label": {each.name: each.label for each in declarations(SYSTEMS[system].Parameters)}[
            PERIOD
        ],
        "days": number(max(round(GENEROUS * pace["gap"] / DAY), 1), 0),
        "gap": durations.in_words(timedelta(seconds=round(pace["gap"]))),
        "system": _(SYSTEMS[system].label),
        "period": durations.in_words(timedelta(seconds=round(pace["period"]))),
    }


def unfinished_of(job: Job) -> Unfinished:
    given = job.given
    step, done, total = jobs.progress_of(job) or ("", 0, 0)
    return Unfinished(
        job,
        label_of(given["entry"], given["system"], given["fit"]),
        step,
        100 * done // total if total else None,
    )


def names_of(results: Iterable[Mapping[str, Any]]) -> dict[int, str]:
    """Return the names of all players that the results mention."""
    ids = {
        row[0] for found in results for row in (*found["board"]["top"], *found["board"]["entering"])
    }
    return {player.pk: player.name for player in Player.ever.filter(pk__in=ids)}


def leaders(
    boards: Sequence[Mapping[str, Any]], names: Mapping[int, str]
) -> list[tuple[str, str, list[tuple[str, int]]]]:
    """Return the top of the leaderboard as it is, and where each system would put it."""
    if not boards:
        return []
    new = [{player: becomes for player, _was, becomes in board["top"]} for board in boards]
    return [
        (
            names.get(player, "–"),
            rank_text(was),
            [(rank_text(each.get(player)), climbed(was, each.get(player))) for each in new],
        )
        for player, was, _becomes in boards[0]["top"]
        if was <= TOP
    ]


def rank_text(rank: int | None) -> str:
    return intcomma(rank) if rank else "–"


def climbed(was: int | None, becomes: int | None) -> int:
    return was - becomes if was and becomes else 0
