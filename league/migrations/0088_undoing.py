"""Undo corrections: what each changed, which one undid it, and amnesties that end with it."""

import django.db.models.deletion
from django.db import migrations, models

KINDS = [
    ('void', 'voided'),
    ('result', 'corrected'),
    ('merge', 'rated again for a merged player'),
    ('undo', 'undone'),
    ('void_all', 'voided with all matches of a player'),
    ('rerated', 'rated again with its season'),
]

GUARD = """
CREATE TRIGGER {table}_is_append_only BEFORE UPDATE OR DELETE ON {table}
FOR EACH ROW EXECUTE FUNCTION league_refuse_change()
"""

END_AMNESTIES = """
CREATE FUNCTION league_only_end() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    without league_amnesty := NEW;
BEGIN
    without.ended_by_id := NULL;
    IF OLD.ended_by_id IS NULL AND NEW.ended_by_id IS NOT NULL
        AND without IS NOT DISTINCT FROM OLD THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% is a ledger: its rows are written once and never changed, but for the '
        'decision that ends them', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME;
END $$;
DROP TRIGGER league_amnesty_is_append_only ON league_amnesty;
CREATE TRIGGER league_amnesty_is_append_only BEFORE UPDATE ON league_amnesty
FOR EACH ROW EXECUTE FUNCTION league_only_end();
CREATE TRIGGER league_amnesty_is_kept BEFORE DELETE ON league_amnesty
FOR EACH ROW EXECUTE FUNCTION league_refuse_change();
"""

NEVER_END = """
DROP TRIGGER league_amnesty_is_kept ON league_amnesty;
DROP TRIGGER league_amnesty_is_append_only ON league_amnesty;
DROP FUNCTION league_only_end;
CREATE TRIGGER league_amnesty_is_append_only BEFORE UPDATE OR DELETE ON league_amnesty
FOR EACH ROW EXECUTE FUNCTION league_refuse_change();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0085_staff_log_stays'),
    ]

    operations = [
        migrations.CreateModel(
            name='CorrectedMatch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('was', models.JSONField()),
                ('correction', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='corrected_matches', to='league.correction')),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='corrected_in', to='league.match')),
            ],
            options={
                'verbose_name': 'corrected match',
                'verbose_name_plural': 'corrected matches',
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('correction', 'match'), name='match_once_in_a_correction')],
            },
        ),
        migrations.CreateModel(
            name='Undoing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('correction', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='undoing', to='league.correction')),
                ('undone', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='undone_by', to='league.correction')),
            ],
            options={
                'verbose_name': 'undone correction',
                'verbose_name_plural': 'undone corrections',
                'ordering': ['id'],
            },
        ),
        *(
            migrations.RunSQL(
                GUARD.format(table=table), f'DROP TRIGGER {table}_is_append_only ON {table}'
            )
            for table in ('league_correctedmatch', 'league_undoing')
        ),
        migrations.AddField(
            model_name='amnesty',
            name='ended_by',
            field=models.ForeignKey(db_constraint=False, db_index=False, editable=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='league.staffaction', verbose_name='ended by'),
        ),
        migrations.RunSQL(END_AMNESTIES, NEVER_END),
        migrations.AddField(
            model_name='correctionrequest',
            name='undoes',
            field=models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='league.correction'),
        ),
        migrations.AlterField(
            model_name='correction',
            name='kind',
            field=models.CharField(choices=KINDS, max_length=10, verbose_name='what'),
        ),
        migrations.AlterField(
            model_name='correctionrequest',
            name='kind',
            field=models.CharField(choices=KINDS, max_length=10),
        ),
    ]
