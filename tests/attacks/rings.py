"""Rings: accounts that play honestly, are ranked, and lose to one of them again and again.

Not in Glicko, which remembers the number of its rating period: ``time.passes`` does not move it.
``tests/league/integrity/test_flags.py`` has a ring in Glicko.
"""

from datetime import timedelta

from league.models import Flag
from league.services.core.clock import database_now
from league.services.integrity.flags import raise_all
from tests.attacks import time
from tests.attacks.farming import agreed_win, rank_of, twelve, workers_run
from tests.attacks.outcome import Outcome
from tests.attacks.people import new_arena, rating_of

WEEKS = 8
MEMBERS = 5


def five_in_glicko_2(address: str) -> Outcome:
    return ring(address, "ring-glicko-2", "Orbiter", "glicko-2")


def five_in_elo(address: str) -> Outcome:
    return ring(address, "ring-elo", "Circler", "elo")


def ring(address: str, slug: str, name: str, rating_system: str) -> Outcome:
    """Five of twelve ranked players let one of them win for eight weeks.

    Each of the other four loses to that player twice a week, and everybody plays an honest match
    every other day.
    """
    arena = new_arena(slug, rating_system=rating_system)
    members = twelve(address, name)
    honest = 0

    def play_honestly(rounds: int) -> None:
        nonlocal honest
        for _ in range(rounds):
            step = 1 + honest % 5
            for one in range(0, 12, 2):
                pair = (members[one], members[(one + 1 + 2 * step) % 12])
                agreed_win(arena, *(pair if (honest // 5 + one // 2) % 2 else pair[::-1]))
            honest += 1
            time.passes(arena, timedelta(days=1))

    play_honestly(16)
    workers_run()
    cheat, feeders = members[0], members[1:MEMBERS]
    assert rank_of(cheat.player, arena) is not None
    before = rating_of(cheat.player, arena) or 0
    tried = accepted = 0
    for _week in range(WEEKS):
        for _half in range(2):
            for feeder in feeders:
                tried += 1
                accepted += agreed_win(arena, cheat, feeder)
            time.passes(arena, timedelta(days=1))
            play_honestly(1)
        time.passes(arena, timedelta(days=3))
        workers_run()
    raise_all(database_now())
    gain = (rating_of(cheat.player, arena) or 0) - before
    flags = Flag.objects.filter(season__arena=arena)
    caught = flags.filter(player=cheat.player, kind=Flag.Kind.FEW_OPPONENTS).exists()
    others = flags.exclude(player__in=[one.player for one in members[:MEMBERS]]).count()
    return Outcome(
        tried,
        accepted,
        f"{gain:+.0f} points in {WEEKS} weeks, rank {rank_of(cheat.player, arena)}, "
        f"{flags.filter(player=cheat.player).count()} flags for staff, {others} about others",
        caught and not others,
    )


RINGS = {
    "a ring of 5 ranked players, 8 weeks of agreed duels in Glicko-2": five_in_glicko_2,
    "the same in Elo": five_in_elo,
}
