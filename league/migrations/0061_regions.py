"""Regions of arenas, of matches from queues, and of the players who choose them."""


import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0060_mode_lists'),
    ]

    operations = [
        migrations.AddField(
            model_name='arena',
            name='regions',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), blank=True, db_default=[], default=list, help_text='The regions where matches can be played, separated by commas, such as “Europe, America”. Players choose theirs when they queue. Leave it empty if location does not matter.', size=None, verbose_name='regions'),
        ),
        migrations.AddField(
            model_name='historicalarena',
            name='regions',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), blank=True, db_default=[], default=list, help_text='The regions where matches can be played, separated by commas, such as “Europe, America”. Players choose theirs when they queue. Leave it empty if location does not matter.', size=None, verbose_name='regions'),
        ),
        migrations.AddField(
            model_name='match',
            name='region',
            field=models.CharField(blank=True, db_default='', default='', max_length=40, verbose_name='region'),
        ),
        migrations.AddField(
            model_name='proposal',
            name='region',
            field=models.CharField(blank=True, db_default='', default='', max_length=40, verbose_name='region'),
        ),
        migrations.CreateModel(
            name='RegionPreference',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('regions', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), default=list, size=None, verbose_name='regions')),
                ('strict', models.BooleanField(default=False, help_text='The choice never widens, however long the wait.', verbose_name='strict')),
                ('latencies', models.JSONField(default=dict, verbose_name='latencies')),
                ('measured_at', models.DateTimeField(null=True, verbose_name='measured')),
                ('arena', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='region_preferences', to='league.arena', verbose_name='arena')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='region_preferences', to='league.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'choice of regions',
                'verbose_name_plural': 'choices of regions',
                'ordering': ['arena', 'player'],
                'constraints': [models.UniqueConstraint(fields=('arena', 'player'), name='one_choice_of_regions_an_arena')],
            },
        ),
    ]
