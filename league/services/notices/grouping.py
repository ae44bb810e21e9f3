"""Group the notices of an inbox by what they are about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q

from league.models import Arrangement, Notice, NoticeKind
from league.services.core.isolation import ngettext
from league.services.notices.texts import tell

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from league.services.notices.texts import Told

State = Arrangement.State


@dataclass(frozen=True)
class Group:
    """Notices about one thing, the newest first."""

    notices: list[tuple[Notice, Told]]

    @property
    def newest(self) -> tuple[Notice, Told]:
        return self.notices[0]

    @property
    def earlier(self) -> list[tuple[Notice, Told]]:
        return self.notices[1:]

    @property
    def is_unread(self) -> bool:
        return any(notice.seen_at is None for notice, _told in self.notices)

    @property
    def summary(self) -> str:
        """A sentence about several fixtures. Empty for anything else: its newest notice says it."""
        notice = self.newest[0]
        if notice.kind != NoticeKind.FIXTURE or not self.earlier or notice.arrangement is None:
            return ""
        count, one = len(self.notices), notice.arrangement
        if one.state == State.PLAYED:
            text = ngettext(
                "%(count)d fixture in %(arena)s was played.",
                "%(count)d fixtures in %(arena)s were played.",
                count,
            )
        elif one.state == State.ACCEPTED:
            text = ngettext(
                "%(count)d fixture in %(arena)s was set.",
                "%(count)d fixtures in %(arena)s were set.",
                count,
            )
        else:
            text = ngettext(
                "%(count)d fixture in %(arena)s is over without a game.",
                "%(count)d fixtures in %(arena)s are over without a game.",
                count,
            )
        return text % {"count": count, "arena": one.arena}


def group(notices: Iterable[Notice]) -> list[Group]:
    """Return notices, newest first, as groups by their subject, the one with the newest first."""
    groups: dict[Hashable, Group] = {}
    for notice in notices:
        found = groups.setdefault(subject_of(notice), Group([]))
        found.notices.append((notice, tell(notice)))
    return list(groups.values())


def subject_of(notice: Notice) -> Hashable:
    """Return what tells a notice's group from the others."""
    if notice.match_id is not None:
        return ("match", notice.match_id)
    if notice.kind == NoticeKind.FIXTURE and notice.arrangement is not None:
        one = notice.arrangement
        outcome = one.state if one.state in {State.PLAYED, State.ACCEPTED} else "over"
        return ("fixtures", one.arena_id, outcome)
    for name in ("arrangement_id", "challenge_id", "competition_id"):
        number = getattr(notice, name)
        if number is not None:
            return (name, number)
    return ("notice", notice.pk)


def read_together(notice: Notice) -> Q:
    """Return the condition of the notices that are read once this one's page was opened."""
    for name in ("match_id", "arrangement_id", "challenge_id", "competition_id"):
        number = getattr(notice, name)
        if number is not None:
            return Q(**{name: number}, pk__lte=notice.pk)
    return Q(pk=notice.pk)
