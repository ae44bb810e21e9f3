"""Limits on API requests a minute, by account or, without a login, by address."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rest_framework import status
from rest_framework.exceptions import APIException
from rest_framework.throttling import BaseThrottle

from league import rates

if TYPE_CHECKING:
    from rest_framework.request import Request
    from rest_framework.views import APIView


class PerMinute(BaseThrottle):
    """Count the requests of an account, or of an address without a login."""

    scope = "api"
    allowance: rates.Allowance | None = None

    def allow_request(self, request: Request, view: APIView) -> bool:
        self.allowance = rates.allowance_after(self.scope, request)
        view.allowance = self.allowance  # type: ignore[attr-defined] # for the headers
        return self.allowance is None or not self.allowance.is_used_up

    def wait(self) -> float:
        """Return the seconds until the next minute begins."""
        return self.allowance.reset if self.allowance else 0


class CostlyPerMinute(PerMinute):
    """Count those that compute much among the costly pages too, and say how many of them are left.

    They come after the limit of all requests, which allows more.
    """

    scope = rates.COSTLY


COSTLY = [PerMinute, CostlyPerMinute]


class TooMany(APIException):
    """One request too many; ``wait`` is in seconds."""

    status_code = status.HTTP_429_TOO_MANY_REQUESTS
    default_code = "throttled"

    def __init__(self, wait: float) -> None:
        self.wait = math.ceil(wait)
        super().__init__(rates.too_many(self.wait))
