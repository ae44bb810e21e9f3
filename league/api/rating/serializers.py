"""Rating systems and their parameters."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

import ratings.registry
from ratings.tunables.declarations import Declaration, declarations

JSON_TYPES = {
    "number": "number",
    "integer": "integer",
    "duration": "string",
    "span": "string",
    "optional_time": "string",
    "choice": "string",
    "boolean": "boolean",
    "numbers": "array",
}


KINDS = list(JSON_TYPES)


NUMBERS = {"type": "array", "items": {"type": "number"}}


VALUE = {"oneOf": [{"type": "number"}, {"type": "string"}, {"type": "boolean"}, NUMBERS]}


def component_name(system: str) -> str:
    """``glicko-2`` as ``Glicko2Parameters``."""
    return "".join(word.capitalize() for word in system.split("-")) + "Parameters"


def property_schema(declared: Declaration) -> dict[str, Any]:
    """Return a parameter as JSON Schema, with its range in words, and in numbers if it has one."""
    schema: dict[str, Any] = {
        "type": JSON_TYPES[declared.kind],
        "title": declared.label,
        "description": f"{declared.help} Allowed: {declared.allowed}. Source: {declared.source}.",
        "default": declared.default,
    }
    if declared.unit:
        schema["x-unit"] = declared.unit
    if declared.kind == "numbers":
        schema |= NUMBERS
    if declared.choices:
        schema["enum"] = [choice.value for choice in declared.choices]
    if declared.kind in {"number", "integer"}:
        if declared.minimum is not None:
            above = declared.exclusive_minimum
            schema["exclusiveMinimum" if above else "minimum"] = declared.minimum
        if declared.maximum is not None:
            below = declared.exclusive_maximum
            schema["exclusiveMaximum" if below else "maximum"] = declared.maximum
    if declared.infinite:
        bounds = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"} & schema.keys()
        number = {"type": schema.pop("type"), **{name: schema.pop(name) for name in bounds}}
        schema["oneOf"] = [number, {"type": "string", "enum": ["inf"]}]
    return schema


class RatingParameters(serializers.JSONField):
    """The parameters of a rating system by name; durations are written like ``3d``."""


class RatingParametersSchema(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call] # untyped there
    target_class = RatingParameters

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        del direction
        references = []
        for name, system in ratings.registry.KNOWN_SYSTEMS.items():
            component = ResolvedComponent(  # type: ignore[no-untyped-call] # untyped there
                name=component_name(name),
                type=ResolvedComponent.SCHEMA,
                object=system,
                schema={
                    "type": "object",
                    "title": f"Parameters of {system.label}",
                    "description": system.summary,
                    "properties": {
                        declared.name: property_schema(declared)
                        for declared in declarations(system.Parameters)
                    },
                    "additionalProperties": False,
                },
            )
            auto_schema.registry.register_on_missing(component)
            references.append(component.ref)
        return {"anyOf": references}


class ChoiceSerializer(serializers.Serializer[Any]):
    value = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment] # declared, not set


@extend_schema_field(VALUE)
class Value(serializers.JSONField):
    """A parameter's value as JSON."""


class DeclarationSerializer(serializers.Serializer[Any]):
    """The declaration of a parameter: meaning, unit, range and default."""

    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment] # declared, not set
    help = serializers.CharField()
    unit = serializers.CharField()
    kind = serializers.ChoiceField(choices=KINDS)
    default = Value()
    minimum = serializers.FloatField(allow_null=True)
    maximum = serializers.FloatField(allow_null=True)
    exclusive_minimum = serializers.BooleanField()
    exclusive_maximum = serializers.BooleanField()
    infinite = serializers.BooleanField(help_text=_("Whether “inf” is allowed too."))
    allowed = serializers.CharField(help_text=_("The range in words."))
    choices = ChoiceSerializer(many=True)
    source = serializers.CharField()  # type: ignore[assignment] # declared, not set


class SetParameterSerializer(DeclarationSerializer):
    """A parameter with its value in an arena."""

    value = Value()


class TermSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment] # declared, not set
    help = serializers.CharField()


class ShowsSerializer(serializers.Serializer[Any]):
    """The numbers that a rating system shows of a player."""

    rating = serializers.CharField(help_text=_("The name of the rating."))
    deviation = serializers.BooleanField()
    volatility = serializers.BooleanField()
    decimals = serializers.IntegerField()
    lowest_first = serializers.BooleanField()


class SystemNameSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment] # declared, not set
    summary = serializers.CharField()


class SystemSerializer(SystemNameSerializer):
    """A rating system: what it shows, the terms that explain a change, and its parameters."""

    shows = ShowsSerializer()
    terms = TermSerializer(many=True)
    parameters = serializers.SerializerMethodField()

    @extend_schema_field(DeclarationSerializer(many=True))
    def get_parameters(self, system: Any) -> Any:
        return DeclarationSerializer(declarations(system.Parameters), many=True).data
