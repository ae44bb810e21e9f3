"""Ratings in hindsight."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0277_discord_boards'),
    ]

    operations = [
        migrations.CreateModel(
            name='SeasonHindsight',
            fields=[
                ('season', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='hindsight', serialize=False, to='league.season')),
                ('seen', models.CharField(max_length=80)),
                ('tried_at', models.DateTimeField()),
                ('at', models.DateTimeField(null=True, verbose_name='when')),
                ('players', models.PositiveIntegerField(default=0)),
            ],
            options={
                'verbose_name': 'season in hindsight',
                'verbose_name_plural': 'seasons in hindsight',
                'default_permissions': (),
            },
        ),
        migrations.CreateModel(
            name='HindsightCurve',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('days', django.contrib.postgres.fields.ArrayField(base_field=models.IntegerField(), size=None)),
                ('ratings', django.contrib.postgres.fields.ArrayField(base_field=models.FloatField(), size=None)),
                ('deviations', django.contrib.postgres.fields.ArrayField(base_field=models.FloatField(), size=None)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='hindsight_curves', to='league.player')),
                ('season', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='hindsight_curves', to='league.season')),
            ],
            options={
                'verbose_name': 'curve in hindsight',
                'verbose_name_plural': 'curves in hindsight',
                'default_permissions': (),
                'constraints': [models.UniqueConstraint(fields=('season', 'player'), name='hindsight_curve_once')],
            },
        ),
    ]
