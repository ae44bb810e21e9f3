"""The devices that get push messages, and when and about what."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.asymmetric import ec
from django.db import transaction
from django.utils.translation import gettext as _

from league.models import NoticeKind, PushDevice, PushPreference
from league.models.push import LONGEST_ENDPOINT
from league.services.core.errors import Refused
from league.services.notices.writing import MUTED_BY_DEFAULT
from league.services.push.keys import decode
from league.services.webhooks import addresses

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime, time
    from zoneinfo import ZoneInfo

    from league.models import Player

OFFERED = list(NoticeKind)
"""The kinds that can be pushed: all, as a push is read at once."""
MOST = 10
"""The most devices of a player. One more takes the place of the oldest."""
KEY_BYTES, AUTH_BYTES = 65, 16


def subscribe(
    player: Player, endpoint: str, key: str, auth: str, name: str, now: datetime
) -> PushDevice:
    """Let a device get a player's push messages, and no longer those of another.

    Raises:
        Refused: the address is not public, or the keys are none.
    """
    if len(endpoint) > LONGEST_ENDPOINT:
        raise Refused("address", _("The address of the push service is too long."))
    addresses.read(endpoint)
    check_keys(key, auth)
    with transaction.atomic():
        PushDevice.objects.filter(endpoint=endpoint).exclude(player=player).delete()
        device, _new = PushDevice.objects.update_or_create(
            endpoint=endpoint,
            defaults={
                "player": player,
                "key": key,
                "auth": auth,
                "name": name[:60],
                "created_at": now,
            },
        )
        oldest = PushDevice.objects.filter(player=player).order_by("-created_at", "-pk")[MOST:]
        PushDevice.objects.filter(pk__in=[one.pk for one in oldest]).delete()
    return device


def check_keys(key: str, auth: str) -> None:
    """Refuse keys that no message can be encrypted with."""
    try:
        point, secret = decode(key), decode(auth)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        point, secret = b"", b""
    if len(point) != KEY_BYTES or len(secret) != AUTH_BYTES:
        raise Refused("keys", _("This browser gave no keys for push messages. Try again."))


def preference_of(player: Player) -> PushPreference:
    """Return a player's preference, the defaults if they have chosen nothing."""
    chosen = PushPreference.objects.filter(player=player).first()
    return chosen or PushPreference(player=player, muted=list(MUTED_BY_DEFAULT))


def choose(
    player: Player,
    wanted: Iterable[str],
    quiet: tuple[time, time] | None,
    zone: ZoneInfo,
) -> PushPreference:
    """Store what a player wants to be pushed, and between which times nothing."""
    muted = [kind for kind in OFFERED if kind not in set(wanted)]
    begin, end = quiet or (None, None)
    chosen, _new = PushPreference.objects.update_or_create(
        player=player,
        defaults={"muted": muted, "quiet_from": begin, "quiet_until": end, "zone": zone.key},
    )
    return chosen


def quiet_until(preference: PushPreference, zone: ZoneInfo, now: datetime) -> datetime | None:
    """Return when the quiet hours end that it is in now, ``None`` outside of them."""
    begin, end = preference.quiet_from, preference.quiet_until
    if begin is None or end is None or begin == end:
        return None
    local = now.astimezone(zone)
    clock = local.time()
    over_midnight = begin > end
    is_quiet = clock >= begin or clock < end if over_midnight else begin <= clock < end
    if not is_quiet:
        return None
    day = local.date()
    if over_midnight and clock >= begin:
        day += timedelta(days=1)
    return local.replace(
        year=day.year,
        month=day.month,
        day=day.day,
        hour=end.hour,
        minute=end.minute,
        second=end.second,
        microsecond=0,
        fold=0,
    )
