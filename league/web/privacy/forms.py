"""The choices of players about their profile."""

from __future__ import annotations

from functools import cache
from typing import Any, cast

from django import forms
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from league.models.collation import reading_key
from league.models.countries import COUNTRIES
from league.models.profile import LONGEST_ABOUT, LONGEST_LINK, MOST_LINKS


class PrivacyForm(forms.Form):
    """Both settings of a player's privacy."""

    hides_history = forms.BooleanField(
        label=_("Hide my match history"),
        required=False,
        help_text=_(
            "Your page shows others no matches, opponents, form or rating curve, and neither do "
            "feeds, comparisons and the API."
        ),
    )
    is_unlisted = forms.BooleanField(
        label=_("Unlisted"),
        required=False,
        help_text=_(
            "Nobody finds you by a part of your name, you are suggested to nobody, and search "
            "engines and other sites are told nothing about you."
        ),
    )


class ProfileForm(forms.Form):
    """A player's text, country and links."""

    about = forms.CharField(
        label=_("About you"),
        required=False,
        max_length=2 * LONGEST_ABOUT,  # the service says how many characters are too many
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("A few words in your own language, at most 300 characters. No formatting."),
    )
    country = forms.ChoiceField(label=_("Country"), required=False)
    links = forms.CharField(
        label=_("Links"),
        required=False,
        max_length=MOST_LINKS * (LONGEST_LINK + 2) * 2,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        help_text=_("Up to three, one a line, such as https://stream.example/you."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        country = cast("forms.ChoiceField", self.fields["country"])
        country.choices = [("", "–"), *countries_in(get_language())]

    def clean_links(self) -> list[str]:
        """Return the links, one for each line that is not empty."""
        return [line.strip() for line in self.cleaned_data["links"].splitlines() if line.strip()]


@cache
def countries_in(_language: str | None) -> list[tuple[str, str]]:
    """Return codes and names of the countries in the language that is active, by name."""
    named = [(code, str(name)) for code, name in COUNTRIES.items()]
    return sorted(named, key=lambda choice: reading_key(choice[1]))


class AvatarForm(forms.Form):
    image = forms.FileField(
        label=_("New picture"),
        help_text=_("A PNG, JPEG or WebP image. It is cropped to a square."),
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg,image/webp"}),
        error_messages={"required": _("Choose a file.")},
    )


class RemovalForm(forms.Form):
    reason = forms.CharField(label=_("Reason"), max_length=500, required=False)
