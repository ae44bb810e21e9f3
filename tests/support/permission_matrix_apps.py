"""The permission table of the consent pages and the OAuth endpoints."""

from allauth.idp.oidc.models import Client

from league.services.apps.connecting import connect
from tests.support.app_steps import BACK, an_app
from tests.support.cast import NOW
from tests.support.permission_objects import Fields
from tests.support.permission_roles import LOGGED_IN, OPEN, Role, Row, World, form

WITHOUT_TOKEN = "login login login login login login"
NONSENSE = "refused refused refused refused refused refused"


def the_app(world: World) -> Client:
    if "app" not in world.extras:
        world.extras["app"], _secret = an_app()
    app: Client = world.extras["app"]
    return app


def an_app_id(world: World) -> Fields:
    return {"app_id": the_app(world).pk}


def eves_app(world: World) -> Fields:
    if "connected app" not in world.extras:
        user = world.user(Role.PLAYER)
        assert user is not None
        world.extras["connected app"] = connect(user, the_app(world), ["openid"], NOW)
    return {"pk": world.extras["connected app"].pk}


def asking(world: World) -> Fields:
    return {
        "client_id": the_app(world).pk,
        "redirect_uri": BACK,
        "response_type": "code",
        "scope": "openid",
    }


APPS = [
    Row("connected_apps", "GET", LOGGED_IN),
    *form(
        "connected_app_remove",
        LOGGED_IN,
        "login ok missing missing missing missing",
        where=eves_app,
    ),
    Row("idp:oidc:configuration", "GET", OPEN),
    Row("idp:oidc:oauth_configuration", "GET", OPEN),
    Row("idp:oidc:jwks", "GET", OPEN),
    Row("idp:oidc:authorization", "GET", LOGGED_IN, query=asking),
    Row("idp:oidc:authorization", "POST", OPEN, data=asking),
    *(Row("idp:oidc:device_authorization", method, LOGGED_IN) for method in ("GET", "POST")),
    *(Row("idp:oidc:logout", method, OPEN) for method in ("GET", "POST")),
    *(Row("idp:oidc:userinfo", method, WITHOUT_TOKEN) for method in ("GET", "POST")),
    Row("idp:oidc:token", "POST", NONSENSE),
    Row("idp:oidc:revoke", "POST", NONSENSE),
    Row("idp:oidc:device_code", "POST", NONSENSE),
]
