"""Players can hide their match history, and be unlisted."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("league", "0180_calendars_and_places"),
    ]

    operations = [
        migrations.AddField(
            model_name='player',
            name='hides_history',
            field=models.BooleanField(db_default=False, default=False, verbose_name='hides the match history'),
        ),
        migrations.AddField(
            model_name='player',
            name='is_unlisted',
            field=models.BooleanField(db_default=False, default=False, verbose_name='unlisted'),
        ),
    ]
