"""Errata: what archives would say without a mistake found later."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

GUARD = """
CREATE TRIGGER {table}_is_append_only BEFORE UPDATE OR DELETE ON {table}
FOR EACH ROW EXECUTE FUNCTION league_refuse_change()
"""


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0089_one_amnesty'),
    ]

    operations = [
        migrations.CreateModel(
            name='Erratum',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('void', 'should not have counted'), ('result', 'ended otherwise')], max_length=10, verbose_name='what')),
                ('placings', models.JSONField(null=True)),
                ('mode', models.CharField(blank=True, default='', max_length=40)),
                ('reason', models.TextField(verbose_name='reason')),
                ('at', models.DateTimeField(verbose_name='when')),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='errata', to=settings.AUTH_USER_MODEL, verbose_name='by')),
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='erratum', to='league.match')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='errata', to='league.season')),
            ],
            options={
                'verbose_name': 'erratum',
                'verbose_name_plural': 'errata',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='ErratumLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('rank_was', models.PositiveIntegerField(null=True)),
                ('rank_is', models.PositiveIntegerField(null=True)),
                ('rating_was', models.FloatField(null=True)),
                ('rating_is', models.FloatField(null=True)),
                ('points_was', models.IntegerField(null=True)),
                ('points_is', models.IntegerField(null=True)),
                ('awards_was', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=10), default=list, size=None)),
                ('awards_is', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=10), default=list, size=None)),
                ('erratum', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='lines', to='league.erratum')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='erratum_lines', to='league.player')),
            ],
            options={
                'verbose_name': 'line of an erratum',
                'verbose_name_plural': 'lines of errata',
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('erratum', 'player'), name='player_once_an_erratum')],
            },
        ),
        *(
            migrations.RunSQL(
                GUARD.format(table=table), f'DROP TRIGGER {table}_is_append_only ON {table}'
            )
            for table in ('league_erratum', 'league_erratumline')
        ),
    ]
