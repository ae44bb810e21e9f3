"""Django's settings for a database, from its address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from psycopg.conninfo import conninfo_to_dict

from league.database import Connection, Unlimited

if TYPE_CHECKING:
    from collections.abc import Mapping

NOTICES_A_CUT = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""Options that let tasks, which wait without limit, notice within 25 s that the network to the
database is cut: keepalives in seconds, unacknowledged data in milliseconds."""


def database_from_url(
    url: str, given: Mapping[str, Any], kind: type[Connection] = Connection
) -> dict[str, object]:
    """Return Django's settings for ``postgresql://user:password@host:port/name?option=value``.

    The host can be a folder of Unix sockets, with ``%2F`` for its slashes. The options are those of
    libpq, such as ``sslmode``. ``given`` are the settings that :func:`environment.read` returns. A
    pooler gives each transaction another session, so nothing may stay in a session of the kind
    ``Unlimited``.
    """
    is_pooler = kind is Unlimited
    options = conninfo_to_dict(url)
    names = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host"}
    own = {name: options.pop(word, "") for name, word in {**names, "PORT": "port"}.items()}
    wait = given["LAUREL_DB_POOL_SECONDS"]
    return {
        "ENGINE": "league.postgresql",
        **own,
        "DISABLE_SERVER_SIDE_CURSORS": is_pooler,
        # Prepare statements on the server at their second use: parsing and planning the long ones
        # that settle a result costs more than running them.
        "OPTIONS": {
            "pool": {
                "connection_class": kind,
                "min_size": 1,
                "max_size": given["LAUREL_DB_POOL"],
                "timeout": wait,
                "reconnect_timeout": wait,  # a lost server is tried again at each request
            },
            "server_side_binding": True,
            "prepare_threshold": None if is_pooler else 2,
            "connect_timeout": given["LAUREL_DB_CONNECT_SECONDS"],
            **NOTICES_A_CUT,
            **options,
        },
    }
