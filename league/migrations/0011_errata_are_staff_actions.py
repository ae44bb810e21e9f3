"""Errata are staff actions about a match, which were written beside each of them anyway."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("league", "0010_other_rules")]

    operations = [
        migrations.DeleteModel(name="ErratumLine"),
        migrations.DeleteModel(name="Erratum"),
    ]
