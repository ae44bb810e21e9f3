"""The web process: ``gunicorn league.wsgi``."""

import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
application = get_wsgi_application()

# What was loaded stays for good: looking through it again and again for garbage took a sixth of the
# time of a long page. Nearly all objects of a request are freed when they are last used.
gc.freeze()
gc.set_threshold(10_000, 20, 20)
