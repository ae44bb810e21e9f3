"""Say at an arena's modes that they share one rating."""

from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models

HELP = (
    "The modes that its matches are played in, separated by commas, such as “Conquest, "
    "Stronghold”. Players choose theirs when they queue, and every result names one. All "
    "modes share one rating; for a rating per mode, set up an arena each. Leave it empty "
    "if all matches are played the same way."
)


class Migration(migrations.Migration):
    dependencies = [("league", "0005_sort_names")]

    operations = [
        migrations.AlterField(
            model_name=model,
            name="modes",
            field=ArrayField(
                base_field=models.CharField(max_length=40),
                blank=True,
                db_default=[],
                default=list,
                help_text=HELP,
                verbose_name="game modes",
            ),
        )
        for model in ("arena", "historicalarena")
    ]
