"""Send a test mail, and say at once what the mail server answered."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import sendtestemail

from league.models import Email
from league.services.core.clock import database_now
from league.services.notices import delivery


class Command(sendtestemail.Command):
    help = "Sends a test mail to the given addresses without waiting for a worker."

    def handle(self, *args: Any, **options: Any) -> None:
        started = database_now()
        super().handle(*args, **options)
        delivery.deliver_due(database_now())
        mails = Email.objects.filter(created_at__gte=started, recipient__in=options["email"])
        problems = [
            f"{mail.recipient}: {mail.error or mail.get_state_display()}"
            for mail in mails
            if mail.state != Email.State.SENT
        ]
        if problems:
            raise CommandError("\n".join(problems))
        self.stdout.write("The mail server has taken the mail.")
