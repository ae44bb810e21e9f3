"""Filters of lists in the admin that an account keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template

from league.models import SavedFilter

if TYPE_CHECKING:
    from django.contrib.admin.views.main import ChangeList

register = template.Library()


@register.inclusion_tag("admin/league/frontpage/_saved_filters.html", takes_context=True)
def saved_filters(context: Any, cl: ChangeList) -> dict[str, Any]:
    """Show the filters that are kept for a list, and a form to keep the present one."""
    request = context["request"]
    page = cl.opts.label_lower
    kept = SavedFilter.objects.filter(user=request.user, page=page)
    return {"kept": list(kept), "page": page, "query": request.GET.urlencode(), "request": request}
