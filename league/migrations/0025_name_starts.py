"""Names from the beginning of each of their words, so that a search is a walk along an index."""

from django.db import migrations, models

# Of “anna-maria smith”: the whole, “maria smith” and “smith”.
STARTS = r"""
CREATE FUNCTION league_name_starts(name text) RETURNS SETOF text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT DISTINCT substr(name, n) FROM generate_series(1, length(name)) AS n
    WHERE n = 1 OR (
        strpos(E' -_.,:;\'"/|()[]', substr(name, n - 1, 1)) > 0
        AND strpos(E' -_.,:;\'"/|()[]', substr(name, n, 1)) = 0
    )
$$;
"""

FOLLOW = """
CREATE FUNCTION league_add_name_starts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO league_namestart (start, player_id)
    SELECT s.start, n.id FROM added AS n CROSS JOIN LATERAL league_name_starts(n.folded_name)
        AS s(start);
    RETURN NULL;
END $$;

CREATE TRIGGER add_name_starts AFTER INSERT ON league_player
REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION league_add_name_starts();

CREATE FUNCTION league_change_name_starts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM league_namestart AS k USING league_name_starts(OLD.folded_name) AS s(start)
    WHERE k.start = s.start AND k.player_id = OLD.id;
    IF TG_OP = 'UPDATE' THEN
        INSERT INTO league_namestart (start, player_id)
        SELECT start, NEW.id FROM league_name_starts(NEW.folded_name) AS s(start);
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER change_name_starts AFTER UPDATE OF folded_name ON league_player
FOR EACH ROW WHEN (OLD.folded_name <> NEW.folded_name)
EXECUTE FUNCTION league_change_name_starts();

CREATE TRIGGER remove_name_starts AFTER DELETE ON league_player
FOR EACH ROW EXECUTE FUNCTION league_change_name_starts();
"""

ALL_THERE_ARE = """
INSERT INTO league_namestart (start, player_id)
SELECT s.start, p.id FROM league_player AS p
CROSS JOIN LATERAL league_name_starts(p.folded_name) AS s(start)
ORDER BY 1, 2;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0024_partitions_when_opened'),
    ]

    operations = [
        migrations.CreateModel(
            name='NameStart',
            fields=[
                ('pk', models.CompositePrimaryKey('start', 'player_id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('start', models.TextField(db_collation='C')),
                ('player_id', models.BigIntegerField()),
            ],
        ),
        migrations.RunSQL(STARTS, 'DROP FUNCTION league_name_starts'),
        migrations.RunSQL(FOLLOW, migrations.RunSQL.noop),
        migrations.RunSQL(ALL_THERE_ARE, migrations.RunSQL.noop),
    ]
