"""What is left of a season for ever, and that nobody changes it."""

import django.db.models.deletion
from django.db import migrations, models

GUARD = """
CREATE TRIGGER {table}_is_append_only BEFORE UPDATE OR DELETE ON {table}
FOR EACH ROW EXECUTE FUNCTION league_refuse_change();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0018_standings'),
    ]

    operations = [
        migrations.AlterField(
            model_name='match',
            name='settlement',
            field=models.CharField(blank=True, choices=[('captain', 'confirmed by the other side'), ('window', 'confirmed because nobody objected in time'), ('staff', 'decided by staff'), ('import', 'imported'), ('season', 'not settled before its season was archived')], max_length=10, verbose_name='settled by'),
        ),
        migrations.CreateModel(
            name='Award',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('top', 'Top of the season'), ('improved', 'Most improved'), ('streak', 'Longest winning streak'), ('fairest', 'Fairest')], max_length=10, verbose_name='award')),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('value', models.FloatField(verbose_name='for')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='awards', to='league.player')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='awards', to='league.season')),
            ],
            options={
                'verbose_name': 'award',
                'verbose_name_plural': 'awards',
                'ordering': ['season', 'id'],
                'constraints': [models.UniqueConstraint(fields=('season', 'kind', 'player'), name='award_once')],
            },
        ),
        migrations.CreateModel(
            name='FinalStanding',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField()),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('rank', models.PositiveIntegerField(null=True, verbose_name='rank')),
                ('percentile', models.PositiveSmallIntegerField(null=True, verbose_name='percentile')),
                ('division', models.CharField(blank=True, max_length=60, verbose_name='division')),
                ('rating', models.FloatField(verbose_name='rating')),
                ('deviation', models.FloatField(null=True, verbose_name='deviation')),
                ('games', models.PositiveIntegerField(verbose_name='matches')),
                ('wins', models.PositiveIntegerField(verbose_name='won')),
                ('draws', models.PositiveIntegerField(verbose_name='drawn')),
                ('losses', models.PositiveIntegerField(verbose_name='lost')),
                ('streak', models.PositiveIntegerField(verbose_name='longest winning streak')),
                ('gain', models.FloatField(null=True, verbose_name='gained since placement')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='final_standings', to='league.player')),
                ('season', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='final_standings', to='league.season')),
            ],
            options={
                'verbose_name': 'final standing',
                'verbose_name_plural': 'final standings',
                'ordering': ['season', 'position'],
                'constraints': [models.UniqueConstraint(fields=('season', 'position'), name='final_standing_order'), models.UniqueConstraint(fields=('player', 'season'), name='final_standing_once'), models.CheckConstraint(condition=models.Q(models.Q(('percentile', None), ('rank', None)), models.Q(('percentile__isnull', False), ('rank__isnull', False)), _connector='OR'), name='final_rank_has_a_percentile')],
            },
        ),
        *(
            migrations.RunSQL(
                GUARD.format(table=table), f"DROP TRIGGER {table}_is_append_only ON {table}"
            )
            for table in ("league_finalstanding", "league_award")
        ),
    ]
