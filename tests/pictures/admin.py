"""The pictures of docs/admin.md: Olga runs the demo league."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

from django.core.management import call_command
from django.urls import reverse
from django.utils.timezone import now
from playwright.sync_api import Page

from league.models import Arena, Match, Player, User
from league.services.frontpage.days import note_days
from tests.pictures.shots import browser
from tests.pictures.visitors import Album, Person

PHONE = 360
RESULTS = """date;side 1;side 2;result
{day} 18:00;Brazil;Argentina;2:1
{day} 20:30;Scotland;Englnd;0:0
{day} 21:00;Wales;Ireland;1:3
"""


def take_all(address: str, folder: Path) -> Iterator[str]:
    """Take every picture into ``folder``, and yield its name."""
    with browser() as chromium:
        olga = Player.objects.create(
            name="Olga",
            user=User.objects.create(username="olga", is_staff=True, is_superuser=True),
        )
        album = Album(folder)
        desk = Desk(Person.come(chromium, address, olga), album)
        for take in desk.pictures():
            take()
            yield take.__name__.replace("_", "-")
        phone = Person.come(chromium, address, olga, width=PHONE)
        phone.page.emulate_media(color_scheme="dark")
        album.take("first-page-phone", phone.open("/admin/"))
        yield "first-page-phone"


class Desk:
    """Olga's desk: each of her pictures is a method."""

    def __init__(self, olga: Person, album: Album) -> None:
        self.olga, self.album = olga, album

    @property
    def practice(self) -> Arena:
        return Arena.objects.get(slug="practice")

    @property
    def football(self) -> Arena:
        return Arena.objects.get(slug="football")

    def pictures(self) -> list[Callable[[], None]]:
        return [
            self.first_steps,
            self.wizard_start,
            self.wizard_divisions,
            self.arena,
            self.decay,
            self.trial,
            self.comparison,
            self.evening,
            self.import_file,
            self.undo,
            self.file,
            self.first_page,
        ]

    def change_page(self, arena: Arena) -> Page:
        return self.olga.open(reverse("admin:league_arena_change", args=[arena.pk]))

    def wait_for_job(self, page: Page) -> None:
        """Wait for the worker, and go on to what it found."""
        page.get_by_role("link", name="Show the result").click()

    def first_steps(self) -> None:
        self.album.take("first-steps", self.olga.open("/admin/"))
        call_command("demo")  # and from now on there is a league

    def wizard_start(self) -> None:
        page = self.olga.open(reverse("admin:league_arena_start"))
        page.get_by_label("Name").fill("Ranked")
        self.album.take("wizard-start", page)

    def wizard_divisions(self) -> None:
        page = self.olga.page
        page.locator("li:has(#preset-gw2-ranked)").get_by_role("button").click()
        page.get_by_role("link", name="Divisions").click()
        self.album.take("wizard-divisions", page)

    def arena(self) -> None:
        self.album.take("arena", self.change_page(self.football))

    def decay(self) -> None:
        page = self.change_page(self.football)
        page.locator("#section-decay > summary").click()
        page.fill("[name=season_decay__points]", "700")
        page.get_by_text("points a day after").last.wait_for()
        self.album.take("decay", page.locator("#section-decay"))

    def trial(self) -> None:
        page = self.change_page(self.football)
        page.locator("#section-system-glicko-2 > summary").click()
        page.fill("[name=glicko-2__deviation_period]", "30d")
        page.get_by_role("button", name="Try these rules").click()
        self.wait_for_job(page)
        self.album.take("trial", page)

    def comparison(self) -> None:
        page = self.change_page(self.football)
        page.locator(".object-tools").get_by_role("link", name="Other rules").click()
        page.get_by_role("button", name="Try", exact=True).click()
        page.get_by_role("link", name="Show the result").click(timeout=300_000)
        self.album.take("comparison", page)

    def evening(self) -> None:
        page = self.olga.open(reverse("admin:league_arena_evening", args=[self.practice.pk]))
        for row in (("Scotland", "England", "2:1"), ("Wales", "Scotland", "draw"),
                    ("England", "Wales", "4:2"), ("Brazil", "Argentna", "1")):  # fmt: skip
            for cell in row:
                page.keyboard.type(cell)
                page.keyboard.press("Enter" if cell == row[-1] else "Tab")
        page.get_by_text("Did you mean").wait_for()
        page.mouse.move(0, 0)
        self.album.take("evening", page)

    def import_file(self) -> None:
        page = self.olga.open(reverse("admin:league_arena_import", args=[self.football.pk]))
        content = RESULTS.format(day=f"{now() - timedelta(days=1):%d.%m.%Y}").encode()
        page.get_by_label("File").set_input_files(
            {"name": "evening.csv", "mimeType": "text/csv", "buffer": content}
        )
        page.get_by_role("button", name="Next: the columns").click()
        page.get_by_role("button", name="Check the file").wait_for()
        self.album.take("import-columns", page)
        page.get_by_role("button", name="Check the file").click()
        self.wait_for_job(page)
        self.album.take("import", page)

    def undo(self) -> None:
        match = Match.objects.filter(arena=self.football, status="rated").latest("played_at")
        page = self.olga.open(f"/matches/{match.pk}/correct/")
        page.get_by_role("radio", name="void").check()
        page.get_by_label("Reason").fill("It was a friendly.")
        page.get_by_role("button", name="Preview").click()
        page.get_by_role("button", name="Void this match").click()
        page.get_by_role("link", name="Undo the void as staff").click()
        page.get_by_label("Reason").fill("It counted after all.")
        self.album.take("undo", page)

    def file(self) -> None:
        player = Player.objects.get(name="Brazil")
        self.album.take(
            "file", self.olga.open(reverse("admin:league_player_file", args=[player.pk]))
        )

    def first_page(self) -> None:
        note_days(now())
        self.album.take("first-page", self.olga.open("/admin/"))
