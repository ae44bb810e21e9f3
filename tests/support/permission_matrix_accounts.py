"""Who may open which page of the accounts, which are allauth's, for the test that walks the tables.

A page that asks for the password once more, and a page that sends on who is logged in already,
refuse nobody: they are ``ok``.
"""

from tests.support.permission_roles import LOGGED_IN, OPEN, Row, form

WITHOUT_SECOND_FACTOR = "login missing missing missing missing missing"
ONLY_EVE_HAS_ONE = "login ok missing missing missing missing"
UNFINISHED = "login login login login login login"
SPENT = "missing missing missing missing missing missing"

TO_READ = [
    "account_inactive",
    "account_email_verification_sent",
    "account_reset_password_done",
    "account_reset_password_from_key_done",
    "socialaccount_login_cancelled",
    "/accounts/social/login/cancelled/",
    "/accounts/social/login/error/",
    "/accounts/social/signup/",
    "/accounts/social/connections/",
]
TO_FILL_IN = [
    "account_login",
    "account_request_login_code",
    "account_confirm_login_code",
    "account_signup",
    "account_reset_password",
    "account_logout",
    "log_out",
]
OF_AN_ACCOUNT = [
    "account_reauthenticate",
    "account_email",
    "account_change_password",
    "account_set_password",
    "mfa_authenticate",
    "mfa_reauthenticate",
    "mfa_activate_totp",
    "mfa_generate_recovery_codes",
    "socialaccount_connections",
]


def a_spent_key(world: object) -> dict[str, str]:
    return {"uidb36": "1", "key": "abc"}


ACCOUNTS = [
    *(Row(route, "GET", OPEN) for route in TO_READ),
    *(Row(route, method, OPEN) for route in TO_FILL_IN for method in ("GET", "POST")),
    *(Row(route, method, LOGGED_IN) for route in OF_AN_ACCOUNT for method in ("GET", "POST")),
    Row("mfa_index", "GET", LOGGED_IN),
    *form("mfa_deactivate_totp", ONLY_EVE_HAS_ONE, ONLY_EVE_HAS_ONE),
    Row("mfa_view_recovery_codes", "GET", WITHOUT_SECOND_FACTOR),
    Row("mfa_download_recovery_codes", "GET", WITHOUT_SECOND_FACTOR),
    *form("socialaccount_signup", UNFINISHED, UNFINISHED),
    Row("socialaccount_login_error", "GET", UNFINISHED),
    *form("account_confirm_email", OPEN, SPENT, where={"key": "abc"}),
    *form("account_reset_password_from_key", OPEN, OPEN, where=a_spent_key),
    *form("discord_login", OPEN, OPEN),
    Row("discord_callback", "GET", UNFINISHED),
]
