"""Kinds of single events."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0008_sort_arenas")]

    operations = [
        migrations.AddField(
            model_name="matchevent",
            name="kind",
            field=models.PositiveSmallIntegerField(db_default=1, verbose_name="kind"),
        ),
    ]
