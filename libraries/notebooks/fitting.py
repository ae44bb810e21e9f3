# %% [markdown]
# # Fit a system to your game
#
# Defaults suit some games and not others: how fast skills change and how much chance there is
# differ. Fitting finds the parameters that would have forecast past results best. Here 120 players
# meet at home and away, and home is worth 80 points, which no system knows.

# %%
import time

import numpy as np
from laurel_ratings import History, Match, Participant, Side, build
from laurel_ratings.lab.fitting import fit
from laurel_ratings.lab.trial import try_system

chance = np.random.default_rng(4)
skill = chance.normal(1500, 120, 120)
matches = []
for game in range(3000):
    home, away = (int(each) for each in chance.choice(120, 2, replace=False))
    lead = skill[home] + 80 - skill[away]
    home_won = chance.random() < 1 / (1 + 10 ** (-lead / 400))
    places = (0, 1) if home_won else (1, 0)
    sides = [
        Side(places[0], [Participant(f"player {home}")]),
        Side(places[1], [Participant(f"player {away}")]),
    ]
    matches.append(Match(str(game), (game + 1) * 3_600_000_000, sides, first=0))
history = History.build(matches)

# %% [markdown]
# ## Fit on the past, judge on what came later
#
# The first 2,000 matches choose the parameters. The last 1,000 say what that is worth: parameters
# always look good on the results that chose them. `laurel-ratings fit` does it for a CSV file.

# %%
PAST = 2000
for name in ("elo", "glicko"):
    system = build(name)
    found = fit(system, history.part(0, PAST))
    before, after = (
        try_system(each, history, PAST, time.perf_counter) for each in (system, found.system)
    )
    fitted = {each: getattr(found.system.parameters, each) for each in found.names}
    print(f"{name}: log loss {before.log_loss:.4f} by default, {after.log_loss:.4f} fitted")
    print("  " + ", ".join(f"{each} {value:g}" for each, value in fitted.items()))
