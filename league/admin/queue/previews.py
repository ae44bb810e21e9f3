"""Previews of a queue's rules: how far a search widens, and who would be matched now."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.admin.core.previews import Chart, Figure, Wrong, number, read
from league.admin.queue.forms import QUEUE_RULES
from league.models import ArenaQueue, Player, Ticket
from league.models.lists import list_of
from league.services.core.clock import database_now
from league.services.core.durations import seconds_in_words
from league.services.queue import statistics, ticks
from league.services.queue.fair_odds import ShownOdds
from league.services.queue.snapshots import take_snapshot
from matchmaking.rules.arena import Rules
from ratings.tunables.declarations import declarations

if TYPE_CHECKING:
    from league.admin.core.previews import Typed
    from league.services.queue.snapshots import Snapshot
    from matchmaking.tick import Tick as Outcome

LAUREL = ArenaQueue.Matcher.LAUREL
WAITS = range(0, 901, 15)
LISTED = (0, 30, 60, 120, 300, 600, 900)
MOST_WAITING = 300
"""The most waiting rosters that are matched while somebody types."""
PATIENCE = 0.12
"""Seconds after which the matcher stops, with the reading of the queue."""
LEAST_PATIENCE = 0.03
"""Seconds that the matcher has, however long the reading took."""
SEED = 1
MOST_MATCHES = 20


def rules_in(queue: ArenaQueue | None, sent: Typed) -> tuple[Rules, str]:
    """Return the typed rules and matcher. Raises :class:`Wrong`."""
    matcher = str(sent.get("matcher", ""))
    if matcher not in ArenaQueue.Matcher.values:
        raise Wrong([_("Choose a matcher.")])
    parts: dict[str, Any] = {}
    problems: list[str] = []
    known = queue.rules if queue else ArenaQueue().rules
    for group, model in QUEUE_RULES.items():
        try:
            parts[group] = read(
                model, sent, f"{group}__{{}}".format, stored=known.get(group, {}), blank=False
            )
        except Wrong as wrong:
            problems += wrong.problems
    if problems:
        raise Wrong(problems)
    size = queue.arena.team_size_max if queue else 1
    written = {
        group: {
            **known.get(group, {}),
            **{
                one.name: getattr(part, one.name)
                for one in declarations(QUEUE_RULES[group])
                if f"{group}__{one.name}" in sent
            },
        }
        for group, part in parts.items()
    }
    return Rules.model_validate({**written, "team_size": size}), matcher


def window(queue: ArenaQueue | None, sent: Typed) -> Figure | None:
    """Show how far a search has widened by how long its players have waited."""
    rules, matcher = rules_in(queue, sent)
    reach = {waited: reach_after(rules, matcher, waited) for waited in {*WAITS, *LISTED}}
    text = (
        _("How far apart the ratings of a match may be, if everybody in it has waited as long.")
        if matcher == LAUREL
        else _("How far from a roster’s rating others may be, by how long it has waited.")
    )
    ends = _("At first %(first)s points, after %(time)s %(last)s.") % describe_reach(reach)
    return Figure(
        f"{text} {ends}",
        Chart(
            [(float(waited), float(reach[waited])) for waited in WAITS],
            marks=[(0.0, _("joined")), (float(WAITS[-1]), seconds_in_words(WAITS[-1]))],
        ),
        (_("Waited"), _("Points")),
        [(seconds_in_words(waited), number(reach[waited])) for waited in LISTED],
    )


def describe_reach(reach: dict[int, int]) -> dict[str, str]:
    last = LISTED[-1]
    return {"first": number(reach[0]), "time": seconds_in_words(last), "last": number(reach[last])}


def reach_after(rules: Rules, matcher: str, waited: float) -> int:
    if matcher == LAUREL:
        return round(statistics.spread(rules, 2.0 * rules.team_size * waited))
    return round(statistics.window(rules, waited))


def matched_now(queue: ArenaQueue | None, sent: Typed) -> Figure | None:
    """Show the matches that the matcher would make of those who wait now."""
    began = time.monotonic()
    rules, matcher = rules_in(queue, sent)
    now = database_now()
    season = queue.arena.current_season(now) if queue else None
    if queue is None or season is None:
        return Figure(_("Nobody is waiting."))
    rules = rules.on_scale(season.system().scale)
    count = Ticket.objects.waiting().filter(arena=queue.arena).count()
    if not count:
        return Figure(_("Nobody is waiting."))
    if count > MOST_WAITING:
        text = _("%(count)s rosters are waiting, too many to match while you type.")
        return Figure(text % {"count": f"{count:,}"})
    snapshot = take_snapshot(season, rules, now)
    if snapshot.states is None:
        return Figure(_("Nobody is waiting."))
    waiting = snapshot.queue()
    ends = max(began + PATIENCE, time.monotonic() + LEAST_PATIENCE)
    outcome = ticks.run_matcher(
        waiting,
        rules,
        matcher,
        now=now.timestamp(),
        seed=SEED,
        deadline=lambda: time.monotonic() > ends,
        forecast=ShownOdds(queue, season, waiting, snapshot.states, rules, now),
    )
    return matches_of(outcome, snapshot, count)


def matches_of(outcome: Outcome, snapshot: Snapshot, count: int) -> Figure:
    found = ticks.matched_ticket_ids(outcome, snapshot)
    text = ngettext(
        "Of %(count)s waiting rosters, %(matched)s would be in %(n)s match now.",
        "Of %(count)s waiting rosters, %(matched)s would be in %(n)s matches now.",
        len(found),
    ) % {
        "count": count,
        "matched": sum(len(team) for match in found for team in match),
        "n": len(found),
    }
    listed = found[:MOST_MATCHES]
    named = names_of({ticket for match in listed for team in match for ticket in team})
    rows = [
        tuple(list_of(named.get(ticket, "–") for ticket in team) for team in match)
        for match in listed
    ]
    return Figure(text, None, (_("One side"), _("Other side")), rows, open=True)


def names_of(tickets: set[Any]) -> dict[Any, str]:
    """Return the names of each ticket's players."""
    names: dict[Any, list[str]] = {}
    rows = Player.objects.filter(ticket_memberships__ticket__in=tickets)
    for ticket, name in rows.order_by("sort_name").values_list(
        "ticket_memberships__ticket", "name"
    ):
        names.setdefault(ticket, []).append(name)
    return {ticket: list_of(each) for ticket, each in names.items()}


WIDE = frozenset({"queue", "matcher"})
"""Previews that read the rules of several sections."""
PREVIEWS = {"queue": window, "matcher": matched_now}
