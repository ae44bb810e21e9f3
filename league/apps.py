import logging
from importlib import import_module
from typing import Any
from weakref import WeakSet

from django.apps import AppConfig, apps
from django.contrib.admin import apps as admin_apps
from django.contrib.admin import checks as admin_checks
from django.core.checks import CheckMessage, Tags, register
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _

STRAY_PARTITIONS = r"""
    SELECT quote_ident(part.relname) FROM pg_inherits AS of
    JOIN pg_class AS part ON part.oid = of.inhrelid
    WHERE of.inhparent = to_regclass('league_rating') AND NOT EXISTS (
        SELECT FROM league_season
        WHERE id = substring(part.relname FROM 'league_rating_(\d+)$')::bigint
    )
"""
_sessions: WeakSet[Any] = WeakSet()
"""The sessions with the database that this process has seen."""


class LeagueConfig(AppConfig):
    name = "league"
    verbose_name = _("League")

    def ready(self) -> None:
        from league import checks, worker_signals  # noqa: F401, PLC0415 - registers them
        from league.formats.errors import name_formats  # noqa: PLC0415 - which imports forms
        from league.logs import Record, watch_statements  # noqa: PLC0415 - reads the settings
        from league.models.labels import name_fields  # noqa: PLC0415 - needs the models
        from league.services.dates import captains as captains_of_dates  # noqa: PLC0415 - needs the models
        from league.services.merging import merging  # noqa: PLC0415 - needs the models
        from league.services.people import captains, claims  # noqa: PLC0415 - needs the models

        # Before any other part logs.
        logging.setLogRecordFactory(Record)
        name_fields()
        name_formats()
        worker_signals.connect()
        connection_created.connect(watch_statements)
        connection_created.connect(forget_content_types)
        post_migrate.connect(drop_stray_partitions, sender=self)
        *_others, last = (app for app in apps.get_app_configs() if app.models_module)
        post_migrate.connect(keep_roles, sender=last)  # when all permissions are there
        # By signals, as these domains must not import those above them.
        claims.approved.connect(merging.follow_claim)
        captains.changing.connect(captains_of_dates.follow)


class LeagueAdminConfig(admin_apps.SimpleAdminConfig):
    """Django's admin with the league's own index page.

    Its pages are loaded by ``league.urls``: workers and most commands start faster without them.
    """

    default = False
    default_site = "league.admin_site.LaurelAdminSite"

    def ready(self) -> None:
        register(admin_checks.check_dependencies, Tags.admin)
        register(check_admin, Tags.admin)


def check_admin(app_configs: Any, **_sent: Any) -> list[CheckMessage]:
    """Check the admin with its pages, also when no other check has loaded them yet."""
    import_module("league.urls")
    found: list[CheckMessage] = admin_checks.check_admin_app(app_configs)
    return found


def forget_content_types(connection: BaseDatabaseWrapper, **_sent: Any) -> None:
    """Forget the numbers of content types when a session begins.

    A league that was moved here has others, and processes go on under a new session.
    """
    from django.contrib.contenttypes.models import ContentType  # noqa: PLC0415 - needs the apps

    if connection.connection not in _sessions:  # a pool gives the same one again and again
        _sessions.add(connection.connection)
        ContentType.objects.clear_cache()


def drop_stray_partitions(**_sent: Any) -> None:
    """Drop the rating partitions of seasons that no longer exist.

    Deleting a season drops its partition, except in the transaction that created it or when all
    tables are truncated.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass('league_season') IS NOT NULL")
        if not cursor.fetchone()[0]:
            return
        cursor.execute(STRAY_PARTITIONS)
        if stray := [name for (name,) in cursor.fetchall()]:
            cursor.execute(f"DROP TABLE {', '.join(stray)}")


def keep_roles(**_sent: Any) -> None:
    """Create the roles of staff, and give them permissions that are new in this release."""
    from league.services.people import roles  # noqa: PLC0415 - needs the models

    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass('league_role') IS NOT NULL")
        if cursor.fetchone()[0]:
            roles.keep()
