"""The league: a Django project and its only app."""

from league.celery import app as celery_app

__all__ = ["celery_app"]
