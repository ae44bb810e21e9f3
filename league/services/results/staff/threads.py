"""Messages between players and staff about a disputed match or an objection to its result."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from django.db import connection, transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Match, MatchMessage, Status
from league.models.answer import LONGEST_LINK, LONGEST_MESSAGE, may_be_linked
from league.models.words import without_controls
from league.services.core.errors import Conflict, Forbidden, LimitReached, Refused
from league.services.results.reports import images
from league.services.results.rules import own_matches
from league.services.results.rules.limits import MESSAGES_WITHIN, MOST_MESSAGES, check_images
from league.services.results.staff.objections import open_one

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser
    from django.core.files.base import File

    from league.models import Objection, Player, User

DISCUSSION = timedelta(days=3)
"""The time in which players can write after a dispute was opened: time for replays and screenshots,
and a date after which staff know that nothing more will come."""
BEGINNING = datetime.min.replace(tzinfo=UTC)

ONE_IMAGE_AT_ONCE = "SELECT pg_try_advisory_xact_lock(hashtextextended('images of an author', %s))"
ONE_AFTER_ANOTHER = "SELECT pg_advisory_xact_lock(hashtextextended('messages of an author', %s))"


@dataclass(frozen=True)
class Discussion:
    """The subject of a discussion now: a disputed report, or an objection to a rated result."""

    since: datetime
    everyone: bool
    """Whether everyone who played takes part, as in objections, or captains only."""

    @property
    def closes_at(self) -> datetime:
        """Return the moment from which players can no longer write. Staff can until they decide."""
        return self.since + DISCUSSION

    def includes(self, match: Match, player: Player | None) -> bool:
        """Return whether a player takes part."""
        return leads_a_side(match, player) or (self.everyone and plays_in(match, player))


def discussion_of(match: Match, objection: Objection | None) -> Discussion | None:
    """Return the discussion of a match with this open ``objection``, ``None`` if there is none."""
    if match.status == Status.DISPUTED and match.disputed_at:
        return Discussion(match.disputed_at, everyone=False)
    return Discussion(objection.at, everyone=True) if objection else None


def may_write(
    match: Match, discussion: Discussion | None, user: User, player: Player | None, now: datetime
) -> bool:
    """Return whether an account may write about a match now."""
    if discussion is None:
        return False
    if is_staff(user, match):
        return True
    return now < discussion.closes_at and discussion.includes(match, player)


def read_since(match: Match, user: User | AnonymousUser, player: Player | None) -> datetime | None:
    """Return from when on an account may read a match's messages, ``None`` for none of them.

    Players who are not captains read what was written since the first objection.
    """
    if is_staff(user, match) or leads_a_side(match, player):
        return BEGINNING
    if not plays_in(match, player):
        return None
    return match.objections.order_by("at").values_list("at", flat=True).first()


def is_staff(user: User | AnonymousUser, match: Match) -> bool:
    """Return whether an account decides matches in the arena of this one."""
    return user.has_perm(own_matches.DECIDE, match)


def leads_a_side(match: Match, player: Player | None) -> bool:
    return player is not None and match.sides.filter(captain=player).exists()


def plays_in(match: Match, player: Player | None) -> bool:
    return player is not None and match.participants.filter(player=player).exists()


def write(
    match_id: int,
    *,
    by: User,
    player: Player | None,
    text: str,
    now: datetime,
    link: str = "",
    image: File[bytes] | None = None,
    description: str = "",
) -> MatchMessage:
    """Write about a dispute as a captain or about an objection as a player, or as staff.

    Raises:
        Forbidden: the account is none of these.
        Conflict: the match is not disputed, or the time for players is over.
        LimitReached: the author has written too much.
        Refused: the text, the link or the image is invalid, or there are too many images.
    """
    text, link = checked_text(text), checked_link(link)
    description = images.checked_description(description)
    if description and image is None:
        raise Refused("no_image", _("Choose the image that you describe."), field="image")
    with transaction.atomic():
        picture = picture_of(image, match_id, by, player, now) if image else None
        # A decision closes the thread: what is written meanwhile comes before it or is refused.
        match = Match.objects.select_for_update(of=("self",), no_key=True).get(pk=match_id)
        discussion = check_may_write(match, by, player, now)
        check_limit(by, now)
        message = MatchMessage.objects.create(
            match=match,
            author=by,
            player=player if discussion.includes(match, player) else None,
            at=now,
            text=text,
            link=link,
        )
        if picture:
            check_images(match, by, now)
            images.attach(message, picture, description)
        return message


def picture_of(
    image: File[bytes], match_id: int, by: User, player: Player | None, now: datetime
) -> images.Picture:
    """Return an image as the site encodes it, one at a time for each author.

    Decoding takes time, so everything that can be refused without it is refused before.
    """
    match = Match.objects.get(pk=match_id)
    check_may_write(match, by, player, now)
    with connection.cursor() as cursor:
        cursor.execute(ONE_IMAGE_AT_ONCE, [by.pk])
        (is_alone,) = cursor.fetchone() or (False,)
    if not is_alone:
        raise Conflict("image_busy", _("Your last image is still being read. Try again."))
    check_images(match, by, now)
    return images.clean(image)


def check_may_write(match: Match, by: User, player: Player | None, now: datetime) -> Discussion:
    """Return the discussion of a match. Refuse others, and players after their time."""
    check_author(match, by, player)
    discussion = discussion_of(match, open_one(match.pk))
    if discussion is None:
        raise Conflict("not_disputed", _("This match is not disputed."))
    if now >= discussion.closes_at and not is_staff(by, match):
        raise Conflict("closed", _("The time for messages is over. Staff will decide."))
    return discussion


def check_author(match: Match, user: User, player: Player | None) -> None:
    """Refuse accounts that may not write about a match, and so may not read about it either."""
    if read_since(match, user, player) is not None:
        return
    if match.status == Status.RATED:
        raise Forbidden(
            "not_playing", _("Only the players of this match and staff can write here.")
        )
    raise Forbidden("not_a_captain", _("Only the captains of the sides and staff can write here."))


def checked_text(text: str) -> str:
    text = without_controls(text).strip()
    if not text:
        raise Refused("no_text", _("Write a message."), field="text")
    if len(text) > LONGEST_MESSAGE:
        raise Refused(
            "text",
            _("A message can have at most %(limit)d characters.") % {"limit": LONGEST_MESSAGE},
            field="text",
        )
    return text


def checked_link(link: str) -> str:
    link = without_controls(link).strip()
    if not link:
        return ""
    if not may_be_linked(link):
        raise Refused(
            "link",
            _("Enter a whole link that starts with https:// or http://."),
            field="link",
        )
    if len(link) > LONGEST_LINK:
        raise Refused(
            "link",
            _("A link can have at most %(limit)d characters.") % {"limit": LONGEST_LINK},
            field="link",
        )
    return link


def check_limit(author: User, now: datetime) -> None:
    """Refuse another message by an author who has written many."""
    with connection.cursor() as cursor:
        cursor.execute(ONE_AFTER_ANOTHER, [author.pk])
    recent = MatchMessage.objects.filter(author=author, at__gt=now - MESSAGES_WITHIN)
    if recent.count() >= MOST_MESSAGES:
        raise LimitReached(
            "messages",
            ngettext(
                "You can write %(count)d message in an hour. Try again later.",
                "You can write %(count)d messages in an hour. Try again later.",
                MOST_MESSAGES,
            )
            % {"count": MOST_MESSAGES},
            wait=int(MESSAGES_WITHIN.total_seconds()),
        )
