"""Add the source of ranks of a queue, and players' levels."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0053_empty_configurations'),
    ]

    operations = [
        migrations.AddField(
            model_name='arenaqueue',
            name='rank_source',
            field=models.CharField(choices=[('site', 'Rated matches in any arena'), ('arena', 'Rated matches in this arena'), ('level', 'The player’s level, set by staff or a game server')], db_default='arena', default='site', help_text='What counts as a player’s rank, for the minimum rank and in the matcher’s scores. If only matches in this arena count, newcomers can never reach a minimum rank by queueing here.', max_length=10, verbose_name='rank'),
        ),
        migrations.AddField(
            model_name='historicalarenaqueue',
            name='rank_source',
            field=models.CharField(choices=[('site', 'Rated matches in any arena'), ('arena', 'Rated matches in this arena'), ('level', 'The player’s level, set by staff or a game server')], db_default='arena', default='site', help_text='What counts as a player’s rank, for the minimum rank and in the matcher’s scores. If only matches in this arena count, newcomers can never reach a minimum rank by queueing here.', max_length=10, verbose_name='rank'),
        ),
        migrations.AddField(
            model_name='player',
            name='level',
            field=models.IntegerField(blank=True, help_text='This player’s rank in queues that go by level. Game servers can set it too.', null=True, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(1000000)], verbose_name='level'),
        ),
    ]
