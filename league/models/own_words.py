"""Reasons in the staff log that nobody typed: stored by key, shown in the reader's language."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from league.models.lists import list_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.utils.functional import Promise

SENTENCES: dict[str, Promise] = {
    "draft": _("Arena “%(arena)s” as a draft, from %(start)s"),
    "draft changed": _("Draft arena “%(arena)s”"),
    "published": _("Arena “%(arena)s” published, with the season “%(season)s”"),
    "settings": _("Settings of the league"),
    "rules": _("Rules of %(arena)s"),
    "maintenance off": _("Maintenance turned off"),
    "added": _("Added to the roster %(roster)s"),
    "claimed": _("%(player)s was claimed."),
    "import": _("Import of %(file)s"),
    "file": _("File %(file)s"),
    "entries opened": _("Opened for entries."),
    "entered": _("Entered: %(names)s"),
    "entered after": _("Entered after %(season)s: %(names)s"),
    "taken out": _("Taken out before the draw."),
    "line-up": _("Line-up of the next game: %(names)s."),
    "started": _("Drawn and started."),
    "drawn": _("Drawn by the rules."),
    "draw undone": _("Undid the draw."),
    "round undone": _("Undid the draw of round %(number)s."),
    "bracket undone": _("Undid the draw of the bracket."),
    "bracket drawn": _("Drew the bracket."),
    "round opened": _("Opened a round."),
    "venues": _("Set venues."),
    "start time": _("The start time was set by organisers."),
    "goes on": _("Goes on with a report of another program."),
    "open again": _("Open again."),
    "no game": _("No game was played: %(result)s."),
    "result": _("Entered for %(competition)s."),
    "result with substitutes": _("Entered for %(competition)s. Substitutes: %(names)s."),
    "webhook made": _("New webhook “%(webhook)s”"),
    "webhook changed": _("Webhook “%(webhook)s” changed"),
    "webhook deleted": _("Webhook “%(webhook)s” deleted"),
    "webhook secret": _("New secret of the webhook “%(webhook)s”"),
    "webhook paused": _("Webhook “%(webhook)s” paused"),
    "webhook resumed": _("Webhook “%(webhook)s” resumed"),
    "webhook tested": _("Test event sent to the webhook “%(webhook)s”"),
    "webhook replayed": _("Events sent to the webhook “%(webhook)s” again"),
}
SAID = "said"
"""The name in the details of an action under which its sentence is kept."""


@dataclass(frozen=True)
class Why:
    """A reason: its text, in English unless typed by a person, and the data to translate it."""

    text: str
    details: Mapping[str, Any] = field(default_factory=dict)


def own_words(key: str, **values: object) -> Why:
    """Return the reason that the site gives itself. A list of values is one of names."""
    with override("en"):
        texts = {name: text_of(value) for name, value in values.items()}
        english = say(key, texts)
    return Why(english, {SAID: {"key": key, "values": texts}})


def text_of(value: object) -> str | list[str]:
    """Return a value as it is stored: a list stays one, for each language joins it in its way."""
    return [str(each) for each in value] if isinstance(value, list) else str(value)


def say(key: str, values: Mapping[str, str | list[str]]) -> str:
    texts = {
        name: list_of(value) if isinstance(value, list) else value for name, value in values.items()
    }
    return str(SENTENCES[key]) % texts


def why(reason: str, details: Mapping[str, Any]) -> str:
    """Return a reason in the reader's language if the site gave it, else as it was typed."""
    said = details.get(SAID)
    if not said or said["key"] not in SENTENCES:
        return reason
    return say(said["key"], said["values"])
