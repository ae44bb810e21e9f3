"""The cost of admin pages in a league of a million players and a million matches.

    python -m benchmarks.admin_pages [PLAYERS]

Every page of the admin that can be read is opened by a superuser through the whole stack: lists,
forms to add and to change, histories, and the pages that are not Django's. Each preview beside the
fields of a form is sent what the form shows. Times are medians in
processor time of this process, in rounds, so that a busy machine slows all pages alike.
"""

from __future__ import annotations

import statistics
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from benchmarks.corrections import without_foreign_keys
from benchmarks.scratch import machine, scratch_league

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client

    from tests.support.permission_roles import World

ROUNDS = 5
TURNS = 3
"""Requests of a page in each round."""
MOST_SECONDS, MOST_STATEMENTS = 0.060, 20
MOST_SECONDS_TYPING = 0.200
"""For a preview, which answers while somebody types."""
FIRST = 1_000_000
"""The ids of players and matches that are copied are above it, all others below."""

STEP = 30
"""Seconds between two matches: a million are played in most of a year."""
OWN = {
    "league_match": {
        "id": "%(first)s + k",
        "played_at": "%(now)s - %(step)s * k * interval '1 second'",
        "rated_order": "%(first)s + k",
        **dict.fromkeys(
            ("client_token", "lineup", "result_digest", "report_digest"), "gen_random_uuid()"
        ),
    },
    "league_side": {
        "id": "%(first)s + 2 * k + index",
        "match_id": "%(first)s + k",
        "captain_id": "%(first)s + (2 * k + index) %% %(players)s",
    },
    "league_participant": {
        "id": "%(first)s + 2 * k + side_id - %(side)s",
        "match_id": "%(first)s + k",
        "side_id": "%(first)s + 2 * k + side_id - %(side)s",
        "player_id": "%(first)s + (2 * k + side_id - %(side)s) %% %(players)s",
    },
    "league_ratingevent": {
        "id": "%(first)s + 2 * k + id - %(event)s",
        "match_id": "%(first)s + k",
        "player_id": "%(first)s + (2 * k + id - %(event)s) %% %(players)s",
        "rated_at": "%(now)s - %(step)s * k * interval '1 second'",
        "games": "1 + 2 * k / %(players)s",
    },
    "league_staffaction": {
        "id": "%(first)s + k",
        "at": "%(now)s - %(step)s * k * interval '1 second'",
    },
}
"""The columns in which each copy of a row has values of its own."""


PLAYERS = """
    INSERT INTO league_player
        (id, name, folded_name, skeleton, search_name, sort_name, may_resemble, created_at)
    SELECT n, 'Player ' || n, 'player ' || n, 'player ' || n, 'player ' || n, 'player ' || n,
        false, now()
    FROM generate_series(%(first)s, %(first)s + %(count)s - 1) AS n
"""
RATINGS = """
    INSERT INTO league_rating (season_id, player_id, rating, deviation, volatility, games,
        last_played_at, memory)
    SELECT %(season)s, n, random() * 3000, 80, 0.06, 50, %(now)s, '{}'
    FROM generate_series(%(first)s, %(first)s + %(count)s - 1) AS n
"""


def ask(statement: str, values: Any = None) -> Any:
    """Run a statement and return its rows, if it has any."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall() if cursor.description else None


@dataclass
class Page:
    """An address, and what its requests cost."""

    name: str
    address: str
    sent: dict[str, Any] | None = None
    """The form that a preview gets. It answers with a part of a page."""
    statements: int = 0
    seconds: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def is_within(self) -> bool:
        most = MOST_SECONDS if self.sent is None else MOST_SECONDS_TYPING
        return self.median <= most and self.statements <= MOST_STATEMENTS

    def ask(self, client: Client) -> Any:
        if self.sent is None:
            return client.get(self.address)
        return client.post(self.address, self.sent, headers={"HX-Request": "true"})

    def __str__(self) -> str:
        mark = "" if self.is_within else "  more than wanted"
        return f"{self.name:<58}{1e3 * self.median:>9.1f}{self.statements:>12}{mark}"


def main(players: int) -> None:
    with scratch_league():
        from django.core.management import call_command

        call_command("collectstatic", interactive=False, verbosity=0)
        began = time.perf_counter()
        world = fill_world(players)
        print(machine())
        print(f"{players:,} players and matches: {time.perf_counter() - began:.0f} s\n")
        report(measure(world))


def report(pages: list[Page]) -> None:
    print(f"{'page':<58}{'CPU ms':>9}{'statements':>12}")
    print(*sorted(pages, key=lambda page: page.median, reverse=True), sep="\n")
    within = sum(page.is_within for page in pages)
    print(
        f"\n{within} of {len(pages)} pages take at most {1e3 * MOST_SECONDS:.0f} ms, "
        f"previews {1e3 * MOST_SECONDS_TYPING:.0f} ms, and {MOST_STATEMENTS} statements"
    )


def fill_world(players: int) -> World:
    """Return a world with a row of every model, and a million of those that leagues have."""
    from tests.support.permission_furnish import furnish
    from tests.support.permission_roles import build_world

    world = build_world()
    furnish(world)
    values = values_of(world, players)
    for statement in (PLAYERS, RATINGS):
        ask(statement, values)
    with without_foreign_keys():
        for table in OWN:
            ask(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            multiply(table, values)
            ask(f"ALTER TABLE {table} ENABLE TRIGGER USER")
    ask("VACUUM ANALYZE")
    rank(world)
    return world


def values_of(world: World, players: int) -> dict[str, Any]:
    from league.models import RatingEvent, Side
    from league.services.core.clock import database_now

    match = world.rated
    return {
        "first": FIRST,
        "count": players,
        "players": players,
        "season": match.season_id,
        "now": database_now(),
        "step": STEP,
        "match": match.pk,
        "side": Side.objects.filter(match=match).order_by("index")[0].pk,
        "event": RatingEvent.objects.filter(match=match).order_by("id")[0].pk,
    }


def multiply(table: str, values: dict[str, Any]) -> None:
    """Copy what the rated match of the world has in a table, once for each player."""
    columns = [
        row[0]
        for row in ask(
            "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0"
            " AND NOT attisdropped ORDER BY attnum",
            [table],
        )
    ]
    of = "id" if table == "league_match" else "match_id"
    chosen = ", ".join(OWN[table].get(name, name) for name in columns)
    ask(
        f"INSERT INTO {table} ({', '.join(columns)}) SELECT {chosen} FROM {table}"
        f" CROSS JOIN generate_series(0, %(count)s - 1) AS k WHERE {of} = %(match)s",
        values,
    )


def rank(world: World) -> None:
    from league.services.core.clock import database_now
    from league.services.standings.rebuilding import rebuild

    rebuild(world.rated.season, database_now())


def measure(world: World) -> list[Page]:
    """Return the pages that can be read, with their costs."""
    from django.test import Client, override_settings

    from tests.support.permission_roles import Role

    user = world.user(Role.ADMIN)
    assert user is not None
    with override_settings(ALLOWED_HOSTS=["localhost"]):
        client = Client(SERVER_NAME="localhost", raise_request_exception=False)
        client.force_login(user)
        asked = [*list_pages(world), *previews()]
        pages = [page for page in asked if is_readable(client, page)]
        for _ in range(ROUNDS):
            for page in pages:
                run(client, page)
    return pages


def list_pages(world: World) -> Iterator[Page]:
    """Yield the pages of the admin itself, whose rows others need, then those of all models."""
    from tests.support.permission_matrix_admin import ADMIN
    from tests.support.permission_roles import fields_in
    from tests.support.permission_walk import MODEL_ROUTES, address_of, model_address

    for row in ADMIN:
        if row.method == "GET" and row.route.startswith("admin:"):
            query = "&".join(
                f"{name}={value}" for name, value in fields_in(world, row.query).items()
            )
            address = address_of(row, world) + (f"?{query}" if query else "")
            yield Page(row.route.removeprefix("admin:"), address)
    for route in MODEL_ROUTES:
        yield Page(route.name.removeprefix("admin:") or route.pattern, model_address(route))


def previews() -> Iterator[Page]:
    """Yield the previews of the first row of each form that has some, with what it shows."""
    from django.apps import apps
    from django.contrib import admin
    from django.urls import reverse

    from league.admin.core.previews import Previews, Saved

    models: list[Any] = [each for each in apps.get_models() if admin.site.is_registered(each)]
    for model in models:
        form_page = admin.site.get_model_admin(model)
        if not isinstance(form_page, Previews) or (row := model.objects.first()) is None:
            continue
        shown = {
            name: value
            for name, value in Saved(form_page.form(instance=row)).items()
            if value is not False and not isinstance(value, list)
        }
        name = form_page.opts.model_name
        for kind in form_page.previews:
            address = reverse(f"admin:league_{name}_preview", args=[kind])
            yield Page(f"{name}: preview of {kind}", f"{address}?of={row.pk}", shown)


def is_readable(client: Client, page: Page) -> bool:
    """Open a page for the first time and count its statements. Redirects and files are none."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    answer = page.ask(client)
    if answer.status_code != 200 or answer.streaming:
        return False
    with CaptureQueriesContext(connection) as found:
        page.ask(client)
    page.statements = len(found)
    return True


def run(client: Client, page: Page) -> None:
    """Request a page several times."""
    for _ in range(TURNS):
        began = time.process_time()
        page.ask(client)
        page.seconds.append(time.process_time() - began)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
