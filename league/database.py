"""Django's settings for a database, from its address.

Limits on statements and locks are options of libpq, which ``gunicorn.conf.py`` sets for pages.
"""

from __future__ import annotations

from typing import Any

from django.db import connections
from psycopg.conninfo import conninfo_to_dict

TIMEOUTS = {
    "connect_timeout": 2,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 2,
    "tcp_user_timeout": 5000,
}
"""Options of libpq that end a connection soon whose server or network is gone: seconds, and
milliseconds for data that nobody acknowledges."""
POOL = {
    "min_size": 1,
    "max_size": 8,  # one for each thread of a web process, in gunicorn.conf.py
    "timeout": 3,
    "reconnect_timeout": 3,  # a lost server is tried again at each request
}


def database_from_url(url: str, *, is_pooler: bool = False) -> dict[str, Any]:
    """Return Django's settings for ``postgresql://user:password@host:port/name?option=value``.

    The host can be a folder of Unix sockets, with ``%2F`` for its slashes. The options are those of
    libpq, such as ``sslmode``. A pooler gives each transaction another session, so nothing may stay
    in a session.
    """
    options = conninfo_to_dict(url)
    names = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host"}
    own = {name: options.pop(word, "") for name, word in {**names, "PORT": "port"}.items()}
    return {
        "ENGINE": "django.db.backends.postgresql",
        **own,
        "CONN_HEALTH_CHECKS": True,
        "DISABLE_SERVER_SIDE_CURSORS": is_pooler,
        # Prepare statements on the server at their second use: parsing and planning the long ones
        # that settle a result costs more than running them.
        "OPTIONS": {
            "pool": {**POOL},
            "server_side_binding": True,
            "prepare_threshold": None if is_pooler else 2,
            **TIMEOUTS,
            **options,
        },
    }


def direct() -> str:
    """Return the alias of the database past a pooler, if there is one."""
    return "direct" if "direct" in connections.settings else "default"
