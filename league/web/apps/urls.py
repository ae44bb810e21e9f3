"""The OpenID Connect endpoints, under the names that the library uses."""

from django.urls import include, path

from league.web.apps import consent, devices, leaving, programs

app_name = "idp"
OIDC = [
    path(
        ".well-known/openid-configuration", programs.Configuration.as_view(), name="configuration"
    ),
    path(
        ".well-known/oauth-authorization-server",
        programs.Configuration.as_view(),
        name="oauth_configuration",
    ),
    path("oauth/keys", programs.Keys.as_view(), name="jwks"),
    path("oauth/authorize", consent.Consent.as_view(), name="authorization"),
    path("oauth/device", devices.device, name="device_authorization"),
    path("oauth/logout", leaving.Logout.as_view(), name="logout"),
    path("oauth/token", programs.Token.as_view(), name="token"),
    path("oauth/revoke", programs.Revoke.as_view(), name="revoke"),
    path("oauth/userinfo", programs.UserInfo.as_view(), name="userinfo"),
    path("oauth/device/code", programs.DeviceCode.as_view(), name="device_code"),
]
urlpatterns = [path("", include((OIDC, "oidc")))]
