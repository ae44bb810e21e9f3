"""The worth of a match in plain words: its ladder points, and its weight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.services.core.numbers import ordinal, percent
from league.templatetags.laurel import points, points_odds, whole_percent

if TYPE_CHECKING:
    from league.services.points.points_leaderboard import ExplainedPoints
    from league.services.results.rules.meetings import Repetition

register = template.Library()

EVEN = 0.05 + 1e-9
"""A match is even up to this distance of its chance from a half."""


@register.filter
def points_in_words(given: ExplainedPoints) -> str:
    """Return why a match gave its points: ``Even match, won: +1 point.``"""
    entry = given.entry
    if given.by_place:
        return _("No points after leaving early.") if entry.deserted else _("By place.")
    amount = ngettext("%(points)s point", "%(points)s points", abs(entry.points))
    values = {
        "points": amount % {"points": points(entry.points)},
        "odds": points_odds(entry.odds),
        "share": whole_percent(entry.score_ratio),
    }
    text = sentence_of(given) % values
    if given.raised and not entry.deserted:
        text += " " + _("A win gives at least that.")
    return text


def sentence_of(given: ExplainedPoints) -> str:
    """Return the sentence for the odds and the outcome of an entry."""
    entry = given.entry
    if abs(entry.odds - 0.5) <= EVEN:
        sentences = (
            _("Even match, left early: %(points)s."),
            _("Even match, won: %(points)s."),
            _("Even match, drawn: %(points)s."),
            _("Even match, lost with %(share)s of the winning score: %(points)s."),
            _("Even match, lost: %(points)s."),
        )
    elif entry.odds > 0.5:
        sentences = (
            _("Favourite with %(odds)s, left early: %(points)s."),
            _("Favourite with %(odds)s, won: %(points)s."),
            _("Favourite with %(odds)s, drew: %(points)s."),
            _("Favourite with %(odds)s, lost with %(share)s of the winning score: %(points)s."),
            _("Favourite with %(odds)s, lost: %(points)s."),
        )
    else:
        sentences = (
            _("Underdog with %(odds)s, left early: %(points)s."),
            _("Underdog with %(odds)s, won: %(points)s."),
            _("Underdog with %(odds)s, drew: %(points)s."),
            _("Underdog with %(odds)s, lost with %(share)s of the winning score: %(points)s."),
            _("Underdog with %(odds)s, lost: %(points)s."),
        )
    if entry.deserted:
        return sentences[0]
    if entry.victory:
        return sentences[1]
    if entry.score_ratio >= 1:
        return sentences[2]
    return sentences[3] if entry.score_ratio else sentences[4]


@register.simple_tag
def repeated(repetition: Repetition, *, is_mine: bool) -> str:
    """Return how much a repeated match counts, for one who played it or for others."""
    values = {
        "share": percent(repetition.percent / 100),
        "ordinal": ordinal(repetition.number),
    }
    if is_mine:
        return _("Counts %(share)s: %(ordinal)s match against them within a week.") % values
    return _("Counts %(share)s: %(ordinal)s match of the same opponents within a week.") % values
