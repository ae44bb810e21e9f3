"""Compare rating systems by what they would have forecast."""

from __future__ import annotations

import json
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from ratings.commands.inputs import START, CommandProblem, read_history, read_starting_states
from ratings.commands.pipes import closed_pipes_tolerated
from ratings.commands.splitting import add_reading_arguments, first_after
from ratings.lab.details import as_text
from ratings.lab.fitting import fit
from ratings.lab.pace import warning
from ratings.lab.trial import Trial, try_system
from ratings.lab.walking import walk_forward
from ratings.registry import KNOWN_SYSTEMS, SYSTEMS, UnknownSystem, build, find, read_name
from ratings.replay import check_shapes
from ratings.system import UnsupportedMatch
from ratings.tunables.durations import UNITS, format_duration, parse_duration_with_unit
from ratings.tunables.reading import ParameterError

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Mapping

    from ratings.history import History
    from ratings.system import RatingSystem
    from ratings.types import States


LONGEST_WALK = 3650 * UNITS["d"]


@dataclass(frozen=True)
class Work:
    """The work of one process: fit a system if asked, and judge it."""

    system: str
    parameters: Mapping[str, object]
    history: History
    first: int
    names: tuple[str, ...] | None
    """The parameters to fit, empty for the system's own choice, ``None`` to fit nothing."""
    walk: float | None
    """Seconds after which they are fitted again, if they are."""
    full: bool
    states: States | None
    """The states of the players before, newcomers by default."""

    def __call__(self) -> Trial:
        system = build_system(self.system, self.parameters)
        if self.walk is not None:
            return walk_forward(
                system,
                self.history,
                self.first,
                self.walk,
                time.process_time,
                self.names or (),
                full=self.full,
            )
        if self.names is not None:
            system = fit(system, self.history.part(0, self.first), self.names).system
        return try_system(
            system,
            self.history,
            self.first,
            time.process_time,
            full=self.full,
            states=self.states,
        )


def build_system(name: str, parameters: Mapping[str, object]) -> RatingSystem:
    """Return the system of a name such as ``elo`` or ``glicko-2:gw2``, with all its parameters."""
    return build(read_name(name)[0], parameters)


class Command(BaseCommand):
    help = (
        "Compare rating systems by their forecasts of the later matches of a history. Prints a "
        "table, or JSON. Changes nothing, and needs no database for a CSV file."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "history",
            type=Path,
            nargs="?",
            metavar="HISTORY.csv",
            help="the columns that replay takes; further columns are ignored",
        )
        parser.add_argument("--arena", metavar="SLUG", help="use the latest season of this arena")
        parser.add_argument(
            "--systems",
            default="",
            metavar="NAME,NAME",
            help="see manage.py systems; default: all. After a colon comes a set of published "
            "parameters, such as glicko-2:gw2",
        )
        parser.add_argument(
            "--params",
            type=Path,
            metavar="FILE.json",
            help="parameters that are not the defaults, or an object of these by system",
        )
        parser.add_argument(
            "--fit",
            nargs="?",
            const="",
            metavar="NAME,NAME",
            help="fit parameters to the matches before the split: these, or each system's own "
            "choice of one to three",
        )
        parser.add_argument(
            "--walk",
            metavar="DURATION",
            help="fit again after each such time, such as 365d, to all matches before it",
        )
        parser.add_argument(
            "--full",
            action="store_true",
            help="add the order of places, the chances of draws, calibration, and intervals that "
            "hold 95%% of draws of the days",
        )
        add_reading_arguments(parser)
        parser.add_argument("--start", type=Path, metavar="LIST.csv", help=START)
        parser.add_argument("--json", action="store_true", help="print JSON instead of a table")

    def handle(self, *_args: Any, **options: Any) -> None:
        names = _systems(options["systems"])
        parameters = _parameters(options["params"], names)
        try:
            history = _history(options)
            first = first_after(history, options["split"])
        except CommandProblem as error:
            raise CommandError(str(error)) from None
        if not options["systems"]:
            names = self._able(names, parameters, history)
            if options["start"]:
                names = [name for name in names if not find(read_name(name)[0]).shows.lowest_first]
        fitted = _list(options["fit"]) if options["fit"] is not None else None
        starts = options["start"]
        if starts and fitted is not None:
            raise CommandError("--fit lets everyone start as a newcomer; leave --start out.")
        if fitted is not None and not first:
            raise CommandError("There are no matches before the split to fit to.")
        walk = _walk(options["walk"])
        if walk is not None and fitted is None:
            raise CommandError("--walk fits again and again; say --fit as well.")
        for name in names:
            if advice := warning(build_system(name, parameters[name]), history):
                self.stderr.write(advice)
        try:
            works = [
                Work(
                    name,
                    parameters[name],
                    history,
                    first,
                    fitted,
                    walk,
                    options["full"],
                    read_starting_states(starts, build_system(name, parameters[name]), history)
                    if starts
                    else None,
                )
                for name in names
            ]
        except CommandProblem as error:
            raise CommandError(str(error)) from None
        trials = _run([*works])
        with closed_pipes_tolerated():
            if options["json"]:
                self.stdout.write(json.dumps([trial.to_json() for trial in trials], indent=2))
            else:
                self.stdout.write(_table(trials))

    def _able(
        self, names: list[str], parameters: Mapping[str, Mapping[str, object]], history: History
    ) -> list[str]:
        """Return the systems that can rate the history, and say why the others cannot."""
        able = []
        for name in names:
            try:
                check_shapes(build_system(name, parameters[name]), history)
                able.append(name)
            except UnsupportedMatch as error:
                self.stderr.write(f"Left out: {error}.")
        return able


def _list(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _walk(text: str | None) -> float | None:
    """Return the seconds of a duration, if there is one."""
    if text is None:
        return None
    try:
        seconds = parse_duration_with_unit(text)
    except ValueError as error:
        raise CommandError(f"--walk: {error}; you gave {text}.") from None
    if not UNITS["d"] <= seconds <= LONGEST_WALK:
        raise CommandError(
            f"--walk must be from 1d to {format_duration(LONGEST_WALK)}; you gave {text}."
        )
    return seconds


def _systems(text: str) -> list[str]:
    names = list(dict.fromkeys(_list(text))) or list(SYSTEMS)
    try:
        for name in names:
            read_name(name)
    except UnknownSystem as error:
        raise CommandError(f"{error}.") from None
    return names


def _parameters(file: Path | None, names: list[str]) -> dict[str, Mapping[str, object]]:
    """Return the parameters of each system, checked."""
    given = _json(file) if file else {}
    by_system = bool(given) and set(given) <= {*KNOWN_SYSTEMS, *names}
    found: dict[str, Mapping[str, object]] = {}
    for name in names:
        own = given.get(name, {}) if by_system else given
        if not isinstance(own, dict):
            raise CommandError(f"The parameters of {name} in {file} must be an object.")
        plain, published = read_name(name)
        own = {**published, **own}
        try:
            build(plain, own)
        except ParameterError as error:
            raise CommandError(
                f"The parameters of {name} in {file} cannot be used:\n{error}"
            ) from None
        found[name] = own
    return found


def _json(file: Path) -> dict[str, Any]:
    try:
        given = json.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise CommandError(f"Cannot read {file}: {error.strerror}.") from None
    except ValueError as error:
        raise CommandError(f"Cannot read {file}: it is not JSON ({error}).") from None
    if not isinstance(given, dict):
        raise CommandError(f'{file} must hold an object, such as {{"elo": {{"max_gain": 24}}}}.')
    return given


def _history(options: Mapping[str, Any]) -> History:
    file, arena = options["history"], options["arena"]
    if bool(file) == bool(arena):
        raise CommandError("Name a HISTORY.csv or an --arena, one of the two.")
    if arena:
        if options["context"] or options["first_side"] or options["start"]:
            raise CommandError("--context, --first-side and --start are for files.")
        return _history_of(arena)
    return read_history(file, options["context"], options["first_side"], options["encoding"])


def _history_of(slug: str) -> History:
    """Return the rated matches of the latest season of an arena."""
    # Needs the models, and so a database. Runs on CSV files have none, and start faster.
    from league.services.other_rules.asking import latest_season  # noqa: PLC0415 - see above
    from league.services.rating.tail import read_tail  # noqa: PLC0415 - see above

    season = latest_season(slug)
    if season is None:
        raise CommandError(f"There is no arena “{slug}” with rated matches.")
    return read_tail(season, after=0).history()


def _run(works: list[Work]) -> list[Trial]:
    """Return the trials, run on all cores."""
    with tqdm(total=len(works), unit=" systems", file=sys.stderr, disable=None) as bar:
        try:
            if len(works) == 1:
                return [works[0]()]
            with ProcessPoolExecutor(min(len(works), os.cpu_count() or 1)) as pool:
                trials = []
                for trial in pool.map(_call, works):
                    trials.append(trial)
                    bar.update()
                return trials
        except UnsupportedMatch as error:
            raise CommandError(f"{error}.") from None
        except ParameterError as error:
            raise CommandError(f"The parameters to fit cannot be used:\n{error}") from None


def _call(work: Work) -> Trial:
    return work()


def _table(trials: list[Trial]) -> str:
    lines = ["system         matches  accuracy  log loss   Brier  slope  seconds  parameters"]
    for trial in trials:
        changed = {
            name: value
            for name, value in trial.parameters.items()
            if value != find(trial.system).Parameters().to_json()[name]
        }
        figures = (
            f"{trial.matches:>8,}    {trial.accuracy:6.1%}    {trial.log_loss:6.4f}  "
            f"{trial.brier:6.4f}  {trial.slope:5.2f}  {trial.seconds:7.1f}"
        )
        differences = ", ".join(f"{name} {value}" for name, value in changed.items())
        lines.append(f"{trial.system:<13} {figures}  {differences}")
        if trial.details:
            lines += as_text(trial.details)
        lines += [
            f"  from {one.start}: {one.matches:,} matches, log loss {one.log_loss:.4f}, "
            + ", ".join(f"{name} {value}" for name, value in one.parameters.items())
            for one in trial.windows
        ]
    return "\n".join(line.rstrip() for line in lines)
