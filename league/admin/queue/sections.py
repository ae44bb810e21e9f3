"""The sections of the queue form: when their fields have an effect, and their settings in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.admin.core.sections import only, unless
from league.admin.core.values import percent
from league.admin.queue.forms import PREDICTION
from league.models import ArenaQueue
from league.services.core.durations import seconds_in_words
from ratings.tunables.wording import plain

if TYPE_CHECKING:
    from league.admin.core.sections import Conditions

LAUREL = ArenaQueue.Matcher.LAUREL
OF_THE_PUBLISHED = [
    f"queue__{name}" for name in ("potentials_min", "rating_start", "rating_end", "rating_min")
]
"""Rules that only the published matchers have."""

CONDITIONS: Conditions = {
    "laurel": (only("matcher", LAUREL),),
    **dict.fromkeys(OF_THE_PUBLISHED, (unless("matcher", LAUREL),)),
    **{rule.field_name: (only("predicts", "on"),) for rule in PREDICTION},
}


def words(queue: ArenaQueue) -> dict[str, str]:
    """Return a queue's rules in a line for each section, by its key.

    Sections that are not here name their changed values.
    """
    rules = queue.matching()
    found = {
        "queue": requirements(queue),
        "prediction": (
            _("By the weights below.") if queue.prediction else _("By the rating system.")
        ),
    }
    if queue.matcher == LAUREL:
        found["laurel"] = _(
            "Chances from %(least)s to %(most)s; first in line after %(bound)s."
        ) % {
            "least": percent(0.5 - rules.laurel.fairness),
            "most": percent(0.5 + rules.laurel.fairness),
            "bound": seconds_in_words(rules.laurel.bound),
        }
    return found


def requirements(queue: ArenaQueue) -> str:
    rules = queue.matching()
    least, most = rules.queue.roster_min, min(rules.queue.roster_max, rules.team_size)
    size = (
        ngettext("Rosters of %(n)d player", "Rosters of %(n)d players", most) % {"n": most}
        if least >= most
        else _("Rosters of %(least)d to %(most)d players") % {"least": least, "most": most}
    )
    text = _("%(size)s; a tick every %(interval)s; at most %(points)s points apart.") % {
        "size": size,
        "interval": seconds_in_words(rules.queue.iteration_interval),
        "points": plain(rules.queue.rating_max),
    }
    if not rules.queue.rank_min:
        return text
    return _("%(text)s Rank %(rank)s or better.") % {
        "text": text,
        "rank": plain(rules.queue.rank_min),
    }
