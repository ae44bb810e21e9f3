"""The permission table of competitions, on the pages, in the API and in the admin."""

from collections.abc import Callable
from datetime import timedelta

from django.utils import timezone

from league.models import Competition, Entrant, Fixture
from league.services.competitions import progress
from league.services.competitions.exports import calendars
from league.services.competitions.running import entering, starting
from tests.support.permission_objects import Fields, in_arena
from tests.support.permission_roles import (
    ADMIN_ONLY,
    LOGGED_IN,
    OPEN,
    PERMITTED,
    Row,
    World,
    form,
)
from tests.support.result_steps import rules, user_of


def a_competition(world: World) -> Competition:
    """A competition that takes entries, and that nobody has entered yet."""
    if "competition" not in world.extras:
        now = timezone.now()
        one = Competition.objects.create(
            season=world.rated.season, name="Open Cup", starts_at=now + timedelta(days=1)
        )
        world.extras["competition"] = starting.open_for_entries(
            one.pk, by=user_of(world.olga), now=now
        )
    made: Competition = world.extras["competition"]
    return made


def a_draft_of_a_competition(world: World) -> Competition:
    """A competition that nobody but staff can see, and that can be deleted."""
    start = timezone.now() + timedelta(days=30)
    return Competition.objects.create(season=world.rated.season, name="Draft", starts_at=start)


def a_fixture(world: World) -> Fixture:
    """A fixture of Alice and Charlie in a competition that runs."""
    return a_fixture_of(world, "table")


def a_fixture_of(world: World, format_: str) -> Fixture:
    if f"fixture of {format_}" not in world.extras:
        now = timezone.now()
        start = now + timedelta(seconds=1)
        one = Competition.objects.create(
            season=world.rated.season, name=f"Cup {format_}", format=format_, starts_at=start
        )
        starting.open_for_entries(one.pk, by=user_of(world.olga), now=now)
        for player in (world.alice, world.charlie):
            entering.register(one.pk, by=player, now=now)
        progress.sweep(start)
        world.extras[f"fixture of {format_}"] = one.fixtures.with_sides().get()
    made: Fixture = world.extras[f"fixture of {format_}"]
    return made


def an_entrant(world: World) -> Entrant:
    """Alice's entry in that competition."""
    entrant = a_fixture(world).home
    assert entrant
    return entrant


def in_the_competition(world: World) -> Fields:
    return in_arena(world) | {"pk": a_competition(world).pk}


def in_the_fixture(world: World) -> Fields:
    one = a_fixture(world)
    return in_arena(world) | {"pk": one.competition_id, "number": one.number}


def of_the_running_one(world: World) -> Fields:
    return {"pk": a_fixture(world).competition_id}


def of_the_open_one(world: World) -> Fields:
    return {"pk": a_competition(world).pk}


def alices_calendar(world: World) -> Fields:
    return {"token": calendars.token_of(world.alice)}


def in_the_first_round(world: World) -> Fields:
    return of_the_table(world) | {"number": 1}


def of_the_table(world: World) -> Fields:
    return in_arena(world) | of_the_running_one(world)


def in_a_file(world: World) -> Fields:
    return in_the_competition(world) | {"what": "schedule", "kind": "csv"}


def in_the_final(world: World) -> Fields:
    final = a_fixture_of(world, "single")
    return in_arena(world) | {"pk": final.competition_id, "stage": "final", "number": 1}


NOT_ENTERED = "login refused refused refused refused refused"


def in_chess(where: Callable[[World], Fields]) -> Callable[[World], Fields]:
    """Let a game of the arena be worth a point: only such games are exported for chess programs."""

    def with_points(world: World) -> Fields:
        rules(world.rated.season.arena, highest_score=1)
        return where(world)

    return with_points


COMPETITIONS = [
    Row("own_calendar", "GET", OPEN, where=alices_calendar),
    Row("competition_calendar", "GET", OPEN, where=in_the_competition),
    Row("competition_file", "GET", OPEN, where=in_a_file),
    Row("competition_pgn", "GET", OPEN, where=in_chess(in_the_competition)),
    Row("competition_trf", "GET", OPEN, where=in_chess(of_the_table)),
    Row("round_pgn", "GET", OPEN, where=in_chess(in_the_first_round)),
    Row("bracket_pgn", "GET", OPEN, where=in_chess(in_the_final)),
    *form("calendar_settings", LOGGED_IN, LOGGED_IN),
    Row("competitions", "GET", OPEN, where=in_arena),
    Row("competition", "GET", OPEN, where=in_the_competition),
    Row("competition_print", "GET", OPEN, where=in_the_competition),
    Row("fixture", "GET", OPEN, where=in_the_fixture),
    *form(
        "competition_entry",
        LOGGED_IN,
        LOGGED_IN,
        where=in_the_competition,
        data={"answer": "register"},
    ),
    *form(
        "competition_entrants",
        ADMIN_ONLY,
        ADMIN_ONLY,
        where=in_the_competition,
        data={"answer": "enter", "names": "Ines Sole"},
    ),
    *form(
        "competition_invitations",
        ADMIN_ONLY,
        ADMIN_ONLY,
        where=in_the_competition,
        data={"answer": "slips"},
    ),
    Row("competition_slips", "GET", ADMIN_ONLY, where=in_the_competition),
    *form(
        "competition_run",
        ADMIN_ONLY,
        ADMIN_ONLY,
        where=in_the_competition,
        data={"answer": "clock-set", "minutes": "45"},
    ),
    *form(
        "competition_pair",
        ADMIN_ONLY,
        ADMIN_ONLY,
        where=in_the_competition,
        data={"home": "1", "away": "2"},
    ),
    *form(
        "fixture_line_up",
        ADMIN_ONLY,
        ADMIN_ONLY.replace("ok", "refused"),  # players who play alone have no substitutes
        where=in_the_fixture,
        data={"result": "1"},
    ),
    Row("tv", "GET", OPEN),
    Row("tv_screen", "GET", OPEN, where={"key": "0b6ba0a4-3d4c-4b2e-8d5b-5a1f6a1d7c11"}),
    Row("competition_clock", "GET", OPEN, where=in_the_competition),
    Row("api:competition-entry", "POST", LOGGED_IN, where=of_the_open_one),
    Row("api:competition-entry", "DELETE", NOT_ENTERED, where=of_the_open_one),
    Row("api:competition-check-in", "POST", NOT_ENTERED, where=of_the_open_one),
    Row(
        "api:competition-withdrawal",
        "POST",
        "login refused ok ok refused refused",  # Alice and Charlie play in it
        where=of_the_running_one,
    ),
    Row("api:competition-return", "POST", NOT_ENTERED, where=of_the_open_one),
    Row(
        "api:competition-byes",
        "POST",
        NOT_ENTERED,
        where=of_the_open_one,
        data={"round": 2, "choice": "draw"},
    ),
    Row("api:competitions", "GET", OPEN, where=in_arena),
    Row("api:competition", "GET", OPEN, where=of_the_running_one),
    Row("api:entrants", "GET", OPEN, where=of_the_running_one),
    Row("api:fixtures", "GET", OPEN, where=of_the_running_one),
    Row("api:table", "GET", OPEN, where=of_the_running_one),
]

STEPS = [
    Row("admin:league_competition_seasons", "GET", PERMITTED),
    *(
        Row(
            f"admin:league_competition_{step}",
            method,
            PERMITTED,
            where=lambda world: {"pk": a_competition(world).pk},
            data={"reason": "Rain."},
        )
        for step in ("open", "start", "field", "pair", "cancel")
        for method in ("GET", "POST")
    ),
    *(
        Row(
            f"admin:league_entrant_{step}",
            method,
            PERMITTED,
            where=lambda world: {"pk": an_entrant(world).pk},
            data={"reason": "Ill.", "round": 2, "choice": "draw"},
        )
        for step in ("withdraw", "return", "bye")
        for method in ("GET", "POST")
    ),
    *(
        Row(
            f"admin:league_fixture_{step}",
            method,
            PERMITTED,
            where=lambda world: {"pk": a_fixture(world).pk},
            data={"reason": "Rain.", "result": "home"},
        )
        for step in ("decide", "date", "match", "take_off", "keep")
        for method in ("GET", "POST")
    ),
]
