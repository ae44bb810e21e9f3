"""The Celery app: ``celery -A league worker`` and ``celery -A league beat``."""

import os

from celery import Celery

from league.broker import Messages

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
# `manage.py check` has run before a release. Here it would load all pages and their admin first.
os.environ.setdefault("CELERY_SKIP_CHECKS", "true")
app = Celery("league", amqp=Messages)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["league"])
