"""Who may open which page of the admin about arenas, and about what is done in them."""

from tests.support.permission_objects import challenged_charlie
from tests.support.permission_objects_admin import (
    a_delivery,
    a_draft,
    a_file,
    a_job,
    a_job_of_a_file,
    a_job_of_an_evening,
    a_rerun,
    a_trial,
    a_webhook,
    an_evening,
    previewing,
    rerated_by_a_job,
)
from tests.support.permission_roles import PERMITTED, Row, form

ARENAS = [
    *form("admin:league_webhook_run", PERMITTED, PERMITTED, where=a_webhook, data={"step": "test"}),
    *(
        Row("admin:league_webhookdelivery_replay", method, PERMITTED, where=a_delivery)
        for method in ("GET", "POST")
    ),
    *form(
        "admin:league_challenge_call_off",
        PERMITTED,
        PERMITTED,
        where=lambda world: {"challenge_id": challenged_charlie(world).pk},
        data={"reason": "A bet."},
    ),
    *(
        Row(f"admin:league_{model}_preview", method, PERMITTED, where=previewing(kind))
        for model, kind in (("arena", "decay"), ("arenaqueue", "queue"), ("discipline", "stacks"))
        for method in ("GET", "POST")
    ),
    *(
        Row(
            "admin:league_arena_rerate",
            method,
            PERMITTED,
            where=lambda world: {"arena_id": world.arena.pk, "season_id": world.rated.season_id},
        )
        for method in ("GET", "POST")
    ),
    Row("admin:league_arena_rerated", "GET", PERMITTED, where=rerated_by_a_job),
    *(Row("admin:league_job_change", method, PERMITTED, where=a_job) for method in ("GET", "POST")),
    *(
        Row(
            "admin:league_arena_saved_rules",
            method,
            PERMITTED,
            where=lambda world: {"arena_id": world.arena.pk},
        )
        for method in ("GET", "POST")
    ),
    *(
        Row(
            "admin:league_arena_other_rules",
            method,
            PERMITTED,
            where=lambda world: {"arena_id": world.arena.pk, "season_id": world.rated.season_id},
        )
        for method in ("GET", "POST")
    ),
    *(
        Row("admin:league_trial_change", method, PERMITTED, where=a_trial)
        for method in ("GET", "POST")
    ),
    *(
        Row("admin:league_arenaqueue_rerun", method, PERMITTED, where=a_rerun)
        for method in ("GET", "POST")
    ),
    *(
        Row(
            "admin:league_arena_import",
            method,
            PERMITTED,
            where=lambda world: {"arena_id": world.arena.pk},
        )
        for method in ("GET", "POST")
    ),
    Row(
        "admin:league_arena_settings_file",
        "GET",
        PERMITTED,
        where=lambda world: {"arena_id": world.arena.pk},
    ),
    Row(
        "admin:league_arena_data",
        "GET",
        PERMITTED,
        where=lambda world: {"arena_id": world.arena.pk},
    ),
    Row("admin:league_fileimport_of_job", "GET", PERMITTED, where=a_job_of_a_file),
    Row(
        "admin:league_fileimport_errors",
        "GET",
        PERMITTED,
        where=lambda world: {"pk": a_file(world).pk},
    ),
    *(
        Row(
            "admin:league_arena_evening",
            method,
            PERMITTED,
            where=lambda world: {"arena_id": world.arena.pk},
        )
        for method in ("GET", "POST")
    ),
    Row(
        "admin:league_arena_evening_names",
        "GET",
        PERMITTED,
        where=lambda world: {"arena_id": world.arena.pk},
    ),
    *(
        Row("admin:league_arena_evening_entered", method, PERMITTED, where=an_evening)
        for method in ("GET", "POST")
    ),
    Row("admin:league_arena_evening_of_job", "GET", PERMITTED, where=a_job_of_an_evening),
    *(
        Row("admin:league_arena_start", method, PERMITTED, data={"start": "ladder", "name": "New"})
        for method in ("GET", "POST")
    ),
    *(
        Row(route, method, PERMITTED, where=where)
        for route, where in (
            ("admin:league_arena_draft", a_draft),
            ("admin:league_arena_step", lambda world: {**a_draft(world), "name": "calendar"}),
        )
        for method in ("GET", "POST")
    ),
]
