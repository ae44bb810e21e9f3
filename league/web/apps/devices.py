"""The page on which people connect a device without a browser by entering its code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from allauth.idp.oidc.forms import ConfirmCodeForm
from allauth.idp.oidc.internal.oauthlib import device_codes
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.services.apps import connecting
from league.services.apps.scopes import describe_scopes, in_order
from league.services.core.clock import database_now
from league.web.core.acting import account_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

LONGEST_CODE = 40
HALF = 4
ASKS = "idp/oidc/device_authorization_code_form.html"
CONFIRMS = "idp/oidc/device_authorization_confirm_form.html"


class CodeForm(ConfirmCodeForm):
    """The form for a device's code. The library limits the number of guesses."""

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        field: Any = self.fields["code"]
        field.label = gettext_lazy("Code on the device")
        field.help_text = gettext_lazy("Eight letters, such as BCDF-GHJK.")
        field.max_length = LONGEST_CODE
        field.widget.attrs = {
            "autocomplete": "off",
            "autocapitalize": "characters",
            "spellcheck": "false",
            "maxlength": str(LONGEST_CODE),
        }


def as_shown(code: str) -> str:
    """Return a typed code in the form in which devices show it."""
    letters = re.sub(r"[\W_]", "", code[:LONGEST_CODE]).upper()
    return f"{letters[:HALF]}-{letters[HALF:]}"


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def device(request: HttpRequest) -> HttpResponse:
    """Ask for the code, then for consent to the app on the device."""
    given = request.POST if request.method == "POST" else request.GET
    if "code" not in given:
        return render(request, ASKS, {"form": CodeForm()})
    form = CodeForm({"code": as_shown(given["code"])})
    if not form.is_valid():
        return render(request, ASKS, {"form": form}, status=400)
    asked = cache.get(device_codes.cache_device_code_key(form.device_code)) or {}
    scopes = in_order(asked.get("scope") or form.client.get_default_scopes())
    context = {
        "user_code": form.cleaned_data["code"],
        "client": form.client,
        "allowed": describe_scopes(scopes),
    }
    if given.get("action") not in {"confirm", "deny"} or request.method != "POST":
        return render(request, CONFIRMS, context)
    account, app = account_of(request), form.client.name
    allows = given["action"] == "confirm"
    if allows:
        connecting.connect(account, form.client, scopes, database_now())
    device_codes.confirm_or_deny_device_code(account, form.device_code, confirm=allows)
    if not allows:
        messages.info(request, _("%(app)s did not get access.") % {"app": app})
        return redirect("home")
    text = _("Go back to %(app)s on your device. It continues in a few seconds.")
    messages.success(request, text % {"app": app})
    return redirect("connected_apps")
