"""The codes that start screens in the hall."""

from __future__ import annotations

import secrets
import uuid
from typing import TYPE_CHECKING

from league.models import Competition, TvCode
from league.models.tv_code import LENGTH
from league.services.competitions.locking import check_may_run

if TYPE_CHECKING:
    from league.models import User

ALPHABET = "BCDFGHJKLMNPQRSTVWXYZ23456789"
"""Nothing that looks like something else from afar, and no vowels, so that no code is a word."""


def renew_code(one: Competition, *, by: User) -> TvCode:
    """Give a competition a code, or another one: screens that the one before started end.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena.
    """
    check_may_run(by, one)
    code = "".join(secrets.choice(ALPHABET) for _letter in range(LENGTH))
    values = {"code": code, "key": uuid.uuid4()}
    return TvCode.objects.update_or_create(competition=one, defaults=values)[0]


def revoke_code(one: Competition, *, by: User) -> None:
    """Take the code of a competition away, which ends its screens.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena.
    """
    check_may_run(by, one)
    TvCode.objects.filter(competition=one).delete()


def code_of(one: Competition) -> str:
    """Return the code of a competition in two groups, empty without one."""
    code = TvCode.objects.filter(competition=one).values_list("code", flat=True).first() or ""
    return f"{code[: LENGTH // 2]} {code[LENGTH // 2 :]}".strip()


def key_of(typed: str) -> uuid.UUID | None:
    """Return the key of a code, however it is typed, ``None`` if nothing has it."""
    plain = "".join(letter for letter in typed.upper() if letter in ALPHABET)
    return TvCode.objects.filter(code=plain).values_list("key", flat=True).first()


def competition_of(key: uuid.UUID) -> Competition | None:
    """Return the published competition that a screen shows."""
    rows = Competition.objects.published().select_related("season__arena")
    return rows.filter(tv_code__key=key).first()
