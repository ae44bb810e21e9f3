"""``manage.py discord_commands``: register the slash commands with Discord."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from league.services.discord import calling, definitions


class Command(BaseCommand):
    help = "Register the slash commands with Discord. Running it again changes nothing."
    requires_system_checks: list[str] = []

    def handle(self, **options: Any) -> None:
        if not (settings.DISCORD_APPLICATION_ID and calling.is_configured()):
            raise CommandError("Set DISCORD_CLIENT_ID and DISCORD_BOT_TOKEN first.")
        reply = definitions.register()
        if reply.problem:
            raise CommandError(reply.problem)
        names = ", ".join(f"/{command['name']}" for command in definitions.commands())
        self.stdout.write(f"Registered with Discord: {names}.")
