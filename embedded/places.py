"""The folders of one pair of servers.

<data>/servers          a folder, or root's link to one that the servers' user can reach
    *.lock              who is alive (see `locks`)
    *.conf  *.log       written by us; the servers cannot change them
    sockets             the path of the folder that holds the sockets
    postgres/ valkey/   the data, owned by the user whom the servers run as
"""

import os
import re
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from embedded import accounts, binaries
from embedded.accounts import Account
from embedded.errors import EmbeddedError

LONGEST_SOCKET_FOLDER = 80
"""Characters: a socket's whole address has to fit into 104 on any system."""


@dataclass(frozen=True)
class Home:
    """Where one pair of servers lives, and whom they run as."""

    folder: Path
    account: Account

    def lock(self, name: str) -> Path:
        """The lock called `name`: start, users, guardian or servers."""
        return self.folder / f"{name}.lock"

    @property
    def postgres(self) -> Path:
        """PostgreSQL's data."""
        return self.folder / "postgres"

    @property
    def postgres_draft(self) -> Path:
        """PostgreSQL's data while they are being made; renamed when complete."""
        return self.folder / "postgres.new"

    @property
    def postgres_log(self) -> Path:
        """What PostgreSQL says."""
        return self.folder / "postgres.log"

    @property
    def valkey(self) -> Path:
        """Valkey's data."""
        return self.folder / "valkey"

    @property
    def valkey_log(self) -> Path:
        """What Valkey says."""
        return self.folder / "valkey.log"

    @property
    def recorded_sockets(self) -> Path:
        """The file that names the folder of the sockets."""
        return self.folder / "sockets"

    def sockets(self) -> Path:
        """The folder of the sockets."""
        return Path(self.recorded_sockets.read_text())


def default_data() -> Path:
    """The data folder: LAUREL_DATA, else `.laurel` in the project."""
    named = os.environ.get("LAUREL_DATA")
    return Path(named) if named else Path(__file__).resolve().parent.parent / ".laurel"


def settle(data: Path) -> Home:
    """The home of the servers whose data folder is `data`, made if missing."""
    data = data.absolute()
    try:
        return _settle(data)
    except PermissionError as error:
        raise EmbeddedError(
            f"The data folder {data} cannot be used, because {error.filename} is not open to "
            f"this user ({_whoami()}): run as the user who owns it, or set LAUREL_DATA to a folder "
            "of your own."
        ) from error
    except (FileExistsError, NotADirectoryError) as error:
        raise EmbeddedError(
            f"The data folder {data} cannot be used, because {error.filename} is not a folder: "
            "move it away, or set LAUREL_DATA to another folder."
        ) from error
    except OSError as error:
        raise EmbeddedError(
            f"The data folder {data} cannot be used ({error.strerror}): mend that, or set "
            "LAUREL_DATA to another folder."
        ) from error


def _settle(data: Path) -> Home:
    account = accounts.for_servers(data)
    _make(data)
    servers = data / "servers"
    if servers.is_symlink() and not servers.exists():
        raise EmbeddedError(
            f"The database of {data} is missing: {servers} points to {servers.readlink()}, which "
            "does not exist. Put it back, or delete the link to begin with an empty database."
        )
    if not servers.exists():
        _make_servers(servers, account)
    folder = servers.resolve()
    if (folder / "postgres").exists() and os.geteuid() == 0:
        account = accounts.of_uid((folder / "postgres").stat().st_uid)
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise PermissionError(0, "", str(folder))
    home = Home(folder, account)
    _make_for(home.valkey, account)
    return home


def _make(folder: Path) -> None:
    """Make `folder` and its missing parents, for the owner of the nearest one that exists."""
    if folder.exists():
        if not folder.is_dir():
            raise NotADirectoryError(0, "", str(folder))
        return
    _make(folder.parent)
    # Root's folder may be passed through by the servers' user, and read by nobody.
    by_root_for_root = os.geteuid() == 0 == folder.parent.stat().st_uid
    folder.mkdir(mode=0o711 if by_root_for_root else 0o700)
    accounts.give_to_owner(folder.parent, folder)


def _make_servers(servers: Path, account: Account) -> None:
    if accounts.reaches(account, servers.parent.resolve()):
        _make(servers)
        return
    # Root in a folder that no other user may enter: the data live where the servers can go.
    binaries.make_system_folder()
    elsewhere = Path(tempfile.mkdtemp(prefix="data-", dir=binaries.SYSTEM_FOLDER))
    elsewhere.chmod(0o711)
    servers.symlink_to(elsewhere)


def _make_for(folder: Path, account: Account) -> None:
    if not folder.exists():
        folder.mkdir(mode=0o700)
        if os.geteuid() == 0:
            os.chown(folder, account.uid, account.gid)


def make_sockets(home: Home) -> Path:
    """The folder of the sockets: the recorded one if it is still ours, else a new one.

    It has a short path, and only the servers' user (and root) may enter it. It keeps its name over
    a crash, so that whoever held the old address finds the new servers.
    """
    if home.recorded_sockets.exists():
        recorded = home.sockets()
        if _is_private(recorded, home.account):
            return recorded
    folder = _new_sockets(home.account)
    write(home.recorded_sockets, str(folder))
    return folder


def _is_private(folder: Path, account: Account) -> bool:
    try:
        found = folder.lstat()
    except OSError:
        return False
    return (
        stat.S_ISDIR(found.st_mode)
        and stat.S_IMODE(found.st_mode) == 0o700
        and found.st_uid == account.uid
    )


def _new_sockets(account: Account) -> Path:
    for base in (Path(tempfile.gettempdir()).resolve(), Path("/tmp"), Path("/var/tmp")):  # noqa: S108  mkdtemp makes an unguessable, private folder in them
        short = len(str(base)) + len("/laurel-12345678") <= LONGEST_SOCKET_FOLDER
        plain = re.fullmatch(r"[\w./-]+", str(base), re.ASCII)
        if not (short and plain and accounts.reaches(account, base)):
            continue
        try:
            folder = Path(tempfile.mkdtemp(prefix="laurel-", dir=base))
        except OSError:
            continue
        if os.geteuid() == 0:
            os.chown(folder, account.uid, account.gid)
        return folder
    raise EmbeddedError(
        "There is no temporary folder for the servers' sockets: set TMPDIR to a folder with a "
        f"short path (under {LONGEST_SOCKET_FOLDER - 16} characters) that you may write to."
    )


def write(path: Path, text: str) -> None:
    """Make `path` hold `text`: wholly or not at all, readable by the servers' user."""
    if path.exists() and path.read_text() == text:
        return
    draft = path.with_name(path.name + ".draft")
    draft.unlink(missing_ok=True)
    draft.write_text(text)
    draft.chmod(0o644)
    accounts.give_to_owner(path.parent, draft)
    draft.rename(path)


def _whoami() -> str:
    return f"user number {os.geteuid()}"
