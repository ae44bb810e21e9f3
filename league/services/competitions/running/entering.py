"""Entries: registering, the waiting list, checking in and leaving before the start."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from django.db import transaction
from django.db.models import Max, Q

from league.models import Competition, Entrant, NoticeKind, Standing
from league.services.competitions.locking import check_state, lock
from league.services.competitions.running.seeding import strength_of
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.core.numbers import number
from league.services.eligibility.reasons import Code, reasons_against, text_of
from league.services.notices.writing import notify
from ratings.tunables.spans import add_span

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from league.models import Player, Roster
    from ratings.system import Shows

State = Entrant.State
PLACED = (State.REGISTERED, State.CHECKED_IN)


def register(
    competition_id: int, *, by: Player, now: datetime, roster: Roster | None = None
) -> Entrant:
    """Enter a competition as a player, or as the captain of ``roster``.

    If all places are taken, they join the waiting list.

    Raises:
        Forbidden: ``by`` may not play now.
        Refused: the competition is not for them, or they enter with the wrong roster.
        Conflict: it is closed for entries or full, or they have entered already.
    """
    with transaction.atomic():
        one = lock(competition_id)
        late = takes_late(one)
        if not late:
            check_state(one, Competition.State.REGISTRATION)
            if now >= one.starts_at:
                raise Conflict("too_late", _("Entries have closed."))
        players = players_of(one, by, roster)
        check_able(by, players, now)
        check_new(one, by, roster, players)
        side = sorted({by.pk, *(player.pk for player in players)})
        check_eligible(one, side, roster)
        entrant = Entrant(
            competition=one,
            player=by,
            roster=roster,
            name=roster.name if roster else by.name,
            entered_at=now,
        )
        if late:
            join_late(one, entrant, side)
        else:
            entrant.state = place_for(one, now)
        entrant.save()
    return entrant


def takes_late(one: Competition) -> bool:
    """Return whether a running Swiss still takes entrants by its rules."""
    if one.state != Competition.State.RUNNING or one.format != Competition.Format.SWISS:
        return False
    if drawn_rounds(one) >= one.ruled_by().entry.late_until:
        return False
    return one.rounds.filter(opened_at=None).exists()


def drawn_rounds(one: Competition) -> int:
    return one.rounds.filter(opened_at__isnull=False).count()


def join_late(one: Competition, entrant: Entrant, side: Collection[int]) -> None:
    """Let an entrant join a running Swiss from its next round on, seeded last."""
    rules = one.ruled_by().entry
    playing = one.entrants.filter(state=State.PLAYING).count()
    if playing >= rules.entrants:
        raise Conflict("full", _("%(competition)s is full.") % {"competition": one})
    entrant.state = State.PLAYING
    entrant.seed = (one.entrants.aggregate(last=Max("seed"))["last"] or 0) + 1
    entrant.rating = strength_of(one.season, side)
    entrant.joined_round = drawn_rounds(one) + 1


def leave(competition_id: int, *, by: Player, now: datetime) -> Competition:
    """Take back an entry before the start. The first on the waiting list gets the place.

    Raises:
        Conflict: the competition has started, or ``by`` has not entered.
    """
    with transaction.atomic():
        one = lock(competition_id)
        check_state(one, Competition.State.REGISTRATION)
        remove(one, entry_of(one, by), now)
    return one


def check_in(competition_id: int, *, by: Player, now: datetime) -> Entrant:
    """Check in before the start, without which nobody gets to play.

    Raises:
        Conflict: it is too early or too late, or ``by`` has no place.
    """
    with transaction.atomic():
        one = lock(competition_id)
        check_state(one, Competition.State.REGISTRATION)
        mine = entry_of(one, by)
        if not checks_in(one, now):
            raise Conflict("not_now", _("Nobody can check in now."))
        if mine.state == State.WAITING:
            raise Conflict("waiting", _("You are on the waiting list, so you cannot check in."))
        mine.state = State.CHECKED_IN
        mine.save(update_fields=["state"])
    return mine


def check_in_from(one: Competition) -> datetime | None:
    """Return when entrants can check in, ``None`` if nobody has to."""
    time = one.ruled_by().entry.check_in
    return add_span(one.starts_at, time, one.season.arena.zone, -1) if time else None


def checks_in(one: Competition, now: datetime) -> bool:
    """Return whether entrants can check in now."""
    begins = check_in_from(one)
    open_ = one.state == Competition.State.REGISTRATION
    return open_ and begins is not None and begins <= now < one.starts_at


def entry_of(one: Competition, player: Player) -> Entrant:
    """Return the entry of a player, or of a roster that they lead."""
    mine = one.entrants.led_by(player).first()
    if mine is None:
        raise Conflict(
            "not_entered", _("You have not entered %(competition)s.") % {"competition": one}
        )
    return mine


def remove(one: Competition, entrant: Entrant, now: datetime) -> None:
    """Delete an entry of a locked competition that has not started."""
    entrant.delete()
    move_up(one, now)


def move_up(one: Competition, now: datetime) -> None:
    """Give free places to the first on the waiting list, and notify them."""
    free = one.ruled_by().entry.entrants - one.entrants.filter(state__in=PLACED).count()
    waiting = one.entrants.filter(state=State.WAITING).order_by("entered_at", "id")
    up = list(waiting.with_people()[: max(free, 0)])
    one.entrants.filter(pk__in=[each.pk for each in up]).update(state=state_with_place(one, now))
    notify([each.captain for each in up], NoticeKind.COMPETITION, now, competition=one)


def place_for(one: Competition, now: datetime) -> State:
    """Return the state of a new entry: a place, or the waiting list."""
    rules = one.ruled_by().entry
    if one.entrants.filter(state__in=PLACED).count() < rules.entrants:
        return state_with_place(one, now)
    if one.entrants.filter(state=State.WAITING).count() < rules.waiting:
        return State.WAITING
    raise Conflict("full", _("%(competition)s is full.") % {"competition": one})


def state_with_place(one: Competition, now: datetime) -> State:
    """Return the state of who gets a place now: during the check-in they need no other one."""
    return State.CHECKED_IN if checks_in(one, now) else State.REGISTERED


def players_of(one: Competition, by: Player, roster: Roster | None) -> list[Player]:
    """Return the players of an entry, and refuse the wrong roster."""
    arena = one.season.arena
    if roster is None:
        if arena.team_size_min > 1:
            raise Refused(
                "no_roster",
                _("Only rosters play in %(arena)s. Choose one that you lead.") % {"arena": arena},
                field="roster",
            )
        return [by]
    if roster.arena_id != arena.pk or roster.captain_id != by.pk:
        raise Refused(
            "roster",
            _("You do not lead this roster in %(arena)s.") % {"arena": arena},
            field="roster",
        )
    members = [row.player for row in roster.memberships.select_related("player__user")]
    if len(members) < arena.team_size_min:
        raise Refused(
            "team_size",
            _("%(roster)s has too few players for %(arena)s.") % {"roster": roster, "arena": arena},
            field="roster",
        )
    return members


def check_able(by: Player, players: Sequence[Player], now: datetime) -> None:
    if by.user is None:
        raise Forbidden("no_account", _("Only players with an account can enter."))
    found = reasons_against(players, now, codes=[Code.LOCKED, Code.BANNED])
    if found:
        raise Forbidden(found[0].code, text_of(found))


def check_new(
    one: Competition, by: Player, roster: Roster | None, players: Sequence[Player]
) -> None:
    """Refuse a second entry, and players who are in another roster that entered."""
    if one.entrants.filter(Q(player=by) | Q(roster__isnull=False, roster=roster)).exists():
        raise Conflict(
            "entered", _("You have already entered %(competition)s.") % {"competition": one}
        )
    check_free(one, players)


def check_free(
    one: Competition, players: Sequence[Player], *, except_for: Entrant | None = None
) -> None:
    """Refuse players who play for another entrant."""
    others = one.entrants.filter(Q(player__in=players) | Q(roster__members__in=players))
    others = others.exclude(pk=except_for.pk) if except_for else others
    if other := others.exclude(state=State.WITHDRAWN).first():
        raise Conflict(
            "twice",
            _(
                "One of your players already plays for %(entrant)s. Everybody can play for only "
                "one side."
            )
            % {"entrant": other},
            field="roster",
        )


class Limits(NamedTuple):
    """The limits of entry, as pages say them. Empty where there is no limit."""

    lowest: str
    highest: str
    divisions: str


def limits_of(one: Competition) -> Limits:
    """Return the ratings, as the arena shows them, and the divisions that can enter."""
    rules, shows = one.ruled_by().entry, one.season.shows
    lowest = rules.rating_from > type(rules)().rating_from
    return Limits(
        show_rating(rules.rating_from, shows) if lowest else "",
        show_rating(rules.rating_to, shows) if isfinite(rules.rating_to) else "",
        rules.divisions if rules.division_names else "",
    )


def show_rating(rating: float, shows: Shows) -> str:
    return number(shows.show(rating), shows.decimals)


def check_eligible(one: Competition, side: Collection[int], roster: Roster | None) -> None:
    """Refuse a side whose rating or division is out of range.

    A roster has the mean rating of its members, by which it would be seeded.

    Args:
        side: the ids of its players.
    """
    rules = one.ruled_by().entry
    rating = strength_of(one.season, side)
    if not rules.rating_from <= rating <= rules.rating_to:
        text = (
            _("The mean rating of %(roster)s, %(rating)s, is outside the range of %(competition)s.")
            if roster
            else _("Your rating of %(rating)s is outside the range of %(competition)s.")
        )
        shown = show_rating(rating, one.season.shows)
        raise Refused("rating", text % {"competition": one, "rating": shown, "roster": roster})
    names = rules.division_names
    if names and division_of(one, side) not in names:
        text = (
            _("%(competition)s is only for rosters in these divisions: %(names)s.")
            if roster
            else _("%(competition)s is only for players in these divisions: %(names)s.")
        )
        raise Refused("division", text % {"competition": one, "names": rules.divisions})


def division_of(one: Competition, side: Collection[int]) -> str | None:
    """Return the division of a side as its folded name, ``None`` if it has none.

    A roster has the mean of its members’ divisions, rounded up. Members without one do not count.
    """
    divisions = one.season.season_rules().divisions.divisions
    standings = Standing.objects.filter(
        season_id=one.season_id, player_id__in=side, active=True, division__lt=len(divisions)
    )
    held = [each for each in standings.values_list("division", flat=True) if each is not None]
    if not held:
        return None
    return divisions[-(-sum(held) // len(held))].name.casefold()
