"""The worker and the clock: ``celery -A league worker`` and ``celery -A league beat``."""

import os
from typing import Any

import kombu
from celery import Celery
from celery.app.amqp import AMQP

PAUSE = 2.0
"""Seconds between tries to reach a broker that is gone."""


class Connection(kombu.Connection):
    """Tries again at a steady pace, where the library's pauses grow to half a minute: work resumes
    soon after the broker is back, however long it was gone."""

    def ensure_connection(  # type: ignore[override] # as the library has it, not its stubs
        self, *arguments: Any, **options: Any
    ) -> kombu.Connection:
        pace = {"interval_start": PAUSE, "interval_step": 0.0, "interval_max": PAUSE}
        return super().ensure_connection(*arguments, **pace | options)


class Messages(AMQP):
    Connection = Connection


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
app = Celery("league", amqp=Messages)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["league"])
