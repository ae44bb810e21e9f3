"""The API's description, its reference and the answer at unknown addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from csp.constants import UNSAFE_INLINE
from csp.decorators import csp_update
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from drf_spectacular.renderers import (
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
    OpenApiYamlRenderer,
)
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.exceptions import NotFound
from rest_framework.response import Response

from league.api.core.endpoint import Endpoint
from league.api.core.schema import description

if TYPE_CHECKING:
    from rest_framework.request import Request

RELAXED = {"style-src": [UNSAFE_INLINE], "img-src": ["data:"]}
"""The additions to the site's policy that Swagger UI needs."""


class Schema(Endpoint):
    """The OpenAPI description, as JSON or YAML."""

    renderer_classes = [OpenApiJsonRenderer2, OpenApiJsonRenderer, OpenApiYamlRenderer]

    @extend_schema(exclude=True)
    def get(self, _request: Request) -> Response:
        return Response(description())


@method_decorator(csp_update(RELAXED), name="dispatch")
class Docs(SpectacularSwaggerSplitView):
    """The reference, with a form for each operation, which uses the site's login."""

    url_name = "api:schema"
    template_name = "api/docs.html"
    http_method_names = ["get", "head"]


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
