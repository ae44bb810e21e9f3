"""Sign-up and log-in. Every account is created together with its player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from allauth.account import forms
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core import context as allauth_context
from allauth.socialaccount import forms as social
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy

from league.clients import client_address
from league.models import Player, User
from league.models.mail_addresses import validate_domain
from league.models.names import NAME_MAX_LENGTH, fold, tidy, validate_name
from league.services.core.clock import database_now
from league.services.core.errors import Conflict
from league.services.core.isolation import gettext as _
from league.services.people.invitation_mails import token_of
from league.services.people.invited import join
from league.services.people.players import register
from league.services.privacy.deleting import is_barred
from league.services.site import frame
from league.web.core.context import theme_of
from league.web.people.invited import IN_SESSION, invitation_in, token_in

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser
    from django.forms import BaseForm, Field, Form
    from django.http import HttpRequest

    from league.models import PlayerInvitation

USERNAME_MAX_LENGTH = 150
"""The limit of Django's accounts."""
NAME_HELP = gettext_lazy(
    "What everyone calls you, up to 60 characters. You can also log in with it."
)


class AccountAdapter(DefaultAccountAdapter):
    """Give accounts their players' names, stored in folded form."""

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the player name as the site will show it.

        Raises:
            ValidationError: it cannot be used, imitates another name or is taken.
        """
        invitation = invitation_in(self.request)
        if invitation and fold(username) == invitation.player.folded_name:
            refuse_taken(invitation.player.name)
            return invitation.player.name
        validate_name(username)
        name = tidy(username)
        if len(fold(name)) > USERNAME_MAX_LENGTH:
            raise ValidationError(_("This name is too long because of its unusual characters."))
        if not shallow:
            refuse_taken(name)
            Player(name=name).refuse_imitation()
        return name

    def clean_email(self, email: str) -> str:
        """Refuse an address that no mail reaches, or of a banned account that was deleted.

        Raises:
            ValidationError: it is one of these.
        """
        cleaned: str = super().clean_email(email)
        validate_domain(cleaned)
        if is_barred(cleaned, database_now()):
            raise ValidationError(_("This address belonged to a banned account."), code="barred")
        return cleaned

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the address by which log-ins, sign-ups and lost passwords are limited."""
        return client_address(request) or "unknown"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail whose links lead to the league's own address, whatever address was asked.

        A request can name any port, and whoever reads the mail would open it.
        """
        ours = {
            name: on_our_site(value) if name.endswith("_url") else value
            for name, value in context.items()
        }
        site = {"name": frame.current().name, "domain": urlsplit(settings.SITE_URL).netloc}
        super().send_mail(template_prefix, email, {**ours, "current_site": site})

    def format_email_subject(self, subject: str) -> str:
        return f"[{frame.current().name}] {subject}"

    def save_user(
        self,
        request: HttpRequest,
        user: AbstractBaseUser,
        form: BaseForm,
        commit: bool = True,
    ) -> AbstractBaseUser:
        """Create the account and its player, or neither. An invited one acts for that player.

        Raises:
            Conflict: the name has been taken in the meantime, or the invitation has been used.
        """
        name = form.cleaned_data["username"]
        token = token_in(request) if invitation_in(request) else ""
        try:
            with transaction.atomic():
                form.cleaned_data["username"] = fold(name)
                cast("User", user).theme = theme_of(request)
                cast("User", user).language = get_language() or ""
                saved = super().save_user(request, user, form, commit=commit)
                if token:
                    invitation = join(token, cast("User", saved), database_now())
                    request.reached_address = invitation.address  # type: ignore[attr-defined] # ours
                    request.session.pop(IN_SESSION)
                else:
                    register(cast("User", saved), name)
        except ValidationError as error:
            raise Conflict("name_taken", " ".join(error.messages), field="username") from error
        return saved

    def is_email_verified(self, request: HttpRequest, email: str) -> bool:
        """Return whether the link of an invitation has reached this address, which is nobody's."""
        is_reached = email.lower() == getattr(request, "reached_address", None)
        return is_reached and not EmailAddress.objects.is_verified(email)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Leave wrong passwords to ``login_locks``. Only second factors use allauth's count."""

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        """Let people log in with their name in any spelling that folds to it."""
        if "username" in credentials:
            credentials["username"] = fold(credentials["username"])
        return super().authenticate(request, **credentials)


def refuse_taken(name: str) -> None:
    """Raise ``ValidationError`` if an account logs in with this name."""
    if User.objects.filter(username__iexact=fold(name)).exists():
        raise ValidationError(
            _("“%(name)s” is taken or too similar to a taken name.") % {"name": name}
        )


def on_our_site(url: str) -> str:
    """Return an address with the league's own scheme, host and port."""
    scheme, host = urlsplit(settings.SITE_URL)[:2]
    return urlsplit(url)._replace(scheme=scheme, netloc=host).geturl()


def label_name_field(form: Form) -> PlayerInvitation | None:
    """Set up the field of the player's name. Return the invitation that fills it in, if any."""
    field = form.fields["username"]
    field.label = _("Player name")
    field.help_text = NAME_HELP
    field.widget.attrs["maxlength"] = str(NAME_MAX_LENGTH)
    invitation = invitation_in(allauth_context.request)
    if invitation:
        field.disabled, form.initial["username"] = True, invitation.player.name
        field.help_text = _("You were invited as this player. You can also log in with this name.")
        form.initial.setdefault("email", invitation.address)
    return invitation


def drop_placeholders(fields: dict[str, Field]) -> None:
    """Remove placeholders that repeat labels and look like values."""
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
        self.invitation = label_name_field(self)
        if self.invitation:
            self.invitation_page = reverse("invited", args=[token_of(self.invitation)])
        drop_placeholders(self.fields)


class SocialSignupForm(social.SignupForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        label_name_field(self)
        drop_placeholders(self.fields)
