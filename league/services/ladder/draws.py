"""Random challenges: once a day, chance chooses the opponent.

Source: B. Kreimeier, "Rising from the Ranks", Gamasutra 2000, under "Jacob's Ladder": random
selection of opponents and other incentives keep a ladder going. A draw sends the challenge at once,
and its row remembers the draw, so withdrawing it does not give another one. The reward is a
challenge beside those that the rules allow, one at a time: nothing to collect. It reaches no
further than others, because a win over somebody out of range exchanges no ranks.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import BigIntegerField, Count, F, Func, Window

from league.models import Challenge, Player
from league.services.core.durations import describe_duration
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.core.turns import take_turn
from league.services.ladder.challenges import (
    TURN,
    challenge_rules,
    check_able,
    check_pair,
    check_today,
    ladder_to_play_on,
    send,
)
from league.services.ladder.lists import free_above, to_come
from league.services.site.frame import refuse_new_matches

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Arena, Season
    from ratings.systems.ladder.system import Ladder

BETWEEN = timedelta(days=1)
"""From one draw of a player to the next."""
MOST_TRIES = 50
"""The most players that a draw tries. Those who rest, are banned or in a timeout cannot be
drawn."""


def draw(arena: Arena, *, by: Player, now: datetime, seed: int) -> Challenge:
    """Challenge somebody at random among the free players above ``by`` within reach.

    Raises:
        Forbidden: ``by`` is in a timeout, or their account is locked.
        Refused: no ladder is running here, or it has no random challenges.
        Conflict: ``by`` has drawn within a day, has an open one, or there is nobody to draw.
        Unavailable: during maintenance.
    """
    refuse_new_matches(now)
    season, ladder = ladder_to_play_on(arena, now)
    if not challenge_rules(season).draws:
        raise Refused("no_draws", _("This ladder has no random challenges."))
    with transaction.atomic():
        take_turn(TURN, season.pk)
        check_may_draw(season, by, now)
        check_today(season, by, now)
        return send_first(season, lots(season, ladder, by, seed), by, now)


def check_may_draw(season: Season, by: Player, now: datetime) -> None:
    """Refuse a second draw within a day, or before the last one is over."""
    mine = Challenge.objects.filter(season=season, challenger=by, drawn_from__isnull=False)
    last = mine.first()
    if last is not None and last.made_at > now - BETWEEN:
        raise Conflict(
            "drawn_today",
            _("You have already drawn %(player)s. You can draw again in %(time)s.")
            % {"player": last.challenged, "time": describe_duration(last.made_at + BETWEEN - now)},
        )
    if mine.to_come().exists():
        raise Conflict("drawn_open", _("Your last random challenge is still open."))


def lots(season: Season, ladder: Ladder, by: Player, seed: int) -> list[tuple[int, int]]:
    """Return the ids of the first players in a random order of those whom ``by`` may draw.

    Each comes with the number of all of them. The database counts and orders them: on a ladder
    without a limit, that may be everybody, and other challenges of the season wait.
    """
    free = free_above(season, by, ladder.parameters.challenge_range, to_come(season))
    lot = Func(F("player"), seed, function="hashint8extended", output_field=BigIntegerField())
    ordered = free.annotate(total=Window(Count("*"))).order_by(lot)
    return list(ordered.values_list("player", "total")[:MOST_TRIES])


def send_first(
    season: Season, drawn: Sequence[tuple[int, int]], by: Player, now: datetime
) -> Challenge:
    """Send a challenge to the first of the drawn players who can be challenged now."""
    players = Player.objects.select_related("user").in_bulk([player for player, _total in drawn])
    for player, total in drawn:
        try:
            check_able(by, players[player], now)
            check_pair(season, by, players[player], now)
        except Forbidden:
            raise
        except Refused:
            continue
        return send(season, by, players[player], now, drawn_from=total)
    raise Conflict("nobody", _("There is nobody you can challenge right now."))
