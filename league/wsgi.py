"""The web process: ``gunicorn league.wsgi``."""

import os
from importlib import import_module

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
application = get_wsgi_application()
# Import all pages before the first request, so that the processes forked from this one share them.
import_module("league.urls")
