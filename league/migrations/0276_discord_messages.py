"""Direct messages on Discord, and the trigger that writes them with the notices they are about."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

NOTE = """
CREATE FUNCTION league_note_discord_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO league_discordmessage (notice_id, state, attempts, next_attempt_at, error)
    SELECT fresh.id, 'waiting', 0,
        clock_timestamp() + CASE WHEN fresh.kind IN ('found', 'queued')
            THEN interval '0' ELSE interval '1 minute' END,
        ''
    FROM fresh JOIN league_discordpreference AS wanted ON wanted.player_id = fresh.player_id
    WHERE wanted.is_on AND fresh.kind = ANY(wanted.kinds);
    RETURN NULL;
END $$;
CREATE TRIGGER note_discord_messages AFTER INSERT ON league_notice
    REFERENCING NEW TABLE AS fresh
    FOR EACH STATEMENT EXECUTE FUNCTION league_note_discord_messages();
"""
FORGET = """
DROP TRIGGER note_discord_messages ON league_notice;
DROP FUNCTION league_note_discord_messages();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0275_discord_interactions'),
    ]

    operations = [
        migrations.AlterField(
            model_name='mailpreference',
            name='muted',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('reported', 'a result to confirm'), ('disputed', 'a dispute about your result'), ('decided', 'a decision of staff about your match'), ('rated', 'a result that counts'), ('lapsed', 'a result that nobody confirmed'), ('undecided', 'an objection that was not decided in time'), ('withdrawn', 'an objection that was withdrawn'), ('dated', 'news about a date to play'), ('waiting', 'a date that waits for your answer'), ('called_off', 'a date that was called off'), ('messaged', 'a message about a date'), ('fixture', 'a fixture of your competition'), ('competition', 'news about a competition that you entered'), ('challenged', 'a challenge to you'), ('answered', 'an answer to your challenge'), ('invited', 'an invitation to a roster'), ('queued', 'your captain has queued you'), ('found', 'a match was found for you'), ('banned', 'a ban'), ('unbanned', 'a lifted ban'), ('penalised', 'a penalty'), ('appeal', 'the answer to your appeal'), ('letter', 'a message of staff'), ('team_invited', 'an invitation to a team'), ('team_captain', 'an offer to lead a team'), ('team_changed', 'your role in a team'), ('team_joined', 'a new member of your team'), ('team_removed', 'the end of your time in a team'), ('webhook', 'a paused webhook of yours'), ('discord', 'the end of direct messages on Discord')], max_length=12), blank=True, default=list, size=None, verbose_name='no mail about'),
        ),
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=[('reported', 'a result to confirm'), ('disputed', 'a dispute about your result'), ('decided', 'a decision of staff about your match'), ('rated', 'a result that counts'), ('lapsed', 'a result that nobody confirmed'), ('undecided', 'an objection that was not decided in time'), ('withdrawn', 'an objection that was withdrawn'), ('dated', 'news about a date to play'), ('waiting', 'a date that waits for your answer'), ('called_off', 'a date that was called off'), ('messaged', 'a message about a date'), ('fixture', 'a fixture of your competition'), ('competition', 'news about a competition that you entered'), ('challenged', 'a challenge to you'), ('answered', 'an answer to your challenge'), ('invited', 'an invitation to a roster'), ('queued', 'your captain has queued you'), ('found', 'a match was found for you'), ('banned', 'a ban'), ('unbanned', 'a lifted ban'), ('penalised', 'a penalty'), ('appeal', 'the answer to your appeal'), ('letter', 'a message of staff'), ('team_invited', 'an invitation to a team'), ('team_captain', 'an offer to lead a team'), ('team_changed', 'your role in a team'), ('team_joined', 'a new member of your team'), ('team_removed', 'the end of your time in a team'), ('webhook', 'a paused webhook of yours'), ('discord', 'the end of direct messages on Discord')], max_length=12, verbose_name='kind'),
        ),
        migrations.CreateModel(
            name='DiscordMessage',
            fields=[
                ('notice', models.OneToOneField(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='discord_message', serialize=False, to='league.notice', verbose_name='notice')),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('sent', 'sent'), ('needless', 'no longer needed'), ('failed', 'failed')], default='waiting', max_length=10, verbose_name='state')),
                ('attempts', models.PositiveIntegerField(default=0, verbose_name='attempts')),
                ('next_attempt_at', models.DateTimeField(null=True, verbose_name='next attempt')),
                ('error', models.CharField(blank=True, default='', max_length=200, verbose_name='error')),
            ],
            options={
                'verbose_name': 'direct message',
                'verbose_name_plural': 'direct messages',
                'default_permissions': (),
                'indexes': [models.Index(condition=models.Q(('next_attempt_at__isnull', False)), fields=['next_attempt_at', 'notice'], name='discord_message_due')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('next_attempt_at__isnull', False), ('state', 'waiting')), models.Q(models.Q(('state', 'waiting'), _negated=True), ('next_attempt_at', None)), _connector='OR'), name='discord_message_waits')],
            },
        ),
        migrations.CreateModel(
            name='DiscordPreference',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_on', models.BooleanField(default=True, verbose_name='direct messages')),
                ('kinds', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('reported', 'a result to confirm'), ('disputed', 'a dispute about your result'), ('decided', 'a decision of staff about your match'), ('rated', 'a result that counts'), ('lapsed', 'a result that nobody confirmed'), ('undecided', 'an objection that was not decided in time'), ('withdrawn', 'an objection that was withdrawn'), ('dated', 'news about a date to play'), ('waiting', 'a date that waits for your answer'), ('called_off', 'a date that was called off'), ('messaged', 'a message about a date'), ('fixture', 'a fixture of your competition'), ('competition', 'news about a competition that you entered'), ('challenged', 'a challenge to you'), ('answered', 'an answer to your challenge'), ('invited', 'an invitation to a roster'), ('queued', 'your captain has queued you'), ('found', 'a match was found for you'), ('banned', 'a ban'), ('unbanned', 'a lifted ban'), ('penalised', 'a penalty'), ('appeal', 'the answer to your appeal'), ('letter', 'a message of staff'), ('team_invited', 'an invitation to a team'), ('team_captain', 'an offer to lead a team'), ('team_changed', 'your role in a team'), ('team_joined', 'a new member of your team'), ('team_removed', 'the end of your time in a team'), ('webhook', 'a paused webhook of yours'), ('discord', 'the end of direct messages on Discord')], max_length=12), blank=True, default=list, size=None, verbose_name='messages about')),
                ('refused_at', models.DateTimeField(editable=False, null=True, verbose_name='refused by Discord')),
                ('channel', models.CharField(default='', editable=False, max_length=20)),
                ('channel_of', models.CharField(default='', editable=False, max_length=20)),
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='discord_preference', to='league.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'choice of direct messages',
                'verbose_name_plural': 'choices of direct messages',
                'ordering': ['player'],
            },
        ),
        migrations.RunSQL(NOTE, FORGET),
    ]
