"""Make the matches of one queue offline, and say why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError

from matchmaking import queuefile
from matchmaking.choosing import ChoiceError, choose
from matchmaking.matchers import MATCHERS
from matchmaking.presets import PRESETS
from matchmaking.rules import Rules
from matchmaking.ticket import Queue
from matchmaking.xmlfile import read as read_xml
from matchmaking.xmltree import XmlError

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from matchmaking.matchers import NamedMatcher
    from matchmaking.tick import Match


class Command(BaseCommand):
    help = (
        "Run one tick of a matcher on a queue from a JSON file, and print the matches and who is "
        "left. Nothing is stored; no database is needed."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "queue",
            type=Path,
            metavar="QUEUE.json",
            help='{"now": seconds, "tickets": [{"id", "wait", "modes": [], "guild_team": false, '
            '"players": [{"id", "rating", "deviation", "rank", "games", "profession", '
            '"dishonor"}]}]}',
        )
        parser.add_argument(
            "--arena",
            required=True,
            metavar="PRESET|FILE.xml",
            help=f"one of {', '.join(PRESETS)}, or a file with an <Arena>; FILE.xml#NAME for one "
            "of several",
        )
        parser.add_argument(
            "--matcher",
            choices=list(MATCHERS),
            default="new",
            help="; ".join(f"{name}: {matcher.about}" for name, matcher in MATCHERS.items()),
        )
        parser.add_argument(
            "--team-size", type=int, metavar="N", help="players of a team (default 5)"
        )
        parser.add_argument(
            "--choose",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="what the XML cannot say, such as falloff=min; may be given several times",
        )
        parser.add_argument(
            "--seed",
            type=int,
            help="for the old matcher's coin; without it the coin never swaps the teams",
        )
        parser.add_argument(
            "--explain", action="store_true", help="say what each metric added to each pick's score"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        rules = _rules(options["arena"], options["team_size"], options["choose"])
        try:
            now, tickets = queuefile.read(_text(options["queue"]))
        except queuefile.QueueError as error:
            raise CommandError(f"{options['queue']} cannot be used:\n{error}") from None
        queue = Queue.of(tickets)
        if options["seed"] is not None and options["seed"] < 0:
            raise CommandError("--seed must be 0 or more.")
        generator = None if options["seed"] is None else np.random.default_rng(options["seed"])
        matcher = MATCHERS[options["matcher"]]
        tick = matcher.match(queue, rules, now=now, generator=generator)
        written = {
            "matches": [
                _match(match, queue, rules, now, matcher if options["explain"] else None)
                for match in tick.matches
            ],
            "queue": [queue.ids[ticket] for ticket in tick.left],
        }
        self.stdout.write(json.dumps(written, indent=2, ensure_ascii=False))


def _match(
    match: Match, queue: Queue, rules: Rules, now: float, explainer: NamedMatcher | None
) -> dict[str, Any]:
    picks: list[dict[str, Any]] = [
        {"ticket": queue.ids[pick.ticket], "team": pick.team, "score": pick.score}
        for pick in match.picks
    ]
    if explainer is not None:
        for pick, shares in zip(
            picks, explainer.explain(queue, rules, match, now=now), strict=True
        ):
            pick["shares"] = shares
    return {
        "team1": [queue.ids[ticket] for ticket in match.team1],
        "team2": [queue.ids[ticket] for ticket in match.team2],
        "picks": picks,
    }


def _rules(arena: str, team_size: int | None, choices: list[str]) -> Rules:
    rules = PRESETS[arena].rules() if arena in PRESETS else _arena(arena)
    if team_size is not None:
        if not 1 <= team_size <= 100:
            raise CommandError(f"--team-size must be from 1 to 100; you gave {team_size}.")
        rules = rules.model_copy(update={"team_size": team_size})
    try:
        return choose(rules, choices)
    except ChoiceError as error:
        raise CommandError(f"--choose: {error}") from None


def _arena(arena: str) -> Rules:
    name, _, wanted = arena.partition("#")
    file = Path(name)
    if not file.exists():
        raise CommandError(f"--arena: {arena} is neither a file nor one of {', '.join(PRESETS)}.")
    try:
        arenas = read_xml(_text(file)).all(Rules)
    except XmlError as error:
        raise CommandError(f"{file} cannot be used:\n{error}") from None
    names = [rules.name for rules in arenas]
    if not arenas:
        raise CommandError(f"{file} has no <Arena>.")
    if wanted and wanted not in names:
        raise CommandError(f"{file} has no arena {wanted}; it has {', '.join(names)}.")
    if not wanted and len(arenas) > 1:
        raise CommandError(
            f"{file} has {len(arenas)} arenas; choose one: "
            + " or ".join(f"--arena “{file}#{name}”" for name in names)
        )
    return arenas[names.index(wanted)] if wanted else arenas[0]


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CommandError(f"Cannot read {file}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise CommandError(f"Cannot read {file}: it is not text in UTF-8.") from None
