"""The mail of the week: what one played, what is next, and who moved.

It is written once, on the reader's Monday morning, together with a note that it was. A worker that
is killed in between leaves neither.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db.models import Exists, OuterRef
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from league.models import (
    Arrangement,
    Player,
    PushPreference,
    RatingEvent,
    Season,
    WeeklyMail,
)
from league.services.core.isolation import gettext as _
from league.services.core.kill_points import committing
from league.services.core.turns import take_turn
from league.services.dates.lists import to_play
from league.services.home.front import front
from league.services.notices.links import stop_token
from league.services.notices.preferences import WEEKLY, Pace, address_of, preference_of
from league.services.site import frame
from league.services.site.colours import mail_sheet
from league.services.site.languages import speaking_to

if TYPE_CHECKING:
    from collections.abc import Sequence

FROM_HOUR, TO_HOUR = 7, 12
"""The morning, by the reader's clock. A site that was off on Monday morning sends nothing late."""
WEEK = timedelta(days=7)
LIMIT = 200
"""The most players of one sweep."""
MOST_NEXT = 10


@dataclass(frozen=True)
class Played:
    """The matches of a week in a season, and what they did to the rating."""

    season: Season
    games: int
    change: RatingEvent
    """From before the first to after the last. It is not stored."""


def mail_due(now: datetime) -> int:
    """Write the mails that are due and return how many. Safe to run concurrently."""
    sent = 0
    chosen = PushPreference.objects.values_list("zone", flat=True).distinct()
    usual = frame.current().time_zone
    for zone in {*chosen, usual}:
        local = now.astimezone(ZoneInfo(zone))
        if local.weekday() != 0 or not FROM_HOUR <= local.hour < TO_HOUR:
            continue
        for player in due_players(zone, usual, local.date()):
            sent += mail(player, local, now)
    return sent


def due_players(zone: str, usual: str, monday: date) -> Sequence[Player]:
    """Return players in a time zone with a confirmed address and no answer yet for this week."""
    confirmed = EmailAddress.objects.filter(user=OuterRef("user"), verified=True)
    done = WeeklyMail.objects.filter(player=OuterRef("pk"), week__gte=monday)
    elsewhere = PushPreference.objects.filter(player=OuterRef("pk")).exclude(zone=zone)
    here = PushPreference.objects.filter(player=OuterRef("pk"), zone=zone)
    found = Player.objects.filter(Exists(confirmed), ~Exists(done), user__is_active=True)
    found = found.filter(~Exists(elsewhere)) if zone == usual else found.filter(Exists(here))
    return list(found.select_related("user").order_by("pk")[:LIMIT])


def mail(player: Player, local: datetime, now: datetime) -> bool:
    """Write a player's mail unless they want none or there is nothing to tell. Return whether."""
    monday = local.date()
    with committing("weekly mail"):
        take_turn("weekly mail", player.pk)
        if WeeklyMail.objects.filter(player=player, week__gte=monday).exists():
            return False
        WeeklyMail.objects.update_or_create(player=player, defaults={"week": monday})
        address, preference = address_of(player), preference_of(player)
        if address is None or not preference.weekly or preference.pace == Pace.NEVER:
            return False
        end = local.replace(hour=0, minute=0, second=0, microsecond=0)
        played = played_in(player, end - WEEK, end)
        coming = list(to_play(player).in_lines().filter(play_at__gt=now)[:MOST_NEXT])
        if not played and not coming:
            return False
        with timezone.override(local.tzinfo), speaking_to(player):
            message_of(player, address, played, coming, now).send()
    return True


def played_in(player: Player, begin: datetime, end: datetime) -> list[Played]:
    """Return what a player's matches between two times did, by season."""
    mine = Season.objects.filter(ratings__player=player).values("pk")
    events = RatingEvent.objects.filter(season__in=mine, player=player)
    week = events.filter(rated_at__gte=begin, rated_at__lt=end).order_by("season", "games")
    found: dict[int, list[RatingEvent]] = {}
    for event in week.select_related("season__arena"):
        found.setdefault(event.season_id, []).append(event)
    return [
        Played(
            rows[0].season,
            len(rows),
            RatingEvent(rating_before=rows[0].rating_before, rating_after=rows[-1].rating_after),
        )
        for rows in found.values()
    ]


def message_of(
    player: Player,
    address: str,
    played: Sequence[Played],
    coming: Sequence[Arrangement],
    now: datetime,
) -> EmailMultiAlternatives:
    shown = frame.current()
    stop = site(reverse("notice_stop", args=[stop_token(player, WEEKLY)]))
    context = {
        "player": player,
        "league": shown.name,
        "look": mail_sheet(shown.accent, shown.dark_accent),
        "played": played,
        "coming": coming,
        "movers": [one for one in front(now).movers if one.player_id != player.pk],
        "site": settings.SITE_URL,
        "week": site(reverse("week", args=(f"{now - WEEK:%G}", f"{now - WEEK:%V}"))),
        "stop": stop,
        "settings": site(reverse("mail_settings")),
    }
    made = EmailMultiAlternatives(
        _("%(league)s: your week") % {"league": shown.name},
        render_to_string("home/weekly.txt", context).strip() + "\n",
        to=[address],
        headers={
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )
    made.attach_alternative(render_to_string("home/weekly.html", context), "text/html")
    return made


def site(path: str) -> str:
    return f"{settings.SITE_URL}{path}"
