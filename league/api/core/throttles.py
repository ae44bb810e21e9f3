"""Limits on requests a minute, by account or, without a login, by address.

The rates are in the settings (``DEFAULT_THROTTLE_RATES``). Each minute is counted in one cache
entry. While the cache is down, nobody is throttled.
"""

from __future__ import annotations

import logging
import math
import time
from typing import TYPE_CHECKING

from django.core.cache import cache
from django.utils.translation import ngettext
from redis.exceptions import RedisError
from rest_framework import status
from rest_framework.exceptions import APIException
from rest_framework.settings import api_settings
from rest_framework.throttling import BaseThrottle

if TYPE_CHECKING:
    from rest_framework.request import Request
    from rest_framework.views import APIView

WINDOW = 60
log = logging.getLogger(__name__)


class PerMinute(BaseThrottle):
    """Count the requests of an account, or of an address without a login."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        del view
        scope, who = (
            ("user", str(request.user.pk))
            if request.user.is_authenticated
            else ("anon", self.get_ident(request))
        )
        minute = int(time.time() // WINDOW)
        allowed = api_settings.DEFAULT_THROTTLE_RATES[scope]
        used = requests_of(f"api-requests:{scope}:{who}:{minute}")
        return allowed is None or used <= float(allowed)

    def wait(self) -> float:
        """Return the seconds until the next minute begins."""
        return max(1.0, WINDOW - time.time() % WINDOW)


def requests_of(key: str) -> int:
    """Count one more request and return the total."""
    try:
        if cache.add(key, 1, 2 * WINDOW):
            return 1
        return cache.incr(key)
    except RedisError:
        log.warning("The cache does not respond: requests are not counted.")
        return 0
    except ValueError:  # expired between the two
        return 1


class TooMany(APIException):
    """One request too many; ``wait`` is in seconds."""

    status_code = status.HTTP_429_TOO_MANY_REQUESTS
    default_code = "throttled"

    def __init__(self, wait: float) -> None:
        self.wait = math.ceil(wait)
        super().__init__(
            ngettext(
                "Too many requests. Try again in %(seconds)d second.",
                "Too many requests. Try again in %(seconds)d seconds.",
                self.wait,
            )
            % {"seconds": self.wait}
        )
