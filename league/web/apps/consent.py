"""The consent page, on which people allow or deny an app access."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from allauth.core.internal.httpkit import add_query_params
from allauth.idp.oidc import views as library
from allauth.idp.oidc.models import Client
from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_exempt

from league.services.apps import addresses, connecting
from league.services.apps.scopes import EMAIL, OPENID, describe_scopes, in_order
from league.services.core.clock import database_now
from league.services.core.isolation import gettext as _
from league.web.core.acting import account_of

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

S256 = "S256"
FOUND = 302
UNSUPPORTED = ("claims", "request", "request_uri", "registration")
LONGEST = 8_000
"""The most characters in the query of a request."""


def back_to(address: str, **told: str | None) -> HttpResponse:
    """Redirect to an app. Django's own redirects refuse custom schemes."""
    response = HttpResponse(status=302)
    given = {name: text for name, text in told.items() if text}
    response.headers["Location"] = add_query_params(address, given)
    return response


def unusable(request: HttpRequest, message: str) -> HttpResponse:
    """Tell the user why an app's request failed, if the app cannot be told."""
    return render(request, "idp/oidc/error.html", {"message": message}, status=400)


def let_lead_to(response: HttpResponse, address: str) -> None:
    """Allow a page's form to lead to an app. Browsers apply ``form-action`` to redirects, too."""
    response._csp_update = {"form-action": [addresses.source_of(address)]}  # type: ignore[attr-defined] # noqa: SLF001 - as its decorators do


def refusal_of_form(request: HttpRequest) -> HttpResponse | None:
    """Return the page for a form that is from another site, or too old, ``None`` for our own.

    The views are exempt from the check, because apps may send people to them by a form. The library
    checks its own forms, but without a page.
    """
    check = CsrfViewMiddleware(lambda _request: HttpResponse())
    return check.process_view(request, lambda _request: HttpResponse(), (), {})


@method_decorator(csrf_exempt, name="dispatch")  # an app may send people here by a form
class Consent(library.AuthorizationView):
    """Ask whether an app may act for the user, and redirect to it with the answer."""

    http_method_names = ["get", "head", "post"]

    def dispatch(self, request: HttpRequest, *args: Any, **given: Any) -> HttpResponseBase:
        response = super().dispatch(request, *args, **given)
        add_never_cache_headers(response)
        return response

    def get(self, request: HttpRequest, *args: Any, **given: Any) -> HttpResponse:
        asked = request.GET
        if len(request.META.get("QUERY_STRING", "")) > LONGEST:
            return unusable(request, _("The app’s request is too long."))
        if repeated := [name for name, values in asked.lists() if len(values) > 1]:
            text = _("The app’s request contains “%(name)s” more than once.")
            return unusable(request, text % {"name": min(repeated)[:60]})
        client = Client.objects.filter(pk=asked.get("client_id", "")).first()
        if client is None:
            return unusable(request, _("This app is not registered, or no longer is."))
        address = asked.get("redirect_uri", "")
        if not addresses.is_registered(address, client.get_redirect_uris()):
            text = _(
                "%(app)s is not registered with the address to which this request would send you. "
                "Somebody else may have made the request, so nothing was shared."
            )
            return unusable(request, text % {"app": client.name})
        if refusal := refusal_of(request, client):
            error, description = refusal
            return back_to(
                address, error=error, error_description=description, state=asked.get("state")
            )
        response: HttpResponse = super().get(request, *args, **given)
        return response

    def post(self, request: HttpRequest, *args: Any, **given: Any) -> HttpResponse:
        is_ours = bool(request.POST.get("request"))
        if is_ours and request.user.is_authenticated and (refused := refusal_of_form(request)):
            return refused
        response: HttpResponse = super().post(request, *args, **given)
        return response

    def render_to_response(self, context: dict[str, Any], **given: Any) -> HttpResponse:
        if self.is_known(context):
            return self.pass_on(context["client"])
        response: HttpResponse = super().render_to_response(context, **given)
        let_lead_to(response, self.address)
        return response

    def _login_required(self, request: HttpRequest) -> HttpResponse | None:
        """Let nobody press a button who is not logged in, whatever the address says of prompts."""
        if request.method != "POST":
            refused: HttpResponse | None = super()._login_required(request)
            return refused
        if request.user.is_authenticated:
            return None
        return redirect_to_login(request.path)

    def is_known(self, context: dict[str, Any]) -> bool:
        """Return whether the user has already allowed all of this and need not be asked.

        Any program on a device could claim to be this app, so people are asked each time there.
        """
        is_opened = self.request.method in {"GET", "HEAD"}
        prompts = self.request.GET.get("prompt", "").split()
        if not is_opened or "consent" in prompts or addresses.stays_on_device(self.address):
            return False
        chooses_address = "email" in context["form"].fields
        account = account_of(self.request)
        return not chooses_address and connecting.has_allowed(
            account, context["client"], self._scopes
        )

    def pass_on(self, client: Client) -> HttpResponse:
        """Return to the app through a page: after a login, browsers block a direct redirect."""
        response = self.form_valid(SimpleNamespace(cleaned_data={}))
        if response.status_code != FOUND:
            return response
        context = {"client": client, "address": response.headers["Location"]}
        return render(self.request, "idp/oidc/passing_on.html", context)

    @property
    def address(self) -> str:
        """The redirect URI of the request."""
        return str(self._request_info["redirect_uri"])

    def get_context_data(self, **given: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**given)
        is_here = addresses.stays_on_device(self.address)
        context |= {
            "allowed": describe_scopes(self._scopes),
            "host": "" if is_here else urlsplit(self.address).netloc,
        }
        return context

    def get_form(self, form_class: Any = None) -> Any:
        """Ask for all requested scopes or none, because the app may not work with fewer."""
        form = super().get_form(form_class)
        del form.fields["scopes"]
        return form

    def _respond_with_access_denied(self) -> HttpResponse:
        if refused := self.no_longer_registered():
            return refused
        return back_to(self.address, error="access_denied", state=self._request_info.get("state"))

    def form_valid(self, form: Any) -> HttpResponse:
        """Connect the app, and redirect to it with a code."""
        if refused := self.no_longer_registered():
            return refused
        form.cleaned_data["scopes"] = in_order(self._scopes)
        client = Client.objects.get(pk=self._request_info["client_id"])
        connecting.connect(
            account_of(self.request), client, form.cleaned_data["scopes"], database_now()
        )
        response: HttpResponse = super().form_valid(form)
        return response

    def no_longer_registered(self) -> HttpResponse | None:
        """Refuse a redirect URI that was removed after the page was shown."""
        client = Client.objects.filter(pk=self._request_info["client_id"]).first()
        if client and addresses.is_registered(self.address, client.get_redirect_uris()):
            return None
        return unusable(self.request, _("This app is not registered, or no longer is."))


def refusal_of(request: HttpRequest, client: Client) -> tuple[str, str] | None:
    """Return the error code and description for an unsupported request."""
    asked = request.GET
    if asked.get("code_challenge") and asked.get("code_challenge_method") != S256:
        return "invalid_request", "Send code_challenge_method=S256."
    if not addresses.is_readable(asked.get("resource", "")):
        return "invalid_target", "The resource is no address."
    if any(asked.get(name) for name in UNSUPPORTED):
        return "request_not_supported", f"Send none of {', '.join(UNSUPPORTED)}."
    if asked.get("response_mode", "query") != "query":
        return "invalid_request", "The only response_mode is query."
    prompts = asked.get("prompt", "").split()
    return silent_refusal(request, client, prompts) if "none" in prompts else None


def silent_refusal(
    request: HttpRequest, client: Client, prompts: list[str]
) -> tuple[str, str] | None:
    """Return why ``prompt=none`` gets no code, ``None`` if it does."""
    scopes = request.GET.get("scope", "").split()
    if len(prompts) > 1 or OPENID not in scopes:
        return "invalid_request", "prompt=none must be the only prompt, and needs the scope openid."
    if not request.user.is_authenticated:
        return "login_required", "Nobody is logged in in this browser."
    is_known = connecting.has_allowed(account_of(request), client, scopes)
    if not is_known or addresses.stays_on_device(request.GET["redirect_uri"]):
        return "consent_required", "The user has to give consent first."
    if EMAIL in scopes and connecting.has_several_addresses(account_of(request)):
        return "consent_required", "The user has to choose an email address."
    return None
