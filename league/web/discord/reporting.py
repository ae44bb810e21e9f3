"""/report: report a result. The other captain reports the same, or confirms with a button."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q
from django.urls import reverse

from league.models import Match, Status
from league.services.competitions import counting, counting_live
from league.services.core.errors import AboutMatch, Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.core.types import PlayedBy, ReportedSide
from league.services.discord import results, words
from league.services.results.forecasts.stakes import DRAW, LOSS, WIN
from league.services.results.records import profiles
from league.services.results.reports import answers as report_answers
from league.services.results.reports import live
from league.services.results.reports.live import Finish
from league.services.results.reports.progress import after_confirming
from league.web.discord import answers
from league.web.discord.asking import arena_meant
from league.web.discord.lookups import question
from league.web.results import lineups
from league.web.results.reports import check_open, reported_before, with_fixture

if TYPE_CHECKING:
    from league.models import Player
    from league.web.discord.answers import Answer
    from league.web.discord.asking import Asked

RESULTS = {"won": WIN, "lost": LOSS, "drew": DRAW}
"""The places of the reporter's side and of the other side."""
# Any such number fits into a bigint.
NUMBER_DIGITS = 18


class OnThePage(Refused):
    """There is no command for this. The answer links to a page of the site."""

    def __init__(self, code: str, text: str, *, title: str, page: str) -> None:
        super().__init__(code, text)
        self.title = title
        self.page = page

    @classmethod
    def of(cls, match: Match, code: str, text: str) -> OnThePage:
        return cls(code, text, title=title_of(match), page=match.get_absolute_url())


def report(asked: Asked) -> Answer:
    """Report an open match of the player, or a new one against a named opponent."""
    me = asked.me
    places = RESULTS.get(asked.argument("result"))
    if places is None:
        raise Refused("result", _("Choose a result: won, lost or drew."))
    if asked.argument("match") or not asked.argument("opponent"):
        return report_open(asked, me, match_named(asked.argument("match")), places)
    return report_new(asked, me, places)


def report_open(asked: Asked, me: Player, match: Match, places: tuple[int, ...]) -> Answer:
    """Report a live match, or confirm the other side's report by reporting the same."""
    sides = match.sides.all()
    mine = next((side.index for side in sides if side.captain_id == me.pk), None)
    if mine is None:
        raise Forbidden("not_a_captain", _("Only the captains of the sides can report."))
    if len(sides) != 2:
        text = _("This match has more than two sides. Report it on the site.")
        raise OnThePage.of(match, "sides", text)
    wanted = places if mine == 0 else places[::-1]
    if match.status == Status.REPORTED and match.reported_by_side != mine:
        return confirm_same(asked, match, wanted)
    if match.status != Status.LIVE:
        raise Conflict(match.status, _("This match has already been reported."))
    try:
        live.finish(
            match.pk,
            [Finish(place) for place in wanted],
            reporter=me,
            now=asked.now,
            mode=asked.argument("mode"),
            link=counting_live.linking_by_captain(me, asked.now),
        )
    except (Forbidden, Conflict):
        raise
    except Refused as refusal:
        raise OnThePage.of(match, refusal.code, refusal.message) from refusal
    text = _("Reported. The other side can now confirm it.")
    return answer_about(match, with_fixture(text, match))


def report_new(asked: Asked, me: Player, places: tuple[int, ...]) -> Answer:
    """Report a game that was just played, like the report form of the arena."""
    arena = arena_meant(asked)
    check_open(arena, asked.now)
    lineup = lineups.lineup_against(arena, me, question(asked, arena, me))
    page = reverse("report", args=[arena.slug])
    if not lineup.is_two_sided:
        text = _("This match has more than two sides. Report it on the site.")
        raise OnThePage("sides", text, title=arena.name, page=page)
    if any(lineup.chooses(side) for side in lineup.sides):
        text = _("The report has to name the players. Report it on the site.")
        raise OnThePage("participants", text, title=arena.name, page=page)
    sides = [
        ReportedSide(
            side.captain, [PlayedBy(player) for player in side.players], place, None, side.roster
        )
        for side, place in zip(lineup.sides, places, strict=True)
    ]
    try:
        match = counting.report_by_program(
            arena,
            sides,
            played_at=asked.now,
            now=asked.now,
            for_fixture=True,
            reporter=me,
            mode=asked.argument("mode"),
        )
    except AboutMatch as refusal:
        raise OnThePage(refusal.code, refusal.message, title=arena.name, page=page) from refusal
    except (Forbidden, Conflict):
        raise
    except Refused as refusal:
        raise OnThePage(refusal.code, refusal.message, title=arena.name, page=page) from refusal
    text = reported_before(match, me) or _("Reported. The other side can now confirm it.")
    if match.reported_by_id == me.pk and match.reported_at != asked.now:
        text = _("You reported this a moment ago. If it was another game, report it on the site.")
    return answer_about(match, with_fixture(text, match))


def confirm_same(asked: Asked, match: Match, wanted: tuple[int, ...]) -> Answer:
    """Confirm a report that says the same and no more, and refuse a different one.

    As with two reports on the site, nobody confirms players who quit or another game mode without
    having read about them.
    """
    reported = tuple(side.place for side in match.sides.all())
    if reported != wanted:
        text = _("The other side reported another result. Answer it on the site.")
        raise OnThePage.of(match, "differs", text)
    mode = asked.argument("mode") or (match.mode if match.mode_fixed else "")
    if results.has_quits(match) or mode.casefold() != match.mode.casefold():
        text = _("The other side reported more than the result. Answer it on the site.")
        raise OnThePage.of(match, "says_more", text)
    return confirm(asked, match.pk, match.revision)


def confirm(asked: Asked, match_id: int, revision: int) -> Answer:
    """Confirm a report for a button or a command."""
    if not Match.objects.filter(pk=match_id).exists():
        raise no_match()
    match = report_answers.confirm(match_id, by=asked.me, now=asked.now, revision=revision)
    return answer_about(match, after_confirming(match))


def confirm_by_button(asked: Asked, match_id: int, revision: int) -> Answer:
    data = confirm(asked, match_id, revision)["data"]["embeds"][0]
    return answers.change(f"{data['description']} <{data['url']}>")


def answer_about(match: Match, text: str) -> Answer:
    return answers.message(words.plain(text), title=title_of(match), page=match.get_absolute_url())


def title_of(match: Match) -> str:
    return _("Match %(number)d in %(arena)s") % {"number": match.pk, "arena": match.arena}


def match_named(text: str) -> Match:
    """Return the match with this number.

    Raises:
        Refused: there is none.
    """
    digits = text.removeprefix("#")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= NUMBER_DIGITS):
        raise no_match()
    found = profiles.with_sides(Match.objects.all()).filter(pk=int(digits)).first()
    if found is None or found.arena.is_draft:
        raise no_match()
    return found


def no_match() -> Refused:
    return Refused(
        "no_match", _("There is no such match. Choose one from the list, or name your opponent.")
    )


def my_open_matches(asked: Asked) -> list[tuple[str, str]]:
    """Return the matches that wait for the player's report or answer, as choices."""
    if asked.player is None:
        return []
    me: Player = asked.player
    led = Match.objects.filter(status=Status.LIVE, sides__captain=me)
    waiting = Match.objects.awaiting(me)
    found = Match.objects.filter(Q(pk__in=led.values("pk")) | Q(pk__in=waiting.values("pk")))
    loaded = profiles.with_sides(found.order_by("-pk"))[: answers.MOST_CHOICES]
    return [(name_of(match), str(match.pk)) for match in loaded]


def name_of(match: Match) -> str:
    sides = lineups.of_match(match).sides
    return f"{' – '.join(side.name for side in sides)} · {match.arena}"
