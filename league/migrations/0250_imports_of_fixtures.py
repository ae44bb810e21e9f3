"""Files of fixtures can be imported."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0240_first_side")]

    operations = [
        migrations.AlterField(
            model_name="fileimport",
            name="what",
            field=models.CharField(
                choices=[
                    ("results", "results"),
                    ("players", "players"),
                    ("rosters", "rosters"),
                    ("fixtures", "fixtures"),
                ],
                max_length=10,
                verbose_name="what",
            ),
        ),
    ]
