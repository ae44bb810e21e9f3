"""The site's settings, on servers of the tests' own and without collected static files."""

import os
from pathlib import Path
from typing import Any

import pytest

from tests.support import memory, places

os.environ.setdefault(
    "LAUREL_DATA", str(Path(__file__).resolve().parent.parent / ".laurel" / "test")
)
os.environ.setdefault("DISCORD_CLIENT_ID", "an id")  # so that its pages are there to be tested
os.environ.setdefault("DISCORD_SECRET", "a secret")
os.environ.setdefault(  # that of tests.support.discord_steps
    "DISCORD_PUBLIC_KEY", "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8"
)
os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"  # what a test starts is the site itself
memory.use_for_temporary_files()
memory.use_for_servers(Path(os.environ["LAUREL_DATA"]))
_place = places.take(Path(os.environ["LAUREL_DATA"]))

with pytest.MonkeyPatch.context() as _environment:
    _environment.setenv("DATABASE_URL", _place.database_url)
    _environment.setenv("REDIS_URL", _place.redis_url)
    from league.settings import *  # noqa: F403 - the environment comes first
    from league.settings import (
        CACHES,
        DATABASES,
        MIDDLEWARE,
        PASSWORD_HASHERS,
        REQUESTS_A_MINUTE,
        STORAGES,
    )

# The patience of a busy machine
_cache: dict[str, Any] = dict(CACHES["default"])
_cache["OPTIONS"] = {**_cache["OPTIONS"], "socket_timeout": 10, "socket_connect_timeout": 10}
CACHES = {**CACHES, "default": _cache}
DATABASES["default"]["OPTIONS"]["pool"] |= {"timeout": 10, "reconnect_timeout": 10}

STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
MIDDLEWARE = [*MIDDLEWARE, "tests.support.effects.LeadsOn"]
# Tests do in a second what people do in an hour. Those of the limits set their own.
REQUESTS_A_MINUTE = {
    **REQUESTS_A_MINUTE,
    **{
        scope: {"address": None, "account": None}
        for scope in ("write", "codes", "costly", "export")
    },
}
PASSWORD_HASHERS = ["tests.support.hashing.QuickArgon2", *PASSWORD_HASHERS]
PAGES_KEPT_FOR = 0  # a test looks at what it has just done
FRONT_KEPT_FOR = 0
PARTS_KEPT_FOR = 0
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True
