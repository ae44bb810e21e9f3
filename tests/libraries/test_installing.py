"""The libraries as others get them: wheels in an environment with nothing of the project."""

import hashlib
import json
import os
import subprocess
import sys
import tarfile
import time
import urllib.error
import urllib.request
import venv
import zipfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from libraries.building import ROOT, build
from libraries.renaming import NAMES

NEEDED = (
    "annotated-types",
    "defusedxml",
    "numpy",
    "pydantic",
    "pydantic-core",
    "python-calamine",
    "python-dateutil",
    "scipy",
    "six",
    "typing-extensions",
    "typing-inspection",
)
HISTORY = """match_id,played_at,side,place,player
1,2024-05-01,a,0,Ann
1,2024-05-01,b,1,Bob
2,2024-05-02,a,0,Cem
2,2024-05-02,b,1,Ann
"""
_DOCTEST = """
import doctest, sys
failed, tried = doctest.testfile(sys.argv[1], module_relative=False)
sys.exit(bool(failed or not tried))
"""
_FIT = """
import contextlib, io, sys
from laurel_ratings.cli import main
said = io.StringIO()
with contextlib.redirect_stderr(said):
    code = main(["fit", sys.argv[1], "--system", "elo", "--output", "fitted.json"])
assert "after the split" in said.getvalue(), said.getvalue()
sys.exit(code)
"""
_PATHS = "import json, sys, {0}; print(json.dumps([*sys.path, {0}.__file__]))"


class Installed:
    """An environment with both libraries, and a folder of its own to work in."""

    def __init__(self, folder: Path, wheels: list[Path]) -> None:
        self.folder = folder
        self._bin = folder / "environment/bin"
        venv.create(folder / "environment")
        cached = _cached_wheels()
        pip: list[str | Path] = [
            sys.executable,
            "-m",
            "pip",
            "--python",
            self._bin / "python",
            "install",
            "-q",
            "--no-compile",  # the few modules that are loaded are compiled then
        ]
        subprocess.run([*pip, "--no-index", "--find-links", cached, *wheels], check=True)

    def program(self, name: str) -> Path:
        """Return a program of the environment."""
        return self._bin / name

    def run(self, program: str, *arguments: object) -> str:
        """Run a program of the environment, which must succeed quietly, and return its output."""
        done = subprocess.run(
            [self.program(program), *map(str, arguments)],
            cwd=self.folder,
            env={"PATH": os.defpath, "HOME": str(self.folder)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
        return done.stdout

    def python(self, *arguments: object) -> str:
        """Run Python with errors for warnings, and nothing of the caller's settings."""
        return self.run("python", "-I", "-W", "error", *arguments)


def _cached_wheels() -> Path:
    """Return a folder with the wheels that the libraries need, loading them the first time."""
    pins = [f"{name}=={version(name)}" for name in NEEDED]
    folder = (
        Path(os.environ["LAUREL_DATA"])
        / "wheels"
        / hashlib.sha256("".join(pins).encode()).hexdigest()[:16]
    )
    if not folder.exists():
        draft = folder.with_name(f"{folder.name}.{os.getpid()}.part")
        pip = [sys.executable, "-m", "pip", "download", "-q", "--only-binary", ":all:", "--no-deps"]
        subprocess.run([*pip, "-d", draft, *pins], check=True)
        draft.rename(folder)
    return folder


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    folder = tmp_path_factory.mktemp("dist")
    return {engine: build(engine, folder) for engine in NAMES}


@pytest.fixture(scope="module")
def installation(
    distributions: dict[str, list[Path]], tmp_path_factory: pytest.TempPathFactory
) -> Installed:
    wheels = [wheel for wheel, _source in distributions.values()]
    return Installed(tmp_path_factory.mktemp("installed"), wheels)


@pytest.mark.parametrize("engine", NAMES)
def test_the_readme_says_what_happens_in_an_empty_environment(
    installation: Installed, engine: str
) -> None:
    assert str(ROOT) not in installation.python("-c", _PATHS.format(NAMES[engine]))
    installation.python("-c", _DOCTEST, ROOT / "libraries" / engine / "README.md")


def test_the_command_line_works_in_an_empty_environment(installation: Installed) -> None:
    (installation.folder / "history.csv").write_text(HISTORY)
    rated = installation.run("laurel-ratings", "replay", "history.csv", "--system", "elo")
    assert [line.split(",")[0] for line in rated.splitlines()] == ["player", "Cem", "Ann", "Bob"]
    command = ["evaluate", "history.csv", "--systems", "elo,glicko-2,trueskill"]
    assert "trueskill" in installation.run("laurel-ratings", *command)
    results = (ROOT / "libraries/notebooks/club.csv").read_text(encoding="utf-8")
    (installation.folder / "club.csv").write_text(results, encoding="utf-8")
    installation.python("-c", _FIT, "club.csv")
    fitted = json.loads((installation.folder / "fitted.json").read_text(encoding="utf-8"))
    assert fitted["max_gain"] != 32
    again = ["replay", "club.csv", "--system", "elo", "--params", "fitted.json"]
    assert "Aisha" in installation.run("laurel-ratings", *again)
    assert "glicko-2 (Glicko-2)" in installation.run("laurel-ratings", "systems")


@pytest.mark.parametrize("engine", NAMES)
def test_type_checkers_find_the_types_of_a_wheel(
    distributions: dict[str, list[Path]], engine: str
) -> None:
    wheel, _source = distributions[engine]
    assert f"{NAMES[engine]}/py.typed" in zipfile.ZipFile(wheel).namelist()


def test_the_service_makes_matches(installation: Installed) -> None:
    example = ROOT / "libraries/matchmaking/examples/service.py"
    options = ["--port", "0", "--team-size", "1", "--interval", "0.1"]
    command: list[str | Path] = [installation.program("python"), "-I", example, *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as service:
        assert service.stdout is not None
        try:
            _use(service.stdout.readline().strip())
        finally:
            service.terminate()


def _use(site: str) -> None:
    """Queue two equal players and one who leaves again, until the two have a match."""
    status, sent = _ask(f"{site}/queue", {"players": [{"id": "Ann", "rating": 1500}]})
    assert (status, sent) == (201, {"ticket": "1"})
    assert _ask(f"{site}/tickets/1") == (200, {"status": "waiting"})
    status, refused = _ask(f"{site}/queue", {"players": [{"id": "Ann", "rating": 1500}]})
    assert (status, refused) == (400, {"error": "Ann is in the queue already"})
    assert _ask(f"{site}/queue", {"players": [{"id": "Far", "rating": 9000}]})[0] == 201
    assert _ask(f"{site}/tickets/3", method="DELETE") == (200, {"status": "left"})
    assert _ask(f"{site}/tickets/3")[0] == 404
    assert _ask(f"{site}/queue", {"players": [{"id": "Bob", "rating": 1500}]})[0] == 201
    for _ in range(300):
        _status, found = _ask(f"{site}/tickets/1")
        if found["status"] == "matched":
            break
        time.sleep(0.1)
    assert sorted(found["teams"]) == [["Ann"], ["Bob"]]
    assert found["chance"] == 0.5


def _ask(
    address: str, content: object = None, method: str | None = None
) -> tuple[int, dict[str, Any]]:
    body = None if content is None else json.dumps(content).encode()
    request = urllib.request.Request(address, body, method=method)  # noqa: S310 - our own service
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, json.load(refused)


@pytest.mark.parametrize("engine", NAMES)
def test_the_source_distribution_builds_the_same_wheel(
    distributions: dict[str, list[Path]], engine: str, tmp_path: Path
) -> None:
    wheel, source = distributions[engine]
    with tarfile.open(source) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # from Python 3.11.4 on
        archive.extractall(tmp_path)  # noqa: S202 - our own archive
    (project,) = tmp_path.iterdir()
    again = "from flit_core import buildapi; print(buildapi.build_wheel('..'))"
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1577836800"}
    subprocess.run([sys.executable, "-c", again], cwd=project, env=environment, check=True)
    assert (tmp_path / wheel.name).read_bytes() == wheel.read_bytes()
