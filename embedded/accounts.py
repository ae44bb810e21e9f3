"""Whom the servers run as: never root."""

import os
import pwd
import stat
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


def give_to_owner(of: Path, what: int | Path) -> None:
    """What root makes in another's folder `of` belongs to that folder's owner (else: nothing)."""
    if os.geteuid() == 0:
        owner = of.stat()
        os.chown(what, owner.st_uid, owner.st_gid)


def become(account: Account) -> None:
    """Turn this process into one of `account`, for good."""
    if os.geteuid() == account.uid:
        return
    os.setgroups([])
    os.setgid(account.gid)
    os.setuid(account.uid)


def reaches(account: Account, folder: Path) -> bool:
    """Whether `account` (with its main group alone) may enter `folder`, by the folders' modes."""
    return all(_may_enter(account, step.stat()) for step in (folder, *folder.parents))


def _may_enter(account: Account, folder: os.stat_result) -> bool:
    if folder.st_uid == account.uid:
        return bool(folder.st_mode & stat.S_IXUSR)
    if folder.st_gid == account.gid:
        return bool(folder.st_mode & stat.S_IXGRP)
    return bool(folder.st_mode & stat.S_IXOTH)
