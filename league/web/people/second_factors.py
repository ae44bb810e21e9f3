"""Codes of a second factor: each works once, and wrong ones are limited.

allauth remembers both in the cache. Here they are remembered with the account's app in the
database, so that an outage of the cache helps nobody who knows a password.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from allauth.account.adapter import get_adapter as account_adapter
from allauth.mfa import app_settings
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base import forms
from allauth.mfa.models import Authenticator
from django.core.exceptions import ValidationError
from django.db import transaction

if TYPE_CHECKING:
    from league.models import User

WRONG_CODES = 5
"""The most wrong codes of an account that are read within `WITHIN`."""
WITHIN = 300
"""Seconds."""
LAST_PERIOD, WRONG_AT = "last_period", "wrong_at"
"""The data stored with an app: the period of its last code, and the times of wrong ones."""


class _Code(forms.BaseAuthenticateForm):
    user: User

    def clean_code(self) -> str:
        """Return the code if it is right and new.

        Raises:
            ValidationError: it is wrong or was used, or there were too many wrong ones.
        """
        with transaction.atomic():
            # Other requests of this account wait.
            app = (
                Authenticator.objects.select_for_update()
                .filter(user=self.user, type=Authenticator.Type.TOTP)
                .first()
            )
            if app is None:
                return str(super().clean_code())
            problem = self._check(app)
        if problem:
            raise problem
        return str(self.cleaned_data["code"])

    def _check(self, app: Authenticator) -> ValidationError | None:
        """Return what is wrong with the code, and store that it was used or wrong."""
        now = time.time()
        wrong_at = [at for at in app.data.get(WRONG_AT, []) if now - WITHIN < at <= now]
        if len(wrong_at) >= WRONG_CODES:
            return _error(account_adapter().validation_error("too_many_login_attempts"))
        problem = self._problem(app)
        app.data[WRONG_AT] = [*wrong_at, now] if problem else []
        app.save(update_fields=["data"])
        return problem

    def _problem(self, app: Authenticator) -> ValidationError | None:
        try:
            super().clean_code()
        except ValidationError as error:
            return error
        if self.authenticator.pk != app.pk:
            return None  # a recovery code, which allauth strikes off in the database
        period = int(time.time()) // app_settings.TOTP_PERIOD  # each has one code
        if period <= app.data.get(LAST_PERIOD, -1):
            return _error(get_adapter().validation_error("incorrect_code"))
        app.data[LAST_PERIOD] = period
        return None


def _error(error: Any) -> ValidationError:
    assert isinstance(error, ValidationError)  # noqa: S101 - allauth has no types
    return error


class AuthenticateForm(_Code, forms.AuthenticateForm):
    """The code that follows a password."""


class ReauthenticateForm(_Code, forms.ReauthenticateForm):
    """The code that confirms who is there, before anything delicate."""
