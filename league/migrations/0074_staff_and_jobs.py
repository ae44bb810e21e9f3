"""Decisions of staff with what they changed, and long work with its progress."""

import django.db.models.deletion
from django.conf import settings
from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models

DROP_RULE = "ALTER TABLE league_staffaction DROP CONSTRAINT staff_action_about_a_match;"
# Decisions of later releases stay on record: the earlier rule applies to new rows only.
OLD_RULE = """
ALTER TABLE league_staffaction ADD CONSTRAINT staff_action_about_a_match CHECK (
    kind IN ('amnesty', 'challenge', 'ban', 'unban', 'renamed', 'claim', 'merged', 'penalised')
    OR match_id IS NOT NULL
) NOT VALID;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0073_fixed_modes'),
    ]

    operations = [
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=30, verbose_name='kind')),
                ('title', models.CharField(max_length=200, verbose_name='title')),
                ('given', models.JSONField(default=dict)),
                ('at', models.DateTimeField(verbose_name='started')),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('done', 'done'), ('failed', 'failed'), ('cancelled', 'cancelled')], default='waiting', max_length=10, verbose_name='state')),
                ('attempts', models.PositiveSmallIntegerField(db_default=0, default=0)),
                ('cancelled_at', models.DateTimeField(null=True)),
                ('finished_at', models.DateTimeField(null=True, verbose_name='finished')),
                ('refusal', models.TextField(blank=True, verbose_name='why it failed')),
                ('result', models.JSONField(null=True)),
            ],
            options={
                'verbose_name': 'job',
                'verbose_name_plural': 'jobs',
                'ordering': ['-id'],
            },
        ),
        migrations.RunSQL(
            DROP_RULE,
            OLD_RULE,
            state_operations=[
                migrations.RemoveConstraint(
                    model_name='staffaction', name='staff_action_about_a_match'
                ),
            ],
        ),
        migrations.AddField(
            model_name='staffaction',
            name='after',
            field=models.JSONField(blank=True, null=True, verbose_name='after'),
        ),
        migrations.AddField(
            model_name='staffaction',
            name='before',
            field=models.JSONField(blank=True, null=True, verbose_name='before'),
        ),
        migrations.AlterField(
            model_name='staffaction',
            name='kind',
            field=models.CharField(choices=[('upheld', 'upheld a reported result'), ('corrected', 'corrected a reported result'), ('voided', 'voided a match'), ('entered', 'entered a result'), ('amnesty', 'granted an amnesty'), ('challenge', 'called off a challenge'), ('ban', 'banned a player'), ('unban', 'lifted a ban'), ('renamed', 'renamed a player'), ('claim', 'decided a claim'), ('rejected', 'rejected an objection'), ('merged', 'merged two players'), ('penalised', 'penalised a player'), ('undone', 'undid a correction'), ('voided_all', 'voided all matches of a player'), ('erratum', 'published an erratum'), ('created', 'created'), ('changed', 'changed'), ('deleted', 'deleted'), ('season', 'opened, planned or ended a season'), ('rules', 'changed the rules of a season'), ('rerated', 'rated a season again'), ('imported', 'imported a file'), ('unimported', 'undid an import'), ('evening', 'entered the results of an evening'), ('role', 'changed the roles of an account'), ('impersonated', 'saw the site as somebody else'), ('case', 'worked on a case'), ('appeal', 'answered an appeal'), ('announced', 'announced something to players'), ('messaged', 'sent a message to players'), ('maintenance', 'turned maintenance on or off')], max_length=20, verbose_name='action'),
        ),
        AddConstraintNotValid(
            model_name='staffaction',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind__in', ['upheld', 'corrected', 'voided', 'entered', 'rejected', 'undone']), _negated=True), ('match__isnull', False), _connector='OR'), name='staff_action_has_its_match'),
        ),
        migrations.AddField(
            model_name='job',
            name='arena',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.arena'),
        ),
        migrations.AddField(
            model_name='job',
            name='by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='jobs', to=settings.AUTH_USER_MODEL, verbose_name='started by'),
        ),
        migrations.AddField(
            model_name='job',
            name='season',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.season'),
        ),
        migrations.AddIndex(
            model_name='job',
            index=models.Index(condition=models.Q(('state', 'waiting')), fields=['id'], name='jobs_waiting'),
        ),
    ]
