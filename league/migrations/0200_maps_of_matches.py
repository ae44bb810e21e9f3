"""The maps of arenas, and the choice of a map for each match."""

import datetime
import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0192_profiles'),
    ]

    operations = [
        migrations.AddField(
            model_name='arena',
            name='map_choice',
            field=models.CharField(choices=[('none', 'not on this site'), ('random', 'drawn at random'), ('veto', 'alternating veto: captains ban in turn until one is left')], db_default='none', default='none', help_text='How a match that begins on this site gets one of the maps. A veto is for two sides; with more, the map is drawn.', max_length=10, verbose_name='choice of the map'),
        ),
        migrations.AddField(
            model_name='arena',
            name='maps',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), blank=True, db_default=[], default=list, help_text='The maps or servers on which its matches are played, separated by commas, such as “Forest, Temple, Harbour”. At most 30.', size=None, verbose_name='maps'),
        ),
        migrations.AddField(
            model_name='arena',
            name='veto_turn',
            field=models.DurationField(db_default=datetime.timedelta(seconds=30), default=datetime.timedelta(seconds=30), help_text='How long a captain has to ban a map, as minutes:seconds. From 10 seconds to 10 minutes. After that, a map is drawn and banned for them.', validators=[django.core.validators.MinValueValidator(datetime.timedelta(seconds=10)), django.core.validators.MaxValueValidator(datetime.timedelta(seconds=600))], verbose_name='time to ban'),
        ),
        migrations.AddField(
            model_name='historicalarena',
            name='map_choice',
            field=models.CharField(choices=[('none', 'not on this site'), ('random', 'drawn at random'), ('veto', 'alternating veto: captains ban in turn until one is left')], db_default='none', default='none', help_text='How a match that begins on this site gets one of the maps. A veto is for two sides; with more, the map is drawn.', max_length=10, verbose_name='choice of the map'),
        ),
        migrations.AddField(
            model_name='historicalarena',
            name='maps',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), blank=True, db_default=[], default=list, help_text='The maps or servers on which its matches are played, separated by commas, such as “Forest, Temple, Harbour”. At most 30.', size=None, verbose_name='maps'),
        ),
        migrations.AddField(
            model_name='historicalarena',
            name='veto_turn',
            field=models.DurationField(db_default=datetime.timedelta(seconds=30), default=datetime.timedelta(seconds=30), help_text='How long a captain has to ban a map, as minutes:seconds. From 10 seconds to 10 minutes. After that, a map is drawn and banned for them.', validators=[django.core.validators.MinValueValidator(datetime.timedelta(seconds=10)), django.core.validators.MaxValueValidator(datetime.timedelta(seconds=600))], verbose_name='time to ban'),
        ),
        migrations.CreateModel(
            name='MatchMap',
            fields=[
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='map_choice', serialize=False, to='league.match', verbose_name='match')),
                ('maps', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), size=None, verbose_name='maps')),
                ('seed', models.CharField(max_length=32, verbose_name='seed')),
                ('turn', models.DurationField(null=True, verbose_name='time to ban')),
                ('first', models.PositiveSmallIntegerField(default=0, verbose_name='side that bans first')),
                ('began_at', models.DateTimeField(verbose_name='began')),
                ('chosen', models.CharField(blank=True, max_length=40, verbose_name='map')),
                ('ended_at', models.DateTimeField(blank=True, null=True, verbose_name='ended')),
            ],
            options={
                'verbose_name': 'map of a match',
                'verbose_name_plural': 'maps of matches',
                'indexes': [models.Index(condition=models.Q(('ended_at', None)), fields=['match'], name='map_vetoes_going_on')],
            },
        ),
        migrations.CreateModel(
            name='MapBan',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='turn')),
                ('map', models.CharField(max_length=40, verbose_name='map')),
                ('side', models.PositiveSmallIntegerField(verbose_name='side')),
                ('at', models.DateTimeField(verbose_name='when')),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='map_bans', to='league.player', verbose_name='by')),
                ('choice', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='bans', to='league.matchmap')),
            ],
            options={
                'verbose_name': 'banned map',
                'verbose_name_plural': 'banned maps',
                'ordering': ['choice', 'number'],
                'constraints': [models.UniqueConstraint(fields=('choice', 'number'), name='one_ban_a_turn'), models.UniqueConstraint(fields=('choice', 'map'), name='map_banned_once')],
            },
        ),
    ]
