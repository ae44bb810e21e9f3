"""Middleware: readable text, time zones, refusals, caching headers, the staff's second factor."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib import messages
from django.http import FileResponse
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.translation import gettext as _

from league import rates
from league.problems import is_for_programs, problem_response
from league.services.core.constraints import is_about_nul, refusal_behind
from league.services.core.errors import Conflict, Forbidden, LimitReached, Refused, Unavailable
from league.services.site import frame

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

    GetResponse = Callable[[HttpRequest], HttpResponseBase]

FORBIDDEN = 403
LONGEST_ZONE_NAME = 60


def zone_named(name: str) -> ZoneInfo:
    """Return the time zone with this IANA name, UTC if there is none."""
    if not name or len(name) > LONGEST_ZONE_NAME:
        return ZoneInfo("UTC")
    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError):  # unknown, malformed, a folder of the database
        return ZoneInfo("UTC")


NUL = "\0"


class ReadableText:
    """Refuse requests with a NUL character, which PostgreSQL cannot store or search for.

    Forms and the API's fields name the field that has one. Everything else is refused here.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if has_nul(request):
            return unreadable(request)
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return unreadable(request) if is_about_nul(exception) else None


def has_nul(request: HttpRequest) -> bool:
    """Return whether address, query, cookies or headers contain a NUL character."""
    query = (text for name, values in request.GET.lists() for text in (name, *values))
    return (
        NUL in request.path_info
        or any(NUL in text for text in query)
        or any(NUL in text for text in request.COOKIES.values())
        or any(NUL in text for name, text in request.headers.items() if name != "Authorization")
    )


def unreadable(request: HttpRequest) -> HttpResponse:
    """Return a page or, for programs, an error document that says what is wrong."""
    message = _("The request contains a NUL character. Remove it and try again.")
    if is_for_programs(request):
        errors = [
            {"field": name, "code": "parse_error", "detail": message}
            for name, values in request.GET.lists()
            if any(NUL in text for text in (name, *values))
        ]
        return problem_response(request, 400, "parse_error", message, errors=errors)
    return render(request, "400.html", {"message": message}, status=400)


LONGEST_ADDRESS = 8_000
"""Characters of path and query that the API reads: many times those of its longest filters."""


class ShortAddresses:
    """Refuse requests of the API with a very long address."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        length = len(request.path_info) + len(request.META.get("QUERY_STRING", ""))
        if is_for_programs(request) and length > LONGEST_ADDRESS:
            message = _("The address has %(length)d characters. It can have %(most)d.")
            message %= {"length": length, "most": LONGEST_ADDRESS}
            return problem_response(request, 414, "address_too_long", message)
        return self.get_response(request)


def is_about_size(exception: Exception) -> bool:
    """Return whether a number is too large for Python to read, or for a date."""
    sizes = ("out of range", "integer string conversion")
    text = str(exception)
    of_value = isinstance(exception, ValueError) and any(size in text for size in sizes)
    return of_value or isinstance(exception, OverflowError)


class ForgedKeys:
    """Refuse requests to the admin with keys that are not numbers, which no form sends.

    Django's widgets and lists look such keys up before, or without, validating them. So do its
    lists of dates with years of any length.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not request.path_info.startswith("/admin/"):
            return None
        is_key = isinstance(exception, ValueError) and "expected a number but got" in str(exception)
        is_long = request.method == "GET" and is_about_size(exception)
        if not (is_key or is_long):
            return None
        message = (
            _("The address has a number that is too large. Open the page again.")
            if is_long
            else _("The request has text where a number belongs. Open the page again.")
        )
        return render(request, "400.html", {"message": message}, status=400)


DENIED = (
    "accelerometer",
    "camera",
    "clipboard-read",
    "compute-pressure",
    "display-capture",
    "encrypted-media",
    "fullscreen",
    "gamepad",
    "geolocation",
    "gyroscope",
    "hid",
    "identity-credentials-get",
    "idle-detection",
    "keyboard-map",
    "local-fonts",
    "magnetometer",
    "microphone",
    "midi",
    "otp-credentials",
    "payment",
    "picture-in-picture",
    "publickey-credentials-create",
    "publickey-credentials-get",
    "serial",
    "storage-access",
    "usb",
    "window-management",
    "xr-spatial-tracking",
)
"""The features of browsers that no page uses, as far as Chromium knows them: it warns of others.
Left out: ``autoplay``, for the sound when a match is found, and ``screen-wake-lock``, for a laptop
that shows a screen in the hall. Notifications are no such feature."""


class DeniedFeatures:
    """Deny scripts the features of the browser that the site does not use."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers["Permissions-Policy"] = ", ".join(f"{name}=()" for name in DENIED)
        return response


class Compressed(GZipMiddleware):
    """Compress pages, but no files that are sent as they are stored: they are compressed already,
    and would lose their length."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if isinstance(response, FileResponse):
            return response
        return super().process_response(request, response)


class ReaderZone:
    """Show and read times in the zone from the cookie of the reader's browser.

    Without one, in the league's, and in UTC for programs. Pages that show the times of an arena in
    its own zone find the reader's as ``request.zone``.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        name = request.COOKIES.get("timezone", "")
        if not name and not is_for_programs(request):
            name = frame.last_frame().time_zone
        zone = request.zone = zone_named(name)  # type: ignore[attr-defined] # for templates
        with timezone.override(zone):
            return self.get_response(request)


class RequestLimits:
    """Refuse requests of pages beyond the limits of ``league.rates``. The API counts its own."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., object], *_given: object
    ) -> HttpResponse | None:
        scope = None if is_for_programs(request) else rates.scope_of(request, view)
        wait = rates.seconds_to_wait(scope, request) if scope else 0
        if not wait:
            return None
        page = render(request, "429.html", {"message": rates.too_many(wait)}, status=429)
        page.headers["Retry-After"] = str(wait)
        return page


class Refusals:
    """Show a page with the message of a refusal that no view has handled."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        refusal = refusal_behind(exception)
        if refusal is None:
            return None
        status = status_of(refusal)
        page = render(request, "core/refused.html", {"refusal": refusal}, status=status)
        if isinstance(refusal, LimitReached | Unavailable) and refusal.wait:
            page.headers["Retry-After"] = str(refusal.wait)
        return page


def status_of(refusal: Refused) -> int:
    """Return the HTTP status for a kind of refusal."""
    if isinstance(refusal, Forbidden):
        return 403
    if isinstance(refusal, LimitReached):
        return 429
    if isinstance(refusal, Unavailable):
        return 503
    return 409 if isinstance(refusal, Conflict) else 400


class FreshPages:
    """Let browsers cache pages but revalidate them each time."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if not response.has_header("Cache-Control"):
            patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ["Cookie", "HX-Request"])
        return response


class StaffSecondFactor:
    """Lead staff without a second factor to where they set one up, if the settings require one.

    ``User.has_perm`` refuses them everything else, on pages and in the API, also with a token.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path.startswith("/admin/") and lacks_second_factor(request):
            return self.to_set_it_up(request)
        response = self.get_response(request)
        of_a_page = not request.path.startswith("/api/")
        if response.status_code == FORBIDDEN and of_a_page and lacks_second_factor(request):
            return self.to_set_it_up(request)
        return response

    def to_set_it_up(self, request: HttpRequest) -> HttpResponse:
        text = _("Staff need a second factor. Set one up here, then open the page again.")
        messages.warning(request, text)
        return redirect("mfa_index")


def lacks_second_factor(request: HttpRequest) -> bool:
    """Return whether the reader is staff without the second factor that the settings require."""
    return settings.STAFF_MFA_REQUIRED and getattr(request.user, "lacks_second_factor", False)
