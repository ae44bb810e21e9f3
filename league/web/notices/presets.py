"""Choices of notices in one tap, which set the whole table of kinds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy

from league.models import MAILED, MailPreference, NoticeKind
from league.services.notices.writing import MUTED_BY_DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from django.utils.functional import Promise

    from league.models import PushPreference

Kind = NoticeKind
Pace = MailPreference.Pace

MY_TURN = frozenset(
    {
        Kind.REPORTED,
        Kind.DISPUTED,  # the other side may have reported another result
        Kind.DATED,  # it may be set now
        Kind.WAITING,
        Kind.CALLED_OFF,  # nobody should come to it
        Kind.FIXTURE,
        Kind.COMPETITION,  # it may have begun
        Kind.CHALLENGED,
        Kind.ANSWERED,  # it may be played next
        Kind.INVITED,
        Kind.TEAM_INVITED,
        Kind.TEAM_CAPTAIN,
        Kind.QUEUED,
        Kind.FOUND,
        Kind.WEBHOOK,
        Kind.DISCORD,
    }
)
"""The kinds that wait for their reader, or say what the reader plays next and when."""


@dataclass(frozen=True)
class Preset:
    """A choice that is mailed and pushed alike."""

    name: str
    label: str | Promise
    kinds: frozenset[NoticeKind]
    weekly: bool

    def over(self, mails: MailPreference, pushed: PushPreference) -> dict[str, Any]:
        """Return the values of the form: this choice, with the pace and quiet hours kept."""
        return {
            "pace": self.pace_after(mails.pace),
            "weekly": self.weekly,
            "kinds": self.kinds,
            "push": self.kinds,
            "quiet_from": pushed.quiet_from,
            "quiet_until": pushed.quiet_until,
        }

    def pace_after(self, pace: str) -> str:
        """Return a pace, or at once if this choice would then never be mailed."""
        return Pace.AT_ONCE if self.kinds and pace == Pace.NEVER else pace

    def is_chosen(
        self, mails: MailPreference, pushed: PushPreference, unasked: Iterable[NoticeKind]
    ) -> bool:
        """Return whether preferences are these, apart from kinds that are no choice."""
        asked = set(NoticeKind) - set(unasked)
        wanted = self.kinds & asked
        return (
            mails.weekly == self.weekly
            and mails.pace == self.pace_after(mails.pace)
            and asked & set(MAILED) - set(mails.muted) == wanted & set(MAILED)
            and asked - set(pushed.muted) == wanted
        )


PRESETS = (
    Preset("turn", gettext_lazy("Only when it is my turn"), MY_TURN, weekly=False),
    Preset(
        "default", gettext_lazy("Default"), frozenset(NoticeKind) - {*MUTED_BY_DEFAULT}, weekly=True
    ),
    Preset("everything", gettext_lazy("Everything"), frozenset(NoticeKind), weekly=True),
    Preset("off", gettext_lazy("All off"), frozenset(), weekly=False),
)


def preset_named(name: str) -> Preset | None:
    return next((preset for preset in PRESETS if preset.name == name), None)
