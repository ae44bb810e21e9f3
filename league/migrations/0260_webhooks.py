"""Webhooks, and the triggers that write their events in the transaction of what they report."""

import django.contrib.postgres.fields
import django.db.models.deletion
import league.models.webhook
import uuid
from django.conf import settings
from django.db import migrations, models

NOTE = """
CREATE FUNCTION league_note_event(_type text, _arena bigint, _subject bigint, _facts jsonb)
RETURNS void LANGUAGE sql AS $$
    WITH told AS (
        SELECT id FROM league_webhook
        WHERE (arena_id IS NULL OR arena_id = _arena) AND _type = ANY(events)
        FOR KEY SHARE SKIP LOCKED
    ), noted AS (
        INSERT INTO league_webhookevent (uid, type, subject, facts, at)
        SELECT gen_random_uuid(), _type, _subject, _facts, clock_timestamp()
        WHERE EXISTS (SELECT FROM told)
        RETURNING id, at
    )
    INSERT INTO league_webhookdelivery
        (webhook_id, event_id, state, created_at, next_attempt_at, attempts)
    SELECT told.id, noted.id, 'waiting', noted.at, noted.at, 0 FROM told, noted
$$;

CREATE FUNCTION league_note_match() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    was text := CASE WHEN TG_OP = 'UPDATE' THEN OLD.status ELSE '' END;
    facts jsonb := jsonb_build_object('status', NEW.status, 'revision', NEW.revision,
        'settlement', NEW.settlement);
BEGIN
    IF was = 'disputed' AND NEW.status <> 'disputed' THEN
        PERFORM league_note_event('dispute.decided', NEW.arena_id, NEW.id, facts);
    END IF;
    PERFORM league_note_event(CASE NEW.status
        WHEN 'live' THEN CASE was WHEN '' THEN 'match.started' ELSE 'result.reopened' END
        WHEN 'reported' THEN CASE was WHEN 'void' THEN 'result.reopened' ELSE 'result.reported' END
        WHEN 'disputed' THEN 'dispute.opened'
        WHEN 'rated' THEN 'result.confirmed'
        WHEN 'void' THEN 'result.voided'
    END, NEW.arena_id, NEW.id, facts);
    RETURN NULL;
END $$;

CREATE FUNCTION league_note_corrected_match() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM league_note_event('result.corrected', m.arena_id, m.id, '{}')
    FROM league_match AS m JOIN league_correction AS c ON c.id = NEW.correction_id
    WHERE m.id = NEW.match_id AND m.kind = 'game' AND m.status = 'rated'
        AND c.kind IN ('result', 'undo');
    RETURN NULL;
END $$;

CREATE FUNCTION league_note_objection() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM league_note_event(
        CASE NEW.state WHEN 'open' THEN 'dispute.opened' ELSE 'dispute.decided' END,
        m.arena_id, m.id, jsonb_build_object('objection', NEW.state))
    FROM league_match AS m WHERE m.id = NEW.match_id;
    RETURN NULL;
END $$;

CREATE FUNCTION league_note_season() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.archived_at IS NOT NULL THEN
        PERFORM league_note_event('season.ended', NEW.arena_id, NEW.id, '{}');
    ELSE
        PERFORM league_note_event('season.started', NEW.arena_id, NEW.id, '{}');
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION league_note_competition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM league_note_event(
        CASE NEW.state WHEN 'running' THEN 'competition.started' ELSE 'competition.ended' END,
        s.arena_id, NEW.id, jsonb_build_object('state', NEW.state))
    FROM league_season AS s WHERE s.id = NEW.season_id;
    RETURN NULL;
END $$;

CREATE FUNCTION league_note_fixture() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM league_note_event('fixture.decided', s.arena_id, NEW.id,
        jsonb_build_object('result', NEW.result, 'decided_by', NEW.decided_by))
    FROM league_competition AS c JOIN league_season AS s ON s.id = c.season_id
    WHERE c.id = NEW.competition_id;
    RETURN NULL;
END $$;

CREATE TRIGGER note_new_match AFTER INSERT ON league_match
    FOR EACH ROW WHEN (NEW.kind = 'game' AND NEW.status <> 'void' AND NEW.settlement <> 'import')
    EXECUTE FUNCTION league_note_match();
CREATE TRIGGER note_changed_match AFTER UPDATE OF status, revision ON league_match
    FOR EACH ROW WHEN (NEW.kind = 'game' AND (OLD.status <> NEW.status
        OR (NEW.status = 'reported' AND OLD.revision <> NEW.revision)))
    EXECUTE FUNCTION league_note_match();
CREATE TRIGGER note_corrected_match AFTER INSERT ON league_correctedmatch
    FOR EACH ROW EXECUTE FUNCTION league_note_corrected_match();
CREATE TRIGGER note_new_objection AFTER INSERT ON league_objection
    FOR EACH ROW WHEN (NEW.state = 'open') EXECUTE FUNCTION league_note_objection();
CREATE TRIGGER note_changed_objection AFTER UPDATE OF state ON league_objection
    FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION league_note_objection();
CREATE TRIGGER note_new_season AFTER INSERT ON league_season
    FOR EACH ROW WHEN (NEW.opened_at IS NOT NULL AND NEW.archived_at IS NULL)
    EXECUTE FUNCTION league_note_season();
CREATE TRIGGER note_changed_season AFTER UPDATE OF opened_at, archived_at ON league_season
    FOR EACH ROW WHEN ((OLD.opened_at IS NULL AND NEW.opened_at IS NOT NULL)
        OR (OLD.archived_at IS NULL AND NEW.archived_at IS NOT NULL))
    EXECUTE FUNCTION league_note_season();
CREATE TRIGGER note_changed_competition AFTER UPDATE OF state ON league_competition
    FOR EACH ROW WHEN (OLD.state <> NEW.state AND NEW.state IN ('running', 'over'))
    EXECUTE FUNCTION league_note_competition();
CREATE TRIGGER note_decided_fixture AFTER UPDATE OF result ON league_fixture
    FOR EACH ROW WHEN (OLD.result = '' AND NEW.result <> '' AND NEW.decided_by <> 'bye')
    EXECUTE FUNCTION league_note_fixture();
"""
FORGET = """
DROP TRIGGER note_new_match ON league_match;
DROP TRIGGER note_changed_match ON league_match;
DROP TRIGGER note_corrected_match ON league_correctedmatch;
DROP TRIGGER note_new_objection ON league_objection;
DROP TRIGGER note_changed_objection ON league_objection;
DROP TRIGGER note_new_season ON league_season;
DROP TRIGGER note_changed_season ON league_season;
DROP TRIGGER note_changed_competition ON league_competition;
DROP TRIGGER note_decided_fixture ON league_fixture;
DROP FUNCTION league_note_match();
DROP FUNCTION league_note_corrected_match();
DROP FUNCTION league_note_objection();
DROP FUNCTION league_note_season();
DROP FUNCTION league_note_competition();
DROP FUNCTION league_note_fixture();
DROP FUNCTION league_note_event(text, bigint, bigint, jsonb);
"""


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0258_what_account_tokens_allow'),
    ]

    operations = [
        migrations.AlterField(
            model_name='mailpreference',
            name='muted',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('reported', 'a result to confirm'), ('disputed', 'a dispute about your result'), ('decided', 'a decision of staff about your match'), ('rated', 'a result that counts'), ('lapsed', 'a result that nobody confirmed'), ('undecided', 'an objection that was not decided in time'), ('withdrawn', 'an objection that was withdrawn'), ('dated', 'news about a date to play'), ('waiting', 'a date that waits for your answer'), ('called_off', 'a date that was called off'), ('messaged', 'a message about a date'), ('fixture', 'a fixture of your competition'), ('competition', 'news about a competition that you entered'), ('challenged', 'a challenge to you'), ('answered', 'an answer to your challenge'), ('invited', 'an invitation to a roster'), ('queued', 'your captain has queued you'), ('found', 'a match was found for you'), ('banned', 'a ban'), ('unbanned', 'a lifted ban'), ('penalised', 'a penalty'), ('appeal', 'the answer to your appeal'), ('letter', 'a message of staff'), ('team_invited', 'an invitation to a team'), ('team_captain', 'an offer to lead a team'), ('team_changed', 'your role in a team'), ('team_joined', 'a new member of your team'), ('team_removed', 'the end of your time in a team'), ('webhook', 'a paused webhook of yours')], max_length=12), blank=True, default=list, size=None, verbose_name='no mail about'),
        ),
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=[('reported', 'a result to confirm'), ('disputed', 'a dispute about your result'), ('decided', 'a decision of staff about your match'), ('rated', 'a result that counts'), ('lapsed', 'a result that nobody confirmed'), ('undecided', 'an objection that was not decided in time'), ('withdrawn', 'an objection that was withdrawn'), ('dated', 'news about a date to play'), ('waiting', 'a date that waits for your answer'), ('called_off', 'a date that was called off'), ('messaged', 'a message about a date'), ('fixture', 'a fixture of your competition'), ('competition', 'news about a competition that you entered'), ('challenged', 'a challenge to you'), ('answered', 'an answer to your challenge'), ('invited', 'an invitation to a roster'), ('queued', 'your captain has queued you'), ('found', 'a match was found for you'), ('banned', 'a ban'), ('unbanned', 'a lifted ban'), ('penalised', 'a penalty'), ('appeal', 'the answer to your appeal'), ('letter', 'a message of staff'), ('team_invited', 'an invitation to a team'), ('team_captain', 'an offer to lead a team'), ('team_changed', 'your role in a team'), ('team_joined', 'a new member of your team'), ('team_removed', 'the end of your time in a team'), ('webhook', 'a paused webhook of yours')], max_length=12, verbose_name='kind'),
        ),
        migrations.AlterField(
            model_name='staffaction',
            name='kind',
            field=models.CharField(choices=[('upheld', 'upheld a reported result'), ('corrected', 'corrected a reported result'), ('voided', 'voided a match'), ('entered', 'entered a result'), ('amnesty', 'granted an amnesty'), ('challenge', 'called off a challenge'), ('ban', 'banned a player'), ('unban', 'lifted a ban'), ('renamed', 'renamed a player'), ('claim', 'decided a claim'), ('rejected', 'rejected an objection'), ('merged', 'merged two players'), ('penalised', 'penalised a player'), ('undone', 'undid a correction'), ('voided_all', 'voided all matches of a player'), ('erratum', 'published an erratum'), ('created', 'created'), ('changed', 'changed'), ('deleted', 'deleted'), ('season', 'opened, planned or ended a season'), ('rules', 'changed the rules of a season'), ('rerated', 'rated a season again'), ('imported', 'imported a file'), ('unimported', 'undid an import'), ('evening', 'entered the results of an evening'), ('role', 'changed the roles of an account'), ('impersonated', 'saw the site as somebody else'), ('case', 'worked on a case'), ('appeal', 'answered an appeal'), ('announced', 'announced something to players'), ('messaged', 'sent a message to players'), ('competition', 'ran a competition'), ('maintenance', 'turned maintenance on or off'), ('webhook', 'ran a webhook')], max_length=20, verbose_name='action'),
        ),
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('address', models.CharField(help_text='Where events are sent, such as https://example.org/laurel.', max_length=500, verbose_name='address')),
                ('events', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('match.started', 'A match started'), ('result.reported', 'A result was reported, or its report changed'), ('result.confirmed', 'A result counts: it was confirmed and rated'), ('result.corrected', 'Staff corrected a rated result'), ('result.voided', 'A match no longer counts'), ('result.reopened', 'A match waits for a result again'), ('dispute.opened', 'A player disputes a result, or objects to it'), ('dispute.decided', 'A dispute or an objection is over'), ('season.started', 'A season opened'), ('season.ended', 'A season ended: its final standings are fixed'), ('competition.started', 'A competition started'), ('competition.ended', 'A competition ended'), ('fixture.decided', 'A fixture was decided without its games')], max_length=30), size=None, verbose_name='events')),
                ('secret_seed', models.CharField(default=league.models.webhook.new_seed, editable=False, max_length=64)),
                ('old_secret_seed', models.CharField(blank=True, default='', editable=False, max_length=64)),
                ('old_until', models.DateTimeField(editable=False, null=True)),
                ('paused', models.CharField(blank=True, choices=[('', 'not paused'), ('staff', 'paused by staff'), ('failing', 'every attempt failed for too long'), ('gone', 'its receiver answered 410 (Gone)')], default='', editable=False, max_length=10, verbose_name='paused')),
                ('paused_at', models.DateTimeField(editable=False, null=True, verbose_name='paused since')),
                ('failures', models.PositiveIntegerField(default=0, editable=False, verbose_name='failures in a row')),
                ('failing_since', models.DateTimeField(editable=False, null=True, verbose_name='failing since')),
                ('waits_until', models.DateTimeField(editable=False, null=True)),
                ('claimed_until', models.DateTimeField(editable=False, null=True)),
                ('made_at', models.DateTimeField(editable=False, verbose_name='made')),
                ('arena', models.ForeignKey(blank=True, help_text='Whose events it is told. Empty for those of the whole league.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='webhooks', to='league.arena', verbose_name='arena')),
                ('made_by', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.PROTECT, related_name='webhooks', to=settings.AUTH_USER_MODEL, verbose_name='made by')),
            ],
            options={
                'verbose_name': 'webhook',
                'verbose_name_plural': 'webhooks',
                'ordering': ['name', 'id'],
            },
        ),
        migrations.CreateModel(
            name='WebhookDelivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('delivered', 'delivered'), ('failed', 'given up')], default='waiting', max_length=10, verbose_name='state')),
                ('created_at', models.DateTimeField(verbose_name='written')),
                ('next_attempt_at', models.DateTimeField(null=True, verbose_name='next attempt')),
                ('attempts', models.PositiveSmallIntegerField(default=0, verbose_name='attempts')),
                ('closed_at', models.DateTimeField(null=True, verbose_name='delivered or given up')),
                ('webhook', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='league.webhook', verbose_name='webhook')),
            ],
            options={
                'default_permissions': ('view',),
                'verbose_name': 'webhook delivery',
                'verbose_name_plural': 'webhook deliveries',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='WebhookAttempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(verbose_name='when')),
                ('status', models.PositiveSmallIntegerField(null=True, verbose_name='status')),
                ('milliseconds', models.PositiveIntegerField(verbose_name='milliseconds')),
                ('problem', models.CharField(blank=True, max_length=200, verbose_name='problem')),
                ('answer', models.CharField(blank=True, max_length=500, verbose_name='start of the answer')),
                ('delivery', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='log', to='league.webhookdelivery')),
            ],
            options={
                'default_permissions': (),
                'verbose_name': 'attempt',
                'verbose_name_plural': 'attempts',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='WebhookEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uid', models.UUIDField(default=uuid.uuid4, unique=True)),
                ('type', models.CharField(max_length=30, verbose_name='event')),
                ('subject', models.BigIntegerField(null=True)),
                ('facts', models.JSONField(default=dict)),
                ('at', models.DateTimeField(verbose_name='when')),
            ],
            options={
                'default_permissions': (),
                'verbose_name': 'event',
                'verbose_name_plural': 'events',
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['at'], name='webhook_event_at')],
            },
        ),
        migrations.AddField(
            model_name='webhookdelivery',
            name='event',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='league.webhookevent', verbose_name='event'),
        ),
        migrations.AddConstraint(
            model_name='webhook',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('paused', ''), ('paused_at', None)), models.Q(models.Q(('paused', ''), _negated=True), ('paused_at__isnull', False)), _connector='OR'), name='webhook_paused_since'),
        ),
        migrations.AddIndex(
            model_name='webhookdelivery',
            index=models.Index(fields=['webhook', '-id'], name='webhook_delivery_log'),
        ),
        migrations.AddIndex(
            model_name='webhookdelivery',
            index=models.Index(condition=models.Q(('state', 'waiting')), fields=['webhook', 'next_attempt_at', 'id'], name='webhook_delivery_due'),
        ),
        migrations.AddIndex(
            model_name='webhookdelivery',
            index=models.Index(fields=['created_at'], name='webhook_delivery_created'),
        ),
        migrations.AddConstraint(
            model_name='webhookdelivery',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('closed_at', None), ('next_attempt_at__isnull', False), ('state', 'waiting')), models.Q(('next_attempt_at', None), ('state__in', ['delivered', 'failed']), ('closed_at__isnull', False)), _connector='OR'), name='webhook_delivery_waits_or_is_closed'),
        ),
        migrations.AddConstraint(
            model_name='webhookdelivery',
            constraint=models.CheckConstraint(condition=models.Q(('closed_at', None), ('closed_at__gte', models.F('created_at')), _connector='OR'), name='webhook_delivery_closed_later'),
        ),
        migrations.RunSQL(NOTE, FORGET),
    ]
