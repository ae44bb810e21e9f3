"""Seasons that are planned, opened with ratings of their own, and archived."""

import django.contrib.postgres.fields
import league.models.arena
from django.db import migrations, models

# Until now a season was opened when it was made; those of the future will open on their day.
OPENED = "UPDATE league_season SET opened_at = starts_at WHERE starts_at <= now()"

class Migration(migrations.Migration):

    dependencies = [
        ('league', '0012_rank_preferences'),
    ]

    operations = [
        migrations.AddField(
            model_name='arena',
            name='season_rules',
            field=models.JSONField(blank=True, default=dict, verbose_name='season rules'),
        ),
        migrations.AddField(
            model_name='arena',
            name='time_zone',
            field=models.CharField(default='UTC', help_text='The zone in which the dates of its seasons are planned, such as Europe/Berlin.', max_length=60, validators=[league.models.arena.validate_zone], verbose_name='time zone'),
        ),
        migrations.AddField(
            model_name='historicalarena',
            name='season_rules',
            field=models.JSONField(blank=True, default=dict, verbose_name='season rules'),
        ),
        migrations.AddField(
            model_name='historicalarena',
            name='time_zone',
            field=models.CharField(default='UTC', help_text='The zone in which the dates of its seasons are planned, such as Europe/Berlin.', max_length=60, validators=[league.models.arena.validate_zone], verbose_name='time zone'),
        ),
        migrations.AddField(
            model_name='rating',
            name='opening',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.FloatField(null=True), editable=False, null=True, size=None),
        ),
        migrations.AddField(
            model_name='rating',
            name='played_before',
            field=models.DateTimeField(null=True, verbose_name='last match before the season'),
        ),
        migrations.AddField(
            model_name='season',
            name='archived_at',
            field=models.DateTimeField(editable=False, null=True, verbose_name='archived'),
        ),
        migrations.AddField(
            model_name='season',
            name='opened_at',
            field=models.DateTimeField(editable=False, null=True, verbose_name='opened'),
        ),
        migrations.AddField(
            model_name='season',
            name='rules',
            field=models.JSONField(default=dict, editable=False, verbose_name='rules'),
        ),
        migrations.RunSQL(OPENED, migrations.RunSQL.noop),
    ]
