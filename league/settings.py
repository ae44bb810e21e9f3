"""Settings from environment variables, with defaults for a site on one machine.

``docs/configuration.md`` lists every variable.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from urllib.parse import urlsplit

import django_stubs_ext
from csp.constants import NONE, SELF
from kombu import Exchange, Queue
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as BrokenConnection
from redis.retry import Retry

from league import api_settings, environment, login_providers
from league.database import database_from_url
from league.kinds import KINDS, ROUTES, SETTLING
from league.log_settings import logging_settings
from league.schedule import SCHEDULE
from league.secret_key import kept_key

django_stubs_ext.monkeypatch()  # lets Django's generic classes take their type at run time

BASE_DIR = Path(__file__).resolve().parent.parent
GIVEN = environment.read(os.environ)
DATA_DIR = GIVEN["LAUREL_DATA"] or BASE_DIR / ".laurel"

SITE_URL = GIVEN["LAUREL_SITE_URL"]
SECURE = SITE_URL.startswith("https://")
DEBUG = False
SECRET_KEY = GIVEN["SECRET_KEY"] or kept_key(DATA_DIR)
SECRET_KEY_FALLBACKS = GIVEN["SECRET_KEY_FALLBACKS"]
ALLOWED_HOSTS = [
    urlsplit(SITE_URL).hostname or "localhost",
    *(["localhost", "127.0.0.1", "[::1]"] if not SECURE else []),
]
CSRF_TRUSTED_ORIGINS = [SITE_URL]

# Logins besides a password, if they are configured. Steam uses OpenID.
LOGIN_SITES = login_providers.find_configured(GIVEN)
PROVIDERS = [*LOGIN_SITES, *(["openid"] if "steam" in LOGIN_SITES else [])]
# Discord: the public key verifies its requests, and the bot token authenticates ours.
DISCORD_APPLICATION_ID = GIVEN["DISCORD_CLIENT_ID"] or ""
DISCORD_PUBLIC_KEY = GIVEN["DISCORD_PUBLIC_KEY"]
DISCORD_BOT_TOKEN = GIVEN["DISCORD_BOT_TOKEN"]
DISCORD_API = "https://discord.com/api/v10"
INSTALLED_APPS = [
    "league",
    "league.apps.LeagueAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.idp.oidc",
    "allauth.mfa",
    "allauth.socialaccount",
    *(f"allauth.socialaccount.providers.{provider}" for provider in PROVIDERS),
    "axes",
    "django.contrib.sitemaps",
    "csp",
    "django_htmx",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "import_export",
    "knox",  # its table has the tokens of the previous release, which needs it during an upgrade
    "rest_framework",
    "simple_history",
    "template_partials",
]

MIDDLEWARE = [
    "league.web.operations.middleware.Probes",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "league.web.operations.middleware.MeasuredRequests",
    "league.web.core.middleware.Compressed",
    "csp.middleware.CSPMiddleware",
    "league.web.core.middleware.DeniedFeatures",
    "league.api.core.origins.Origins",
    "league.web.site.languages.BrowserLanguage",
    "league.web.core.middleware.ShortAddresses",
    "league.web.core.bodies.KnownLengths",
    "league.web.core.middleware.ReadableText",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.http.ConditionalGetMiddleware",
    "league.web.core.middleware.FreshPages",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "simple_history.middleware.HistoryRequestMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "league.web.core.middleware.ReaderZone",
    "league.web.site.languages.ReaderLanguage",
    "league.web.core.middleware.RequestLimits",
    "league.web.core.unsent.UnsentForms",
    "league.web.people.impersonation.Impersonation",
    "league.web.core.middleware.StaffSecondFactor",
    "league.web.core.once.SentOnce",
    "league.web.core.middleware.Refusals",
    "league.web.core.middleware.ForgedKeys",
    "league.web.people.known_browsers.KnownBrowsers",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "league.urls"
WSGI_APPLICATION = "league.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "league.web.core.context.league",
            ],
            "libraries": {"i18n": "league.templatetags.isolating"},
            "builtins": ["league.templatetags.authors"],
        },
    },
]

# Database, cache and broker
OFFLINE = bool(GIVEN["LAUREL_OFFLINE"])
DATABASE_URL = GIVEN["DATABASE_URL"]
REDIS_URL = GIVEN["REDIS_URL"]
if not OFFLINE and not (DATABASE_URL and REDIS_URL):
    import embedded.servers

    _servers = embedded.servers.attach(DATA_DIR)
    DATABASE_URL = DATABASE_URL or _servers.database_url
    REDIS_URL = REDIS_URL or _servers.redis_url
DATABASE_DIRECT_URL = GIVEN["DATABASE_DIRECT_URL"] or DATABASE_URL
DATABASES = {}
if not OFFLINE:
    IS_POOLED = DATABASE_DIRECT_URL != DATABASE_URL
    DATABASES["default"] = database_from_url(DATABASE_URL, is_pooler=IS_POOLED)
    if IS_POOLED:
        DATABASES["direct"] = database_from_url(DATABASE_DIRECT_URL)
    if GIVEN["DATABASE_REPLICA_URL"]:
        DATABASES["replica"] = database_from_url(GIVEN["DATABASE_REPLICA_URL"])
DATABASE_ROUTERS = ["league.replica.Router"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES = {
    "default": {
        "BACKEND": "league.cache.Cache",
        "LOCATION": REDIS_URL or "redis://localhost",
        "KEY_PREFIX": "laurel",
        "OPTIONS": {
            "socket_timeout": 1.0,
            "socket_connect_timeout": 1.0,
            # The connection may only have been closed. What timed out may have been counted.
            "retry": Retry(NoBackoff(), 1, supported_errors=(BrokenConnection,)),
        },
    },
    # That of each process, see league.caching: pages and their parts have about 40 kB.
    "pages": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "pages",
        "OPTIONS": {"MAX_ENTRIES": 500},
    },
}

CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://").replace(
    "?db=", "?virtual_host="
)
CELERY_TASK_QUEUES = [Queue(kind, Exchange(kind), routing_key=kind) for kind in KINDS]
CELERY_TASK_DEFAULT_QUEUE = SETTLING
CELERY_TASK_ROUTES = ROUTES
CELERY_WORKER_DISABLE_PREFETCH = True  # no message waits at a busy worker while another is idle
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker never gives up
# Also if the broker responds but refuses, such as while its disk is full.
CELERY_BROKER_CHANNEL_ERROR_RETRY = True
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_connect_timeout": 5, "socket_timeout": 5}
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = SCHEDULE
CELERY_BEAT_SCHEDULER = "league.one_beat.OneBeat"
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "celerybeat-schedule")

# Backups and health. With the embedded servers, nobody else backs up this data.
BACKUP_FOLDER = GIVEN["LAUREL_BACKUP_FOLDER"]
if BACKUP_FOLDER is None:
    BACKUP_FOLDER = "" if GIVEN["DATABASE_URL"] else str(DATA_DIR / "backups")
BACKUP_HOURS = 24  # so that at most a day is lost
BACKUP_COPIES = 7  # a week, in which somebody notices what went wrong
BACKUP_KEY = GIVEN["LAUREL_BACKUP_KEY"]
POSTGRES_BIN = str(GIVEN["LAUREL_POSTGRES_BIN"])

# Accounts
AUTH_USER_MODEL = "league.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_SIGNUP_REDIRECT_URL = "welcome"
ACCOUNT_ADAPTER = "league.web.people.accounts.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "league.web.people.accounts.LoginForm",
    "signup": "league.web.people.accounts.SignupForm",
}
SOCIALACCOUNT_FORMS = {"signup": "league.web.people.accounts.SocialSignupForm"}
ACCOUNT_RATE_LIMITS = {
    # The limit of an address is that of all forms, in REQUESTS_A_MINUTE. Wrong passwords are
    # counted by axes, and wrong codes of a second factor by second_factors.
    **dict.fromkeys(("login", "login_failed", "signup", "reset_password_from_key")),
    "reset_password": "20/m/ip,3/m/key,10/h/key",
    "request_login_code": "20/m/ip,3/m/key,10/h/key",
}
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 15 * 60  # mails can take minutes
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_PRESERVE_USERNAME_CASING = False
ACCOUNT_EMAIL_VERIFICATION = "optional"  # only confirmed addresses get notices
# Signing up says nothing about the addresses of others: any number of accounts may give one, and
# whoever confirms it has it.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
SOCIALACCOUNT_AUTO_SIGNUP = False
SOCIALACCOUNT_PROVIDERS = login_providers.apps(GIVEN)
STAFF_MFA_REQUIRED = SECURE
MFA_TOTP_ISSUER = "Laurel"
MFA_FORMS = {
    "authenticate": "league.web.people.second_factors.AuthenticateForm",
    "reauthenticate": "league.web.people.second_factors.ReauthenticateForm",
}
MFA_ALLOW_UNVERIFIED_EMAIL = True  # emails are optional and must not hold up a second factor

# Third-party apps, to which people sign in with their account
IDP_OIDC_ADAPTER = "league.web.apps.adapter.AppAdapter"
IDP_OIDC_ACCESS_TOKEN_EXPIRES_IN = 3600
IDP_OIDC_REFRESH_TOKEN_EXPIRES_IN = 180 * 86_400  # from its last use
IDP_OIDC_DEVICE_CODE_EXPIRES_IN = 15 * 60
IDP_OIDC_RATE_LIMITS = {"device_user_code": "20/m/ip,10/m/user"}

AXES_HANDLER = "league.web.people.login_locks.LoginAttempts"
AXES_FAILURE_LIMIT = 10  # wrong passwords of an account, from one address or known browser
LOGIN_FAILURES_EVERYWHERE = 50  # from all unknown browsers together
AXES_COOLOFF_TIME = 1  # hour
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_USERNAME_CALLABLE = "league.web.people.login_locks.counted_as"
AXES_CLIENT_IP_CALLABLE = "league.clients.client_address"
AXES_LOCKOUT_CALLABLE = "league.web.people.login_locks.show_lock"
AXES_VERBOSE = False

# Mail: pages store it, and workers deliver it.
EMAIL_BACKEND = "league.services.notices.outbox.OutboxBackend"
MAIL_DELIVERY = "django.core.mail.backends.console.EmailBackend"
# Django's default is none, and a mail server that hangs would hold a worker forever.
EMAIL_TIMEOUT = 10
if GIVEN["EMAIL_URL"]:
    MAIL_DELIVERY = "django.core.mail.backends.smtp.EmailBackend"
    globals().update(GIVEN["EMAIL_URL"])
DEFAULT_FROM_EMAIL = (
    GIVEN["DEFAULT_FROM_EMAIL"] or f"Laurel <noreply@{urlsplit(SITE_URL).hostname}>"
)
SERVER_EMAIL = DEFAULT_FROM_EMAIL

# Requests a minute of each account, and of each address without a login
REQUESTS_A_MINUTE: dict[str, dict[str, int | None]] = {
    "api": {
        "address": GIVEN["LAUREL_API_RATE_ANONYMOUS"],
        "account": GIVEN["LAUREL_API_RATE_ACCOUNT"],
    },
    # Forms: one a second for a minute. A hall full of people may log in at once.
    "write": {"address": 240, "account": 60},
    # Forms that wait for their senders to log in.
    "kept": {"address": 30, "account": None},
    # Searches, and pages that compute much: as fast as anybody types.
    "costly": {"address": 600, "account": 180},
    # Codes of screens: a few people who mistype, and never enough to guess one.
    "codes": {"address": 20, "account": 20},
    # The OAuth endpoints: one server may call them for many people.
    "programs": {"address": 600, "account": 600},
    # Whole tables as files.
    "export": {"address": 60, "account": 30},
}

# The API
REST_FRAMEWORK = api_settings.REST_FRAMEWORK
SPECTACULAR_SETTINGS = api_settings.SPECTACULAR_SETTINGS

# Pages
PAGES_KEPT_FOR = 1.0  # seconds for which visitors share a cached leaderboard
PARTS_KEPT_FOR = 60.0  # seconds for which readers share parts of pages whose data have not changed
FRONT_KEPT_FOR = 5.0  # seconds for which all readers share the arenas and results of the front page
LANGUAGE_CODE = "en"
# Those that the site's own texts exist in, by their own names
LANGUAGES = [
    ("ar", "العربية"),
    ("de", "Deutsch"),
    ("en", "English"),
    ("es", "Español"),
    ("fr", "Français"),
    ("pl", "Polski"),
    ("pt-br", "Português (Brasil)"),
    ("zh-hans", "简体中文"),
]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
FORMAT_MODULE_PATH = "league.formats"
TIME_ZONE = "UTC"
USE_TZ = True
STATIC_URL = "static/"
STATIC_ROOT = GIVEN["LAUREL_STATIC"] or DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
# Django's 1,000 are too few for the form of a match with many sides.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000
# A screenshot of a game on a 4K screen, saved as PNG, has up to 15 MB, and a phone's photo 8 MB.
UPLOAD_MOST_BYTES = 16 * 2**20
FILE_UPLOAD_HANDLERS = [
    "league.web.core.uploads.LimitedUploads",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]
IMPORT_EXPORT_USE_TRANSACTIONS = True
SIMPLE_HISTORY_HISTORY_CHANGE_REASON_USE_TEXT_FIELD = True

# Security
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "worker-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        # Browsers also apply this to redirects after a form.
        "form-action": [SELF, *(login_providers.SITES[name] for name in LOGIN_SITES)],
    }
}
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "league.web.core.unsent.csrf_failure"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = SECURE
CSRF_COOKIE_SECURE = SECURE
SECURE_SSL_REDIRECT = SECURE
SECURE_HSTS_SECONDS = 31_536_000 if SECURE else 0
# Only their owner knows what is below this host. A proxy can say more.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SILENCED_SYSTEM_CHECKS += ["templates.W003"]  # our tags stand in for Django's of the same name
PROXY_HOPS = GIVEN["LAUREL_PROXY_HOPS"]
PROXY_NETWORKS = GIVEN["LAUREL_PROXY_NETWORKS"]
CORS_ORIGINS = GIVEN["LAUREL_CORS_ORIGINS"]
if PROXY_HOPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# Logs and measurements
ADMINS = GIVEN["LAUREL_ADMINS"]
LOG_AS_JSON = GIVEN["LAUREL_LOG"] == "json"
LOGGING = logging_settings(GIVEN["LAUREL_LOG"], mails=bool(ADMINS))
logging.captureWarnings(LOG_AS_JSON)  # Python would write them as text
SLOW_STATEMENT_MS = 500  # nearly all statements take less than 10
METRICS_TOKEN = GIVEN["LAUREL_METRICS_TOKEN"]
WEBHOOK_TEST_HOSTS = GIVEN["LAUREL_WEBHOOK_TEST_HOSTS"]
"""Hosts to which webhooks may be sent by http, at any port and address, for tests."""
