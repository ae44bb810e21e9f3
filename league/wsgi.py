"""The web process: ``gunicorn league.wsgi``."""

from __future__ import annotations

import gc
import os
from importlib import import_module
from typing import TYPE_CHECKING

from django.core.wsgi import get_wsgi_application
from django.urls import reverse

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

    from django.http.response import HttpResponseBase

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
site = get_wsgi_application()
# Import all pages before the first request, so that the processes forked from this one share them.
import_module("league.urls")
bodies = import_module("league.web.core.bodies")
reverse("home")  # loads the URL patterns, for which the first visitor of each process would wait

# What was loaded stays for good, in memory that all processes share: looking through it again and
# again for garbage took a sixth of the time of a long page. Nearly all objects of a request are
# freed when they are last used.
gc.freeze()


def application(environ: WSGIEnvironment, start_response: StartResponse) -> HttpResponseBase:
    """Answer a request."""
    environ["wsgi.input"] = bodies.WholeBody(environ)
    response: HttpResponseBase = site(environ, start_response)
    return response
