"""Whom the servers run as: never root."""

import os
import pwd
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from embedded.errors import EmbeddedError


@dataclass(frozen=True)
class Account:
    """A user of this machine."""

    name: str
    uid: int
    gid: int


def of_uid(uid: int) -> Account:
    """The account with that number.

    PostgreSQL refuses to run as a user without a name, so a number without one is an error.
    """
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        raise EmbeddedError(
            f"The user number {uid} has no name on this machine, and PostgreSQL needs one: run as "
            "a user that has one, or set DATABASE_URL and REDIS_URL to servers of your own."
        ) from None
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def for_servers(folder: Path) -> Account:
    """Whom the servers of `folder` run as.

    Anyone but root runs them as themselves. For root it is the user that LAUREL_SERVER_USER names,
    else the owner of `folder` (of its nearest parent that exists), else `nobody`.
    """
    if os.geteuid() != 0:
        return of_uid(os.geteuid())
    if name := os.environ.get("LAUREL_SERVER_USER"):
        return _named(name)
    uid = nearest(folder).stat().st_uid
    return of_uid(uid) if uid else _named("nobody")


def nearest(path: Path) -> Path:
    """`path`, or the nearest of its parents that exists."""
    return path if path.exists() else next(p for p in path.parents if p.exists())


def _named(name: str) -> Account:
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        raise EmbeddedError(
            f"There is no user {name!r} to run PostgreSQL and Valkey as: set LAUREL_SERVER_USER to "
            "the name of an unprivileged user of this machine."
        ) from None
    if entry.pw_uid == 0:
        raise EmbeddedError(
            "PostgreSQL refuses to run as root: set LAUREL_SERVER_USER to the name of an "
            "unprivileged user of this machine."
        )
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def become(account: Account) -> None:
    """Turn this process into one of `account`, for good."""
    if os.geteuid() == account.uid:
        return
    os.setgroups([])
    os.setgid(account.gid)
    os.setuid(account.uid)


def reaches(account: Account, folders: Iterable[Path]) -> bool:
    """Whether `account` may enter all of `folders`, tried out rather than worked out."""
    if os.geteuid() == account.uid:
        return all(os.access(folder, os.X_OK) for folder in folders)
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] == 0
    try:
        become(account)
        os._exit(0 if all(os.access(folder, os.X_OK) for folder in folders) else 1)
    finally:
        os._exit(2)
