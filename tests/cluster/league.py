"""The league of the cluster, and whether it still has all that was acknowledged."""

from __future__ import annotations

import itertools
from io import StringIO
from typing import TYPE_CHECKING

from django.core.management import CommandError, call_command

from league.models import Arena, ArenaQueue, Match, Status, Tick, TicketMember, User
from league.services import corrections
from league.services.core.clock import database_now
from tests.attacks.people import new_arena, sign_up

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import CorrectionRequest
    from tests.attacks.people import Person
    from tests.cluster.traffic import Acknowledged

PLAYING = 24
QUEUEING = 4
PATHS = ("/", "/arenas/chess/", "/arenas/chess/leaderboard/", "/api/v1/arenas/chess/leaderboard/")


def found(address: str) -> tuple[Arena, list[Person], list[Person]]:
    """Create an arena for results and one with a queue. Return the players of each."""
    generous = {"open_reports": 10_000, "recent_reports": 10_000}
    chess = new_arena("chess", limits=generous)
    raid = new_arena("raid", team_size_min=5, team_size_max=5)
    queue = ArenaQueue(arena=raid)
    queue.rules["queue"]["iteration_interval"] = "0.5s"
    queue.full_clean()
    queue.save()
    playing = [sign_up(address, f"Player {number}") for number in range(PLAYING)]
    return chess, playing, [sign_up(address, f"Raider {number}") for number in range(QUEUEING)]


def longest_pause(since: datetime, until: datetime) -> float:
    """Return the longest time between two ticks of the queue, in seconds."""
    ticks = Tick.objects.filter(at__gte=since, at__lte=until).order_by("at")
    times = [since, *ticks.values_list("at", flat=True), until]
    return max((b - a).total_seconds() for a, b in itertools.pairwise(times))


def lost(done: Acknowledged) -> list[str]:
    """Return a line for each acknowledged request whose effect is lost."""
    kept = set(Match.objects.filter(pk__in=done.reports).values_list("pk", flat=True))
    rated = Match.objects.filter(pk__in=done.confirmations, status=Status.RATED)
    settled = set(rated.values_list("pk", flat=True))
    waiting = set(TicketMember.objects.filter(open=True).values_list("player", flat=True))
    return [
        *(f"report {match}" for match in done.reports if match not in kept),
        *(f"confirmation of {match}" for match in done.confirmations if match not in settled),
        *(
            f"player {player} {'joined' if waits else 'left'} the queue"
            for player, waits in done.queued.items()
            if waits is not None and (player in waiting) != waits
        ),
    ]


def ask_for_correction(done: Acknowledged) -> CorrectionRequest:
    """Let staff swap winner and loser of the first rated match, for a slow worker to carry out."""
    olga = User.objects.create_superuser(username="olga")
    match = Match.objects.filter(pk__in=done.confirmations, status=Status.RATED).earliest("pk")
    placings: list[tuple[int, float | None]] = [(1, None), (0, None)]
    preview = corrections.preview(match, by=olga, placings=placings)
    return corrections.ask(
        match,
        by=olga,
        reason="The wrong player was reported as the winner.",
        digest=preview.digest,
        horizon=preview.horizon,
        now=database_now(),
        placings=placings,
    )


def differences() -> list[str]:
    """Replay the league and check its queue. Return what is wrong."""
    wrong = []
    for command in ("verify_ratings", "verify_queue"):
        said = StringIO()
        try:
            call_command(command, stdout=said)
        except CommandError as error:
            wrong.append(f"{command}: {error} {said.getvalue()}")
    return wrong
