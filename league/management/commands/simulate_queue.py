"""Simulate an arena's queue to compare matchers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from django.core.management.base import BaseCommand, CommandError
from pydantic import ValidationError

from league.management.arenas import add_arena_arguments, arena_rules, read_text
from matchmaking.io import playersfile
from matchmaking.lab import windows
from matchmaking.lab.comparison import (
    MatcherRuns,
    align,
    quality_over_time,
    table,
    waits_by_rating,
)
from matchmaking.lab.simulation import simulate
from matchmaking.lab.workload import Workload
from matchmaking.matchers import MATCHERS
from matchmaking.presets import PRESETS
from ratings.tunables.declarations import declarations
from ratings.tunables.durations import parse_duration_with_unit

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Sequence

    from matchmaking.rules.arena import Rules
    from matchmaking.tick import Matcher
    from matchmaking.ticket import Player

PUBLISHED = "gw2-ranked"
_PLOTS = {"waits_by_rating.svg": waits_by_rating, "quality_over_time.svg": quality_over_time}


class _Contender(NamedTuple):
    name: str
    matcher: Matcher
    rules: Rules
    interval: float


class Command(BaseCommand):
    help = (
        "Simulate an arena's queue: parties arrive, wait, play, rest and queue again. Prints waits "
        "(seconds) and match quality. Stores nothing and needs no database."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_arena_arguments(parser)
        parser.add_argument(
            "--matcher", choices=list(MATCHERS), default="laurel", help="default laurel"
        )
        parser.add_argument(
            "--compare",
            action="store_true",
            help="compare all matchers, with the arena's rules and as published, and a simple "
            "window over the ratings",
        )
        parser.add_argument(
            "--online", default=750, metavar="N", help="players online (default 750)"
        )
        parser.add_argument(
            "--hours",
            default=2.0,
            metavar="H",
            help="simulated hours (default 2); the first 15 minutes do not count, or the first "
            "quarter if that is shorter",
        )
        parser.add_argument(
            "--workload",
            nargs="+",
            default=[],
            metavar="NAME=VALUE",
            help="change the league that is simulated, such as duos=0 fives=0.1 ratings=bimodal "
            "stacks=offences burst=3000 modes=2 regions=3",
        )
        parser.add_argument(
            "--seed",
            type=int,
            nargs="+",
            default=[1],
            metavar="S",
            help="the same seed gives the same run; several seeds print their means",
        )
        parser.add_argument(
            "--players",
            type=Path,
            metavar="RATINGS.csv",
            help="draw from these players instead of generating them: columns player and rating, "
            "optionally deviation, games, rank, dishonor and profession, as in the output of "
            "replay",
        )
        parser.add_argument(
            "--interval",
            metavar="TIME",
            help="time between ticks, such as 5s, instead of the arena's",
        )
        parser.add_argument(
            "--plots",
            type=Path,
            metavar="FOLDER",
            help=f"write {' and '.join(_PLOTS)} to this folder",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        rules = arena_rules(options["arena"], options["team_size"], options["choose"])
        workload = _workload(options["online"], options["hours"], options["workload"])
        if min(options["seed"]) < 0:
            raise CommandError("--seed must be 0 or more.")
        if options["plots"] and not options["plots"].is_dir():
            raise CommandError(f"The folder {options['plots']} for the plots does not exist.")
        known = _players(options["players"]) if options["players"] else ()
        compared = [
            self._runs(contender, workload, options["seed"], known)
            for contender in _contenders(rules, options)
        ]
        self.stdout.write(align(table(compared)))
        if options["plots"]:
            for name, plot in _PLOTS.items():
                (options["plots"] / name).write_text(plot(compared), encoding="utf-8")

    def _runs(
        self, contender: _Contender, workload: Workload, seeds: list[int], known: Sequence[Player]
    ) -> MatcherRuns:
        runs = []
        for seed in seeds:
            self.stderr.write(f"{contender.name}, seed {seed} ...")
            runs.append(
                simulate(
                    workload,
                    contender.matcher,
                    contender.rules,
                    seed=seed,
                    interval=contender.interval,
                    known=known,
                )
            )
        return MatcherRuns(contender.name, runs)


def _contenders(rules: Rules, options: dict[str, Any]) -> list[_Contender]:
    interval = _interval(options["interval"], rules.queue.iteration_interval)
    names = list(MATCHERS)[::-1] if options["compare"] else [options["matcher"]]
    contenders = [_Contender(name, MATCHERS[name].match, rules, interval) for name in names]
    if options["compare"]:
        published = PRESETS[PUBLISHED].rules().model_copy(update={"team_size": rules.team_size})
        published_interval = published.queue.iteration_interval
        if options["arena"] != PUBLISHED:
            contenders += [
                _Contender(
                    f"{name}, as published", MATCHERS[name].match, published, published_interval
                )
                for name in ("new", "old")
            ]
        contenders.append(_Contender("window", windows.match, published, published_interval))
    return contenders


def _players(file: Path) -> list[Player]:
    try:
        return playersfile.read(read_text(file))
    except playersfile.PlayersError as error:
        raise CommandError(f"{file} cannot be used:\n{error}") from None


def _interval(text: str | None, default: float) -> float:
    try:
        interval = default if text is None else parse_duration_with_unit(text)
    except ValueError as error:
        raise CommandError(f"--interval: {error}; you gave {text}.") from None
    if not interval:
        raise CommandError("--interval must be more than 0.")
    return interval


def _workload(online: Any, hours: Any, changes: Sequence[str]) -> Workload:
    declared = {declaration.name: declaration for declaration in declarations(Workload)}
    given = dict(change.partition("=")[::2] for change in changes)
    if unknown := sorted(given.keys() - declared.keys()):
        raise CommandError(
            f"--workload: {unknown[0]} is not known; choose from {', '.join(declared)}."
        )
    values = {"online": online, "hours": hours, "warm_up": 0.0, **given}
    try:
        plain = Workload.model_validate(values)
    except ValidationError as error:
        item = error.errors()[0]
        name = str(item["loc"][0]) if item["loc"] else ""
        if name not in declared:
            raise CommandError(f"--workload: {item['msg']}.") from None
        option = f"--workload: {name}" if name in given else f"--{name}"
        raise CommandError(
            f"{option} must be {declared[name].expected}; you gave {item['input']}."
        ) from None
    if "warm_up" in given:
        return plain
    warm_up = min(900.0, plain.hours * 900)
    return plain.model_copy(update={"warm_up": warm_up})
