"""Register the apps that may ask people for access."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.idp.oidc.adapter import get_adapter
from allauth.idp.oidc.models import Client
from django.utils.translation import gettext as _

from league.services.apps import addresses
from league.services.apps.scopes import OPENID, WORDS, in_order
from league.services.core.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from league.models import User

LONGEST_NAME = 60
USUAL_GRANTS = [Client.GrantType.AUTHORIZATION_CODE, Client.GrantType.REFRESH_TOKEN]


def register(
    name: str,
    redirect_uris: Sequence[str],
    scopes: Collection[str],
    *,
    is_public: bool = False,
    after_logout: Sequence[str] = (),
    on_devices: bool = False,
    owner: User | None = None,
) -> tuple[Client, str]:
    """Register an app and return it with its secret, of which only a hash is stored.

    Public apps have no secret.

    Raises:
        Refused: the registration is invalid.
    """
    client = Client(owner=owner)
    describe(
        client,
        name,
        redirect_uris,
        scopes,
        is_public=is_public,
        after_logout=after_logout,
        on_devices=on_devices,
    )
    secret = new_secret(client)
    client.save()
    return client, "" if is_public else secret


def describe(
    client: Client,
    name: str,
    redirect_uris: Sequence[str],
    scopes: Collection[str],
    *,
    is_public: bool,
    after_logout: Sequence[str] = (),
    on_devices: bool = False,
) -> None:
    """Set an app's registration. The caller saves it.

    Raises:
        Refused: the registration is invalid.
    """
    check_app(name, redirect_uris, scopes, after_logout, is_public=is_public, on_devices=on_devices)
    client.name = name.strip()
    client.type = Client.Type.PUBLIC if is_public else Client.Type.CONFIDENTIAL
    client.set_redirect_uris(list(redirect_uris))
    client.set_post_logout_redirect_uris(list(after_logout))
    client.set_scopes(in_order({OPENID, *scopes}))
    client.set_default_scopes([OPENID])
    client.set_grant_types([*USUAL_GRANTS, *([Client.GrantType.DEVICE_CODE] if on_devices else [])])
    client.set_response_types([Client.ResponseType.CODE])
    client.allow_uri_wildcards = client.skip_consent = False
    client.cors_origins = ""


def check_app(
    name: str,
    redirect_uris: Sequence[str],
    scopes: Collection[str],
    after_logout: Sequence[str],
    *,
    is_public: bool,
    on_devices: bool,
) -> None:
    """Refuse an invalid registration."""
    if not name.strip() or len(name.strip()) > LONGEST_NAME:
        text = _("Give the app a name of 1 to %(most)d characters.")
        raise Refused("invalid_name", text % {"most": LONGEST_NAME}, field="name")
    if unknown := set(scopes) - set(WORDS):
        text = _("There is no scope %(scope)s.")
        raise Refused("unknown_scope", text % {"scope": min(unknown)}, field="scopes")
    if on_devices and not is_public:
        text = _("Only public apps can use device codes.")
        raise Refused("not_public", text, field="on_devices")
    if not redirect_uris and not on_devices:
        text = _("Enter at least one redirect URI.")
        raise Refused("no_redirect_uri", text, field="redirect_uris")
    for field, listed in (("redirect_uris", redirect_uris), ("after_logout", after_logout)):
        if len(listed) > addresses.MOST:
            text = _("Enter at most %(most)d addresses.") % {"most": addresses.MOST}
            raise Refused("too_many", text, field=field)
        for address in listed:
            addresses.check_address(address, is_public=is_public, field=field)


def new_secret(client: Client) -> str:
    """Replace an app's secret and return the new one. The caller saves it."""
    secret: str = get_adapter().generate_client_secret()
    client.set_secret(secret)
    return secret
