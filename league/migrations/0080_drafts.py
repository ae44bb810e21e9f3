"""Drafts: arenas that only staff see."""

from django.db import migrations, models

DRAFT = {"db_default": False, "default": False, "editable": False, "verbose_name": "draft"}


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0079_months'),
    ]

    operations = [
        migrations.AddField(model_name=model, name=name, field=field)
        for model in ('arena', 'historicalarena')
        for name, field in (
            ('is_draft', models.BooleanField(**DRAFT)),
            ('copied_from', models.BigIntegerField(editable=False, null=True)),
        )
    ]
