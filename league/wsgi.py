"""The web process: ``gunicorn league.wsgi``."""

import os

from django.core.wsgi import get_wsgi_application

from league import database

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
application = get_wsgi_application()
database.limit_pages()
