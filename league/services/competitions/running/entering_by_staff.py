"""Organisers enter people, with or without an account, and change entries until the draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q

from league.models import Competition, Entrant, Player, Roster, RosterMember
from league.models.own_words import own_words
from league.services.competitions.impartiality import refuse_own_competition
from league.services.competitions.locking import check_may_run, check_state, checked_reason, lock
from league.services.competitions.records import record
from league.services.competitions.running.entering import (
    PLACED,
    check_free,
    join_late,
    remove,
)
from league.services.competitions.running.entry_plans import plan
from league.services.competitions.running.rounds import cancel_dates
from league.services.core.errors import Conflict, Refused
from league.services.core.isolation import gettext as _
from league.services.core.isolation import ngettext
from league.services.eligibility.reasons import Code, reasons_against, text_of
from league.services.people import naming
from league.services.people.invitation_checks import Wanted
from league.services.people.inviting import invite

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from league.models import User
    from league.services.competitions.running.entry_plans import PlannedEntry
    from league.services.people.entry_lists import Entry

State = Entrant.State


def enter(
    competition_id: int,
    entries: Sequence[Entry],
    chosen: Mapping[str, int],
    *,
    by: User,
    now: datetime,
    invites: bool = False,
) -> list[Entrant]:
    """Enter everybody on a list, or nobody. Unknown names become players without an account.

    Limits of rating and division do not hold for organisers. In a Swiss that runs, they join from
    the next round on. With ``invites``, those with an e-mail address are invited to an account.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena, or plays in this one while it runs.
        Conflict: it has ended, or a stage of it is drawn that nobody can join.
        Refused: a line cannot be entered, or there are not enough places.
    """
    with transaction.atomic():
        one = lock(competition_id)
        check_may_run(by, one)
        late = check_takes_entries(one)
        if late:
            sentence = _("You play in this competition. Ask another organiser to add entrants.")
            refuse_own_competition(one, by, sentence)
        plan_ = plan(one, entries, chosen, by=by, now=now)
        for line in plan_.lines:
            if line.problem:
                text = _("Line %(line)d: %(problem)s")
                values = {"line": line.entry.line, "problem": line.problem}
                raise Refused("line", text % values, field="names")
        check_places(one, len(plan_.lines))
        check_seeds(one, plan_.lines)
        made = naming.make(plan_.names)
        entrants = [write_entrant(one, line, made, now=now, late=late) for line in plan_.lines]
        check_banned(entrants, now)
        if invites:
            wanted = [
                Wanted(line.entry.line, entrant.player_id, line.entry.email)
                for line, entrant in zip(plan_.lines, entrants, strict=True)
                if line.entry.email
            ]
            invite(wanted, competition=one, by=by, now=now)
        record(one, by, now, own_words("entered", names=list(entrants)))
    return entrants


def check_takes_entries(one: Competition) -> bool:
    """Return whether an entrant would be late, and refuse a competition that takes none."""
    check_state(
        one, Competition.State.DRAFT, Competition.State.REGISTRATION, Competition.State.RUNNING
    )
    if one.state != Competition.State.RUNNING:
        return False
    if one.format != Competition.Format.SWISS or not one.rounds.filter(opened_at=None).exists():
        raise Conflict(
            "drawn",
            _(
                "All fixtures are drawn, so nobody can join. Somebody can take the place of an "
                "entrant instead."
            ),
        )
    return True


def check_places(one: Competition, count: int) -> None:
    places = one.ruled_by().entry.entrants
    states = [*PLACED, State.PLAYING]
    free = max(places - one.entrants.filter(state__in=states).count(), 0)
    if count > free:
        raise Refused(
            "places",
            ngettext(
                "%(free)d place is free, and the list has %(count)d entrants. Change the number of "
                "places in the rules first.",
                "%(free)d places are free, and the list has %(count)d entrants. Change the number "
                "of places in the rules first.",
                free,
            )
            % {"free": free, "count": count},
            field="names",
        )


def check_seeds(one: Competition, lines: Sequence[PlannedEntry]) -> None:
    """Refuse a seed that two entrants would have."""
    there = set(one.entrants.exclude(seed=None).values_list("seed", flat=True))
    for line in lines:
        if line.entry.seed is not None and line.entry.seed in there:
            raise Refused(
                "seed",
                _("Line %(line)d: seed %(seed)d is taken.")
                % {"line": line.entry.line, "seed": line.entry.seed},
                field="names",
            )
        there.add(line.entry.seed)


def check_banned(entrants: Sequence[Entrant], now: datetime) -> None:
    rosters = [entrant.roster_id for entrant in entrants if entrant.roster_id]
    players = Player.objects.filter(
        Q(pk__in=[entrant.player_id for entrant in entrants]) | Q(rosters__in=rosters)
    ).distinct()
    found = reasons_against(list(players), now, codes=[Code.LOCKED, Code.BANNED])
    if found:
        raise Refused("banned", text_of(found), field="names")


def write_entrant(
    one: Competition, line: PlannedEntry, made: Mapping[int, int], *, now: datetime, late: bool
) -> Entrant:
    """Save an entrant of a locked competition. Their roster is saved first if it is new."""
    members = [made.get(pk, pk) for pk in line.members]
    assert line.captain is not None, "lines with a problem are refused"  # noqa: S101 - for the types
    captain = Player.objects.get(pk=made.get(line.captain, line.captain))
    roster = line.roster
    if roster is None and members:
        name = line.team.name if line.team else line.entry.name
        roster = Roster(arena=one.season.arena, captain=captain, name=name, team=line.team)
        roster.full_clean()
        roster.save()
        RosterMember.objects.bulk_create(
            RosterMember(roster=roster, player_id=pk) for pk in members
        )
    entrant = Entrant(
        competition=one,
        player=captain,
        roster=roster,
        name=roster.name if roster else captain.name,
        club=line.entry.club,
        entered_at=now,
        state=state_for(one),
        seed=line.entry.seed,
        rating=line.entry.rating,
    )
    if late:
        join_late(one, entrant, sorted({captain.pk, *members}))
        entrant.rating = entrant.rating if line.entry.rating is None else line.entry.rating
    entrant.save()
    return entrant


def state_for(one: Competition) -> State:
    """Return the state of an entry by staff, which needs no check-in."""
    return State.CHECKED_IN if one.ruled_by().entry.check_in else State.REGISTERED


def change(
    competition_id: int,
    values: Sequence[tuple[int, int | None, float | None, str]],
    *,
    by: User,
) -> None:
    """Change the seeds, the ratings for seeding and the clubs of entrants until the draw.

    Args:
        values: the id of each entrant, the seed, the rating and the club. ``None`` leaves the seed
            to the rating, and the rating to that of the season.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena, or plays in this one.
        Conflict: the draw is made.
        Refused: two entrants have one seed.
    """
    with transaction.atomic():
        one = lock(competition_id)
        check_may_run(by, one)
        check_state(one, Competition.State.DRAFT, Competition.State.REGISTRATION)
        sentence = _("You play in this competition. Ask another organiser to change seeds.")
        refuse_own_competition(one, by, sentence)
        rows = one.entrants.in_bulk()
        changed = []
        for pk, seed, rating, club in values:
            if pk in rows:
                row = rows[pk]
                row.seed, row.rating, row.club = seed, rating, club
                changed.append(row)
        by_seed: dict[int, Entrant] = {}
        for row in rows.values():
            if row.seed is not None and by_seed.setdefault(row.seed, row) is not row:
                text = _("Seed %(seed)d is that of %(one)s and of %(other)s.")
                named = {"seed": row.seed, "one": by_seed[row.seed], "other": row}
                raise Refused("seed", text % named)
        one.entrants.filter(pk__in=[row.pk for row in changed]).update(seed=None)  # to swap two
        Entrant.objects.bulk_update(changed, ["seed", "rating", "club"])


def take_out(entrant_id: int, *, by: User, now: datetime) -> Competition:
    """Delete an entry before the draw. The first on the waiting list gets the place.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena, or plays in this one.
        Conflict: the draw is made.
    """
    with transaction.atomic():
        one, entrant = before_the_draw(entrant_id, by)
        sentence = _("You play in this competition. Ask another organiser to remove them.")
        refuse_own_competition(one, by, sentence, except_for=entrant)
        record(one, by, now, own_words("taken out"), entrant=entrant)
        remove(one, entrant, now)
    return one


def before_the_draw(entrant_id: int, by: User) -> tuple[Competition, Entrant]:
    """Lock the competition of an entrant that may change."""
    found = Entrant.objects.filter(pk=entrant_id).values_list("competition", flat=True).first()
    if found is None:
        raise Refused("no_entrant", _("There is no such entrant."))
    one = lock(found)
    check_may_run(by, one)
    check_state(one, Competition.State.DRAFT, Competition.State.REGISTRATION)
    return one, one.entrants.get(pk=entrant_id)


def replace(entrant_id: int, player: Player, *, by: User, reason: str, now: datetime) -> Entrant:
    """Let another player take the place of one who plays alone, with their results so far.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena, or plays in this one.
        Conflict: the competition is over, a result waits, or the player has entered already.
        Refused: the entrant is a roster, or there is no reason.
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        found = Entrant.objects.filter(pk=entrant_id).values_list("competition", flat=True).first()
        if found is None:
            raise Refused("no_entrant", _("There is no such entrant."))
        one = lock(found)
        entrant = one.entrants.with_people().get(pk=entrant_id)
        check_may_run(by, one)
        check_state(one, Competition.State.RUNNING)
        sentence = _("You play in this competition. Ask another organiser to replace somebody.")
        refuse_own_competition(one, by, sentence)
        if entrant.roster_id:
            raise Refused("roster", _("Change the members of the roster instead."))
        if entrant.state != State.PLAYING:
            raise Conflict("withdrawn", _("%(entrant)s has withdrawn.") % {"entrant": entrant})
        if one.entrants.filter(player=player).exists():
            text = _("%(player)s has entered already.") % {"player": player}
            raise Conflict("entered", text, field="player")
        check_free(one, [player], except_for=entrant)
        before = {"name": entrant.name}
        entrant.player, entrant.name = player, player.name
        entrant.save(update_fields=["player", "name"])
        # The next sweep gives their open fixtures a date between those who play now.
        cancel_dates(one.fixtures.undecided().filter(Q(home=entrant) | Q(away=entrant)), now)
        after = {"name": entrant.name}
        record(one, by, now, reason, entrant=entrant, before=before, after=after)
    return entrant
