"""Files of players, rosters, results and fixtures: checked, imported and undone."""
