"""The number of statements of a page does not grow with the rows that it shows."""

from collections.abc import Iterable, Sequence

from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import Arena, Competition, Notice, Player
from league.services.results.reports.answers import confirm
from tests.support.cast import NOW, account, beats
from tests.support.competition_steps import begun
from tests.support.web_steps import browser_of


def statements(reader: Player, addresses: Iterable[str]) -> dict[str, int]:
    """Return how many statements each page takes when it is opened for the second time."""
    browser, found = browser_of(reader), {}
    for address in addresses:
        assert browser.get(address).status_code == 200, address
        with CaptureQueriesContext(connection) as asked:
            browser.get(address)
        found[address] = len(asked)
    return found


def wins(winner: Player, loser: Player, arena: Arena) -> None:
    confirm(beats(winner, loser, arena).pk, by=loser, now=NOW)


def another(arena: Arena, olga: Player, players: Sequence[Player], kind: str) -> Competition:
    """Return a competition with a name of its own, whose first round is open."""
    one = begun(arena, olga, players, kind)
    one.name = f"Cup {one.pk}"
    one.save(update_fields=["name"])
    return one


def test_pages_of_every_day_take_as_many_statements_with_many_rows(
    duel: Arena, alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    others = [account(f"Player {number}") for number in range(7)]
    cup = another(duel, olga, [alice, bob, charlie, *others[:2]], "table")
    swiss = another(duel, olga, [alice, bob, charlie], "swiss")
    for other in (bob, charlie):
        wins(alice, other, duel)
    addresses = [
        "/",
        "/schedule/",
        "/competitions/",
        "/play/",
        "/inbox/",
        "/matches/waiting/",
        "/arenas/duel/",
        "/arenas/duel/leaderboard/",
        "/arenas/duel/competitions/",
        "/arenas/duel/dates/",
        "/arenas/duel/how-it-works/",
        "/arenas/duel/seasons/",
        *(
            f"/players/{alice.pk}/{part}"
            for part in ("", "matches/", "records/", f"against/{bob.pk}/", "compare/")
        ),
        *(f"/embed/{part}/" for part in ("arenas/duel", f"players/{alice.pk}")),
        "/arenas/duel/results.atom",
        "/search/?q=Player",
        "/sitemap-players.xml",
    ]
    few = statements(alice, addresses)
    notices = Notice.objects.filter(player=alice).count()

    large = another(duel, olga, [alice, bob, charlie, *others], "table")
    another(duel, olga, [alice, *others], "single")
    for other in others:
        wins(alice, other, duel)
    assert Notice.objects.filter(player=alice).count() > notices + 1
    many = statements(alice, addresses)
    assert {page: many[page] for page in few if many[page] > few[page]} == {}, few

    small_one, other_one = (each.get_absolute_url() for each in (cup, large))
    assert statements(alice, [other_one])[other_one] <= statements(alice, [small_one])[small_one]
    assert statements(alice, [swiss.get_absolute_url()])[swiss.get_absolute_url()] <= 20
    assert Competition.objects.count() == 4
