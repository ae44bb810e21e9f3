"""Players can withdraw their objections, staff request merges, and a date is called a date."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


# Before it, no objection could be withdrawn, and no notice was of this kind.
FORGET = [
    "DELETE FROM league_objection WHERE state = 'withdrawn'",
    "DELETE FROM league_notice WHERE kind = 'withdrawn'",
    "UPDATE league_mailpreference SET muted = array_remove(muted, 'withdrawn') "
    "WHERE 'withdrawn' = ANY(muted)",
]

# Django does not rename the permissions of a model with it.
RENAME = """
UPDATE auth_permission SET name = replace(name, '{was}', '{now}')
WHERE codename IN ('add_arrangement', 'change_arrangement', 'delete_arrangement', 'view_arrangement')
"""


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0045_limits'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='objection',
            name='side_objects_once',
        ),
        migrations.RemoveConstraint(
            model_name='objection',
            name='objection_decided_has_its_decision',
        ),
        migrations.AlterField(
            model_name='mailpreference',
            name='muted',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('reported', 'a result to confirm'), ('disputed', 'a dispute about your result'), ('decided', 'a decision of staff about your match'), ('rated', 'a result that counts'), ('lapsed', 'a result that nobody confirmed'), ('undecided', 'an objection that was not decided in time'), ('withdrawn', 'an objection that was withdrawn'), ('dated', 'news about a date to play'), ('waiting', 'a date that waits for your answer'), ('called_off', 'a date that was called off'), ('messaged', 'a message about a date'), ('challenged', 'a challenge to you'), ('answered', 'an answer to your challenge'), ('invited', 'an invitation to a roster'), ('queued', 'your captain has queued you'), ('found', 'a match was found for you'), ('banned', 'a ban'), ('unbanned', 'a lifted ban')], max_length=12), blank=True, default=list, size=None, verbose_name='no mail about'),
        ),
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=[('reported', 'a result to confirm'), ('disputed', 'a dispute about your result'), ('decided', 'a decision of staff about your match'), ('rated', 'a result that counts'), ('lapsed', 'a result that nobody confirmed'), ('undecided', 'an objection that was not decided in time'), ('withdrawn', 'an objection that was withdrawn'), ('dated', 'news about a date to play'), ('waiting', 'a date that waits for your answer'), ('called_off', 'a date that was called off'), ('messaged', 'a message about a date'), ('challenged', 'a challenge to you'), ('answered', 'an answer to your challenge'), ('invited', 'an invitation to a roster'), ('queued', 'your captain has queued you'), ('found', 'a match was found for you'), ('banned', 'a ban'), ('unbanned', 'a lifted ban')], max_length=12, verbose_name='kind'),
        ),
        migrations.AlterField(
            model_name='objection',
            name='state',
            field=models.CharField(choices=[('open', 'waiting for staff'), ('rejected', 'rejected'), ('corrected', 'led to a correction'), ('lapsed', 'not decided before the season was archived'), ('withdrawn', 'withdrawn')], default='open', max_length=10, verbose_name='state'),
        ),
        migrations.AddConstraint(
            model_name='objection',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'withdrawn'), _negated=True), fields=('match', 'side'), name='side_objects_once'),
        ),
        migrations.AddConstraint(
            model_name='objection',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('action__isnull', False), ('state__in', ['rejected', 'corrected'])), models.Q(('action', None), ('state__in', ['open', 'lapsed', 'withdrawn'])), _connector='OR'), name='objection_decided_has_its_decision'),
        ),
        migrations.CreateModel(
            name='MergeRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.TextField()),
                ('at', models.DateTimeField()),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('done', 'done'), ('refused', 'refused')], default='waiting', max_length=10)),
                ('refusal', models.TextField(blank=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='merge_requests', to=settings.AUTH_USER_MODEL)),
                ('kept', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.player')),
                ('merged', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.player')),
            ],
            options={
                'verbose_name': 'merge request',
                'verbose_name_plural': 'merge requests',
                'ordering': ['-id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'waiting')), fields=('merged',), name='one_merge_at_a_time')],
            },
        ),
        migrations.AlterModelOptions(
            name='arrangement',
            options={'ordering': ['-id'], 'verbose_name': 'date', 'verbose_name_plural': 'dates'},
        ),
        migrations.RunSQL(
            RENAME.format(was='arrangement', now='date'), RENAME.format(was='date', now='arrangement')
        ),
        migrations.RunSQL(migrations.RunSQL.noop, FORGET),
    ]
