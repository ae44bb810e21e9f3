"""A preview of the dishonor rules: the timeout that each number of stacks earns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from league.admin.core.previews import Chart, Figure, Wrong, read
from league.models import Discipline
from league.services.core.durations import seconds_in_words
from league.services.core.isolation import gettext as _
from matchmaking.dishonor import DishonorRules, displayed_end, timeout
from matchmaking.rules.readings import Choices
from ratings.tunables.declarations import declarations

if TYPE_CHECKING:
    from league.admin.core.previews import Typed

MOST = 50
"""The most stacks in the table."""
READINGS = {one.name: one for one in declarations(Choices) if one.name in {"decay", "rounding"}}


def stacks(_law: Discipline | None, sent: Typed) -> Figure | None:
    """Show the timeout that a penalty adds, by the stacks after it."""
    rules = read(DishonorRules, sent, str, stored={}, blank=False)
    given: dict[str, Any] = {name: sent.get(name, one.default) for name, one in READINGS.items()}
    for name, one in READINGS.items():
        if given[name] not in {choice.value for choice in one.choices}:
            text = _("Choose one of the options.")
            raise Wrong([f"{one.label}: {text}"])
    readings = Choices.model_validate(given)
    found = [timeout(count, rules, readings) for count in range(1, MOST + 1)]
    shown = [displayed_end(seconds, now=0.0) for seconds in found]
    words = [_("without end") if end is None else seconds_in_words(end) for end in shown]
    longest = max((end for end in shown if end is not None), default=0.0)
    text = _("The timeout of one stack is %(one)s, of five %(five)s and of ten %(ten)s.") % {
        "one": words[0],
        "five": words[4],
        "ten": words[9],
    }
    return Figure(
        text,
        Chart(
            [(count, longest if end is None else end) for count, end in enumerate(shown, start=1)],
            marks=[(1, "1"), (MOST, str(MOST))],
            bars=True,
        ),
        (_("Stacks"), _("Timeout")),
        [(str(count), text) for count, text in enumerate(words, start=1)],
    )


PREVIEWS = {"stacks": stacks}
