"""The queue form, with fields generated from the declarations of its rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import ValidationError as BrokenRules

from league.admin.core.base import sentence
from league.admin.core.fields import (
    WithUnit,
    WrittenDurationField,
    add_problem,
    choices,
    declared_fields,
    in_each_language,
    with_facts,
)
from league.models import ArenaQueue
from league.models.queue import (
    LONGEST_READY_WINDOW,
    LONGEST_TICKS_KEPT,
    SHORTEST_READY_WINDOW,
    SHORTEST_TICKS_KEPT,
)
from league.services.core.declared import declarations as in_language
from league.services.queue.ranks import needs_of
from matchmaking.blocks import BlockRules
from matchmaking.prediction import AS_PUBLISHED, PredictionRules
from matchmaking.presets import PRESETS
from matchmaking.rank_filter import RankFilterRules
from matchmaking.regions import RegionRules
from matchmaking.rules.arena import Choices, MatcherRules, QueueRules
from matchmaking.rules.laurel import LaurelRules
from ratings.tunables.declarations import Declaration
from ratings.tunables.durations import format_duration
from ratings.tunables.parameters import Parameters

if TYPE_CHECKING:
    from django.utils.safestring import SafeString

NEW = ArenaQueue()
"""The source of a new queue's defaults."""

QUEUE_RULES: dict[str, type[Parameters]] = {
    "queue": QueueRules,
    "matcher": MatcherRules,
    "laurel": LaurelRules,
    "rank_filter": RankFilterRules,
    "region": RegionRules,
    "block": BlockRules,
    "choices": Choices,
}
"""The groups of rules, each a fieldset of the form if any of its rules has a field."""


class Rule(NamedTuple):
    group: str
    declaration: Declaration

    @property
    def field_name(self) -> str:
        return f"{self.group}__{self.declaration.name}"


RULES = [
    Rule(group, declaration)
    for group, model in QUEUE_RULES.items()
    for declaration in declared_fields(model)
]
"""The rules that have a field."""

STEPS = "rank_filter__steps"


class StepsField(forms.CharField):
    """A field for percentiles such as ``2, 5, 10``. Its value is the list of typed parts."""

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) else ", ".join(f"{step:g}" for step in value or ())

    def to_python(self, value: Any) -> Any:
        return [part.strip() for part in (value or "").split(",") if part.strip()]


class RuleField(forms.Field):
    """A field for one rule. Its value is the typed text; the engine parses it."""

    def __init__(self, declaration: Declaration) -> None:
        super().__init__(
            required=False,
            label=gettext_lazy(declaration.label),
            initial=rule_value(declaration, declaration.default),
            help_text=in_each_language(explanation, declaration),
            widget=widget(declaration),
        )

    def to_python(self, value: Any) -> Any:
        return value.strip() if isinstance(value, str) else value


def rule_value(declaration: Declaration, value: Any) -> Any:
    """Return a rule's value as its form field shows it."""
    if declaration.kind == "duration" and not isinstance(value, str):
        return format_duration(value)
    return repr(value).removesuffix(".0") if isinstance(value, float) else value


def widget(declaration: Declaration) -> forms.Widget:
    if declaration.kind == "boolean":
        return forms.CheckboxInput()
    if declaration.kind == "choice":
        return forms.Select(
            choices=[(value, capfirst(label)) for value, label in choices(declaration)]
        )
    if declaration.kind == "duration":
        return forms.TextInput(attrs={"size": 12})
    step = "1" if declaration.kind == "integer" else "any"
    unit = gettext_lazy(declaration.unit) if declaration.unit else ""
    return WithUnit(unit, "number", {"step": step})


def explanation(declaration: Declaration) -> SafeString:
    """Return a rule's help, range, default, source and place in the published form."""
    ranged = declaration.kind not in {"choice", "boolean"}
    return with_facts(
        declaration,
        [
            (_("Allowed"), declaration.expected if ranged else ""),
            (_("Default"), default(declaration)),
        ],
        [(_("Source"), declaration.source), (_("In the published form"), declaration.xml)],
    )


def default(declaration: Declaration) -> str:
    """Return a rule's default as the form shows it."""
    if isinstance(declaration.default, bool):
        return _("on") if declaration.default else _("off")
    labels = {choice.value: choice.label for choice in declaration.choices}
    known = rule_value(declaration, declaration.default)
    return labels.get(known, str(known))


PREDICTION = [Rule("prediction", one) for one in declared_fields(PredictionRules)]
RulesForm = type(
    "RulesForm",
    (forms.Form,),
    {rule.field_name: RuleField(rule.declaration) for rule in (*RULES, *PREDICTION)},
)
"""One field for each rule; see :class:`QueueForm`."""


def preset_choices() -> list[tuple[str, str]]:
    """Return the presets, each with what it is for and what it asks of players."""
    return [
        ("", _("The values below")),
        *(
            (name, f"{name}: {_(preset.about)} {needs_of(name)}".strip())
            for name, preset in PRESETS.items()
        ),
    ]


class QueueForm(RulesForm, forms.ModelForm[ArenaQueue]):  # type: ignore[misc,valid-type] # a class made from the declarations
    """A queue with its rules."""

    preset = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Start from"),
        choices=preset_choices,
        help_text=gettext_lazy(
            "A preset replaces the matcher and all rules below when you save. You can change them "
            "afterwards."
        ),
    )
    rank_filter__steps = StepsField(
        required=False,
        label=gettext_lazy("Steps"),
        initial=RankFilterRules().steps,
        help_text=gettext_lazy(
            "The percentiles that a filter widens to step by step unless it is strict, such as 2, "
            "5, 10, 20, 50, 100. If empty, filters do not widen."
        ),
    )
    predicts = forms.BooleanField(
        required=False,
        label=gettext_lazy("Predict matches with the weights below"),
        help_text=gettext_lazy(
            "Otherwise the rating system predicts them. Players see the forecast of each match, "
            "and ladder points go by it. A weight for ladder points needs a season that gives "
            "them. Changes apply to matches that have no forecast yet."
        ),
    )
    ready_window = WrittenDurationField(
        minimum=SHORTEST_READY_WINDOW,
        maximum=LONGEST_READY_WINDOW,
        label=gettext_lazy("Ready window"),
        initial=NEW.ready_window,
        help_text=gettext_lazy(
            "How long players have to accept a match. From 5s to 10m, written like 30s or 2m."
        ),
    )
    ticks_kept = WrittenDurationField(
        minimum=SHORTEST_TICKS_KEPT,
        maximum=LONGEST_TICKS_KEPT,
        label=gettext_lazy("Ticks kept"),
        initial=NEW.ticks_kept,
        help_text=gettext_lazy(
            "How long each run of the matcher can be run again and explained. From 1h to 365d, "
            "written like 12h or 7d. A queue with 12 waiting rosters takes about 7 MB a day, one "
            "with 5,000 up to 2 GB."
        ),
    )

    class Meta:
        model = ArenaQueue
        fields = (
            "arena",
            "is_open",
            "ready_window",
            "bars_timeouts",
            "rank_source",
            "pools",
            "fills_seats",
            "ticks_kept",
            "matcher",
        )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for group, declaration in RULES:
            held = self.instance.rules.get(group, {})
            if declaration.name in held:
                self.initial.setdefault(
                    f"{group}__{declaration.name}", rule_value(declaration, held[declaration.name])
                )
        self.initial.setdefault("predicts", bool(self.instance.prediction))
        shown = self.instance.prediction_rules() or AS_PUBLISHED
        for rule in PREDICTION:
            value = getattr(shown, rule.declaration.name)
            self.initial.setdefault(rule.field_name, rule_value(rule.declaration, value))
        steps = self.instance.rules.get("rank_filter", {}).get("steps")
        if steps is not None:
            self.initial.setdefault(STEPS, steps)

    def clean(self) -> dict[str, Any]:
        super().clean()
        if self.cleaned_data.get("preset"):
            self.instance.start_from(self.cleaned_data["preset"])
            self.cleaned_data["matcher"] = self.instance.matcher
        else:
            self.read_rules()
        self.read_prediction()
        return self.cleaned_data

    def read_rules(self) -> None:
        """Use the typed rules. Rules without a field keep their values."""
        rules: dict[str, Any] = {
            group: {
                name: value
                for name, value in self.instance.rules.get(group, {}).items()
                if f"{group}__{name}" not in self.fields
            }
            for group in QUEUE_RULES
        }
        rules["rank_filter"]["steps"] = self.cleaned_data.get(STEPS, [])
        for rule in RULES:
            typed = self.cleaned_data.get(rule.field_name)
            if typed not in {None, ""}:
                rules[rule.group][rule.declaration.name] = typed
        for group, model in QUEUE_RULES.items():
            try:
                read = model.model_validate(rules[group])
            except BrokenRules as error:
                self.add_problems(group, model, error)
            else:
                rules[group] = read.model_dump(mode="json")
        if not self.errors:
            self.instance.rules = {**self.instance.rules, **rules}

    def read_prediction(self) -> None:
        """Use the typed weights, if they predict the matches."""
        if not self.cleaned_data.get("predicts"):
            self.instance.prediction = None
            return
        typed = {
            rule.declaration.name: self.cleaned_data.get(rule.field_name) for rule in PREDICTION
        }
        values = {name: value for name, value in typed.items() if value not in {None, ""}}
        try:
            stored = (self.instance.prediction_rules() or AS_PUBLISHED).to_json()
            rules = PredictionRules.model_validate({**stored, **values})
        except BrokenRules as error:
            self.add_problems("prediction", PredictionRules, error)
            return
        if not rules.counts_something and rules != self.instance.prediction_rules():
            self.add_error("predicts", _("Give at least one weight above 0."))
            return
        self.instance.prediction = rules.model_dump(mode="json")

    def add_problems(self, group: str, model: type[Parameters], error: BrokenRules) -> None:
        """Add each problem to the field it is about."""
        by_name = {one.name: one for one in in_language(model)}
        for problem in error.errors():
            clashes = problem.get("ctx", {}).get("clashes")
            if clashes:
                for name, message in clashes.items():
                    add_problem(self, model, group, name, sentence(message))
                continue
            name = str(problem["loc"][0])
            if name not in by_name:
                self.add_error(
                    f"{group}__{name}",
                    _("Must be percentiles above 0 and up to 100, in rising order."),
                )
                continue
            text = _("Must be %(expected)s; you gave “%(value)s”.")
            given = str(problem["input"])[:40]
            text %= {"expected": by_name[name].expected, "value": given}
            add_problem(self, model, group, name, text)
