"""Turn a player into “Former player 12”, and their account into an empty one.

Ratings, ledgers and the records of others refer to the player by number, so none of them changes.
The empty account cannot log in, so every rule about locked accounts holds for the player.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, cast

from allauth.account.models import EmailAddress
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.sessions.models import Session
from django.db.models import ForeignObjectRel, Q, QuerySet

from league.models import (
    Appeal,
    BouncingAddress,
    Email,
    Entrant,
    EvidenceContent,
    EvidenceImage,
    Player,
    PlayerInvitation,
    Roster,
    User,
)
from league.models.names import fold
from league.services.privacy.fates import DELETED, NAMES, WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from django.db.models import Model


def forget(user: User, player: Player | None, now: datetime) -> None:
    """Erase the personal data of a locked account and its player, in the caller's transaction."""
    addresses = addresses_of(user)
    if player is not None:
        addresses |= invited_addresses(player)
        for one in (player, *Player.ever.filter(merged_into=player)):
            forget_player(one, now)
    for rows in referring(User, user.pk, DELETED):
        rows.delete()
    forget_mail(user, addresses)
    empty(user, player)


def addresses_of(user: User) -> set[str]:
    """Return the email addresses of an account, in lower case."""
    found = {user.email, *user.emailaddress_set.values_list("email", flat=True)}
    return {address.lower() for address in found if address}


def invited_addresses(player: Player) -> set[str]:
    """Return the addresses at which a player was invited, without those of other accounts."""
    rows = PlayerInvitation.objects.filter(player=player).exclude(address="")
    found = set(rows.values_list("address", flat=True))
    others = EmailAddress.objects.filter(email__in=found).exclude(user__player=player)
    return found - set(others.values_list("email", flat=True))


def forget_player(player: Player, now: datetime) -> None:
    """Give a player a name that says nothing, and erase their words."""
    was = player.name
    rename(player, now)
    for rows in referring(Player, player.pk, {"Team.successor"}):
        rows.update(successor=None)
    for rows in referring(Player, player.pk, DELETED - {"Team.successor"}):
        rows.delete()
    for relation, fields in WORDS.items():
        for rows in referring(Player, player.pk, {relation}):
            said: Any = Q(**dict.fromkeys(fields, ""))
            rows.exclude(said).update(**dict.fromkeys(fields, ""))
    for rows in referring(Player, player.pk, NAMES):
        alone = {"roster": None} if rows.model is Entrant else {}  # or it is the roster's name
        rows.filter(**alone).exclude(name=player.name).update(name=player.name)
    forget_images(player)
    Appeal.objects.filter(award__player=player).exclude(text="").update(text="")
    rename_rosters(player, was)


def rename(player: Player, now: datetime) -> None:
    """Give a player the name of a former player. Nobody finds them by a part of it."""
    player.name = free_name(player)
    player.may_resemble = player.hides_history = player.is_unlisted = True
    player.left_at = now
    player.level = None
    player.save()


def free_name(player: Player) -> str:
    """Return “Former player 12”, with a number behind it if somebody has taken that name."""
    name = f"Former player {player.pk}"
    for extra in range(2, 1000):
        names, folded = Player.ever.exclude(pk=player.pk), fold(name)
        accounts = User.objects.exclude(player=player)
        taken = names.filter(folded_name=folded).exists()
        if not taken and not accounts.filter(username=folded).exists():
            return name
        name = f"Former player {player.pk}-{extra}"
    return f"Former player {player.pk}-{secrets.token_hex(4)}"


def rename_rosters(player: Player, was: str) -> None:
    """Rename the rosters that a player leads if they have the player's name in theirs."""
    for roster in Roster.objects.filter(captain=player, folded_name__contains=fold(was)):
        roster.name = f"Former roster {roster.pk}"
        roster.save()


def forget_images(player: Player) -> None:
    """Delete the bytes and descriptions of the images that a player sent about matches."""
    images = EvidenceImage.objects.filter(message__player=player)
    EvidenceContent.objects.filter(image__in=images.values("pk")).delete()
    images.exclude(description="").update(description="")


def forget_mail(user: User, addresses: set[str]) -> None:
    """Delete stored mails to an account, and the failed log-ins that name it."""
    for address in addresses:
        Email.objects.filter(recipient__iexact=address).delete()
    BouncingAddress.objects.filter(address__in=addresses).delete()
    for log in (AccessAttempt, AccessFailureLog, AccessLog):
        log.objects.filter(username__in=[user.username, *addresses]).delete()


def empty(user: User, player: Player | None) -> None:
    """Leave an account without a name, an address, rights and a password, which cannot log in."""
    user.username = fold(player.name) if player else f"former account {user.pk}"
    user.email = user.first_name = user.last_name = user.theme = ""
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login = None
    user.set_unusable_password()
    user.save()
    end_sessions(user)


def end_sessions(user: User) -> None:
    """Delete the sessions of an account. They are worthless already: it cannot log in."""
    for session in Session.objects.iterator():
        if session.get_decoded().get("_auth_user_id") == str(user.pk):
            session.delete()


def referring(model: type[Model], pk: int, wanted: set[str]) -> Iterator[QuerySet[Any]]:
    """Yield the rows of each of these relations that refer to a row."""
    for relation in model._meta.get_fields(include_hidden=True):  # noqa: SLF001 - Django's documented name
        if not isinstance(relation, ForeignObjectRel):
            continue
        rows, field = cast("type[Model]", relation.related_model), relation.field.name
        if f"{rows.__name__}.{field}" in wanted:
            yield QuerySet[Any](rows).filter(**{field: pk})
