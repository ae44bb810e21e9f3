"""Steps of dates whose rosters get another captain."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0255_lists_by_date"),
    ]

    operations = [
        migrations.AlterField(
            model_name="arrangementstep",
            name="kind",
            field=models.CharField(
                choices=[
                    ("proposed", "proposed"),
                    ("moved", "proposed another time"),
                    ("accepted", "accepted"),
                    ("declined", "declined"),
                    ("withdrawn", "withdrawn"),
                    ("lapsed", "lapsed"),
                    ("reported", "reported the result"),
                    ("claimed", "claimed a no-show"),
                    ("conceded", "agreed that they did not come"),
                    ("denied", "denied the no-show"),
                    ("moving", "asked to move the date"),
                    ("ending", "asked to call the date off"),
                    ("agreed", "agreed to the other time"),
                    ("ended", "agreed to call the date off"),
                    ("kept", "kept the date"),
                    ("dropped", "withdrew the request"),
                    ("called_off", "called the date off"),
                    ("scheduled", "set the date"),
                    ("cancelled", "cancelled the date"),
                    ("handed", "became the captain of a side"),
                    ("same", "ended, as both sides have one captain"),
                ],
                max_length=10,
                verbose_name="step",
            ),
        ),
    ]
