"""The permission table of the API, but for domains with a table of their own."""

from typing import Any

from league.models import ArenaQueue, Match
from league.services.core.clock import database_now
from tests.support.api_steps import win
from tests.support.permission_matrix import REPORTING, TALKING
from tests.support.permission_objects import (
    alices_roster,
    an_archive,
    eves_invitation,
    eves_penalty,
    in_eves_found_match,
    in_ladder,
    in_ready_check,
    in_regions,
    in_teams,
)
from tests.support.permission_objects_admin import a_file
from tests.support.permission_objects_results import (
    a_correction,
    a_fresh_result,
    a_void_report,
    accused,
    an_image,
    countered,
    discussed,
    objected_to,
)
from tests.support.permission_roles import (
    ADMIN_ONLY,
    LOGGED_IN,
    METHODS,
    OPEN,
    Role,
    Row,
    World,
    form,
)

Fields = dict[str, Any]

CAPTAINS = "login forbidden ok ok forbidden forbidden"
ANSWERING = "login forbidden forbidden ok forbidden forbidden"
NOWHERE = "missing missing missing missing missing missing"


def in_arena(world: World) -> Fields:
    return {"slug": world.arena.slug}


def of_alice(world: World) -> Fields:
    return {"pk": world.alice.pk}


def of(match: Match) -> Fields:
    return {"pk": match.pk}


def a_row_of_results(_world: World) -> Fields:
    row = {"played_at": "2026-02-01T12:00:00Z", "side_1": "Alice", "side_2": "Nova", "winner": "1"}
    return {"rows": [row], "dry_run": True}


def the_file(world: World) -> Fields:
    return {"pk": a_file(world).pk}


def a_row_of_players(_world: World) -> Fields:
    return {"rows": [{"name": "Nova"}], "dry_run": True}


def alice_against_eve(world: World) -> Fields:
    return {"sides": f"{world.alice.pk};{world.eve.pk}"}


def in_queue(world: World) -> Fields:
    ArenaQueue.objects.get_or_create(arena=world.arena)
    return in_arena(world)


def the_ready_check(world: World) -> Fields:
    return {"pk": in_ready_check(world)["pk"]}


def two_who_are_free(world: World) -> Fields:
    free = [world.eve.pk, world.people[Role.STAFF].pk]
    return {"sides": [{"captain": pk, "players": [pk]} for pk in free]}


def an_insult(world: World) -> Fields:
    return {"player": world.alice.pk, "reason": "Insults", "note": "Many."}


def a_played_date(world: World) -> Fields:
    return {"sides": [{"place": 0}, {"place": 1}], "played_at": database_now().isoformat()}


API = [
    Row("api:arenas", "GET", OPEN),
    Row("api:arena", "GET", OPEN, where=in_arena),
    Row("api:player-records", "GET", OPEN, where=of_alice),
    Row(
        "api:player-compare",
        "GET",
        OPEN,
        where=of_alice,
        query=lambda world: {"others": str(world.charlie.pk)},
    ),
    Row(
        "api:player-against",
        "GET",
        OPEN,
        where=lambda world: {"pk": world.alice.pk, "other": world.charlie.pk},
    ),
    Row("api:opponents", "GET", LOGGED_IN, where=in_arena, query={"search": "al"}),
    Row(
        "api:match-why",
        "GET",
        "login ok missing missing missing missing",
        where=in_eves_found_match,
    ),
    Row("api:arena-rules", "GET", OPEN, where=in_arena),
    Row("api:leaderboard", "GET", OPEN, where=in_arena),
    Row("api:distribution", "GET", OPEN, where=in_arena),
    Row("api:inactive", "GET", OPEN, where=in_arena),
    Row("api:bulk-results", "POST", ADMIN_ONLY, where=in_arena, data=a_row_of_results),
    Row("api:bulk-players", "POST", ADMIN_ONLY, where=in_arena, data=a_row_of_players),
    # JSON is no file, and this one has not been imported.
    Row("api:sent-results", "POST", ADMIN_ONLY.replace("ok", "refused"), where=in_arena),
    Row("api:file-import", "GET", ADMIN_ONLY, where=the_file),
    Row(
        "api:file-import-undo",
        "POST",
        ADMIN_ONLY.replace("ok", "refused"),
        where=the_file,
        data={"reason": "The wrong file."},
    ),
    Row("api:players", "GET", OPEN),
    Row("api:player", "GET", OPEN, where=of_alice),
    Row("api:player-ratings", "GET", OPEN, where=of_alice),
    Row("api:rating-history", "GET", OPEN, where=of_alice),
    Row(
        "api:player-report",
        "POST",
        "login ok refused ok ok ok",  # Alice cannot report herself
        where=of_alice,
        data={"reason": "other", "text": "So."},
    ),
    Row(
        "api:appeal",
        "POST",
        "login ok missing missing missing missing",
        where=eves_penalty,
        data={"text": "It was the power."},
    ),
    Row("api:player-level", "PUT", ADMIN_ONLY, where=of_alice, data={"level": 20}),
    Row("api:points", "GET", OPEN, where=in_ladder),
    Row("api:player-points", "GET", OPEN, where=of_alice),
    Row("api:notices", "GET", LOGGED_IN),
    Row("api:notices-read", "POST", LOGGED_IN),
    Row("api:matches", "GET", OPEN),
    Row("api:match", "GET", OPEN, where=lambda world: of(world.disputed)),
    Row("api:rating-systems", "GET", OPEN),
    Row("api:schema", "GET", OPEN),
    Row("api:docs", "GET", OPEN),
    Row(
        "api:reports",
        "POST",
        CAPTAINS,
        where=in_arena,
        data=lambda world: win(world.alice, world.charlie),
    ),
    Row(
        "api:results",
        "POST",
        ADMIN_ONLY,
        where=in_arena,
        data=lambda world: win(world.alice, world.charlie, reason="Played on site."),
    ),
    Row("api:live-matches", "POST", ADMIN_ONLY, where=in_arena, data=two_who_are_free),
    Row(
        "api:match-report",
        "POST",
        CAPTAINS,
        where=lambda world: of(world.live),
        data=lambda world: {"sides": [{"place": 0}, {"place": 1}]},
    ),
    Row(
        "api:match-events",
        "POST",
        "login forbidden forbidden forbidden forbidden forbidden",  # no server started it
        where=lambda world: of(world.live),
        data=lambda world: {
            "events": [{"number": 1, "winner": world.alice.pk, "loser": world.charlie.pk}]
        },
    ),
    Row(
        "api:match-figures",
        "POST",
        "login refused refused refused refused refused",  # this arena has no match figures
        where=lambda world: of(world.live),
        data=lambda world: {"players": [{"player": world.alice.pk, "figures": {"hits": 1}}]},
    ),
    Row(
        "api:match-penalties",
        "POST",
        "login forbidden forbidden forbidden forbidden forbidden",  # no server started it
        where=lambda world: of(world.live),
        data=an_insult,
    ),
    Row(
        "api:match-conduct",
        "POST",
        "login forbidden refused refused forbidden forbidden",  # the arena has no reasons
        where=lambda world: of(world.reported),
        data=an_insult,
    ),
    Row(
        "api:match-claim",
        "POST",
        ADMIN_ONLY.replace("ok", "refused"),  # it comes from no queue
        where=lambda world: of(world.live),
    ),
    Row(
        "api:match-void",
        "POST",
        ADMIN_ONLY.replace("ok", "forbidden"),  # nobody started it as a game server
        where=lambda world: of(world.live),
        data={"reason": "It crashed."},
    ),
    Row("api:match-leave", "POST", CAPTAINS, where=lambda world: of(world.live)),
    Row(
        "api:match-left",
        "POST",
        "login forbidden refused ok forbidden forbidden",
        where=accused,
        data={"left": False},
    ),
    Row("api:match-confirm", "POST", ANSWERING, where=lambda world: of(world.reported)),
    Row(
        "api:match-dispute",
        "POST",
        ANSWERING,
        where=lambda world: of(world.reported),
        data={"reason": "It was a draw."},
    ),
    Row(
        "api:match-change",
        "POST",
        REPORTING,
        where=lambda world: of(world.reported),
        data=lambda world: {"sides": [{"place": 1}, {"place": 0}]},
    ),
    Row("api:match-withdraw", "POST", REPORTING, where=lambda world: of(world.reported)),
    Row(
        "api:match-counter",
        "POST",
        ANSWERING,
        where=lambda world: of(world.reported),
        data=lambda world: {"sides": [{"place": 1}, {"place": 0}]},
    ),
    Row("api:match-counter-answer", "POST", REPORTING, where=countered, data={"accept": True}),
    *form("api:match-messages", TALKING, TALKING, where=discussed, data={"text": "Look."}),
    Row(
        "api:match-image-removal",
        "POST",
        ADMIN_ONLY,
        where=an_image,
        data={"reason": "It shows an address."},
    ),
    Row(
        "api:match-reopening",
        "POST",
        ADMIN_ONLY,
        where=a_void_report,
        data={"reason": "It was played."},
    ),
    Row("api:match-image", "GET", "login missing ok ok missing ok", where=an_image),
    Row(
        "api:match-objection",
        "POST",
        CAPTAINS,
        where=a_fresh_result,
        data={"reason": "It was a draw."},
    ),
    Row("api:objection-withdrawal", "POST", ANSWERING, where=objected_to),
    Row(
        "api:objection-rejection",
        "POST",
        ADMIN_ONLY,
        where=objected_to,
        data={"reason": "The replay shows it."},
    ),
    Row(
        "api:match-decision",
        "POST",
        ADMIN_ONLY,
        where=lambda world: of(world.disputed),
        data={"verdict": "upheld", "reason": "The replay shows it."},
    ),
    Row("api:correction-preview", "POST", ADMIN_ONLY, where=lambda world: of(world.rated)),
    Row(
        "api:match-erratum",
        "POST",
        ADMIN_ONLY.replace("ok", "refused"),  # its season is not archived
        where=lambda world: of(world.rated),
        data={"reason": "Never played."},
    ),
    Row(
        "api:corrections",
        "POST",
        ADMIN_ONLY,
        where=lambda world: of(world.rated),
        data={"reason": "Never played.", "digest": "none", "horizon": 0},
    ),
    Row("api:correction", "GET", ADMIN_ONLY, where=a_correction),
    *form(
        "api:queue",
        OPEN,
        "login ok refused refused ok ok",  # Alice and Charlie are in a live match
        where=in_queue,
    ),
    Row("api:queue", "DELETE", LOGGED_IN, where=in_queue),
    Row("api:queue-filter", "PUT", LOGGED_IN, where=in_queue, data={"percentiles": 10}),
    Row(
        "api:queue-regions",
        "POST",
        LOGGED_IN,
        where=in_regions,
        data=lambda world: {"regions": ["Europe"]},
    ),
    Row(
        "api:ready-check-answer",
        "POST",
        "login forbidden forbidden forbidden forbidden forbidden",  # asked is nobody
        where=the_ready_check,
        data={"accept": True},
    ),
    Row("api:what-if", "GET", OPEN, where=in_arena, query=alice_against_eve),
    Row("api:seasons", "GET", OPEN, where=in_arena),
    Row("api:season", "GET", OPEN, where=an_archive),
    Row("api:final-standings", "GET", OPEN, where=an_archive),
    Row("api:season-points", "GET", OPEN, where=an_archive),
    Row("api:season-errata", "GET", OPEN, where=an_archive),
    Row("api:dishonor", "GET", LOGGED_IN),
    Row("api:penalties", "GET", LOGGED_IN),
    *form("api:rosters", OPEN, LOGGED_IN, where=in_teams, data={"name": "Others"}),
    Row(
        "api:roster",
        "PATCH",
        "login forbidden ok forbidden forbidden forbidden",
        where=alices_roster,
        data={"name": "Wood Birds"},
    ),
    Row(
        "api:roster-leave",
        "POST",
        "login forbidden refused forbidden forbidden forbidden",  # Alice leads it
        where=alices_roster,
    ),
    Row(
        "api:roster-invite",
        "POST",
        "login forbidden ok forbidden forbidden forbidden",
        where=alices_roster,
        data=lambda world: {"player": world.charlie.pk},
    ),
    Row("api:invitations", "GET", LOGGED_IN),
    Row(
        "api:invitation-answer",
        "POST",
        "login ok missing missing missing missing",
        where=eves_invitation,
        data={"accept": False},
    ),
    *(Row("api:nowhere", method, NOWHERE) for method in METHODS),
]
