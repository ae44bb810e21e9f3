"""The URLs of the site."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from league.web.setup.views import led_to_setup

admin.autodiscover()  # with the addresses, as workers and most commands need neither
admin.site.login = led_to_setup(secure_admin_login(admin.site.login))  # type: ignore[method-assign, no-untyped-call] # as allauth asks

urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.urls")),
    path("api/", include("league.api.urls")),
    path("", include("league.web.apps.urls")),
    path("", include("league.web.urls")),
]

handler400 = "league.web.core.outages.bad_request"
handler500 = "league.web.core.outages.server_error"
