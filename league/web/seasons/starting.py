"""The ratings, or the order of a ladder, with which a season starts, from a list of organisers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.models import Arena, Player
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.core.isolation import ngettext
from league.services.people.entry_lists import Entry, read_list, read_ratings, read_rows
from league.services.results.rules import own_matches
from league.services.seasons import starting_lists
from league.services.seasons.given_ratings import given_to
from league.services.seasons.starting_plans import plan_starts
from league.services.transfer.files.reading import read_results, read_table, recognise, say
from league.web.core.acting import account_of
from league.web.core.middleware import status_of
from league.web.core.parameters import chosen_players
from ratings.files import rating_lists
from ratings.files.choices import Choices

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from league.models import Season
    from league.services.people.entry_lists import EntryList


class StartForm(forms.Form):
    """The players of a season with their starting ratings, or those of a ladder in their order."""

    names = forms.CharField(
        label=gettext_lazy("Names and ratings"),
        required=False,
        max_length=100_000,
        widget=forms.Textarea(attrs={"rows": 20}),
    )
    file = forms.FileField(
        label=gettext_lazy("From a file"),
        required=False,
        help_text=gettext_lazy(
            "CSV, XLSX or ODS with the columns name and rating, perhaps deviation, or a tournament "
            "file with ratings (TRF). It takes the place of the list above."
        ),
    )

    def __init__(self, *args: Any, season: Season, **options: Any) -> None:
        super().__init__(*args, **options)
        names = self.fields["names"]
        if season.lowest_first:
            names.label = _("Names")
            names.help_text = _("One on each line, the top of the ladder first.")
            names.required = True
            names.error_messages["required"] = _("The list has no names.")
            del self.fields["file"]
        elif season.system().shows.deviation:
            names.help_text = _(
                "One player on each line, with the rating and perhaps its deviation: “Ann 1450” or "
                "“Ann; 1450; 80”."
            )
        else:
            names.help_text = _(
                "One player on each line, with the rating: “Ann 1450” or “Ann; 1450”."
            )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def starting_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Let organisers give a season its start: a list, then what it means, then save."""
    arena = get_object_or_404(Arena.objects.published(), slug=slug)
    if not request.user.has_perm(own_matches.ENTER, arena):
        raise Forbidden("not_staff", _("Only organisers can give starting ratings."))
    now = database_now()
    try:
        season = starting_lists.season_to_start(arena, now)
    except Refused as refusal:
        context = {"arena": arena, "refusal": refusal, "is_ladder": arena.is_ladder}
        # To ask for the page is no mistake: it says why the ratings are fixed.
        status = status_of(refusal) if request.method == "POST" else 200
        return render(request, "seasons/starting_list.html", context, status=status)
    if request.method != "POST" or request.POST.get("answer") == "edit":
        names = request.POST.get("names", list_of(season))
        return list_page(request, season, StartForm(initial={"names": names}, season=season))
    form = StartForm(request.POST, request.FILES, season=season)
    if not form.is_valid():
        return list_page(request, season, form)
    try:
        return take_step(request, season, form, now)
    except Forbidden:
        raise
    except Refused as refusal:
        return list_page(request, season, form, refusal)


def take_step(request: HttpRequest, season: Season, form: StartForm, now: datetime) -> HttpResponse:
    """Show what a list means, or save or remove it. Raises ``Refused``."""
    arena, by, answer = season.arena, account_of(request), request.POST.get("answer")
    if answer == "remove" and not season.lowest_first:
        starting_lists.give(arena, [], {}, by=by, now=now)
        messages.success(request, _("The starting ratings have been removed."))
        return redirect("leaderboard", arena.slug)
    text, found = read_form(season, form)
    if answer != "save":
        return preview_page(request, season, text, found)
    chosen = chosen_players(request.POST)
    season = starting_lists.give(arena, found.complete(), chosen, by=by, now=now)
    count = len(given_to(season))
    if season.lowest_first:
        said = ngettext(
            "%(count)d player is on the ladder.", "%(count)d players are on the ladder.", count
        )
    else:
        said = ngettext(
            "%(count)d player has a starting rating.",
            "%(count)d players have a starting rating.",
            count,
        )
    messages.success(request, said % {"count": count})
    return redirect("leaderboard", arena.slug)


def list_of(season: Season) -> str:
    """Return the list that a season has: of a ladder all players, else those with a start given."""
    if season.lowest_first:
        held = season.ratings.order_by("rating").values_list("player__name", flat=True)
        return "\n".join(held)
    given = given_to(season)
    names = Player.objects.in_bulk(given)
    return write_ratings(
        Entry(0, names[player].name, rating=rating, deviation=deviation)
        for player, (rating, deviation) in given.items()
        if player in names
    )


def write_ratings(entries: Iterable[Entry]) -> str:
    """Return a list as text that :func:`read_ratings` reads back, the best first."""
    lines = []
    for one in sorted(entries, key=lambda entry: -(entry.rating or 0.0)):
        numbers = [f"{each:.15g}" for each in (one.rating, one.deviation) if each is not None]
        separator = "\t" if ";" in one.name else "; "
        lines.append(separator.join([one.name, *numbers]))
    return "\n".join(lines)


def read_form(season: Season, form: StartForm) -> tuple[str, EntryList]:
    """Return a list as text, and what it says.

    Raises:
        Refused: there is none, or the file has no ratings.
    """
    text: str = form.cleaned_data["names"]
    if season.lowest_first:
        return text, read_list(text)
    file = form.cleaned_data["file"]
    if not file:
        return text, read_ratings(text)
    content = file.read()
    table = None if recognise(content) else read_table(content)
    if table and not rating_lists.guess(table):  # its first line may be a player
        found = read_rows([(1, table.header), *table.cells], has_deviations=True)
    else:
        found = read_rated(content)
    return write_ratings(found.entries), found


def read_rated(content: bytes) -> EntryList:
    """Return the ratings in a file of a known format. Raises ``Refused`` if there are none."""
    read = read_results(content, Choices())
    # Wrong results of a tournament matter nothing here.
    problems = [] if read.format else [(one.line, say(one.sentence)) for one in read.problems]
    if not read.ratings and not problems:
        raise Refused("file", _("This file has no ratings."), field="file")
    rows = [["name", "rating", "deviation"]]
    rows += [
        [one.name, f"{one.rating}", "" if one.deviation is None else f"{one.deviation}"]
        for one in read.ratings
    ]
    found = read_rows(enumerate(rows), has_deviations=True)
    found.problems += problems
    return found


def list_page(
    request: HttpRequest, season: Season, form: StartForm, refusal: Refused | None = None
) -> HttpResponse:
    context = {
        "arena": season.arena,
        "season": season,
        "is_ladder": season.lowest_first,
        "form": form,
        "refusal": refusal,
        "may_remove": not season.lowest_first and bool(given_to(season)),
    }
    status = status_of(refusal) if refusal else 400 if form.is_bound else 200
    return render(request, "seasons/starting_list.html", context, status=status)


def preview_page(request: HttpRequest, season: Season, text: str, found: EntryList) -> HttpResponse:
    """Show what a list means. Nothing is written."""
    plan = plan_starts(season, found.entries, {})
    context = {
        "arena": season.arena,
        "season": season,
        "is_ladder": season.lowest_first,
        "plan": plan,
        "problems": found.problems,
        "may_save": bool(plan.lines) and not found.problems and plan.problem is None,
        "as_text": text,
    }
    return render(request, "seasons/starting_preview.html", context)
