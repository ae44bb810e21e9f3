"""Store the place of each arena's name in lists."""

from django.db import migrations

import league.models.lookalikes
from league.models.collation import sort_key


def fill(apps, schema_editor):
    for arena in apps.get_model("league", "arena")._base_manager.only("pk", "name"):
        place = sort_key(arena.name)
        type(arena)._base_manager.filter(pk=arena.pk).update(sort_name=place)


class Migration(migrations.Migration):
    dependencies = [("league", "0007_few_opponents")]

    operations = [
        migrations.AddField(
            model_name="arena",
            name="sort_name",
            field=league.models.lookalikes.SortField(
                db_collation="C", db_default="", default="", editable=False
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="arena",
            name="sort_name",
            field=league.models.lookalikes.SortField(db_collation="C", editable=False),
        ),
        migrations.AlterModelOptions(
            name="arena",
            options={
                "ordering": ["sort_name"],
                "verbose_name": "arena",
                "verbose_name_plural": "arenas",
            },
        ),
        migrations.AlterModelOptions(
            name="arenaqueue",
            options={
                "ordering": ["arena__sort_name"],
                "verbose_name": "queue",
                "verbose_name_plural": "queues",
            },
        ),
    ]
