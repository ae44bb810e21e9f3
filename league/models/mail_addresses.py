"""Addresses that mail can be sent to."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator
from django.utils.encoding import punycode

from league.models.names import is_invisible


def validate_domain(address: str) -> None:
    """Refuse an address whose domain has invisible characters or cannot be written in a mail.

    Django's check of addresses lets characters through that no domain can have, such as controls
    of direction, and then fails when it builds the mail.

    Raises:
        ValidationError: as for any other text that is no address.
    """
    domain = address.rpartition("@")[2]
    try:
        punycode(domain)
    except UnicodeError as error:
        raise ValidationError(EmailValidator.message, code=EmailValidator.code) from error
    if any(map(is_invisible, domain)):
        raise ValidationError(EmailValidator.message, code=EmailValidator.code)
