"""The lists in a player's file: headings, and the cells of each row."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import (
    Appeal,
    Flag,
    Objection,
    Offence,
    PlayerReport,
    StaffAction,
    Status,
    own_words,
)
from league.models.moments import describe_moment
from league.services.core.numbers import number
from league.services.integrity.flags import describe_evidence

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.utils.functional import Promise

    from league.models import (
        Case,
        Player,
        PlayerClaim,
    )


# Stands for the id when an address is made a pattern: no other part of one has these digits.
STAND_IN = 987_654_321
FILE = "admin:league_player_file"


@dataclass(frozen=True)
class Cell:
    """A text of a table, and the page it leads to, if any."""

    text: str
    url: str = ""


def when(moment: datetime | None) -> Cell:
    if moment is None:
        return Cell("–")
    return Cell(describe_moment(moment))


@cache
def pattern(route: str) -> str:
    """Return the addresses of a route of rows, with ``{}`` for the id."""
    return reverse(route, args=[STAND_IN]).replace(str(STAND_IN), "{}")


def address(route: str, pk: int) -> str:
    return pattern(route).format(pk)


def match_cell(match_id: int | None) -> Cell:
    if match_id is None:
        return Cell("–")
    return Cell(_("Match %(number)d") % {"number": match_id}, address("match", match_id))


def player_cell(player: Player | None) -> Cell:
    if player is None:
        return Cell("–")
    return Cell(player.name, address(FILE, player.pk))


def row_cell(text: str | Promise, route: str, pk: int) -> Cell:
    return Cell(str(text), address(f"admin:league_{route}_change", pk))


def rating_row(rating: Any, player: Player) -> list[Cell]:
    season = rating.season
    shows = season.shows
    return [
        Cell(f"{season.arena}, {season.name}", f"{player.get_absolute_url()}?season={season.pk}"),
        Cell(number(shows.show(rating.shown), shows.decimals)),
        Cell(f"{rating.wins} – {rating.draws} – {rating.losses}"),
        when(rating.last_played_at),
    ]


def case_row(case: Case, player: Player) -> list[Cell]:
    del player
    return [
        row_cell(case.title, "case", case.pk),
        Cell(case.get_state_display()),
        Cell(str(case.assignee or "–")),
        when(case.opened_at),
        Cell(case.outcome or "–"),
    ]


def report_row(report: PlayerReport, player: Player) -> list[Cell]:
    by_them = report.reporter_id == player.pk
    return [
        when(report.latest_at),
        Cell(_("made") if by_them else _("received")),
        player_cell(report.reported if by_them else report.reporter),
        row_cell(
            capfirst(str(PlayerReport.Reason(report.reason).label)), "playerreport", report.pk
        ),
        Cell(report.text),
        match_cell(report.match_id),
        Cell(report.note or _("open")),
    ]


def penalty_row(award: Any, player: Player) -> list[Cell]:
    del player
    if award.offence == Offence.BANNED and award.ends_at:
        size = _("until %(end)s") % {"end": when(award.ends_at).text}
    else:
        size = ngettext("%(count)d stack", "%(count)d stacks", award.stacks) % {
            "count": award.stacks
        }
    giver, lifter = award.action__actor__username, award.lifted_by
    appeal = Cell("–")
    if award.appeal__pk:
        label = Appeal.State(award.appeal__state).label
        appeal = row_cell(str(label), "appeal", award.appeal__pk)
    return [
        when(award.at),
        row_cell(capfirst(offence_in_words(award.offence)), "dishonoraward", award.pk),
        Cell(award.arena__name),
        Cell(size),
        Cell(f"{giver}: {award.action__reason}" if giver else "–"),
        match_cell(award.match),
        Cell(f"{lifter}: {award.lifted_why}" if lifter else _("counts")),
        appeal,
    ]


def offence_in_words(offence: str) -> str:
    """Return an offence of the league in words, and a reason of an arena by its name."""
    return str(Offence(offence).label) if offence in Offence.values else offence


def flag_row(flag: Flag, player: Player) -> list[Cell]:
    del player
    return [
        when(flag.raised_at),
        row_cell(capfirst(str(Flag.Kind(flag.kind).label)), "flag", flag.pk),
        Cell(describe_evidence(flag)),
        Cell(str(flag.season)),
        Cell(flag.note or _("open")),
    ]


def dispute_row(match: Any, player: Player) -> list[Cell]:
    del player
    by = Cell("–")
    if match.disputed_by:
        by = Cell(match.disputed_by__name, address(FILE, match.disputed_by))
    return [
        when(match.disputed_at),
        match_cell(match.pk),
        Cell(match.arena__name),
        by,
        Cell(match.dispute_reason or "–"),
        Cell(str(Status(match.status).label)),
    ]


def objection_row(objection: Any, player: Player) -> list[Cell]:
    del player
    return [
        when(objection.at),
        match_cell(objection.match),
        Cell(objection.match__arena__name),
        Cell(objection.reason),
        Cell(str(Objection.State(objection.state).label)),
    ]


def message_row(message: Any, player: Player) -> list[Cell]:
    del player
    return [
        when(message.at),
        match_cell(message.match),
        Cell(message.match__arena__name),
        Cell(message.text),
    ]


def claim_row(claim: PlayerClaim, player: Player) -> list[Cell]:
    del player
    return [
        when(claim.made_at),
        Cell(str(claim.account)),
        player_cell(claim.player),
        Cell(claim.evidence),
        row_cell(claim.get_state_display(), "playerclaim", claim.pk),
        Cell(claim.answer or "–"),
    ]


def action_row(action: Any, player: Player) -> list[Cell]:
    del player
    return [
        when(action.at),
        Cell(action.actor__username),
        row_cell(str(StaffAction.Kind(action.kind).label), "staffaction", action.pk),
        match_cell(action.match),
        Cell(own_words.why(action.reason, action.details) or "–"),
    ]


ROWS: dict[str, Callable[[Any, Player], list[Cell]]] = {
    "ratings": rating_row,
    "cases": case_row,
    "reports": report_row,
    "penalties": penalty_row,
    "flags": flag_row,
    "disputes": dispute_row,
    "objections": objection_row,
    "messages": message_row,
    "claims": claim_row,
    "actions": action_row,
}
HEADINGS: dict[str, Callable[[], list[str]]] = {
    "ratings": lambda: [
        _("Season"),
        _("Rating"),
        _("Won – drawn – lost"),
        _("Last match"),
    ],
    "cases": lambda: [_("Case"), _("State"), _("Assigned to"), _("Opened"), _("Outcome")],
    "reports": lambda: [
        _("When"),
        _("Made or received"),
        _("Other player"),
        _("Reason"),
        _("What happened"),
        _("Match"),
        _("Note"),
    ],
    "penalties": lambda: [
        _("When"),
        _("Offence"),
        _("Arena"),
        _("Length"),
        _("By whom and why"),
        _("Match"),
        _("Amnesty"),
        _("Appeal"),
    ],
    "flags": lambda: [_("Raised"), _("Flag"), _("Evidence"), _("Season"), _("Note")],
    "disputes": lambda: [
        _("When"),
        _("Match"),
        _("Arena"),
        _("Disputed by"),
        _("Reason"),
        _("State"),
    ],
    "objections": lambda: [_("When"), _("Match"), _("Arena"), _("Reason"), _("State")],
    "messages": lambda: [_("When"), _("Match"), _("Arena"), _("Message")],
    "claims": lambda: [
        _("Made"),
        _("Account"),
        _("Player"),
        _("Evidence"),
        _("State"),
        _("Answer"),
    ],
    "actions": lambda: [_("When"), _("By"), _("Action"), _("Match"), _("Reason")],
}


def table_row(name: str, row: Any, player: Player) -> SafeString:
    """Return a row of a list as HTML. Templates would take several times as long for it."""
    return SafeString(f"<tr>{''.join(map(html_of, ROWS[name](row, player)))}</tr>")


def html_of(cell: Cell) -> str:
    text = escape(cell.text).replace("\n", "<br>")
    return f'<td><a href="{escape(cell.url)}">{text}</a></td>' if cell.url else f"<td>{text}</td>"


def title_of(name: str) -> str:
    titles = {
        "ratings": _("Seasons"),
        "cases": _("Cases"),
        "reports": _("Reports"),
        "penalties": _("Penalties and bans"),
        "flags": _("Flags"),
        "disputes": _("Disputes about their matches"),
        "objections": _("Objections"),
        "messages": _("Messages about matches"),
        "claims": _("Claims"),
        "actions": _("Decisions of staff"),
    }
    return titles[name]
