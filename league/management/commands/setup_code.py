"""``manage.py setup_code``: print the code that creates the league's first admin."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from league.services.core.errors import Conflict
from league.services.people import first_admin


class Command(BaseCommand):
    help = (
        "Print the code that creates the first admin on the site, and the address of the page that "
        "asks for it. It works once, and never again once the league has a staff account."
    )
    requires_system_checks: list[str] = []

    def handle(self, **options: Any) -> None:
        try:
            code = first_admin.setup_code()
        except Conflict as refusal:
            raise CommandError(refusal.message) from refusal
        self.stdout.write(
            "This league has no admin yet. Create one at "
            f"{settings.SITE_URL}{reverse('setup')}\nwith the setup code {code}"
        )
