"""Requests to delete accounts, players who have left, and what ledgers let go of them."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

REFUSE_CHANGE = """
CREATE OR REPLACE FUNCTION league_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    was jsonb;
    becomes jsonb;
BEGIN
    IF TG_LEVEL = 'ROW' AND TG_OP = 'UPDATE' THEN
        was := to_jsonb(OLD);
        becomes := to_jsonb(NEW);
        -- Archives take the name of a former player.
        IF TG_TABLE_NAME IN ('league_award', 'league_erratumline', 'league_finalpoints',
                'league_finalstanding')
            AND was - 'name' = becomes - 'name' AND EXISTS (
                SELECT FROM league_player WHERE id = (was->>'player_id')::bigint
                    AND left_at IS NOT NULL AND name = becomes->>'name'
            ) THEN
            RETURN NEW;
        END IF;
        -- Images lose what a former player wrote about them.
        IF TG_TABLE_NAME = 'league_evidenceimage' AND becomes->>'description' = ''
            AND was - 'description' = becomes - 'description' AND EXISTS (
                SELECT FROM league_matchmessage AS m JOIN league_player AS p ON p.id = m.player_id
                WHERE m.id = (was->>'message_id')::bigint AND p.left_at IS NOT NULL
            ) THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION '% is a ledger: its rows are written once and never changed', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME;
END $$;
"""
ONLY_MERGE = """
CREATE OR REPLACE FUNCTION league_only_merge() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    was jsonb := to_jsonb(OLD);
    becomes jsonb;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        becomes := to_jsonb(NEW);
        IF was - TG_ARGV[0] = becomes - TG_ARGV[0] AND EXISTS (
            SELECT FROM league_player WHERE id = (was->>TG_ARGV[0])::bigint
                AND merged_into_id = (becomes->>TG_ARGV[0])::bigint
        ) THEN
            RETURN NEW;
        END IF;
        -- Messages lose their words with a former player.
        IF TG_TABLE_NAME = 'league_matchmessage'
            AND becomes->>'text' = '' AND becomes->>'link' = ''
            AND was - 'text' - 'link' = becomes - 'text' - 'link' AND EXISTS (
                SELECT FROM league_player WHERE id = (was->>'player_id')::bigint
                    AND left_at IS NOT NULL
            ) THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION '% is a ledger: its rows are written once and never changed, but for the '
        'player that theirs is merged into', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME;
END $$;
"""
REFUSED_CHANGE = """
CREATE OR REPLACE FUNCTION league_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is a ledger: its rows are written once and never changed', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME;
END $$;
"""
ONLY_MERGED = """
CREATE OR REPLACE FUNCTION league_only_merge() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    was jsonb := to_jsonb(OLD);
    becomes jsonb;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        becomes := to_jsonb(NEW);
        IF was - TG_ARGV[0] = becomes - TG_ARGV[0] AND EXISTS (
            SELECT FROM league_player WHERE id = (was->>TG_ARGV[0])::bigint
                AND merged_into_id = (becomes->>TG_ARGV[0])::bigint
        ) THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION '% is a ledger: its rows are written once and never changed, but for the '
        'player that theirs is merged into', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME;
END $$;
"""


class Migration(migrations.Migration):

    dependencies = [
        ("league", "0190_private_players"),
    ]

    operations = [
        migrations.CreateModel(
            name='AccountDeletion',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='deletion', serialize=False, to=settings.AUTH_USER_MODEL, verbose_name='account')),
                ('asked_at', models.DateTimeField(verbose_name='asked')),
                ('due_at', models.DateTimeField(db_index=True, verbose_name='due')),
            ],
            options={
                'verbose_name': 'account deletion',
                'verbose_name_plural': 'account deletions',
            },
        ),
        migrations.CreateModel(
            name='BarredAddress',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('until', models.DateTimeField(null=True, verbose_name='until')),
            ],
            options={
                'verbose_name': 'barred address',
                'verbose_name_plural': 'barred addresses',
            },
        ),
        migrations.AddField(
            model_name='player',
            name='left_at',
            field=models.DateTimeField(editable=False, null=True, verbose_name='left the league'),
        ),
        migrations.RunSQL(REFUSE_CHANGE, REFUSED_CHANGE),
        migrations.RunSQL(ONLY_MERGE, ONLY_MERGED),
    ]
