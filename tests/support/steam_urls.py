"""The site's addresses with those of the login with Steam, which the tests' settings lack."""

from allauth.socialaccount.providers.openid.urls import urlpatterns as of_openid
from allauth.socialaccount.providers.steam.urls import urlpatterns as of_steam
from django.urls import URLPattern, URLResolver, include, path

from league import urls

urlpatterns: list[URLPattern | URLResolver] = [
    *urls.of_steam(),
    path("accounts/", include(of_steam)),
    path("accounts/", include(of_openid)),
    *urls.urlpatterns,
]
handler500 = urls.handler500
