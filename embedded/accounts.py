"""The user that runs the servers: never root."""

import os
import pwd
import stat
from pathlib import Path

from embedded.errors import EmbeddedError

Account = pwd.struct_passwd


def by_uid(uid: int) -> Account:
    """Return the account with this number.

    PostgreSQL refuses to run as a user without a name, so a number without one is an error.
    """
    try:
        return pwd.getpwuid(uid)
    except KeyError:
        raise EmbeddedError(
            f"User {uid} has no name on this machine, and PostgreSQL needs one. Run Laurel as a "
            "user with a name, or set DATABASE_URL and REDIS_URL to your own servers."
        ) from None


def for_servers(folder: Path) -> Account:
    """Return the account that runs the servers of `folder`.

    It is the current user. For root it is the owner of `folder` (of its nearest existing parent),
    or `nobody` if that is root too.
    """
    if os.geteuid() != 0:
        return by_uid(os.geteuid())
    owner = next(path for path in (folder, *folder.parents) if path.exists()).stat().st_uid
    return by_uid(owner) if owner else pwd.getpwnam("nobody")


def give(folder: Path, account: Account) -> None:
    """Make `account` the owner of a folder that root has created."""
    if os.geteuid() == 0:
        os.chown(folder, account.pw_uid, account.pw_gid)


def match_owner(target: int | Path, folder: Path) -> None:
    """Give `target` to the owner of `folder` if root created it there."""
    if os.geteuid() == 0:
        owner = folder.stat()
        os.chown(target, owner.st_uid, owner.st_gid)


def can_enter(account: Account, folder: Path) -> bool:
    """Return whether `account`, with its main group alone, may enter `folder` and its parents."""
    for step in (folder, *folder.parents):
        found, needed = step.stat(), stat.S_IXOTH
        if found.st_uid == account.pw_uid:
            needed = stat.S_IXUSR
        elif found.st_gid == account.pw_gid:
            needed = stat.S_IXGRP
        if not found.st_mode & needed:
            return False
    return True
