"""Signing up and logging in: every account is made together with its player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from allauth.account import forms
from allauth.account.adapter import DefaultAccountAdapter
from allauth.socialaccount import forms as social
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import Player, User
from league.models.names import NAME_MAX_LENGTH, fold, tidy, validate_name
from league.services.core.errors import Conflict
from league.services.people.players import register

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser
    from django.forms import BaseForm, Field
    from django.http import HttpRequest

USERNAME_MAX_LENGTH = 150
"""As Django's accounts have it."""
NAME_HELP = gettext_lazy(
    "How everyone sees you, up to 60 characters. You can log in with it, in any case."
)


class AccountAdapter(DefaultAccountAdapter):
    """Accounts are named as their players are; what is stored is the name's folded form."""

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The player name as it will be shown.

        Raises:
            ValidationError: it cannot be used, imitates another, or is taken.
        """
        validate_name(username)
        name = tidy(username)
        if len(fold(name)) > USERNAME_MAX_LENGTH:
            raise ValidationError(_("This name has too many unusual characters: shorten it."))
        taken = User.objects.filter(username__iexact=fold(name)).exists()
        if not shallow and (taken or Player.objects.named(name).exists()):
            raise ValidationError(
                _("“%(name)s” is taken, or reads like one that is.") % {"name": name}
            )
        return name

    def save_user(
        self,
        request: HttpRequest,
        user: AbstractBaseUser,
        form: BaseForm,
        commit: bool = True,
    ) -> AbstractBaseUser:
        """Write the account and its player, both or neither.

        Raises:
            Conflict: the name was taken while the form was being read.
        """
        name = form.cleaned_data["username"]
        try:
            with transaction.atomic():
                form.cleaned_data["username"] = fold(name)
                saved = super().save_user(request, user, form, commit=commit)
                register(cast("User", saved), name)
        except ValidationError as error:
            raise Conflict("name_taken", " ".join(error.messages), field="username") from error
        return saved

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        """Let people log in with their name as they would write it."""
        if "username" in credentials:
            credentials["username"] = fold(credentials["username"])
        return super().authenticate(request, **credentials)


def word_name_field(field: Field) -> None:
    field.label = _("Player name")
    field.help_text = NAME_HELP
    field.widget.attrs["maxlength"] = str(NAME_MAX_LENGTH)


def drop_placeholders(fields: dict[str, Field]) -> None:
    """Labels say what a field is; a placeholder that repeats them only looks like a value."""
    for field in fields.values():
        field.widget.attrs.pop("placeholder", None)


class LoginForm(forms.LoginForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = _("Player name or email")
        self.fields["login"].widget.attrs["autocomplete"] = "username"
        self.fields["remember"].label = _("Stay logged in on this device")
        drop_placeholders(self.fields)


class SignupForm(forms.SignupForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        word_name_field(self.fields["username"])
        drop_placeholders(self.fields)


class SocialSignupForm(social.SignupForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        word_name_field(self.fields["username"])
        drop_placeholders(self.fields)
