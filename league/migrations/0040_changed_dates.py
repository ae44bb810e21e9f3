"""Dates can be moved and called off, and have messages and no-shows of teams."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# Before this migration there was neither the state nor the kinds of notices.
FORGET = """
UPDATE league_arrangement SET state = 'lapsed' WHERE state = 'called_off';
DELETE FROM league_notice WHERE kind IN ('waiting', 'called_off', 'messaged');
UPDATE league_mailpreference
SET muted = array_remove(array_remove(array_remove(muted, 'waiting'), 'called_off'), 'messaged');
"""


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0039_evidence'),
    ]

    operations = [
        migrations.CreateModel(
            name='ArrangementMessage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(verbose_name='when')),
                ('text', models.TextField(max_length=1000, verbose_name='message')),
            ],
            options={
                'verbose_name': 'message about a date',
                'verbose_name_plural': 'messages about dates',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='NoShowPlayer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('came', models.BooleanField(verbose_name='came')),
            ],
            options={
                'verbose_name': 'player of a no-show',
                'verbose_name_plural': 'players of a no-show',
                'ordering': ['id'],
            },
        ),
        migrations.RemoveConstraint(
            model_name='arrangement',
            name='arrangement_accepted_has_its_time',
        ),
        migrations.RunSQL(migrations.RunSQL.noop, FORGET),
        migrations.AddField(
            model_name='arrangement',
            name='changed_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='moved or called off'),
        ),
        migrations.AddField(
            model_name='arrangement',
            name='request',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='open_for', to='league.arrangementstep', verbose_name='open request'),
        ),
        migrations.AddField(
            model_name='arrangement',
            name='request_until',
            field=models.DateTimeField(blank=True, null=True, verbose_name='answer request by'),
        ),
        migrations.AddField(
            model_name='arrangementstep',
            name='reason',
            field=models.TextField(blank=True, max_length=500, verbose_name='reason'),
        ),
        migrations.AddField(
            model_name='notice',
            name='arrangement',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='league.arrangement'),
        ),
        migrations.AlterField(
            model_name='arrangement',
            name='state',
            field=models.CharField(choices=[('proposed', 'waiting for an answer'), ('accepted', 'agreed'), ('declined', 'declined'), ('withdrawn', 'withdrawn'), ('lapsed', 'lapsed'), ('played', 'played'), ('called_off', 'called off')], default='proposed', max_length=10, verbose_name='state'),
        ),
        migrations.AlterField(
            model_name='arrangementstep',
            name='kind',
            field=models.CharField(choices=[('proposed', 'proposed'), ('moved', 'proposed another time'), ('accepted', 'accepted'), ('declined', 'declined'), ('withdrawn', 'withdrawn'), ('lapsed', 'lapsed'), ('reported', 'reported the result'), ('claimed', 'claimed a no-show'), ('conceded', 'agreed that they did not come'), ('denied', 'denied the no-show'), ('moving', 'asked to move the date'), ('ending', 'asked to call the date off'), ('agreed', 'agreed to the other time'), ('ended', 'agreed to call the date off'), ('kept', 'kept the date'), ('dropped', 'withdrew the request'), ('called_off', 'called the date off')], max_length=10, verbose_name='step'),
        ),
        migrations.AlterField(
            model_name='mailpreference',
            name='muted',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('reported', 'a result to confirm'), ('disputed', 'a dispute about your result'), ('decided', 'a decision of staff about your match'), ('rated', 'a result that counts'), ('lapsed', 'a result that nobody confirmed'), ('undecided', 'an objection that was not decided in time'), ('dated', 'news about a date to play'), ('waiting', 'a date that waits for your answer'), ('called_off', 'a date that was called off'), ('messaged', 'a message about a date'), ('challenged', 'a challenge to you'), ('answered', 'an answer to your challenge'), ('invited', 'an invitation to a roster'), ('queued', 'your captain has queued you'), ('found', 'a match was found for you'), ('banned', 'a ban')], max_length=12), blank=True, default=list, size=None, verbose_name='no mail about'),
        ),
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=[('reported', 'a result to confirm'), ('disputed', 'a dispute about your result'), ('decided', 'a decision of staff about your match'), ('rated', 'a result that counts'), ('lapsed', 'a result that nobody confirmed'), ('undecided', 'an objection that was not decided in time'), ('dated', 'news about a date to play'), ('waiting', 'a date that waits for your answer'), ('called_off', 'a date that was called off'), ('messaged', 'a message about a date'), ('challenged', 'a challenge to you'), ('answered', 'an answer to your challenge'), ('invited', 'an invitation to a roster'), ('queued', 'your captain has queued you'), ('found', 'a match was found for you'), ('banned', 'a ban')], max_length=12, verbose_name='kind'),
        ),
        migrations.AddIndex(
            model_name='arrangement',
            index=models.Index(condition=models.Q(('request_until__isnull', False)), fields=['asked'], name='arrangement_requested'),
        ),
        migrations.AddIndex(
            model_name='arrangement',
            index=models.Index(condition=models.Q(('request_until__isnull', False)), fields=['request_until'], name='arrangement_request_due'),
        ),
        migrations.AddConstraint(
            model_name='arrangement',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('accepted_at__isnull', False), ('state__in', ['accepted', 'played', 'called_off'])), ('state', 'lapsed'), models.Q(('accepted_at', None), ('state__in', ['proposed', 'declined', 'withdrawn'])), _connector='OR'), name='arrangement_accepted_has_its_time'),
        ),
        migrations.AddConstraint(
            model_name='arrangement',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('request', None), ('request_until', None)), models.Q(('claimed_by', None), ('request__isnull', False), ('request_until__isnull', False), ('state', 'accepted')), _connector='OR'), name='arrangement_request_is_about_a_date'),
        ),
        migrations.AddField(
            model_name='arrangementmessage',
            name='arrangement',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='messages', to='league.arrangement'),
        ),
        migrations.AddField(
            model_name='arrangementmessage',
            name='author',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='arrangement_messages', to=settings.AUTH_USER_MODEL, verbose_name='author'),
        ),
        migrations.AddField(
            model_name='arrangementmessage',
            name='player',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='arrangement_messages', to='league.player', verbose_name='player'),
        ),
        migrations.AddField(
            model_name='noshowplayer',
            name='arrangement',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='no_show_players', to='league.arrangement'),
        ),
        migrations.AddField(
            model_name='noshowplayer',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='league.player', verbose_name='player'),
        ),
        migrations.AddIndex(
            model_name='arrangementmessage',
            index=models.Index(fields=['author', 'at'], name='date_message_recent'),
        ),
        migrations.AddConstraint(
            model_name='noshowplayer',
            constraint=models.UniqueConstraint(fields=('arrangement', 'player'), name='no_show_player_once'),
        ),
    ]
