"""The league: a Django project and its only app."""

import atexit
import gc

# Most objects that a process creates while it loads are permanent. Collecting garbage every 700
# objects took a seventh of the start.
gc.set_threshold(50_000, 20, 20)
# A process that ends gives all of its memory back. To look once more through what it has loaded
# took a quarter of the time of a short command.
atexit.register(gc.freeze)

from league.celery import app as celery_app  # noqa: E402 - loads most of Celery

__all__ = ["celery_app"]
