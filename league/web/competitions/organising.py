"""Pages for the organisers of a competition: its entrants, until the draw and after it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.models import Competition, Entrant, Player
from league.services.competitions import returning
from league.services.competitions.locking import PERMISSION
from league.services.competitions.running import entering_by_staff, entry_plans, withdrawing
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.core.isolation import ngettext
from league.services.people import entry_lists, naming
from league.services.transfer.files import tournaments
from league.services.transfer.files.reading import read_table
from league.web.core.acting import account_of
from league.web.core.middleware import status_of
from league.web.core.parameters import TYPED, chosen_players, whole_number

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse, QueryDict

    from league.models import User
    from league.services.people.entry_lists import EntryList

COLUMNS = ("seed", "rating", "club")
LARGEST_REPORT = 2_000_000
"""Bytes of a report of 500 players and 30 rounds, and more."""
MOST_TICKED = 200
"""The most players of the arena that can be ticked on the page, the most active first."""


class ListForm(forms.Form):
    """People to enter: typed, ticked, from a file and from another competition, all together."""

    names = forms.CharField(
        label=gettext_lazy("Names"),
        required=False,
        max_length=100_000,
        widget=forms.Textarea(attrs={"rows": 10}),
        help_text=gettext_lazy(
            "One on each line, or columns from a spreadsheet. You can add a rating, a club and an "
            "e-mail address: “Ines Sole; 1540; SC Kiel; ines@kiel.example”. A roster has its "
            "members after a colon, the captain first: “Owls: Ann, Bob”."
        ),
    )
    file = forms.FileField(
        label=gettext_lazy("From a file"),
        required=False,
        help_text=gettext_lazy("CSV, XLSX or text, with the columns name, rating, club, …"),
    )
    source = forms.ModelChoiceField(
        label=gettext_lazy("All entrants of"),
        queryset=Competition.objects.none(),
        required=False,
        empty_label=gettext_lazy("no other competition"),
    )
    players = forms.ModelMultipleChoiceField(
        label=gettext_lazy("Players of this arena"),
        queryset=Player.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, competition: Competition, **options: Any) -> None:
        super().__init__(*args, **options)
        self.file_rows: list[tuple[int, list[str]]] = []
        arena = competition.season.arena
        others = Competition.objects.filter(season__arena=arena).exclude(pk=competition.pk)
        fields: dict[str, Any] = self.fields
        fields["source"].queryset = others.select_related("season__arena")
        rated = Player.objects.filter(ratings__season__arena=arena)
        new = rated.exclude(entries__competition=competition)
        fields["players"].queryset = new.distinct().order_by("sort_name")[:MOST_TICKED]

    def read(self) -> EntryList:
        """Return everybody who is named. Raises ``Refused`` for a file that cannot be read."""
        given = self.cleaned_data
        found = entry_lists.read_list(given["names"])
        more = [entry_lists.Entry(0, f"#{player.pk}") for player in given["players"]]
        if given["source"]:
            more += entries_of(given["source"])
        found.entries += {one.name: one for one in more}.values()
        if given["file"]:
            table = read_table(given["file"].read())
            self.file_rows = [(1, table.header), *table.cells]
            rows = entry_lists.read_rows(self.file_rows)
            found.entries += rows.entries
            found.problems += rows.problems
        return found

    @property
    def typed(self) -> str:
        """Return the names that were typed, and the rows of the file that was read."""
        names = self.cleaned_data["names"].rstrip()
        rows = [cells for _line, cells in self.file_rows]
        if names and rows and entry_lists.headings(rows[0]):
            del rows[0]  # only the first line of a list can have headings
        return "\n".join([*filter(None, [names]), *("\t".join(cells) for cells in rows)])


def entries_of(source: Competition) -> list[entry_lists.Entry]:
    """Return the entrants of a competition as a list. A roster enters again as it is now."""
    rows = source.entrants.exclude(state=Entrant.State.WITHDRAWN).with_people()
    return [
        entry_lists.Entry(
            number,
            row.roster.name if row.roster else f"#{row.player_id}",
            club=row.club,
        )
        for number, row in enumerate(rows, start=1)
    ]


def competition_to_organise(request: HttpRequest, slug: str, pk: int) -> Competition:
    """Return a competition that the account may run.

    Raises:
        PermissionDenied: it may not.
    """
    rows = Competition.objects.select_related("season__arena")
    one = get_object_or_404(rows, pk=pk, season__arena__slug=slug)
    if not request.user.has_perm(PERMISSION, one):
        raise PermissionDenied
    return one


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def entrants(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the entrants to organisers, who enter, change and withdraw them here."""
    one = competition_to_organise(request, slug, pk)
    if request.method != "POST":
        return entrants_page(request, one)
    try:
        if request.POST.get("answer") == "check":
            return preview_list(request, one)
        if request.POST.get("answer") == "edit":
            return entrants_page(request, one, form=form_as_typed(request.POST, one))
        if request.POST.get("answer") == "report":
            return bring_report(request, one)
        message = act(request, one)
    except Refused as refusal:
        return entrants_page(request, one, refusal=refusal)
    messages.success(request, message)
    return redirect("competition_entrants", slug, pk)


def entrants_page(
    request: HttpRequest,
    one: Competition,
    *,
    form: ListForm | None = None,
    refusal: Refused | None = None,
) -> HttpResponse:
    """Show all entrants, with what was typed after a refusal."""
    sent = request.POST if refusal and request.method == "POST" else None
    if form is None and sent is not None:
        form = form_as_typed(sent, one)
    rows = one.entrants.with_people().order_by("seed", "entered_at", "id")
    is_before = one.state in {Competition.State.DRAFT, Competition.State.REGISTRATION}
    context = {
        "arena": one.season.arena,
        "competition": one,
        "rows": [(row, *typed_values(row, sent)) for row in rows],
        "is_before_the_draw": is_before,
        "takes_entries": is_before or takes_late(one),
        "takes_report": is_before and one.format == Competition.Format.SWISS and not rows,
        "is_running": one.state == Competition.State.RUNNING,
        "form": form or ListForm(competition=one),
        "places": one.ruled_by().entry.entrants,
        "refusal": refusal,
        "changed": changed_entrant(sent),
        "sent": sent,
    }
    status = status_of(refusal) if refusal else 400 if form and form.is_bound else 200
    return render(request, "competitions/entrants.html", context, status=status)


def changed_entrant(sent: QueryDict | None) -> int:
    """Return the entrant whose change was refused, 0 if there is none."""
    number = sent.get("answer", "").rpartition("-")[2] if sent is not None else ""
    return whole_number(number, default=0)


def form_as_typed(sent: QueryDict, one: Competition) -> ListForm:
    """Return the form as it was sent before the preview. A file is below what was typed."""
    initial = {
        "names": sent.get(TYPED, sent.get("names", "")),
        "source": sent.get("source", ""),
        "players": sent.getlist("players"),
    }
    return ListForm(initial=initial, competition=one)


def bring_report(request: HttpRequest, one: Competition) -> HttpResponse:
    """Go on with a report of another program, then lead to the import of its results."""
    given = request.FILES.get("report")
    if given is None or (given.size or 0) > LARGEST_REPORT:
        raise Refused("file", _("Choose a file of at most 2 MB."), field="file")
    file = tournaments.bring(
        one,
        name=given.name or "",
        content=given.read(),
        by=account_of(request),
        now=database_now(),
    )
    if file is None:
        messages.success(
            request,
            _("Its rounds are here. Ask an organiser who may import files to import its results."),
        )
        return redirect("competition_run", one.season.arena.slug, one.pk)
    messages.success(request, _("Its rounds are here. Now check and import its results."))
    return redirect("admin:league_fileimport_change", file.pk)


def takes_late(one: Competition) -> bool:
    try:
        return entering_by_staff.check_takes_entries(one)
    except Refused:
        return False


def typed_values(row: Entrant, sent: QueryDict | None) -> tuple[str, str, str]:
    """Return the seed, rating and club in the fields of an entrant."""
    if sent is not None and f"seed-{row.pk}" in sent:
        seed, rating, club = (sent.get(f"{name}-{row.pk}", "") for name in COLUMNS)
        return seed, rating, club
    rating = "" if row.rating is None else f"{row.rating:.10g}"
    return str(row.seed or ""), rating, row.club


def preview_list(request: HttpRequest, one: Competition) -> HttpResponse:
    """Show whom a list would enter, so that doubles are found before anything is written."""
    form = ListForm(request.POST, request.FILES, competition=one)
    if not form.is_valid():
        return entrants_page(request, one, form=form)
    found = form.read()
    if not found.entries and not found.problems:
        raise Refused("nobody", _("Write, tick or choose somebody to enter."), field="names")
    return check_page(request, one, found, form)


def check_page(
    request: HttpRequest, one: Competition, found: EntryList, form: ListForm
) -> HttpResponse:
    """Show the plan of a list. Nothing is written."""
    chosen = chosen_players(request.POST)
    by, now = account_of(request), database_now()
    plan = entry_plans.plan(one, found.entries, chosen, by=by, now=now)
    context = {
        "arena": one.season.arena,
        "competition": one,
        "plan": plan,
        "problems": found.problems,
        "as_text": entry_lists.write_list(
            replace(line.entry, email="") if line.mail_problem else line.entry
            for line in plan.possible
        ),
        "typed": form.typed,
        "form": form,
    }
    return render(request, "competitions/entrants_check.html", context)


def act(request: HttpRequest, one: Competition) -> str:
    """Take the step that the form names, and return a message about it."""
    by, now, sent = account_of(request), database_now(), request.POST
    name, _dash, number = sent.get("answer", "").partition("-")
    steps: dict[str, Callable[[], str]] = {
        "enter": lambda: enter(one, sent, by, now),
        "save": lambda: save(one, sent, by),
    }
    pk = whole_number(number, default=0)
    reason = sent.get("reason", "")
    if name == "remove":
        entering_by_staff.take_out(pk, by=by, now=now)
        return _("Removed.")
    if name == "withdraw":
        entrant = withdrawing.withdraw_entrant(pk, by=by, reason=reason, now=now)
        return _("%(entrant)s is withdrawn.") % {"entrant": entrant}
    if name == "return":
        entrant = returning.bring_back(pk, by=by, reason=reason, now=now)
        return _("%(entrant)s is back.") % {"entrant": entrant}
    if name == "replace":
        with transaction.atomic():  # nobody is added for a replacement that is refused
            player = naming.find_one(sent.get("player", ""), add_player="add_player" in sent)
            entrant = entering_by_staff.replace(pk, player, by=by, reason=reason, now=now)
        return _("%(entrant)s plays from now on.") % {"entrant": entrant}
    if name not in steps:
        raise Refused("answer", _("Choose what to do."))
    return steps[name]()


def enter(one: Competition, sent: QueryDict, by: User, now: datetime) -> str:
    found = entry_lists.read_list(sent.get("names", ""))
    invites = bool(sent.get("invites"))
    made = entering_by_staff.enter(
        one.pk, found.complete(), chosen_players(sent), by=by, now=now, invites=invites
    )
    text = ngettext("%(count)d entrant entered.", "%(count)d entrants entered.", len(made))
    return text % {"count": len(made)}


def save(one: Competition, sent: QueryDict, by: User) -> str:
    """Save the seeds, ratings and clubs of all entrants together."""
    ids = [int(key[5:]) for key in sent if key.startswith("seed-") and key[5:].isdecimal()]
    values = [
        (
            pk,
            entry_lists.seed_in(sent.get(f"seed-{pk}", "")),
            entry_lists.rating_in(sent.get(f"rating-{pk}", "")),
            entry_lists.checked_club(sent.get(f"club-{pk}", "")),
        )
        for pk in ids
    ]
    entering_by_staff.change(one.pk, values, by=by)
    return _("Saved.")
