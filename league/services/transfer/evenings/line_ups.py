"""Line-ups of one game of a team: its members, and substitutes for those who cannot play.

The result counts for the team, and the ratings of those who played change. A player who enters
alone has no substitutes, as in any individual tournament: somebody can take their place for good.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.db.models import Q

from league.models import Player, RosterMember, StaffAction
from league.models.names import fold
from league.services.core.errors import Conflict, Refused
from league.services.core.id_lists import any_of
from league.services.core.isolation import gettext as _
from league.services.core.types import PlayedBy
from league.services.eligibility.reasons import refuse_banned
from league.services.people import naming

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from league.models import Entrant, Fixture
    from league.services.core.types import ReportedSide


@dataclass(frozen=True)
class Change:
    """A member who does not play in a game, and who plays for them."""

    member: int
    substitute: str = ""
    """A name or number. Empty if nobody plays for them."""


@dataclass(frozen=True)
class Substitution:
    """A player who played for another in a game."""

    player: str
    member: str

    def __str__(self) -> str:
        return _("%(player)s (for %(member)s)") % {"player": self.player, "member": self.member}


def members_of(entrant: Entrant) -> list[Player]:
    """Return the members of an entrant's roster, its captain first.

    Raises:
        Refused: it is a player who plays alone.
    """
    if entrant.roster is None:
        raise Refused(
            "alone",
            _(
                "%(player)s plays alone, so nobody can play a single game for them. Another player "
                "can take their place for the rest of the competition, on the page of its entrants."
            )
            % {"player": entrant},
        )
    captain = entrant.captain
    rest = entrant.roster.members.exclude(pk=captain.pk).order_by("memberships__pk")
    return [captain, *dict.fromkeys(rest)]


def check_substitutes(fixture: Fixture) -> None:
    """Refuse line-ups of a fixture whose sides are unknown, or that single players play."""
    if fixture.home is None or fixture.away is None:
        raise Conflict("sides", _("The sides of this fixture are not known yet."))
    for side in (fixture.home, fixture.away):
        members_of(side)


def change_line_up(
    fixture: Fixture,
    sides: Sequence[ReportedSide],
    changes: Sequence[Change],
    now: datetime,
    *,
    add_players: bool,
) -> tuple[list[ReportedSide], list[Substitution]]:
    """Return the sides of a game after changes, and who plays for whom.

    With ``add_players``, names that nobody has become players without an account.

    Raises:
        Refused: a substitute is unknown, plays already, or belongs to another team of the
            competition, or nobody is left to play.
        Conflict: a substitute is banned.
    """
    check_substitutes(fixture)
    by_member = {change.member: change for change in changes}
    names = naming.find([change.substitute for change in changes if change.substitute], {})
    if add_players:
        naming.add_unknown(names)
    found: list[Substitution] = []
    changed = []
    for side in sides:
        parts = []
        for part in side.participants:
            change = by_member.get(part.player.pk)
            if change is None:
                parts.append(part)
            elif change.substitute:
                player = player_named(change.substitute, names)
                parts.append(PlayedBy(player, stand_in=True))
                found.append(Substitution(player.name, part.player.name))
        if not parts:
            text = _("Nobody would play for %(side)s. Enter a walkover instead.")
            raise Refused("nobody", text % {"side": side.roster or side.captain})
        changed.append(replace(side, participants=parts))
    check_new(fixture, changed, now)
    return changed, found


def player_named(text: str, names: naming.Names) -> Player:
    """Return the player with a name. Raises ``Refused`` if there is none."""
    folded = fold(text)
    player = Player.objects.filter(pk=names.ids.get(folded, 0)).first()
    if player is not None:
        return player
    problem = names.problems.get(folded, _("There is no player “%(name)s”.") % {"name": text[:80]})
    if alike := names.proposals.get(folded):
        likely = ", ".join(f"{name} (#{pk})" for pk, name in alike)
        problem = _("%(problem)s Did you mean %(names)s?") % {"problem": problem, "names": likely}
    raise Refused("player", problem)


def check_new(fixture: Fixture, sides: Sequence[ReportedSide], now: datetime) -> None:
    """Refuse substitutes who play already or for another team, or who are banned."""
    everyone = [part.player for side in sides for part in side.participants]
    twice = next((one for one in everyone if everyone.count(one) > 1), None)
    if twice is not None:
        raise Refused("twice", _("%(player)s is in this match twice.") % {"player": twice})
    new = [part.player for side in sides for part in side.participants if part.stand_in]
    entered = fixture.competition.entrants.exclude(state="withdrawn").exclude(roster=None)
    theirs = RosterMember.objects.filter(roster__entries__in=entered, player__in=new)
    if (member := theirs.select_related("player", "roster").first()) is not None:
        text = _("%(player)s plays for %(roster)s in this competition.")
        raise Refused("other_team", text % {"player": member.player, "roster": member.roster})
    refuse_banned(new, now)


def describe(substitutions: Sequence[Substitution]) -> str:
    """Return who played for whom, in a sentence."""
    return _("Substitutes: %(names)s.") % {"names": ", ".join(map(str, substitutions))}


def substitutions_of(matches: Collection[int]) -> Mapping[int, list[Substitution]]:
    """Return who played for whom in some matches, by id. Those without substitutes are missing."""
    if not matches:
        return {}
    rows = StaffAction.objects.filter(
        Q(match__in=any_of(matches)), details__has_key="substitutes"
    ).values_list("match", "details__substitutes")
    return {match: [Substitution(*pair) for pair in pairs] for match, pairs in rows}
