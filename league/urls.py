"""The URLs of the site."""

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from league.web.core.lookups import no_page
from league.web.notices.app import log_out
from league.web.setup.views import led_to_setup

admin.autodiscover()  # with the addresses, as workers and most commands need neither
admin.site.login = led_to_setup(secure_admin_login(admin.site.login))  # type: ignore[method-assign, no-untyped-call] # as allauth asks


def of_steam() -> list[URLPattern]:
    """Return the URLs of the Steam login that replace allauth's.

    allauth's own pages would also log in with any OpenID address, which the server would fetch.
    """
    if "steam" not in settings.PROVIDERS:
        return []
    from league.web.people.steam import steam_callback  # noqa: PLC0415 - needs the login

    return [
        path("accounts/steam/callback/", steam_callback, name="steam_callback"),
        path("accounts/openid/<path:rest>", no_page),
    ]


urlpatterns: list[URLPattern | URLResolver] = [
    path("admin/", admin.site.urls),
    *of_steam(),
    path("accounts/logout/", log_out, name="log_out"),
    path("accounts/", include("allauth.urls")),
    path("api/", include("league.api.urls")),
    path("", include("league.web.apps.urls")),
    path("", include("league.web.urls")),
]

handler400 = "league.web.core.outages.bad_request"
handler500 = "league.web.core.outages.server_error"
