"""Calendars to subscribe to: a player's own, that of a team and that of a competition.

A player's own has an address that only they know. Its token is signed and names the player, their
account and how often they renewed it, so nothing secret is stored. It ends with the account.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.core import signing
from django.db import connection, transaction
from django.db.models import F, Q
from django.urls import reverse

from league.models import (
    Arrangement,
    CalendarAddress,
    Competition,
    Entrant,
    Fixture,
    Player,
    RosterMember,
)
from league.services.competitions import pages
from league.services.competitions.running.bracket_names import name_of_side
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.dates.calendars import Event, event_of, to_ics

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from league.models import Team
    from league.models.arrangement import ArrangementQuerySet
    from league.models.fixture import FixtureQuerySet

    Address = Callable[[str], str]

SIGNER = signing.Signer(salt="league.competitions.calendar")
KEPT = timedelta(days=60)
"""The time for which past dates stay in a calendar."""
MOST = 1_000
"""The most dates in a calendar, the latest ones."""
NEXT_SHOWN = 5
"""The most fixtures to come on a team's page."""
ANY_TEAM, ANY_TIME = -1, datetime.max.replace(tzinfo=UTC)
"""The stand-ins for a team's id and the time in a query that is compiled once."""
State = Arrangement.State
SHOWN = [State.ACCEPTED, State.PLAYED, State.CALLED_OFF]


def token_of(player: Player) -> str:
    """Return the token of a player's own calendar."""
    row = CalendarAddress.objects.filter(player=player).first()
    return SIGNER.sign_object([player.pk, player.user_id, row.renewals if row else 0])


def renew(player: Player) -> None:
    """Give a player's own calendar another address. The one before no longer works."""
    with transaction.atomic():
        CalendarAddress.objects.get_or_create(player=player)
        CalendarAddress.objects.filter(player=player).update(renewals=F("renewals") + 1)


def player_of_token(token: str) -> Player:
    """Return the player whose own calendar has this token.

    Raises:
        Refused: it is forged, incomplete, was renewed, or is that of another account.
    """
    try:
        number, account, renewals = map(int, SIGNER.unsign_object(token))
    except (signing.BadSignature, ValueError, TypeError):
        raise unknown() from None
    rows = Player.objects.filter(user__isnull=False, user__is_active=True)
    player = rows.select_related("calendar_address").filter(pk=number, user=account).first()
    if player is None:
        raise unknown()
    row = getattr(player, "calendar_address", None)
    if renewals != (row.renewals if row else 0):
        raise unknown()
    return player


def unknown() -> Refused:
    return Refused("bad_link", _("This address is not valid. Copy it again from your settings."))


def own_calendar(player: Player, now: datetime, address: Address) -> bytes:
    """Return a player's own calendar: also that of their rosters, and times still to be agreed."""
    rosters = RosterMember.objects.filter(player=player).values("roster")
    dates = Arrangement.objects.filter(
        Q(proposer=player)
        | Q(opponent=player)
        | Q(proposer_roster__in=rosters)
        | Q(opponent_roster__in=rosters)
    ).filter(Q(state__in=SHOWN) | Q(state=State.PROPOSED, play_at__gt=now))
    sides = Q(player=player, roster=None) | Q(roster__in=rosters)
    name = _("%(player)s’s matches") % {"player": player}
    return calendar(dates, planned_fixtures(sides, now), name, now, address)


def team_calendar(team: Team, now: datetime, address: Address) -> bytes:
    """Return the dates and fixtures of a team's rosters."""
    rosters = team.rosters.values("pk")
    dates = Arrangement.objects.filter(
        Q(proposer_roster__in=rosters) | Q(opponent_roster__in=rosters), state__in=SHOWN
    )
    return calendar(dates, planned_fixtures(Q(roster__in=rosters), now), team.name, now, address)


def competition_calendar(one: Competition, now: datetime, address: Address) -> bytes:
    """Return the dates and fixtures of a competition."""
    dates = Arrangement.objects.filter(game__fixture__competition=one, state__in=SHOWN)
    name = f"{one.name} ({one.season.arena})"
    later = [
        event_of_fixture(line.fixture, address)
        for each in pages.load(one).bracket_plan
        for line in each.fixtures
    ]
    planned = planned_of_all(now).filter(competition=one)
    return calendar(dates, planned, name, now, address, later)


def planned_fixtures(sides: Q, now: datetime) -> FixtureQuerySet:
    """Return the fixtures to come of the entrants that ``sides`` finds.

    In a bracket, the other side may be unknown yet, such as the winner of another fixture.
    """
    entrants = Entrant.objects.in_play().filter(sides).values("pk")
    return planned_of_all(now).filter(Q(home__in=entrants) | Q(away__in=entrants))


class ToCome(NamedTuple):
    """A fixture to come, as lists show it."""

    play_at: datetime
    home: str
    away: str
    competition: str
    address: tuple[str, int, int]
    """The arena's slug, the competition's id and the fixture's number."""

    def get_absolute_url(self) -> str:
        return reverse("fixture", args=self.address)


def next_of_team(team: Team, now: datetime) -> list[ToCome]:
    """Return the next fixtures of a team that have no date yet."""
    statement, values = _next_of_team()
    asked: dict[Any, Any] = {ANY_TEAM: team.pk, ANY_TIME: now}
    with connection.cursor() as cursor:
        cursor.execute(statement, [asked.get(one, one) for one in values])
        rows = cursor.fetchall()
    return [
        ToCome(play_at, home, away, competition, (slug, pk, number))
        for play_at, home, away, competition, slug, pk, number in rows
    ]


@cache
def _next_of_team() -> tuple[str, tuple[Any, ...]]:
    """Return the query for ``ANY_TEAM`` at ``ANY_TIME``.

    Compiling it takes ten times as long as running it.
    """
    found = planned_fixtures(Q(roster__team=ANY_TEAM, roster__arena__is_draft=False), ANY_TIME)
    found = found.filter(home__isnull=False, away__isnull=False)
    names = ("round__play_at", "home__name", "away__name", "competition__name")
    address = ("competition__season__arena__slug", "competition", "number")
    listed = found.values_list(*names, *address)[:NEXT_SHOWN]
    written: tuple[str, tuple[Any, ...]] = listed.query.sql_with_params()
    return written


def planned_of_all(now: datetime) -> FixtureQuerySet:
    """Return fixtures that get their date when their round opens, also of sides to come.

    A round that waits for others past its time gets another, so it has none until then.
    """
    waiting = Fixture.objects.undecided().filter(
        round__opened_at=None,
        round__play_at__gt=now,
        competition__state=Competition.State.RUNNING,
    )
    return waiting.order_by("round__play_at", "pk")


def calendar(
    dates: ArrangementQuerySet,
    fixtures: FixtureQuerySet,
    name: str,
    now: datetime,
    address: Address,
    later: Sequence[Event] = (),
) -> bytes:
    """Return dates and fixtures as a file, in two statements, with events that come later."""
    recent = dates.filter(play_at__gte=now - KEPT).order_by("-play_at", "-pk")
    recent = recent.with_people().select_related("game__fixture")
    events = [event_of(one, address(one.get_absolute_url())) for one in reversed(recent[:MOST])]
    events += [event_of_fixture(one, address) for one in fixtures.with_sides()[:MOST]]
    return to_ics([*events, *later], name)


def event_of_fixture(one: Fixture, address: Address) -> Event:
    """Return a fixture whose round is not open yet, at the time that its date will have.

    Between other sides it is another event: its time and sides do not change.
    """
    sides = [name_of_side(one, home=True), name_of_side(one, home=False)]
    against = _("%(one)s against %(other)s") % {"one": sides[0], "other": sides[1]}
    number = one.pk or f"{one.competition_id}-{one.number}"
    return Event(
        uid=f"fixture-{number}-{one.home_id}-{one.away_id}@{urlsplit(settings.SITE_URL).hostname}",
        sequence=0,
        changed_at=one.competition.drawn_at or one.round.opens_at,
        play_at=one.round.play_at,
        summary=f"{against} ({one.competition})",
        url=address((one if one.pk else one.competition).get_absolute_url()),
        status="TENTATIVE",
        venue=one.venue,
    )
