"""Who may open which page of the admin about players and accounts."""

from tests.support.permission_matrix_apps import an_app_id
from tests.support.permission_objects_admin import (
    a_merge,
    some_bans,
    voided_by_a_job,
    voided_together,
)
from tests.support.permission_roles import PERMITTED, Row, form
from tests.support.result_steps import user_of

PEOPLE = [
    *(
        Row("admin:league_app_secret", method, PERMITTED, where=an_app_id)
        for method in ("GET", "POST")
    ),
    *(
        Row(
            f"admin:league_player_{page}",
            method,
            PERMITTED,
            where=lambda world: {"player_id": world.eve.pk},
            data=lambda world: {"reason": "Insults.", "arena": world.arena.pk},
        )
        for page in ("ban", "lift_ban", "penalise")
        for method in ("GET", "POST")
    ),
    Row(
        "admin:league_player_file",
        "GET",
        PERMITTED,
        where=lambda world: {"player_id": world.eve.pk},
    ),
    Row("admin:league_player_banned", "GET", PERMITTED, where=some_bans),
    *(
        Row(
            "admin:league_user_see_as",
            method,
            PERMITTED,
            where=lambda world: {"user_id": user_of(world.eve).pk},
            data={"reason": "A lost button."},
        )
        for method in ("GET", "POST")
    ),
    *form("admin:league_player_merge", PERMITTED, PERMITTED),
    Row("admin:league_player_merge_names", "GET", PERMITTED),
    Row("admin:league_player_merge_request", "GET", PERMITTED, where=a_merge),
    *(
        Row(
            "admin:league_player_void_all",
            method,
            PERMITTED,
            where=lambda world: {"player_id": world.eve.pk},
        )
        for method in ("GET", "POST")
    ),
    *(
        Row("admin:league_player_undo_all", method, PERMITTED, where=voided_together)
        for method in ("GET", "POST")
    ),
    Row("admin:league_player_voided_all", "GET", PERMITTED, where=voided_by_a_job),
]
