"""The permission table of webhooks in the API."""

from tests.support.permission_objects import Fields
from tests.support.permission_objects_admin import a_delivery, a_webhook
from tests.support.permission_roles import ADMIN_ONLY, Row, World, form


def the_webhook(world: World) -> Fields:
    return {"pk": a_webhook(world)["webhook_id"]}


WEBHOOKS = [
    *form(
        "api:webhooks",
        ADMIN_ONLY,
        ADMIN_ONLY,
        data=lambda world: {
            "arena": world.arena.slug,
            "name": "Bot",
            "address": "https://1.1.1.1/",
            "events": ["result.confirmed"],
        },
    ),
    *(
        Row("api:webhook", method, ADMIN_ONLY, where=the_webhook)
        for method in ("GET", "PATCH", "DELETE")
    ),
    *(
        Row(f"api:webhook-{step}", "POST", ADMIN_ONLY, where=the_webhook)
        for step in ("secret", "test")
    ),
    Row("api:webhook-deliveries", "GET", ADMIN_ONLY, where=the_webhook),
    Row(
        "api:webhook-replay",
        "POST",
        ADMIN_ONLY,
        where=lambda world: {**the_webhook(world), **a_delivery(world)},
    ),
]
