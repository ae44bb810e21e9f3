"""Versions of the rules of seasons, and trials of other rules."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0090_errata'),
    ]

    operations = [
        migrations.AddField(
            model_name='season',
            name='rules_version',
            field=models.PositiveSmallIntegerField(db_default=1, default=1, editable=False),
        ),
        migrations.CreateModel(
            name='Trial',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(verbose_name='when')),
                ('rating_system', models.CharField(max_length=30, verbose_name='rating system')),
                ('rating_parameters', models.JSONField(verbose_name='rating parameters')),
                ('rules', models.JSONField(verbose_name='rules')),
                ('changes', models.JSONField(default=list)),
                ('version', models.PositiveSmallIntegerField()),
                ('horizon', models.BigIntegerField(default=0)),
                ('corrections', models.BigIntegerField(default=0)),
                ('report', models.JSONField(null=True)),
                ('outcome', models.CharField(blank=True, choices=[('', 'open'), ('next', 'applied from the next match'), ('rerated', 'season rated again'), ('planned', 'planned for the next season')], default='', max_length=10, verbose_name='outcome')),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='trials', to=settings.AUTH_USER_MODEL, verbose_name='by')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='trials', to='league.season')),
            ],
            options={
                'verbose_name': 'trial of rules',
                'verbose_name_plural': 'trials of rules',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='RulesVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='version')),
                ('since', models.BigIntegerField()),
                ('at', models.DateTimeField(verbose_name='when')),
                ('rating_system', models.CharField(max_length=30, verbose_name='rating system')),
                ('rating_parameters', models.JSONField(verbose_name='rating parameters')),
                ('rules', models.JSONField(verbose_name='rules')),
                ('changes', models.JSONField(default=list)),
                ('reason', models.TextField(blank=True, verbose_name='reason')),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='versions', to='league.season')),
            ],
            options={
                'verbose_name': 'version of rules',
                'verbose_name_plural': 'versions of rules',
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('season', 'number'), name='rules_version_once')],
            },
        ),
        migrations.CreateModel(
            name='TrialMove',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rating_before', models.FloatField(null=True)),
                ('rating_after', models.FloatField(null=True)),
                ('rank_before', models.PositiveIntegerField(null=True)),
                ('rank_after', models.PositiveIntegerField(null=True)),
                ('division_before', models.CharField(db_default='', default='', max_length=60)),
                ('division_after', models.CharField(db_default='', default='', max_length=60)),
                ('points_before', models.IntegerField(null=True)),
                ('points_after', models.IntegerField(null=True)),
                ('player', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='league.player')),
                ('trial', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='moves', to='league.trial')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('trial', 'player'), name='trial_moves_a_player_once')],
            },
        ),
    ]
