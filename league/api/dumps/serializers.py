"""Data dumps in the API."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from league.services.dumps.formats import FORMATS
from league.services.dumps.tables import Kind


class DumpColumnSerializer(serializers.Serializer[Any]):
    """A column of a table."""

    name = serializers.CharField(help_text=_("Its name."))
    kind = serializers.ChoiceField(
        [one.value for one in Kind],
        help_text=_("The type of its values. Any value may be missing."),
    )


class DumpTableSerializer(serializers.Serializer[Any]):
    """A table."""

    name = serializers.CharField(help_text=_("Its name."))
    rows = serializers.IntegerField(help_text=_("The number of rows."))
    columns = DumpColumnSerializer(many=True, help_text=_("Its columns, in order."))


class DumpFileSerializer(serializers.Serializer[Any]):
    """A table in one of the formats."""

    table = serializers.CharField(help_text=_("The table in the file."))
    format = serializers.ChoiceField(list(FORMATS), help_text=_("The file extension."))
    address = serializers.SerializerMethodField(help_text=_("Where to download it."))
    size = serializers.IntegerField(help_text=_("Its size in bytes."))
    sha256 = serializers.CharField(help_text=_("Its SHA-256, in hexadecimal digits."))

    def get_address(self, file: Any) -> str:
        dump: Any = self.root.instance
        path = reverse("data_file", args=[dump.name, file.name])
        return f"{settings.SITE_URL}{path}"


class DumpSerializer(serializers.Serializer[Any]):
    """The newest dump of all public data."""

    name = serializers.CharField(help_text=_("Its name: the time it was made, in UTC."))
    made_at = serializers.DateTimeField(help_text=_("All rows are as of this time."))
    tables = DumpTableSerializer(many=True, help_text=_("Its tables."))
    files = DumpFileSerializer(many=True, help_text=_("Its files: each table in each format."))
