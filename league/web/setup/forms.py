"""The form that creates the first admin."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from django import forms
from django.contrib.auth.password_validation import (
    password_validators_help_text_html,
    validate_password,
)
from django.core.exceptions import ValidationError
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import Player, User
from league.models.mail_addresses import validate_domain
from league.models.names import NAME_MAX_LENGTH, fold
from league.services.core.errors import Refused
from league.web.core.uploads import ARCHIVE_TOO_LARGE, LARGEST_ARCHIVE

EMPTY, DEMO = "empty", "demo"
NEW_PASSWORD = {"autocomplete": "new-password"}


class CodeForm(forms.Form):
    """The proof that somebody runs the site."""

    code = forms.CharField(
        label=gettext_lazy("Setup code"),
        help_text=gettext_lazy(
            "It proves that you run this site. On the server, “manage.py setup_code” prints it."
        ),
        max_length=60,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def refuse(self, refusal: Refused) -> None:
        """Add a service's refusal to the field that it names."""
        self.add_error(refusal.field or None, refusal.message)


class ArchiveForm(forms.Form):
    """The archive of a league, for an empty Laurel."""

    archive = forms.FileField(
        label=gettext_lazy("Archive"),
        help_text=gettext_lazy(
            "The other site’s admin has it under “Backups”. Any of its backups will do, too."
        ),
    )
    key = forms.CharField(
        label=gettext_lazy("Key"),
        help_text=gettext_lazy(
            "Only for an encrypted archive: LAUREL_BACKUP_KEY of the other site. "
            "It starts with AGE-SECRET-KEY-1."
        ),
        max_length=200,
        required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )

    def clean_archive(self) -> Any:
        upload = self.cleaned_data["archive"]
        if upload.size > LARGEST_ARCHIVE:
            sizes = {
                "size": filesizeformat(upload.size),
                "limit": filesizeformat(LARGEST_ARCHIVE),
            }
            raise ValidationError(ARCHIVE_TOO_LARGE % sizes)
        return upload


class SetupForm(CodeForm):
    name = forms.CharField(
        label=gettext_lazy("Name"),
        help_text=gettext_lazy("You log in with it. To play as well, choose a player name later."),
        max_length=NAME_MAX_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "username"}),
    )
    email = forms.EmailField(
        label=gettext_lazy("Email address"),
        help_text=gettext_lazy("With it you can set a new password by mail."),
        required=False,
        validators=[validate_domain],
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    password1 = forms.CharField(
        label=gettext_lazy("Password"),
        help_text=password_validators_help_text_html,
        strip=False,
        widget=forms.PasswordInput(attrs=NEW_PASSWORD),
    )
    password2 = forms.CharField(
        label=gettext_lazy("Password again"),
        strip=False,
        widget=forms.PasswordInput(attrs=NEW_PASSWORD),
    )
    begin = forms.ChoiceField(
        label=gettext_lazy("Begin with"),
        choices=[
            (EMPTY, gettext_lazy("An empty league: you set up its arenas in the admin")),
            (DEMO, gettext_lazy("The demo: arenas with players and results to look around")),
        ],
        initial=EMPTY,
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, needs_code: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not needs_code:
            del self.fields["code"]

    def clean_name(self) -> str:
        """Return the name, which may be a reserved word such as “admin”: it is only for log-ins."""
        name: str = get_adapter().clean_username(self.cleaned_data["name"], shallow=True)
        Player(name=name, may_resemble=True).refuse_imitation()
        return name

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        first, second = data.get("password1"), data.get("password2")
        if first and second and first != second:
            self.add_error("password2", _("The passwords differ."))
        if first:
            user = User(username=fold(data.get("name", "")), email=data.get("email", ""))
            try:
                validate_password(first, user)
            except ValidationError as error:
                self.add_error("password1", error)
        return data
