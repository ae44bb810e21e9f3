"""Make the matches of a queue file offline."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError

from league.management.arenas import add_arena_arguments, arena_rules, read_text
from matchmaking.facade import QueueError, refuse_large
from matchmaking.io import queuefile
from matchmaking.matchers import MATCHERS
from matchmaking.ticket import Queue

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from matchmaking.matchers import NamedMatcher
    from matchmaking.rules.arena import Rules
    from matchmaking.tick import Match


class Command(BaseCommand):
    help = (
        "Run one tick of a matcher on a queue from a JSON file, and print the matches and the "
        "remaining tickets. Stores nothing and needs no database."
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
        add_arena_arguments(parser)
        parser.add_argument(
            "--matcher",
            choices=list(MATCHERS),
            default="new",
            help="; ".join(f"{name}: {matcher.about}" for name, matcher in MATCHERS.items()),
        )
        parser.add_argument(
            "--seed",
            type=int,
            help="for the coin toss of the old matcher; without a seed the toss never swaps teams",
        )
        parser.add_argument(
            "--explain",
            action="store_true",
            help="print what each metric added to each pick's score",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        rules = arena_rules(options["arena"], options["team_size"], options["choose"])
        try:
            now, tickets = queuefile.read(read_text(options["queue"]))
        except queuefile.QueueError as error:
            raise CommandError(f"{options['queue']} cannot be used:\n{error}") from None
        queue = Queue.of(tickets)
        try:
            refuse_large(queue, rules)
        except QueueError as error:
            raise CommandError(f"{options['queue']}: {error}.") from None
        if options["seed"] is not None and options["seed"] < 0:
            raise CommandError("--seed must be 0 or more.")
        generator = None if options["seed"] is None else np.random.default_rng(options["seed"])
        matcher = MATCHERS[options["matcher"]]
        tick = matcher.match(queue, rules, now=now, generator=generator)
        output = {
            "matches": [
                _match(match, queue, rules, now, matcher if options["explain"] else None)
                for match in tick.matches
            ],
            "queue": [queue.ids[ticket] for ticket in tick.left],
        }
        self.stdout.write(json.dumps(output, indent=2, ensure_ascii=False))


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
