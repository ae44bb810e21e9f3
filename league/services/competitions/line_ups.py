"""Line-ups of one game of a team: its members, and substitutes for those who cannot play.

The result counts for the team, and the ratings of those who played change. A player who enters
alone has no substitutes, as in any individual tournament: somebody can take their place for good.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q
from django.utils.translation import override

from league.models import Competition, Player, RosterMember, StaffAction
from league.models.lists import list_of
from league.models.names import fold
from league.models.own_words import own_words
from league.services.competitions.impartiality import refuse_own_competition
from league.services.competitions.locking import check_may_run, check_state, lock
from league.services.competitions.outcomes import games_of, outcome
from league.services.competitions.records import record
from league.services.competitions.running import rounds
from league.services.core.errors import Conflict, Refused
from league.services.core.id_lists import any_of
from league.services.core.isolation import gettext as _
from league.services.core.types import PlayedBy, ReportedSide
from league.services.eligibility.reasons import refuse_banned
from league.services.people import naming

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from league.models import Entrant, Fixture, User


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


def find_substitutes(
    changes: Sequence[Change], *, add_players: bool = False
) -> dict[int, Player | None]:
    """Return the player in place of each member that is named, ``None`` for nobody.

    With ``add_players``, names that nobody has become players without an account.

    Raises:
        Refused: a substitute is unknown.
    """
    names = naming.find([change.substitute for change in changes if change.substitute], {})
    if add_players:
        naming.add_unknown(names)
    return {
        change.member: player_named(change.substitute, names) if change.substitute else None
        for change in changes
    }


def change_line_up(
    fixture: Fixture,
    sides: Sequence[ReportedSide],
    substitutes: Mapping[int, Player | None],
    now: datetime,
) -> tuple[list[ReportedSide], list[Substitution]]:
    """Return the sides of a fixture with these substitutes, and who plays for whom.

    Raises:
        Refused: a substitute plays already, or belongs to another team of the competition, or
            nobody is left to play.
        Conflict: a substitute is banned.
    """
    check_substitutes(fixture)
    found: list[Substitution] = []
    changed = []
    for side in sides:
        parts = []
        for part in side.participants:
            player = substitutes.get(part.player.pk)
            if player is not None:
                parts.append(PlayedBy(player, stand_in=True))
                found.append(Substitution(player.name, part.player.name))
            elif part.player.pk not in substitutes:
                parts.append(part)
        if not parts:
            text = _("Nobody would play for %(side)s. Enter a walkover instead.")
            raise Refused("nobody", text % {"side": side.roster or side.captain})
        changed.append(replace(side, participants=parts))
    check_new(fixture, changed, now)
    return changed, found


def plan(
    fixture: Fixture,
    changes: Sequence[Change],
    *,
    by: User,
    now: datetime,
    add_players: bool = False,
) -> None:
    """Keep the line-up of the next game of a fixture until its result is entered.

    Raises:
        Forbidden: ``by`` may not run the competition, or plays in it.
        Refused: a substitute is unknown or cannot play, or nobody is left to play.
        Conflict: the competition does not run, the fixture is decided, its sides are not known
            yet, or a substitute is banned.
    """
    with transaction.atomic():
        one = lock(fixture.competition_id)
        check_may_run(by, one)
        check_state(one, Competition.State.RUNNING)
        sentence = _("You play in this competition. Ask another organiser to name substitutes.")
        refuse_own_competition(one, by, sentence)
        current = one.fixtures.with_sides().get(pk=fixture.pk)
        games = games_of([one.pk]).get(fixture.pk, [])
        if outcome(current, games).is_decided:
            raise Conflict("decided", _("This game has a result already."))
        check_substitutes(current)
        players = find_substitutes(changes, add_players=add_players)
        change_line_up(current, sides_of(current), players, now)
        current.line_up = [
            [member, player.pk if player else None] for member, player in players.items()
        ]
        current.save(update_fields=["line_up"])
        with override("en"):  # for the staff log
            planned = planned_in_words([current]).get(current.pk, [_("the whole team")])
        record(one, by, now, own_words("line-up", names=planned), fixture=current)


def find_planned(fixture: Fixture) -> dict[int, Player | None]:
    """Return who will play for members of a fixture's teams in its next game."""
    people = people_in([fixture])
    return {
        people[member].pk: people.get(player)
        for member, player in fixture.line_up
        if member in people
    }


def as_planned(
    fixture: Fixture, sides: Sequence[ReportedSide], now: datetime
) -> list[ReportedSide]:
    """Return the sides of a result with the line-up that was named for the game.

    A side that is written as its players, not as its team, stays.

    Raises:
        Refused: as :func:`change_line_up`.
        Conflict: a substitute is banned.
    """
    members = {part.player.pk for side in sides if side.roster for part in side.participants}
    substitutes = {
        member: player for member, player in find_planned(fixture).items() if member in members
    }
    return change_line_up(fixture, sides, substitutes, now)[0] if substitutes else list(sides)


def planned_in_words(fixtures: Sequence[Fixture]) -> dict[int, list[str]]:
    """Return the changes of the line-ups of coming games, by fixture. Others are missing."""
    people = people_in(fixtures)
    found: dict[int, list[str]] = {}
    for fixture in fixtures:
        for member, player in fixture.line_up:
            if member in people and player in people:
                text = str(Substitution(people[player].name, people[member].name))
            elif member in people:
                text = _("without %(player)s") % {"player": people[member].name}
            else:
                continue
            found.setdefault(fixture.pk, []).append(text)
    return found


def people_in(fixtures: Sequence[Fixture]) -> dict[int | None, Player]:
    """Return the players of planned line-ups by id, those that were merged as they are now."""
    ids = {pk for fixture in fixtures for pair in fixture.line_up for pk in pair if pk}
    if not ids:
        return {}
    rows = Player.ever.filter(pk__in=any_of(ids)).select_related("merged_into")
    return {row.pk: row.merged_into or row for row in rows}


def sides_of(fixture: Fixture) -> list[ReportedSide]:
    """Return those who play for both sides, none while a side is unknown."""
    if fixture.home is None or fixture.away is None:
        return []
    return [side_of(fixture.home), side_of(fixture.away)]


def side_of(entrant: Entrant) -> ReportedSide:
    """Return an entrant as a side of a match: the whole roster, its captain first."""
    captain, roster = rounds.side_of(entrant)
    players = [captain]
    if roster is not None:
        players += [each for each in roster.members.order_by("pk") if each.pk != captain.pk]
    return ReportedSide(captain, [PlayedBy(player) for player in players], 0, None, roster)


def player_named(text: str, names: naming.Names) -> Player:
    """Return the player with a name. Raises ``Refused`` if there is none."""
    folded = fold(text)
    player = Player.objects.filter(pk=names.ids.get(folded, 0)).first()
    if player is not None:
        return player
    problem = names.problems.get(folded, _("There is no player “%(name)s”.") % {"name": text[:80]})
    if alike := names.proposals.get(folded):
        likely = list_of(f"{name} (#{pk})" for pk, name in alike)
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


def substitutions_of(matches: Collection[int]) -> Mapping[int, list[Substitution]]:
    """Return who played for whom in some matches, by id. Those without substitutes are missing."""
    if not matches:
        return {}
    rows = StaffAction.objects.filter(
        Q(match__in=any_of(matches)), details__has_key="substitutes"
    ).values_list("match", "details__substitutes")
    return {match: [Substitution(*pair) for pair in pairs] for match, pairs in rows}
