"""Store the place of each name in lists, and search apostrophes and hyphens as on keyboards."""

from django.db import migrations, models

import league.models.lookalikes
from league.models.collation import sort_key
from league.models.skeletons import without_accents

MODELS = ("player", "team", "roster")
OPTIONS = {
    "player": {
        "verbose_name": "player",
        "verbose_name_plural": "players",
        "permissions": [
            ("ban_player", "Can ban players and lift bans"),
            ("merge_player", "Can merge players"),
        ],
    },
    "roster": {"verbose_name": "roster", "verbose_name_plural": "rosters"},
    "team": {"verbose_name": "team", "verbose_name_plural": "teams"},
}
AT_ONCE = 5_000
FILL = """
    UPDATE league_{model} AS t SET sort_name = u.sort, search_name = u.plain
    FROM unnest(%s::bigint[], %s::text[], %s::text[]) AS u(id, sort, plain) WHERE t.id = u.id
"""


def fill(apps, schema_editor):
    for model in MODELS:
        rows = apps.get_model("league", model)._base_manager.order_by("pk")
        last = 0
        while found := list(rows.filter(pk__gt=last).values_list("pk", "name")[:AT_ONCE]):
            ids, names = zip(*found, strict=True)
            forms = [sort_key(name) for name in names], [without_accents(name) for name in names]
            with schema_editor.connection.cursor() as cursor:
                cursor.execute(FILL.format(model=model), [list(ids), *forms])
            last = ids[-1]


class Migration(migrations.Migration):
    dependencies = [("league", "0004_entrant_trophy")]

    operations = [
        *(
            migrations.AddField(
                model_name=model,
                name="sort_name",
                field=league.models.lookalikes.SortField(
                    db_collation="C", db_default="", default="", editable=False
                ),
            )
            for model in MODELS
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        *(
            migrations.AlterField(
                model_name=model,
                name="sort_name",
                field=league.models.lookalikes.SortField(db_collation="C", editable=False),
            )
            for model in MODELS
        ),
        *(
            migrations.AlterModelOptions(name=model, options={**options, "ordering": ["sort_name"]})
            for model, options in OPTIONS.items()
        ),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(fields=["sort_name", "id"], name="player_by_name"),
        ),
    ]
