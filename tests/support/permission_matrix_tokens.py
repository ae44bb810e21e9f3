"""The permission table of tokens in the API."""

from tests.support.api_steps import a_token
from tests.support.permission_objects import Fields
from tests.support.permission_roles import LOGGED_IN, Role, Row, World, form


def eves_token(world: World) -> Fields:
    if "api token" not in world.extras:
        user = world.user(Role.PLAYER)
        assert user is not None
        world.extras["api token"], _text = a_token(user)
    return {"pk": world.extras["api token"].pk}


def a_bot(_world: World) -> Fields:
    return {"name": "Bot", "scopes": ["report"]}


TOKENS = [
    *form("api:tokens", LOGGED_IN, LOGGED_IN, data=a_bot),
    Row("api:token", "DELETE", "login ok missing missing missing missing", where=eves_token),
]
