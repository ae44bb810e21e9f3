"""The API's description, its reference and the answer at unknown addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.generic import TemplateView
from drf_spectacular.renderers import (
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
    OpenApiYamlRenderer,
)
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.response import Response

from league.api.core.endpoint import Endpoint
from league.api.core.reference import groups, operation_called
from league.api.core.schema import description
from league.api.core.snippets import snippets_of

if TYPE_CHECKING:
    from rest_framework.request import Request


class Schema(Endpoint):
    """The OpenAPI description, as JSON or YAML."""

    renderer_classes = [OpenApiJsonRenderer2, OpenApiJsonRenderer, OpenApiYamlRenderer]

    @extend_schema(exclude=True)
    def get(self, _request: Request) -> Response:
        return Response(description())


class Docs(TemplateView):
    """The reference: all operations."""

    template_name = "api/reference.html"
    http_method_names = ["get", "head"]

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        return super().get_context_data(**context, groups=groups())


@method_decorator(ensure_csrf_cookie, name="dispatch")
class OperationPage(TemplateView):
    """One operation of the reference, with a form that uses the site's login."""

    template_name = "api/operation.html"
    http_method_names = ["get", "head"]

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        one = operation_called(self.kwargs["name"])
        if one is None:
            raise Http404
        return super().get_context_data(**context, one=one, snippets=snippets_of(one))


class Nowhere(Endpoint):
    """Any unknown address below ``/api/``."""

    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        del request, args, kwargs
        raise NotFound(
            _(
                "There is nothing at this address. API addresses end with a slash; see %(docs)s "
                "for a list."
            )
            % {"docs": reverse("api:docs")}
        )
