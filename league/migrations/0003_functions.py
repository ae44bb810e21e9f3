"""The functions and triggers in ``sql/``, which Django cannot declare, and the first reserved
words.
"""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).with_name("sql")
RESERVED = [
    "admin",
    "administrator",
    "administrators",
    "admins",
    "deleted",
    "laurel",
    "moderator",
    "moderators",
    "official",
    "referee",
    "staff",
    "support",
    "system",
]


def reserve_words(apps, schema_editor):
    words = apps.get_model("league", "ReservedWord").objects
    words.bulk_create(words.model(name=word) for word in RESERVED)


class Migration(migrations.Migration):
    dependencies = [("league", "0002_league")]

    replaces = [
        ("league", "0278_ratings_in_hindsight"),
    ]

    operations = [
        *(migrations.RunSQL(file.read_text()) for file in sorted(SQL.glob("*.sql"))),
        migrations.RunPython(reserve_words, migrations.RunPython.noop),
    ]
