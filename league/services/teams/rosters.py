"""The rosters of a team. Its members agreed to them when they joined the team."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from league.models import ArenaQueue, Format, Player, Roster, RosterMember, Team
from league.models.lists import list_of
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.eligibility import rosters as rules
from league.services.eligibility.reasons import refuse_banned
from league.services.people import captains
from league.services.people.players import save_named
from league.services.teams.access import check_leads, lock

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Arena


def line_up(
    team: Team,
    arena: Arena,
    name: str,
    members: Sequence[Player],
    captain: Player,
    *,
    by: Player,
    now: datetime,
    roster: Roster | None = None,
) -> Roster:
    """Create or change a roster of the team in an arena. Its captain reports its results.

    Raises:
        Forbidden: ``by`` does not lead the team, or is banned.
        Refused: the arena has no rosters, the members are too few or too many, not in the team or
            not eligible, or the captain is none of them.
        Conflict: rosters are locked, a member plays for another team, or the team was disbanded.
        ValidationError: the name cannot be used.
    """
    refuse_banned([], now, by=by)
    players = list(dict.fromkeys(members))
    with transaction.atomic():
        leading = lock(team.pk)
        check_leads(leading, by)
        check_members(leading, arena, players, captain)
        changed = roster or Roster(arena=arena, team=leading)
        known = set(changed.memberships.values_list("player", flat=True)) if roster else set()
        if known != {player.pk for player in players}:
            rules.refuse_locked(arena, now, field="members")
        new = [player for player in players if player.pk not in known]
        check_new(leading, arena, players, new, now)
        captains.announce([(changed, captain)], now)
        changed.name, changed.captain = name, captain
        changed.full_clean()
        save_named(changed)
        changed.memberships.exclude(player__in=players).delete()
        RosterMember.objects.bulk_create(
            RosterMember(roster=changed, player=player) for player in new
        )
    return changed


def check_members(team: Team, arena: Arena, players: Sequence[Player], captain: Player) -> None:
    """Refuse a line-up that this team cannot have in this arena."""
    if arena.format != Format.TEAMS or arena.team_size_max == 1:
        raise Refused("no_rosters", _("Everyone plays alone in %(arena)s.") % {"arena": arena})
    present = set(team.members.current().values_list("player", flat=True))
    if strangers := [player.name for player in players if player.pk not in present]:
        raise Refused(
            "not_in_the_team",
            _("Not in the team: %(players)s.") % {"players": list_of(strangers)},
            field="members",
        )
    if captain not in players:
        raise Refused("captain", _("The captain of a roster has to be in it."), field="captain")
    if len(players) < arena.team_size_min and not ArenaQueue.objects.filter(arena=arena).exists():
        raise Refused(
            "too_few",
            _("A side in %(arena)s needs at least %(least)d players.")
            % {"arena": arena, "least": arena.team_size_min},
            field="members",
        )


def check_new(
    team: Team, arena: Arena, players: Sequence[Player], new: Sequence[Player], now: datetime
) -> None:
    """Refuse members who may not join, and more members than the season allows.

    Takes the turns of new members, so that two teams cannot line up the same player at once.
    """
    turns = Player.objects.select_for_update(no_key=True).order_by("pk")
    list(turns.filter(pk__in=[player.pk for player in new]).values_list("pk"))
    rules.refuse_too_many(arena, len(players), now, field="members")
    rules.refuse_ineligible(arena, new, now, field="members")
    elsewhere = RosterMember.objects.filter(
        roster__arena=arena, roster__team__isnull=False, player__in=new
    ).exclude(roster__team=team)
    if one := elsewhere.select_related("player", "roster__team").first():
        raise Conflict(
            "other_team",
            _("%(player)s already plays for %(team)s in %(arena)s.")
            % {"player": one.player, "team": one.roster.team, "arena": arena},
            field="members",
        )


def adopt(team: Team, roster: Roster, *, by: Player, now: datetime) -> Roster:
    """Bring a roster that ``by`` leads into their team. Its earlier matches count for the team.

    Raises:
        Forbidden: ``by`` does not lead both, or is banned.
        Refused: a member of the roster is not in the team.
        Conflict: the roster has a team already, or a member plays for another one.
    """
    refuse_banned([], now, by=by)
    with transaction.atomic():
        leading = lock(team.pk)
        check_leads(leading, by)
        taken = Roster.objects.select_for_update(of=("self",)).select_related("arena")
        adopted = taken.get(pk=roster.pk)
        if adopted.captain_id != by.pk:
            raise Forbidden("not_the_captain", _("Only the captain can change a roster."))
        if adopted.team_id is not None:
            raise Conflict("has_a_team", _("This roster already belongs to a team."))
        members = list(Player.objects.filter(memberships__roster=adopted))
        check_members(leading, adopted.arena, members, by)
        check_new(leading, adopted.arena, members, members, now)
        adopted.team = leading
        adopted.save(update_fields=["team"])
        adopted.invitations.open().delete()
    return adopted
