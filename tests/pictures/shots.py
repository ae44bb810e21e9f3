"""The pictures of the README: whose page, what they do on it, and its size."""

import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from playwright.sync_api import Browser, Page, sync_playwright

from league.models import Arena, Match, Offence, Player, Season
from league.services.core.clock import database_now
from league.services.dates.proposals import propose
from league.services.dishonor.discipline import penalise
from league.services.seasons import hindsight
from league.services.seasons.ending import end, freeze_early
from tests.browser.conftest import ARGUMENTS, ZONE


@dataclass(frozen=True)
class Shot:
    """A picture of a page."""

    name: str
    path: Callable[[], str]
    who: str = ""
    """The user name of the reader; empty for a visitor."""
    prepare: Callable[[Page], None] = lambda page: None
    """What the reader does before the picture is taken."""
    dark: bool = False
    width: int = 1100
    height: int = 760


def at(path: str) -> Callable[[], str]:
    return lambda: path


def football_page() -> str:
    """Brazil's page, once a worker has computed the ratings in hindsight."""
    while hindsight.due(database_now()):
        time.sleep(0.5)
    return f"/players/{player('Brazil').pk}/?arena=football"


def player(name: str) -> Player:
    return Player.objects.get(name=name)


def last_football_match() -> str:
    last = Match.objects.filter(arena__slug="football", sides__captain=player("Brazil"))
    return last.latest("played_at").get_absolute_url()


def proposed_date() -> str:
    """England is asked to play Scotland on the day after tomorrow."""
    practice = Arena.objects.get(slug="practice")
    now = database_now()
    play_at = (now + timedelta(days=2)).replace(hour=18, minute=0, second=0)
    one = propose(practice, player("England"), play_at, by=player("Scotland"), now=now)
    return f"/arenas/practice/dates/{one.pk}/"


def penalised() -> str:
    """Argentina did not accept three matches."""
    skirmish = Arena.objects.get(slug="skirmish")
    for hours in (1, 2, 5):
        at_that_time = database_now() - timedelta(hours=hours)
        penalise([player("Argentina")], Offence.QUEUE_DODGE, skirmish, now=at_that_time)
    return "/settings/dishonor/"


def archived_season() -> str:
    """The weekly contest's season is over."""
    season = Season.objects.get(arena__slug="saturday-sprint")
    end(season.pk, now=database_now())
    freeze_early(season.pk, now=database_now())
    return f"/seasons/{season.pk}/"


def fill_in_result(page: Page) -> None:
    page.get_by_label("Score of Scotland").fill("3")
    page.get_by_label("Score of England").fill("1")


def open_calculation(page: Page) -> None:
    page.get_by_text("Full calculation").first.click()


def join_queue(page: Page) -> None:
    page.get_by_role("button", name="Queue alone").click()


def admin_arena() -> str:
    return f"/admin/league/arena/{Arena.objects.get(slug='skirmish').pk}/change/"


SHOTS = [
    Shot("leaderboard", at("/arenas/football/leaderboard/")),
    Shot("distribution", at("/arenas/football/distribution/"), who="brazil"),
    Shot("player", football_page, height=920),
    Shot(
        "report",
        at("/arenas/practice/report/?opponent=England"),
        who="scotland",
        prepare=fill_in_result,
    ),
    Shot("match", last_football_match, prepare=open_calculation, dark=True),
    Shot("date", proposed_date, who="england"),
    Shot("queue", at("/arenas/skirmish/queue/"), who="scotland", prepare=join_queue),
    Shot("dishonor", penalised, who="argentina"),
    Shot("season", archived_season),
    Shot("admin", admin_arena, who="admin", width=1200),
]


def take_all(address: str, folder: Path) -> Iterator[str]:
    """Take every picture into ``folder``, and yield its name."""
    with browser() as chromium:
        for shot in SHOTS:
            take(chromium, address, shot, folder)
            yield shot.name


@contextmanager
def browser() -> Iterator[Browser]:
    found = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not found:
        raise SystemExit("Install Debian's “chromium”, or name one in CHROMIUM.")
    with sync_playwright() as playwright:
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
        yield playwright.chromium.launch(executable_path=found, args=ARGUMENTS)


def take(chromium: Browser, address: str, shot: Shot, folder: Path) -> None:
    context = chromium.new_context(
        viewport={"width": shot.width, "height": shot.height},
        color_scheme="dark" if shot.dark else "light",
        timezone_id=ZONE,
        reduced_motion="reduce",
    )
    page = context.new_page()
    if shot.who:
        log_in(page, address, shot.who)
    page.goto(address + shot.path())
    shot.prepare(page)
    page.wait_for_load_state("networkidle")
    page.screenshot(path=folder / f"{shot.name}.png")
    context.close()


def log_in(page: Page, address: str, name: str) -> None:
    page.goto(f"{address}/accounts/login/")
    page.get_by_label("Player name or email").fill(name)
    page.get_by_label("Password").fill(password_of(name))
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    page.wait_for_url(re.compile(r"/(?!accounts/)"))


def password_of(name: str) -> str:
    """Return a password as the demo has written it down."""
    for line in (Path(settings.DATA_DIR) / "demo-accounts").read_text().splitlines():
        names, _slash, password = line.partition(": ")[2].rpartition(" / ")
        if name in names.split(", "):
            return password
    raise LookupError(name)
