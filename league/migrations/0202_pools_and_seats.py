"""Pools of queues, and lone players who fill the seats of leavers."""

import django.db.models.deletion
from django.db import migrations, models


# A player waits, plays or fills a seat: whoever comes second sees what the first has written.
BEFORE = """
CREATE OR REPLACE FUNCTION league_waits_or_plays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM league_player WHERE id = NEW.player_id FOR NO KEY UPDATE;
    IF TG_TABLE_NAME = 'league_participant' AND EXISTS (
        SELECT FROM league_ticketmember WHERE player_id = NEW.player_id AND open
    ) OR TG_TABLE_NAME = 'league_ticketmember' AND EXISTS (
        SELECT FROM league_participant WHERE player_id = NEW.player_id AND live
    ) THEN
        RAISE EXCEPTION 'player % would wait in a queue and play at the same time', NEW.player_id
            USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'player_waits_or_plays';
    END IF;
    RETURN NEW;
END $$;
"""
AFTER = """
CREATE OR REPLACE FUNCTION league_waits_or_plays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM league_player WHERE id = NEW.player_id FOR NO KEY UPDATE;
    IF TG_TABLE_NAME <> 'league_ticketmember' AND EXISTS (
        SELECT FROM league_ticketmember WHERE player_id = NEW.player_id AND open
    ) OR TG_TABLE_NAME <> 'league_participant' AND EXISTS (
        SELECT FROM league_participant WHERE player_id = NEW.player_id AND live
    ) OR EXISTS (
        SELECT FROM league_fillin AS f JOIN league_match AS m ON m.id = f.match_id
        WHERE f.player_id = NEW.player_id AND f.left_at IS NULL AND m.status = 'live'
            AND (TG_TABLE_NAME <> 'league_fillin' OR f.id <> NEW.id)
    ) THEN
        RAISE EXCEPTION 'player % would wait in a queue and play at the same time', NEW.player_id
            USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'player_waits_or_plays';
    END IF;
    RETURN NEW;
END $$;
"""
TRIGGER = """
CREATE TRIGGER league_fillin_waits_or_plays BEFORE INSERT OR UPDATE OF left_at ON league_fillin
    FOR EACH ROW WHEN (NEW.left_at IS NULL) EXECUTE FUNCTION league_waits_or_plays();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0201_more_arenas_a_ticket'),
    ]

    operations = [
        migrations.AddField(
            model_name='arenaqueue',
            name='fills_seats',
            field=models.BooleanField(db_default=False, default=False, help_text='Whether lone players who have agreed to it take the place of somebody who left a match from this queue within the last 10 minutes. They play unrated.', verbose_name='fills the seats of leavers'),
        ),
        migrations.AddField(
            model_name='arenaqueue',
            name='pools',
            field=models.CharField(choices=[('mixed', 'mixed: everybody meets everybody'), ('apart', 'apart: rosters meet rosters, and lone players meet lone players')], db_default='mixed', default='mixed', help_text='Two pools are fairer to lone players, but both wait longer. A roster has two or more players.', max_length=10, verbose_name='pools'),
        ),
        migrations.AddField(
            model_name='historicalarenaqueue',
            name='fills_seats',
            field=models.BooleanField(db_default=False, default=False, help_text='Whether lone players who have agreed to it take the place of somebody who left a match from this queue within the last 10 minutes. They play unrated.', verbose_name='fills the seats of leavers'),
        ),
        migrations.AddField(
            model_name='historicalarenaqueue',
            name='pools',
            field=models.CharField(choices=[('mixed', 'mixed: everybody meets everybody'), ('apart', 'apart: rosters meet rosters, and lone players meet lone players')], db_default='mixed', default='mixed', help_text='Two pools are fairer to lone players, but both wait longer. A roster has two or more players.', max_length=10, verbose_name='pools'),
        ),
        migrations.AddField(
            model_name='ticket',
            name='fills_seat',
            field=models.BooleanField(db_default=False, default=False, verbose_name='would fill a seat'),
        ),
        migrations.CreateModel(
            name='FillIn',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('joined_at', models.DateTimeField(verbose_name='joined')),
                ('left_at', models.DateTimeField(blank=True, null=True, verbose_name='left')),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='fill_ins', to='league.match', verbose_name='match')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='fill_ins', to='league.player', verbose_name='player')),
                ('replaces', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='fill_ins', to='league.participant', verbose_name='replaces')),
            ],
            options={
                'verbose_name': 'fill-in',
                'verbose_name_plural': 'fill-ins',
                'ordering': ['match', 'joined_at'],
                'indexes': [models.Index(condition=models.Q(('left_at', None)), fields=['player'], name='fills_in_now')],
                'constraints': [models.UniqueConstraint(fields=('player', 'match'), name='fills_in_once_a_match'), models.UniqueConstraint(condition=models.Q(('left_at', None)), fields=('replaces',), name='one_fill_in_a_seat')],
            },
        ),
        migrations.RunSQL(AFTER + TRIGGER, "DROP TRIGGER league_fillin_waits_or_plays ON league_fillin;" + BEFORE),
    ]
