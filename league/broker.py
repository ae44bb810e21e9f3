"""The way to the broker, for workers and clocks that outlive it."""

from __future__ import annotations

from typing import Any

import kombu
from celery.app.amqp import AMQP
from kombu.transport import redis as transport
from redis.exceptions import ConnectionError as BrokerGone

PAUSE = 2.0
"""Seconds between tries to reach a broker that is gone."""


class Channel(transport.Channel):
    """Says that the broker is gone where the library trips over that: a task that was in hand when
    the connection broke is acknowledged, or given back, over a connection that is no more, and an
    error other than this one ends the worker."""

    def _connparams(self, *arguments: Any, **options: Any) -> Any:
        if self.connection.client is None:
            raise BrokerGone("The connection that this task came by is closed.")
        return super()._connparams(*arguments, **options)  # type: ignore[misc] # no stub has it


class Transport(transport.Transport):
    Channel = Channel


class Connection(kombu.Connection):
    """Tries again at a steady pace, where the library's pauses grow to half a minute: work resumes
    soon after the broker is back, however long it was gone."""

    def get_transport_cls(self) -> type[Transport]:
        return Transport

    def ensure_connection(  # type: ignore[override] # as the library has it, not its stubs
        self, *arguments: Any, **options: Any
    ) -> kombu.Connection:
        pace = {"interval_start": PAUSE, "interval_step": 0.0, "interval_max": PAUSE}
        return super().ensure_connection(*arguments, **pace | options)


class Messages(AMQP):
    Connection = Connection
