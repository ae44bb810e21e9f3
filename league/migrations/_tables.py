from django.db.migrations.operations.base import Operation


class CreateTables(Operation):
    """Create the tables of models that refer to each other in any order.

    Django renders all models that a new one leads to again, for each ``CreateModel``: 10,000
    renderings and 7 s for the league. Here they are rendered once, when all are known.
    """

    reversible = False

    def __init__(self, models):
        self.models = models

    def state_forwards(self, app_label, state):
        state.__dict__.pop("apps", None)
        for model in self.models:
            model.state_forwards(app_label, state)

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        for model in self.models:
            model.database_forwards(app_label, schema_editor, from_state, to_state)

    def describe(self):
        return f"Create {len(self.models)} tables"
