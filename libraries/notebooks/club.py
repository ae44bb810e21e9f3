# %% [markdown]
# # Rate a club's results
#
# Eight players of a chess club met every Thursday of an autumn. `club.csv` has a row for each
# player of each game: place 0 won, and equal places drew.

# %%
from pathlib import Path

import pandas as pd
from laurel_ratings import Ratings, from_dataframe

HERE = Path(__file__).parent
games = pd.read_csv(HERE / "club.csv")
print(games.head(4).to_string(index=False))

# %% [markdown]
# ## Rate them
#
# Glicko's deviation says how sure a rating is. After fourteen games each, it has fallen from 350 to
# between 110 and 140 points.

# %%
ratings = Ratings("glicko")
changes = ratings.rate_many(from_dataframe(games))
board = ratings.to_frame("pandas").drop(columns="last_played")
print(board.round(1).to_string(index=False))

# %% [markdown]
# ## Explain a change
#
# Members ask why they lost points. Every number behind a change is there.

# %%
print(ratings.explain("Emil"))

# %% [markdown]
# The changes of all games are a frame too, for charts or to find surprises: here the three wins
# that were least expected.

# %%
frame = changes.to_frame("pandas")
wins = frame[(frame["place"] == 0) & (frame["actual"] == 1)]
print(wins.nsmallest(3, "expected")[["match_id", "player", "expected", "change"]].to_string())

# %% [markdown]
# ## Pair the next evening
#
# Who makes the most even games for Dora?

# %%
others = [name for name in ratings if name != "Dora"]
chance = {name: ratings.predict(["Dora", name]).expected[0] for name in others}
for name in sorted(others, key=lambda name: abs(chance[name] - 0.5))[:3]:
    print(f"Dora against {name}: {chance[name]:.0%}")

# %% [markdown]
# ## Keep the ratings for next Thursday

# %%
ratings.save("club.json")
next_week = Ratings.load("club.json")
next_week.rate(["Dora", "Hana"], at="2024-12-12")
print(next_week.explain("Dora"))
