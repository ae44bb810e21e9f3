"""Random challenges: once a day, chance chooses the opponent.

Source: B. Kreimeier, "Rising from the Ranks", Gamasutra 2000, under "Jacob's Ladder": random
selection of opponents and other incentives keep a ladder going. A draw sends the challenge at once,
and its row remembers the draw, so withdrawing it does not give another one. The reward is a further
reach and a challenge beside those that the rules allow, one at a time: nothing to collect.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np
from django.db import connection, transaction
from django.utils.translation import gettext as _

from league.models import Challenge, Player
from league.services.core.durations import in_words
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.ladder.challenges import (
    TAKE_TURN,
    challenge_rules,
    check_able,
    check_pair,
    check_today,
    ladder_to_play_on,
    send,
)
from league.services.ladder.lists import free_above, to_come

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Arena, Season
    from ratings.systems.ladder.system import Ladder

BETWEEN = timedelta(days=1)
"""From one draw of a player to the next."""


def draw(arena: Arena, *, by: Player, now: datetime, seed: int) -> Challenge:
    """Challenge somebody at random among the free players above ``by`` within reach.

    Raises:
        Forbidden: ``by`` is in a timeout, or their account is locked.
        Refused: no ladder is running here, or it has no random challenges.
        Conflict: ``by`` has drawn within a day, has an open one, or there is nobody to draw.
    """
    season, ladder = ladder_to_play_on(arena, now)
    if not challenge_rules(season).draws:
        raise Refused("no_draws", _("This ladder has no random challenges."))
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(TAKE_TURN, [season.pk])
        check_may_draw(season, by, now)
        check_today(season, by, now)
        return among(season, within_reach(season, ladder, by), by, now, seed)


def check_may_draw(season: Season, by: Player, now: datetime) -> None:
    """Refuse a second draw within a day, or before the last one is over."""
    mine = Challenge.objects.filter(season=season, challenger=by, drawn_from__isnull=False)
    last = mine.first()
    if last is not None and last.made_at > now - BETWEEN:
        raise Conflict(
            "drawn_today",
            _("You have already drawn %(player)s. You can draw again in %(time)s.")
            % {"player": last.challenged, "time": in_words(last.made_at + BETWEEN - now)},
        )
    if mine.to_come().exists():
        raise Conflict("drawn_open", _("Your last random challenge is still open."))


def within_reach(season: Season, ladder: Ladder, by: Player) -> list[int]:
    """Return the ids of the players among whom ``by`` draws now."""
    reach = ladder.parameters.challenge_range
    further = reach + challenge_rules(season).draw_reach if reach else 0
    return list(free_above(season, by, further, to_come(season)).values_list("player", flat=True))


def among(season: Season, players: list[int], by: Player, now: datetime, seed: int) -> Challenge:
    """Send a challenge to the first of these players, in random order, who can be challenged now.

    Each of those who can has the same chance.
    """
    order = np.random.default_rng(seed).permutation(len(players))
    for at in order.tolist():
        one = Player.objects.select_related("user").get(pk=players[at])
        try:
            check_able(by, one, now)
            check_pair(season, by, one, now)
        except Forbidden:
            raise
        except Refused:
            continue
        return send(season, by, one, now, drawn_from=len(players))
    raise Conflict("nobody", _("There is nobody you can challenge right now."))
