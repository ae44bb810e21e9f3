"""What happens by itself. Tasks carry ids only and are safe to run twice."""

from celery import shared_task

from league.services.clock import database_now
from league.services.results import confirm_expired


@shared_task
def confirm_expired_reports() -> int:
    """Sweep up the reports whose confirmation window has passed."""
    return confirm_expired(database_now())
