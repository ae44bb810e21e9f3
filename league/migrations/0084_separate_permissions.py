"""Give the new permissions to everybody who could do the same with the old ones.

Deciding disputes included entering, correcting and voiding results, and banning included
penalising. Accounts and groups keep all that they could do.
"""

from django.db import migrations

NOW_SEPARATE = {
    "decide_match": [
        ("staffaction", "enter_result", "Can enter results"),
        ("staffaction", "correct_match", "Can correct rated results"),
        ("staffaction", "void_match", "Can void rated results"),
    ],
    "ban_player": [("penaltyreason", "penalise_player", "Can penalise players")],
}


def carry_over(apps, schema_editor):
    permissions = apps.get_model("auth", "Permission").objects
    content_types = apps.get_model("contenttypes", "ContentType").objects
    holders = [
        (apps.get_model("league", "User").user_permissions.through.objects, "user_id"),
        (apps.get_model("auth", "Group").permissions.through.objects, "group_id"),
    ]
    for codename, others in NOW_SEPARATE.items():
        old = permissions.filter(content_type__app_label="league", codename=codename).first()
        if old is None:  # a new site, which nobody holds a permission of
            continue
        for model, other, name in others:
            kind, _ = content_types.get_or_create(app_label="league", model=model)
            new, _ = permissions.get_or_create(
                content_type=kind, codename=other, defaults={"name": name}
            )
            for rows, holder in holders:
                held = rows.filter(permission_id=old.pk).values_list(holder, flat=True)
                rows.bulk_create(
                    [rows.model(**{holder: one, "permission_id": new.pk}) for one in held],
                    ignore_conflicts=True,
                )


class Migration(migrations.Migration):

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
        ('contenttypes', '0002_remove_content_type_name'),
        ('league', '0083_roles'),
    ]

    operations = [
        # Going back leaves the permissions: the release before does not ask for them.
        migrations.RunPython(carry_over, migrations.RunPython.noop),
    ]
