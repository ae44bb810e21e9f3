"""The flag of points from a few opponents."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0006_modes_share_a_rating")]

    operations = [
        migrations.AlterField(
            model_name="flag",
            name="kind",
            field=models.CharField(
                choices=[
                    ("one_sided", "one-sided pair"),
                    ("one_opponent", "points from one opponent"),
                    ("few_opponents", "points from a few opponents"),
                    ("unranked", "wins against unranked players"),
                    ("dodging", "avoided matches"),
                    ("one_address", "confirmed from one address"),
                    ("conduct", "reported by a captain"),
                ],
                max_length=20,
                verbose_name="kind",
            ),
        ),
    ]
