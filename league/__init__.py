"""The league: a Django project and its only app."""

import gc

# Most objects that a process creates while it loads are permanent. Collecting garbage every 700
# objects took a seventh of the start.
gc.set_threshold(50_000, 20, 20)

from league.celery import app as celery_app  # noqa: E402 - loads most of Celery

__all__ = ["celery_app"]
