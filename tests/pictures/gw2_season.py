"""A season of the published Ranked Arena, played from the import of its file to its archive.

Everybody uses pages: the admin the Django admin, players those of the site. Two players and the
captains look at theirs in a browser, and the others send the same forms. Three things are done
behind the pages: the file is imported with ``manage.py arena_import``, accounts are created, and
days pass in a moment.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from io import StringIO
from pathlib import Path

from django.core.management import call_command
from django.urls import reverse
from playwright.sync_api import Browser, Locator, Page, expect

from league.models import Arena, Discipline, Match, Status, User
from league.services.people.players import register
from tests.attacks.time import passes
from tests.pictures.shots import browser
from tests.pictures.visitors import Album, Person, until

FILE = Path(__file__).resolve().parents[1] / "support" / "published.xml"
SLUG = "ranked-arena"
QUEUE = f"/arenas/{SLUG}/queue/"
NAMES = ("Alice", "Bob", "Charlie", "Dora", "Eve", "Frank", "Grace", "Henry", "Ivy", "Jack")
PROFESSIONS = ("Elementalist", "Guardian", "Mesmer", "Necromancer", "Ranger")
CONQUEST, STRONGHOLD = "Conquest", "Stronghold"
A_DAY = timedelta(days=1)
AWAY = 6 * A_DAY
"""Half of the week after the grace period of three days, so decay takes three sevenths of 700."""
FOR_TEN_PLAYERS = {
    "queue__potentials_min": "9",
    "queue__rating_min": "1200",
    "queue__rank_min": "0",
    "queue__iteration_interval": "3s",
}
"""The published queue needs 21 waiting players of rank 20 and similar ratings."""
FOR_A_SHORT_SEASON = {
    "season_points__starts": "",
    "season_points__ends": "",
    "season_ranked__placement_matches": "3",
}


def play(address: str, folder: Path) -> Iterator[str]:
    """Play the season, take pictures into ``folder`` and yield what happened in each step."""
    with browser() as chromium:
        season = Played(chromium, address, Album(folder))
        yield season.import_file()
        yield season.read_rules()
        yield season.adapt_arena()
        yield season.adapt_queue()
        season.invite()
        yield season.queue_by_hand()
        yield season.accept_by_hand()
        yield season.report_by_hand()
        yield season.play_on()
        yield season.show_boards()
        yield season.decline()
        yield season.stay_away()
        yield season.end()
        yield season.open_next()
        yield season.play_again()
        yield season.show_archive()


@dataclass
class Played:
    """The season, its admin and its players, step by step."""

    chromium: Browser
    address: str
    album: Album
    players: list[Person] = field(default_factory=list)

    # The admin

    def import_file(self) -> str:
        """Olga sets up an empty league and imports the published file."""
        self.olga = Person.come(self.chromium, self.address)
        page = self.olga.open("/")
        page.get_by_label("Name").fill("Olga")
        page.get_by_label("Password", exact=True).fill("a quiet harbour in June")
        page.get_by_label("Password again").fill("a quiet harbour in June")
        page.get_by_role("button", name="Create the admin").click()
        page.wait_for_url("**/admin/")
        told = StringIO()
        call_command("arena_import", str(FILE), by="olga", stdout=told)
        self.arena = Arena.objects.get(slug=SLUG)
        self.season = self.arena.seasons.get()
        page = self.olga.open(reverse("admin:league_arena_changelist"))
        self.album.take("arenas", page)
        return f"Import: {told.getvalue()}"

    def read_rules(self) -> str:
        """Olga reads what became of the file."""
        page = self.olga.open(all_of("league_arena", self.arena.pk))
        self.album.take("admin-placement", fieldset(page, "Seasons: starting ratings"))
        self.album.take("admin-decay", fieldset(page, "Seasons: decay"))
        self.album.take("admin-points", fieldset(page, "Seasons: ladder points"))
        rules = Discipline.objects.get()
        page = self.olga.open(all_of("league_discipline", rules.pk))
        self.album.take("admin-dishonor", page)
        page = self.olga.open(all_of("league_arenaqueue", self.queue_id))
        self.album.take("admin-prediction", fieldset(page, "Prediction: each side"))
        return f"Rules: modes {', '.join(self.arena.modes)}"

    @property
    def queue_id(self) -> int:
        return int(self.arena.queue.pk)

    def adapt_arena(self) -> str:
        """Olga empties the dates of 2015 and asks for fewer placement matches."""
        page = self.olga.open(all_of("league_arena", self.arena.pk))
        return f"Arena: {self.save(page, FOR_A_SHORT_SEASON, 'admin-saved')}"

    def adapt_queue(self) -> str:
        """Olga lets ten players be enough for a match."""
        page = self.olga.open(all_of("league_arenaqueue", self.queue_id))
        told = self.save(page, FOR_TEN_PLAYERS)
        self.album.take("admin-queue", fieldset(page, "Queue: requirements"))
        self.album.take("how-it-works", self.olga.open(f"/arenas/{SLUG}/how-it-works/"))
        return f"Queue: {told}"

    def save(self, page: Page, changes: dict[str, str], picture: str = "") -> str:
        """Change fields of an admin page, save it, and return the messages."""
        for name, value in changes.items():
            page.locator(f'[name="{name}"]').fill(value)
        page.get_by_role("button", name="Save and continue editing").click()
        messages = page.locator(".messagelist li.success")
        expect(messages.first).to_be_visible()
        if picture:
            self.album.take(picture, page)
        return " ".join(page.locator(".messagelist li").all_inner_texts())

    # Matches

    def invite(self) -> None:
        """Ten players have accounts and log in."""
        self.players = [self.account(name) for name in NAMES]
        self.alice, self.bob, *_others = self.players

    def account(self, name: str) -> Person:
        player = register(User.objects.create_user(username=name.lower()), name)
        return Person.come(self.chromium, self.address, player)

    def queue_by_hand(self) -> str:
        """Alice and Bob queue for Conquest in their browsers, the others after them."""
        page = self.alice.open(QUEUE)
        page.get_by_label(STRONGHOLD).uncheck()
        page.get_by_label("Your profession").fill(PROFESSIONS[0])
        self.album.take("queue", page)
        page.get_by_role("button", name="Queue alone").click()
        expect(page.get_by_role("heading", name="You are in the queue")).to_be_visible()
        self.album.take("waiting", page)
        page = self.bob.open(QUEUE)
        page.get_by_label(STRONGHOLD).uncheck()
        page.get_by_label("Your profession").fill(PROFESSIONS[1])
        page.get_by_role("button", name="Queue alone").click()
        self.join(self.players[2:], [CONQUEST])
        for person in (self.alice, self.bob):
            expect(person.page.get_by_role("heading", name="Match found")).to_be_visible()
        return f"Queue: {seen(self.alice.page, '#state')}"

    def accept_by_hand(self) -> str:
        """All accept the match, and Alice reads why it was made."""
        self.album.take("ready-check", self.alice.page)
        self.accept(self.players[2:])
        self.alice.page.get_by_role("button", name="Accept").click()
        expect(self.alice.page.get_by_text("You have accepted")).to_be_visible()
        self.bob.page.get_by_role("button", name="Accept").click()
        self.bob.page.get_by_role("link", name="Go to the match").click()
        self.alice.page.wait_for_url(re.compile(r"/matches/\d+/$"))
        page = self.alice.page
        page.get_by_text("Why this match").click()
        expect(page.locator(".why-text li").first).to_be_visible()
        self.album.take("match", page)
        return f"Match: {seen(page, '.match-head')} | {seen(page, '.why-text')}"

    def report_by_hand(self) -> str:
        """A captain reports the result, and the other one confirms it."""
        match = self.live()
        one, other = self.captains(match)
        page = one.open(match.get_absolute_url())
        page.get_by_role("link", name="Report the result").click()
        self.fill_in(page, winner=0, scores=(500, 320))
        self.album.take("report", page)
        self.hand_in(page)
        page = other.open(match.get_absolute_url())
        self.album.take("confirm", page)
        self.confirm(page)
        self.album.take("rated", page)
        return f"Rated: {seen(page, '.match-head')} | {seen(page, '.seat')}"

    def play_on(self) -> str:
        """Two more matches, a day apart: one of Stronghold, one of either mode."""
        told = []
        for modes, winner, scores in (
            ([STRONGHOLD], 1, (210, 350)),
            ([CONQUEST, STRONGHOLD], 0, (500, 410)),
        ):
            passes(self.arena, A_DAY)
            self.join(self.players, modes)
            self.accept(self.players)
            page = self.settle(self.live(), winner=winner, scores=scores)
            if modes == [STRONGHOLD]:
                self.album.take("stronghold", page)
            told.append(seen(page, ".match-head"))
        return f"Played: {' | '.join(told)}"

    def join(self, people: Sequence[Person], modes: Sequence[str]) -> None:
        for person in people:
            person.read(QUEUE)
            profession = PROFESSIONS[self.players.index(person) % len(PROFESSIONS)]
            person.send(f"{QUEUE}join/", modes=list(modes), profession=profession)

    def accept(self, people: Sequence[Person]) -> None:
        """Let people accept the match that is found for them."""
        for person in people:
            person.send(f"{QUEUE}{self.check_of(person)}/answer/", answer="accept")

    def check_of(self, person: Person) -> str:
        """Return the number of a person's ready check, as soon as their page shows one."""
        asks = re.compile(r"/queue/(\d+)/answer/")
        return until(lambda: asks.search(person.read(QUEUE)), "a match is found")[1]

    def live(self) -> Match:
        return Match.objects.get(arena=self.arena, status=Status.LIVE)

    def captains(self, match: Match) -> list[Person]:
        people = {person.player: person for person in self.players}
        return [people[side.captain] for side in match.sides.order_by("index")]

    def settle(self, match: Match, *, winner: int, scores: tuple[int, int]) -> Page:
        """Let a captain report the result and the other confirm it; return the latter's page."""
        one, other = self.captains(match)
        page = one.open(f"{match.get_absolute_url()}report/")
        self.fill_in(page, winner=winner, scores=scores)
        self.hand_in(page)
        page = other.open(match.get_absolute_url())
        self.confirm(page)
        return page

    def fill_in(self, page: Page, *, winner: int, scores: tuple[int, int]) -> None:
        page.locator(f'[name="outcome"][value="{winner}"]').check()
        for side, score in enumerate(scores):
            page.locator(f'[name="score-{side}"]').fill(str(score))

    def hand_in(self, page: Page) -> None:
        page.get_by_role("button", name="Report this result").click()
        page.wait_for_url(re.compile(r"/matches/\d+/$"))

    def confirm(self, page: Page) -> None:
        page.get_by_role("button", name="Yes, confirm").click()
        expect(page.get_by_role("heading", name="Rating changes")).to_be_visible()

    # What became of it

    def show_boards(self) -> str:
        """The boards list everybody, by rating and by points."""
        visitor = Person.come(self.chromium, self.address)
        board, points = f"/arenas/{SLUG}/leaderboard/", f"/arenas/{SLUG}/points/"
        until(
            lambda: visitor.read(board).count('class="rank rank-') == len(NAMES), "all are ranked"
        )
        until(lambda: 'class="rank rank-' in visitor.read(points), "points are listed")
        self.album.take("leaderboard", visitor.open(board))
        told = seen(visitor.page, "table.ranks")
        self.album.take("points", visitor.open(points))
        told += f" | {seen(visitor.page, 'table.ranks')}"
        alice = self.player_page(self.alice)
        self.album.take("player", visitor.open(alice))
        phone = Person.come(self.chromium, self.address, width=360)
        self.album.take("phone-player", phone.open(alice))
        return f"Boards: {told}"

    def player_page(self, person: Person) -> str:
        assert person.player
        return f"{person.player.get_absolute_url()}?season={self.season.pk}"

    def decline(self) -> str:
        """Alice declines a match: she gets stacks and a timeout, the others wait on."""
        self.join(self.players, [CONQUEST, STRONGHOLD])
        self.check_of(self.alice)
        page = self.alice.open(QUEUE)
        page.get_by_role("button", name="Decline").click()
        page.get_by_text("You are in a timeout").first.wait_for()
        self.album.take("timeout", page)
        told = seen(page, "#state")
        self.album.take("called-off", self.bob.open(QUEUE))
        told += f" | {seen(self.bob.page, '#state')}"
        self.album.take("dishonor", self.alice.open("/settings/dishonor/"))
        told += f" | {seen(page, '.figures')}"
        for person in self.players[1:]:
            person.send(f"{QUEUE}leave/")
        return f"Declined: {told}"

    def stay_away(self) -> str:
        """Nobody plays for six days, and decay takes points from everybody."""
        passes(self.arena, AWAY)
        bob = self.player_page(self.bob)
        until(lambda: "Decay has taken" in self.bob.read(bob), "decay takes points")
        page = self.bob.open(bob)
        self.album.take("decay", page)
        told = page.get_by_text("Decay has taken").first.inner_text()
        page = self.bob.open(f"/arenas/{SLUG}/leaderboard/")
        self.album.take("decay-leaderboard", page)
        return f"Decay: {told} | {seen(page, 'table.ranks')}"

    def end(self) -> str:
        """Olga ends the season and archives it."""
        page = self.olga.open(all_of("league_arena", self.arena.pk))
        page.get_by_role("link", name="Preview and end").click()
        self.album.take("admin-end", page)
        page.get_by_role("button", name="End the season now").click()
        page.get_by_role("button", name="Archive it now").click()
        page.wait_for_url(re.compile(rf"/seasons/{self.season.pk}/$"))
        return f"Ended: {page.url}"

    def open_next(self) -> str:
        """Olga opens the next season, which moves all ratings half-way to the centre."""
        page = self.olga.open(all_of("league_arena", self.arena.pk))
        page.get_by_role("link", name="Open a new season").click()
        self.album.take("admin-open", page)
        told = seen(page, "#content-main")
        page.get_by_role("button", name="Open the season").click()
        expect(page.locator(".messagelist li.success")).to_be_visible()
        return f"Opened: {told}"

    def play_again(self) -> str:
        """Alice is still in her timeout. The others meet a newcomer in the new season."""
        self.players = [*self.players[1:], self.account("Kim")]
        self.join(self.players, [CONQUEST, STRONGHOLD])
        self.accept(self.players)
        match = self.live()
        assert match.season_id != self.season.pk
        page = self.settle(match, winner=0, scores=(500, 475))
        self.album.take("second-season", page)
        moves = page.locator(".seat").all_inner_texts()
        return f"Second season: {' | '.join(' '.join(move.split()) for move in moves)}"

    def show_archive(self) -> str:
        """Everybody can read the archive, now and for good."""
        visitor = Person.come(self.chromium, self.address)
        page = visitor.open(f"/seasons/{self.season.pk}/")
        self.album.take("archive", page)
        told = seen(page, "table.ranks")
        page = visitor.open(f"/seasons/{self.season.pk}/points/")
        self.album.take("archive-points", page)
        phone = Person.come(self.chromium, self.address, width=360)
        self.album.take("phone-archive", phone.open(f"/seasons/{self.season.pk}/"))
        return f"Archive: {told} | {seen(page, 'table.ranks')}"


def all_of(model: str, pk: int) -> str:
    """Return the address of a long form with all of its sections open."""
    return f"{reverse(f'admin:{model}_change', args=[pk])}?sections=open"


def fieldset(page: Page, title: str) -> Locator:
    """Return the part of an admin page with this heading."""
    return page.locator("fieldset").filter(has=page.get_by_role("heading", name=title)).first


def seen(page: Page, selector: str) -> str:
    """Return the text of a part of a page on one line."""
    return " ".join(page.locator(selector).first.inner_text().split())
