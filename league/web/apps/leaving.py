"""Logout started by an app: ask whether to log out of the league as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.idp.oidc import views as library
from allauth.idp.oidc.forms import RPInitiatedLogoutForm
from django.http import HttpResponseRedirect
from django.utils.cache import add_never_cache_headers
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from league.web.apps.consent import let_lead_to, refusal_of_form, unusable

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase


class LogoutForm(RPInitiatedLogoutForm):
    """The app's request, which may lead only to registered post-logout redirect URIs."""

    def clean(self) -> dict[str, Any] | None:
        """Check the address here, because the library accepts any address on the app's site."""
        address = self.cleaned_data.get("post_logout_redirect_uri")
        self.cleaned_data["post_logout_redirect_uri"] = ""
        cleaned: dict[str, Any] | None = super().clean()
        client = self.cleaned_data.get("client")
        if address and client is not None:  # without a client, nothing is registered
            if address not in client.get_post_logout_redirect_uris():
                self.add_error("post_logout_redirect_uri", _("This address is not registered."))
            self.cleaned_data["post_logout_redirect_uri"] = address
        return cleaned


@method_decorator(csrf_exempt, name="dispatch")  # an app may send people here by a form
class Logout(library.LogoutView):
    form_class = LogoutForm
    http_method_names = ["get", "head", "post"]

    def dispatch(self, request: HttpRequest, *args: Any, **given: Any) -> HttpResponseBase:
        response = super().dispatch(request, *args, **given)
        add_never_cache_headers(response)
        return response

    def post(self, request: HttpRequest, *args: Any, **given: Any) -> HttpResponse:
        if "csrfmiddlewaretoken" not in request.POST:  # of an app: its form brings no cookies
            return HttpResponseRedirect(f"{request.path}?{request.POST.urlencode()}")
        if refused := refusal_of_form(request):
            return refused
        response: HttpResponse = super().post(request, *args, **given)
        return response

    def form_invalid(self, form: Any) -> HttpResponse:
        del form
        text = _("The app is not registered with the address to which it would send you.")
        return unusable(self.request, text)

    def get_context_data(self, **given: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**given)
        context["client"] = context["form"].cleaned_data.get("client")
        return context

    def render_to_response(self, context: dict[str, Any], **given: Any) -> HttpResponse:
        response: HttpResponse = super().render_to_response(context, **given)
        if address := context["form"].cleaned_data.get("post_logout_redirect_uri"):
            let_lead_to(response, address)
        return response
