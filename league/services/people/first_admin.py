"""The first admin of a new league, whom a page creates without another account's help."""

from __future__ import annotations

import secrets
from datetime import UTC
from typing import TYPE_CHECKING

from allauth.account.models import EmailAddress
from django.db import connection, transaction
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from league.models import SetupCode, User
from league.models.names import fold
from league.services.core.errors import Conflict, Forbidden

if TYPE_CHECKING:
    from datetime import datetime

LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
"""They form no words, and none is taken for another."""
# Short enough to type, and long enough that guessing over the network finds none in years.
CODE_PARTS, PART_LENGTH = 3, 4
MISSING = "SELECT NOT EXISTS (SELECT FROM league_user WHERE is_staff), clock_timestamp()"
TAKE_TURN = "SELECT pg_advisory_xact_lock(hashtextextended('first admin', 0))"


def is_missing() -> bool:
    """Return whether the league has no staff account yet."""
    return is_missing_now()[0]


def is_missing_now() -> tuple[bool, datetime]:
    """Return whether the league has no staff account yet, and the database's time. One query."""
    with connection.cursor() as cursor:
        cursor.execute(MISSING)
        missing, now = cursor.fetchone()
    return missing, now.astimezone(UTC)


def setup_code() -> str:
    """Return the code that creates the first admin, such as ``BCDF-GHJK-LMNP``.

    It is drawn at the first call, and used up by the creation.

    Raises:
        Conflict: there is a staff account.
    """
    refuse_second()
    groups = (
        "".join(secrets.choice(LETTERS) for _ in range(PART_LENGTH)) for _ in range(CODE_PARTS)
    )
    row, _drawn = SetupCode.objects.get_or_create(defaults={"code": "-".join(groups)})
    return row.code


def check_code(given: str) -> None:
    """Accept the setup code, in any case and with any dashes and spaces.

    Raises:
        Forbidden: it is another one.
    """
    letters = "".join(letter for letter in given.upper() if letter.isalpha())
    row = SetupCode.objects.first()
    if row is None or not constant_time_compare(letters, row.code.replace("-", "")):
        raise Forbidden("wrong_setup_code", _("This is not the setup code."), field="code")


def create(name: str, password: str, *, email: str = "", code: str | None) -> User:
    """Create the first admin and return the account, which has no player yet.

    ``code`` is the setup code, or None for somebody who need not know it.

    Raises:
        Conflict: there is a staff account, perhaps since a moment ago, or the name was taken.
        Forbidden: the code is wrong.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(TAKE_TURN)
        refuse_second()
        if code is not None:
            check_code(code)
        if User.objects.filter(username=fold(name)).exists():
            raise Conflict("name_taken", _("This name has just been taken."), field="name")
        user = User.objects.create_superuser(fold(name), email, password)
        if email:
            EmailAddress.objects.create(user=user, email=user.email.lower(), primary=True)
        SetupCode.objects.all().delete()
    return user


def refuse_second() -> None:
    if not is_missing():
        raise Conflict("set_up", _("This league already has an admin, so the setup is closed."))
