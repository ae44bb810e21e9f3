"""A player's profile: picture, country, up to three links and a short text."""

from __future__ import annotations

from hashlib import md5
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Player, PlayerPicture, Profile, StaffAction
from league.models.countries import COUNTRIES
from league.models.profile import LONGEST_ABOUT, LONGEST_LINK, MOST_LINES, MOST_LINKS
from league.models.words import without_controls
from league.services.core.errors import Forbidden, Refused
from league.services.eligibility.reasons import refuse_banned
from league.services.results.reports import images
from league.services.teams.pictures import square

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.core.files.base import File

    from league.models import User


UNSAFE = frozenset('"<>\\^`{|}')
"""Characters that no address contains unless they are encoded."""


def profile_of(player: Player) -> Profile:
    """Return a player's profile, an empty one if they have none. No query if it is loaded.

    It has only links that may be shown now: some were stored under earlier rules, or by hand.
    """
    found: Profile = getattr(player, "profile", None) or Profile(player=player)
    found.links = [link for link in found.links if may_be_shown(link)]
    return found


def may_be_shown(link: str) -> bool:
    """Return whether a link passes the checks of :func:`checked_link`."""
    try:
        return checked_link(link) == link
    except Refused:
        return False


def upload(player: Player, file: File[bytes], now: datetime) -> None:
    """Give a player a picture, cut to a square and encoded anew.

    Raises:
        Forbidden: they are banned.
        Refused: the file is no picture that can be decoded, or too large.
    """
    refuse_banned([], now, by=player)
    webp = square(images.clean(file).webp)
    digest = md5(webp, usedforsecurity=False).hexdigest()
    with transaction.atomic():
        PlayerPicture.objects.update_or_create(
            player=player, defaults={"digest": digest, "webp": webp, "at": now}
        )
        Profile.objects.update_or_create(player=player, defaults={"picture": digest})


def take_down(player: Player) -> None:
    """Remove a player's picture, if they have one."""
    with transaction.atomic():
        PlayerPicture.objects.filter(player=player).delete()
        Profile.objects.filter(player=player).update(picture="")


def content_of(player_id: int, digest: str) -> bytes | None:
    """Return the bytes of a player's present picture."""
    found: Any = PlayerPicture.objects.filter(player=player_id, digest=digest)
    row = found.values_list("webp", flat=True).first()
    return None if row is None else bytes(row)


def save(player: Player, *, country: str, links: Sequence[str], about: str, now: datetime) -> None:
    """Set a player's country, links and text.

    Raises:
        Forbidden: they are banned.
        Refused: there is no such country, there are too many links, one is not allowed, or the
            text is too long.
    """
    refuse_banned([], now, by=player)
    if country and country not in COUNTRIES:
        raise Refused("country", _("Choose a country of the list."), field="country")
    checked = list(dict.fromkeys(checked_link(link) for link in links))
    if len(checked) > MOST_LINKS:
        text = _("You gave %(count)d links. Give at most %(most)d.")
        raise Refused("links", text % {"count": len(checked), "most": MOST_LINKS}, field="links")
    chosen = {"country": country, "links": checked, "about": checked_about(about)}
    Profile.objects.update_or_create(player=player, defaults=chosen)


def checked_about(text: str) -> str:
    """Return a text about oneself without empty lines and needless spaces.

    Raises:
        Refused: it is too long or has too many lines.
    """
    lines = [line for line in (" ".join(line.split()) for line in text.splitlines()) if line]
    found = without_controls("\n".join(lines))
    if len(found) > LONGEST_ABOUT:
        said = _("Your text has %(length)d characters. Use at most %(most)d.")
        values = {"length": len(found), "most": LONGEST_ABOUT}
        raise Refused("about", said % values, field="about")
    if len(lines) > MOST_LINES:
        said = _("Your text has %(count)d lines. Use at most %(most)d.")
        raise Refused("about", said % {"count": len(lines), "most": MOST_LINES}, field="about")
    return found


def checked_link(link: str) -> str:
    """Return a link that may be shown.

    Only plain https addresses pass: no names or passwords before the host, which can make a host
    look like another, and no letters that look like Latin ones.

    Raises:
        Refused: with the reason.
    """
    label = link if len(link) <= 60 else f"{link[:59]}…"

    def refuse(text: str) -> Refused:
        return Refused("links", text % {"link": label, "most": LONGEST_LINK}, field="links")

    if len(link) > LONGEST_LINK:
        raise refuse(_("“%(link)s” is longer than %(most)d characters."))
    if not link.startswith("https://"):
        raise refuse(_("“%(link)s” does not begin with https://."))
    if not link.isascii():
        raise refuse(_("“%(link)s” has letters beyond ASCII. Copy it from the address bar."))
    try:
        URLValidator(schemes=["https"])(link)
        parts = urlsplit(link)
        has_user = "@" in parts.netloc
    except (ValidationError, ValueError) as error:
        raise refuse(_("“%(link)s” is not a valid link.")) from error
    if UNSAFE.intersection(link):
        raise refuse(_("“%(link)s” is not a valid link."))
    if has_user:
        raise refuse(_("“%(link)s” has a name before the host. Leave it out."))
    return link


def remove_by_staff(player: Player, *, by: User, reason: str, now: datetime) -> StaffAction:
    """Remove a player's picture, links and text, and record who did and why.

    Raises:
        Forbidden: ``by`` may not change players, or is the player.
        Refused: there is no reason, or nothing to remove.
    """
    if not by.has_perm("league.change_player"):
        raise Forbidden("not_staff", _("You need the permission to change players."))
    if player.user_id == by.pk:
        raise Forbidden("own_player", _("Change your own profile in your settings."))
    if not reason.strip():
        raise Refused("no_reason", _("Give a reason. It stays in the record."), field="reason")
    with transaction.atomic():
        shown = Profile.objects.select_for_update().filter(player=player).first()
        if shown is None or not (shown.picture or shown.links or shown.about):
            raise Refused("nothing", _("There is no picture, link or text to remove."))
        before = {
            "Picture": shown.picture or "–",
            "Links": ", ".join(shown.links) or "–",
            "Text": shown.about or "–",
        }
        PlayerPicture.objects.filter(player=player).delete()
        shown.picture, shown.links, shown.about = "", [], ""
        shown.save(update_fields=["picture", "links", "about"])
        return StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.CHANGED,
            reason=reason.strip(),
            details={"player": player.pk, "name": player.name},
            before=before,
            after=dict.fromkeys(before, "–"),
            at=now,
        )
