"""Free-for-all reports as a list: one name per line in order of finish, ``=`` for a tie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy

from league.models import Player
from league.models.names import fold
from league.services.core.isolation import gettext as _
from league.services.core.types import PlayedBy, ReportedSide
from league.services.results.rules.formats import between
from league.web.results.forms import ModeForm, WhenPlayed
from league.web.results.lineups import shorten, suggestion

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from league.models import Arena
    from league.services.core.errors import Refused

LEVEL = "="
MOST_PROBLEMS = 50
MOST_SUGGESTIONS = 10


@dataclass(frozen=True)
class Line:
    """A line of the list."""

    number: int
    """From 1, counting blank lines, as an editor does."""
    name: str
    level: bool
    """Whether it ties with the line above."""


def lines_of(text: str) -> list[Line]:
    """Return the lines that are not blank."""
    written = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1)]
    return [
        Line(number, line.removeprefix(LEVEL).strip(), line.startswith(LEVEL))
        for number, line in written
        if line
    ]


def places_of(lines: Sequence[Line]) -> list[int]:
    """Return the place of each line from 0. Ties skip the following places."""
    places: list[int] = []
    for at, line in enumerate(lines):
        places.append(places[-1] if line.level and places else at)
    return places


class OrderForm(WhenPlayed, ModeForm):
    """A report of all players in order of finish."""

    order = forms.CharField(
        label=gettext_lazy("Order of finish"),
        widget=forms.Textarea(attrs={"rows": 14, "spellcheck": "false"}),
        error_messages={"required": gettext_lazy("List the players, winner first.")},
    )

    def __init__(self, arena: Arena, me: Player, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.arena = arena
        self.me = me
        self.ask_for_mode(arena)

    def clean_order(self) -> list[ReportedSide]:
        """Return the sides, best first, or report the problems of every line."""
        lines = lines_of(self.cleaned_data["order"])
        arena = self.arena
        if not arena.sides_min <= len(lines) <= arena.sides_max:
            raise ValidationError(
                _("A match in %(arena)s has %(range)s players. This list has %(count)d.")
                % {
                    "arena": arena,
                    "range": between(arena.sides_min, arena.sides_max),
                    "count": len(lines),
                }
            )
        players = {
            player.folded_name: player
            for player in Player.objects.filter(folded_name__in=[fold(one.name) for one in lines])
        }
        problems = [
            _("Line %(number)d: %(problem)s") % {"number": number, "problem": problem}
            for number, problem in self.line_problems(lines, players)
        ]
        if not problems and self.me not in players.values():
            problems = [_("You are not in the list. Add your own name.")]
        if len(problems) > MOST_PROBLEMS:
            more = len(problems) - MOST_PROBLEMS
            problems = [*problems[:MOST_PROBLEMS], _("And %(more)d more lines.") % {"more": more}]
        if problems:
            raise ValidationError(problems)
        return [
            ReportedSide(player, [PlayedBy(player)], place)
            for line, place in zip(lines, places_of(lines), strict=True)
            for player in [players[fold(line.name)]]
        ]

    def line_problems(
        self, lines: Sequence[Line], players: dict[str, Player]
    ) -> Iterator[tuple[int, str]]:
        """Yield the number and the problem of each invalid line."""
        seen: dict[str, int] = {}
        unknown = 0
        for at, line in enumerate(lines):
            folded = fold(line.name)
            if line.level and at == 0:
                yield line.number, _("there is no player above to tie with.")
            elif line.level and not self.arena.draws_allowed:
                yield line.number, _("%(arena)s has no ties.") % {"arena": self.arena}
            if not line.name:
                yield line.number, _("the name is missing.")
            elif folded in seen:
                yield (
                    line.number,
                    _("“%(name)s” is already on line %(first)d.")
                    % {"name": shorten(line.name), "first": seen[folded]},
                )
            elif folded not in players:
                unknown += 1
                message = _("there is no player “%(name)s”.") % {"name": shorten(line.name)}
                # Finding similar names is slow, so not for a whole list in the wrong format.
                pool = Player.objects.listed().search(folded[:1])
                near = suggestion(line.name, pool) if unknown <= MOST_SUGGESTIONS else ""
                yield line.number, message + near
            seen.setdefault(folded, line.number)

    def refuse(self, refusal: Refused) -> None:
        """Add a service's refusal to the field that it names, or else to the list."""
        self.add_error(refusal.field if refusal.field in self.fields else "order", refusal.message)
