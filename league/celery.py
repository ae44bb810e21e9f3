"""The Celery app: ``celery -A league worker`` and ``celery -A league beat``."""

from __future__ import annotations

import os
from typing import Any

import kombu
from celery import Celery
from celery.app.amqp import AMQP
from kombu.transport import redis as transport
from redis.exceptions import ConnectionError as BrokerGone

PAUSE = 2.0
"""Seconds between attempts to reach a lost broker."""


class Channel(transport.Channel):
    """A channel that reports a lost broker as such.

    When the connection breaks during a task, the library acknowledges or returns the task over the
    closed connection. Any other error than this one would end the worker.
    """

    def _connparams(self, *arguments: Any, **options: Any) -> Any:
        if self.connection.client is None:
            raise BrokerGone("The connection that delivered this task is closed.")
        return super()._connparams(*arguments, **options)  # type: ignore[misc] # no stub has it


class Transport(transport.Transport):
    Channel = Channel


class Connection(kombu.Connection):
    """A connection that retries at a steady pace.

    The library's pauses grow to half a minute. With steady ones, work resumes soon after the broker
    is back, however long it was gone.
    """

    def get_transport_cls(self) -> type[Transport]:
        return Transport

    def ensure_connection(  # type: ignore[override] # as the library has it, not its stubs
        self, *arguments: Any, **options: Any
    ) -> kombu.Connection:
        pace = {"interval_start": PAUSE, "interval_step": 0.0, "interval_max": PAUSE}
        return super().ensure_connection(*arguments, **pace | options)


class Messages(AMQP):
    Connection = Connection


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
# `manage.py check` has run before a release. Here it would load all pages and their admin first.
os.environ.setdefault("CELERY_SKIP_CHECKS", "true")
app = Celery("league", amqp=Messages)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["league"])
