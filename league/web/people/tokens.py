"""The API tokens of an account: make one, see them, revoke them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.models import Scope
from league.models.access_token import LONGEST_TOKEN_NAME
from league.services.core.clock import database_now
from league.services.people.tokens import MOST_TOKENS, make_token, tokens_of
from league.web.core.acting import account_of
from league.web.core.once import made_a_moment_ago, note_made

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

USUAL = (Scope.REPORT, Scope.QUEUE)


class TokenForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name"),
        help_text=gettext_lazy("What the token is for, such as the name of your bot."),
        max_length=LONGEST_TOKEN_NAME,
    )
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("It may also"),
        help_text=gettext_lazy("Every token reads what you can read."),
        choices=[choice for choice in Scope.choices if choice[0] != Scope.READ],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        initial=USUAL,
    )
    days = forms.TypedChoiceField(
        label=gettext_lazy("Ends after"),
        choices=[
            (30, gettext_lazy("30 days")),
            (90, gettext_lazy("90 days")),
            (365, gettext_lazy("A year")),
            (0, gettext_lazy("Never")),
        ],
        coerce=int,
        initial=90,
    )

    def expires_at(self, now: datetime) -> datetime | None:
        days = self.cleaned_data["days"]
        return now + timedelta(days=days) if days else None


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def tokens(request: HttpRequest) -> HttpResponse:
    """Show the tokens, and create one, whose text is shown this once.

    A double click leaves one token, whose secret is on the page that the reader gets to see.
    """
    if request.method != "POST":
        return tokens_page(request, TokenForm())
    form = TokenForm(request.POST)
    if not form.is_valid():
        return tokens_page(request, form, status=400)
    user, now = account_of(request), database_now()
    if unseen := made_a_moment_ago(request):
        tokens_of(user).filter(pk=unseen).delete()
    made, secret = make_token(
        user,
        form.cleaned_data["name"],
        form.cleaned_data["scopes"],
        now=now,
        expires_at=form.expires_at(now),
    )
    note_made(request, str(made.pk))
    return tokens_page(request, TokenForm(), secret=secret, status=201)


def tokens_page(
    request: HttpRequest, form: TokenForm, *, secret: str = "", status: int = 200
) -> HttpResponse:
    rows = list(tokens_of(account_of(request)))
    context: dict[str, Any] = {
        "tokens": rows,
        "form": form,
        "secret": secret,
        "full": len(rows) >= MOST_TOKENS,
        "now": database_now(),
    }
    return render(request, "people/tokens.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def revoke_token(request: HttpRequest, pk: int) -> HttpResponse:
    """Revoke a token. GET requests return to the list."""
    if request.method != "POST":
        return redirect("tokens")
    get_object_or_404(tokens_of(account_of(request)), pk=pk).delete()
    messages.success(request, _("Token revoked."))
    return redirect("tokens")
