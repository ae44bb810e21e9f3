"""Form fields look as Django's own templates write them."""

from __future__ import annotations

import pytest
from django import forms
from django.forms.renderers import DjangoTemplates
from django.forms.utils import ErrorList
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy

from league.form_renderer import WRITERS, Renderer

HOSTILE = """<b>"it's" & more</b>"""


class Sizes(forms.Form):
    name = forms.CharField(label=HOSTILE, widget=forms.TextInput(attrs={"title": HOSTILE}))
    text = forms.CharField(widget=forms.Textarea(attrs={"rows": 3}), required=False)
    mail = forms.EmailField(label=mark_safe("<i>Mail</i>"))
    link = forms.URLField(assume_scheme="https")
    size = forms.IntegerField(min_value=1, initial=1_000)
    secret = forms.CharField(widget=forms.HiddenInput, initial=HOSTILE)
    sure = forms.BooleanField(label=gettext_lazy("Yes"))
    one = forms.ChoiceField(choices=[("", "–"), (1, HOSTILE), ("Group", [(2, 2), (3, "three")])])
    many = forms.MultipleChoiceField(choices=[(1, "one"), (2, "two")])
    boxes = forms.MultipleChoiceField(
        choices=[(1, "one"), (2, HOSTILE)], widget=forms.CheckboxSelectMultiple
    )
    day = forms.SplitDateTimeField(required=False)


DATA = {
    "name": HOSTILE,
    "text": f"\n{HOSTILE}",
    "mail": "a@example.org",
    "link": "https://example.org/?a=1&b=2",
    "size": "0",
    "secret": "x",
    "sure": "on",
    "one": "2",
    "many": ["1", "2"],
    "boxes": ["2"],
}


@pytest.mark.parametrize("data", [None, DATA, {}], ids=["new", "filled", "wrong"])
@pytest.mark.parametrize("name", Sizes.base_fields)
def test_a_field_is_written_as_by_djangos_templates(
    data: dict[str, object] | None, name: str
) -> None:
    theirs, ours = (Sizes(data, renderer=one()) for one in (DjangoTemplates, Renderer))
    for form in (theirs, ours):
        form.full_clean()
    assert lines(ours[name]) == lines(theirs[name])
    assert ours[name].label_tag() == theirs[name].label_tag()
    assert str(ours[name].errors) == str(theirs[name].errors)
    assert ours[name].errors.as_ul() == theirs[name].errors.as_ul()


def lines(field: forms.BoundField) -> list[str]:
    """Return the HTML of a field without the empty lines between options."""
    return [line for line in str(field).splitlines() if line.strip()]


def test_a_list_of_errors_without_a_field_and_a_label_without_a_tag_are_written_too() -> None:
    for errors in ([], [HOSTILE, "two"]):
        theirs, ours = (ErrorList(errors, renderer=one()) for one in (DjangoTemplates, Renderer))
        assert str(ours) == str(theirs)
    context = {"field": None, "label": HOSTILE, "attrs": None, "use_tag": False, "tag": "label"}
    label = "django/forms/label.html"
    assert label in WRITERS
    assert Renderer().render(label, context) == DjangoTemplates().render(label, context)
