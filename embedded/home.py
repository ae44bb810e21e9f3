"""The folder of one pair of servers.

<data>/servers          a folder, or root's link to one that the servers' account can reach
    *.lock              which processes are alive (see `locks`)
    *.conf  *.log       written by Laurel; the servers cannot change them
    valkey.password     for the owner of the folder alone
    sockets             the path of the folder of the sockets
    postgres/ valkey/   the data, owned by the account that runs the servers
"""

import os
import re
import stat
import tempfile
from pathlib import Path
from typing import NamedTuple

from embedded import accounts
from embedded.accounts import Account
from embedded.errors import EmbeddedError

POSTGRES_MAJOR = "18"
LONGEST_SOCKET_FOLDER = 80  # characters; a socket's whole address has 104 on some systems
SYSTEM_FOLDER = Path("/var/lib/laurel")
"""For files that an unprivileged user must reach, but cannot reach inside root's project."""


class Binaries(NamedTuple):
    """The absolute paths of the programs."""

    postgres: Path
    valkey: Path

    @property
    def initdb(self) -> Path:
        """The program that creates PostgreSQL's data folder."""
        return self.postgres.with_name("initdb")


class Home(NamedTuple):
    """The folder of one pair of servers, and the account that runs them."""

    folder: Path
    account: Account

    def path(self, name: str) -> Path:
        """Return the path of a file or folder in it."""
        return self.folder / name

    @property
    def sockets(self) -> Path:
        """The folder of the sockets."""
        return Path(self.path("sockets").read_text())

    def write(self, name: str, text: str, mode: int = 0o644) -> None:
        """Replace the content of a file in one step, by default readable by the account."""
        path, draft = self.path(name), self.path(f"{name}.draft")
        if path.exists() and path.read_text() == text:
            return
        draft.unlink(missing_ok=True)
        draft.touch(mode=0o600)
        draft.write_text(text)
        draft.chmod(mode)
        accounts.match_owner(draft, self.folder)
        # A process that is killed here leaves the old file or the new one, never a part.
        draft.rename(path)

    def make_private(self, name: str) -> Path:
        """Create and return a folder that only the account may enter."""
        folder = self.path(name)
        folder.mkdir(mode=0o700)
        accounts.give(folder, self.account)
        return folder


def default_data() -> Path:
    """Return the data folder: LAUREL_DATA, else `.laurel` in the project."""
    named = os.environ.get("LAUREL_DATA")
    return Path(named) if named else Path(__file__).resolve().parent.parent / ".laurel"


def make_system_folder() -> None:
    """Create `SYSTEM_FOLDER`, which every user may enter and only root may change."""
    SYSTEM_FOLDER.mkdir(mode=0o755, parents=True, exist_ok=True)
    SYSTEM_FOLDER.chmod(0o755)


def prepare(data: Path) -> Home:
    """Return the home in the data folder `data`, an absolute path. Create what is missing."""
    try:
        return _prepare(data)
    except PermissionError as error:
        problem = f"user {os.geteuid()} may not use {error.filename}. Run Laurel as its owner"
    except (FileExistsError, NotADirectoryError) as error:
        problem = f"{error.filename} is not a folder. Move it away"
    except OSError as error:
        problem = f"{error.strerror}. Fix that"
    raise EmbeddedError(
        f"The data folder {data} cannot be used: {problem}, or set LAUREL_DATA to another folder."
    )


def _prepare(data: Path) -> Home:
    account = accounts.for_servers(data)
    _make(data)
    link = data / "servers"
    if link.is_symlink() and not link.exists():
        raise EmbeddedError(
            f"The database of {data} is missing: {link} points to {link.readlink()}, which does "
            "not exist. Put it back, or delete the link to begin with an empty database."
        )
    if not link.exists():
        _make_servers(link, account)
    home = Home(link.resolve(), account)
    # The data keeps its account: PostgreSQL refuses to run on files of another one.
    if home.path("postgres").exists() and os.geteuid() == 0:
        home = Home(home.folder, accounts.by_uid(home.path("postgres").stat().st_uid))
    if not os.access(home.folder, os.R_OK | os.W_OK | os.X_OK):
        raise PermissionError(0, "", str(home.folder))
    if not home.path("valkey").exists():
        home.make_private("valkey")
    return home


def _make(folder: Path) -> None:
    """Create `folder` and its missing parents for the owner of the nearest existing one."""
    if folder.exists():
        if not folder.is_dir():
            raise NotADirectoryError(0, "", str(folder))
        return
    _make(folder.parent)
    # The servers' account must pass through a folder that belongs to root.
    of_root = os.geteuid() == 0 == folder.parent.stat().st_uid
    folder.mkdir(mode=0o711 if of_root else 0o700)
    accounts.match_owner(folder, folder.parent)


def _make_servers(servers: Path, account: Account) -> None:
    if accounts.can_enter(account, servers.parent.resolve()):
        _make(servers)
        return
    # Root's data folder is closed to other users, so the servers' files live outside it.
    make_system_folder()
    elsewhere = Path(tempfile.mkdtemp(prefix="data-", dir=SYSTEM_FOLDER))
    elsewhere.chmod(0o711)
    servers.symlink_to(elsewhere)


def make_sockets(home: Home) -> Path:
    """Return the folder of the sockets: the recorded one if it is still ours, else a new one.

    Its path is short, and only the servers' account and root may enter it. It stays the same after
    a crash, so clients that hold the old address find the new servers.
    """
    if home.path("sockets").exists() and _is_private(home.sockets, home.account):
        return home.sockets
    folder = _new_sockets(home.account)
    home.write("sockets", str(folder))
    return folder


def _is_private(folder: Path, account: Account) -> bool:
    try:
        found = folder.lstat()
    except OSError:
        return False
    private = stat.S_ISDIR(found.st_mode) and stat.S_IMODE(found.st_mode) == 0o700
    return private and found.st_uid == account.pw_uid


def _new_sockets(account: Account) -> Path:
    for base in (Path(tempfile.gettempdir()).resolve(), Path("/tmp"), Path("/var/tmp")):  # noqa: S108  mkdtemp makes a private folder with an unguessable name
        short = len(f"{base}/laurel-12345678") <= LONGEST_SOCKET_FOLDER
        plain = re.fullmatch(r"[\w./-]+", str(base), re.ASCII)
        if not (short and plain and accounts.can_enter(account, base)):
            continue
        try:
            folder = Path(tempfile.mkdtemp(prefix="laurel-", dir=base))
        except OSError:
            continue
        accounts.give(folder, account)
        return folder
    raise EmbeddedError(
        "There is no temporary folder for the servers' sockets. Set TMPDIR to a folder with a "
        f"short path (under {LONGEST_SOCKET_FOLDER - 16} characters) that you may write to."
    )
