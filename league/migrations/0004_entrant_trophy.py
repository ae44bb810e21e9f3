"""Keep whether a place is a trophy, so that everybody can have a place."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0003_functions")]

    operations = [
        migrations.AddField(
            model_name="entrant",
            name="trophy",
            field=models.BooleanField(db_default=True, default=True, verbose_name="trophy"),
        ),
    ]
