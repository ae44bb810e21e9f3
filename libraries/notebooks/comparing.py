# %% [markdown]
# # Compare systems on results of your own
#
# Which system predicts best depends on the game. Here the true skills are known, as they are drawn:
# 150 players, whose skills drift, play 4,000 duels. So there is also a best possible forecast, and
# it can be seen how close each system comes.

# %%
import numpy as np
from laurel_ratings import History, build
from laurel_ratings.lab.evaluation import Bin, evaluate_predictions, predict_history

chance = np.random.default_rng(3)
GAMES, PLAYERS = 4000, 150
skill = chance.normal(1500, 250, PLAYERS)
pairs, best = np.empty((GAMES, 2), dtype=np.int64), np.empty(GAMES)
for game in range(GAMES):
    one, other = pairs[game] = chance.choice(PLAYERS, 2, replace=False)
    skill[[one, other]] += chance.normal(0, 10, 2)
    best[game] = 1 / (1 + 10 ** ((skill[other] - skill[one]) / 400))
first_won = chance.random(GAMES) < best
history = History.duels(
    players=[f"player {number}" for number in range(PLAYERS)],
    times=np.datetime64("2024-01-01") + np.arange(GAMES) * np.timedelta64(1, "h"),
    winners=np.where(first_won, pairs[:, 0], pairs[:, 1]),
    losers=np.where(first_won, pairs[:, 1], pairs[:, 0]),
)

# %% [markdown]
# ## Forecast every match before it is rated
#
# The first half teaches the systems, the second half counts. A lower log loss is better; 0.693 is
# that of a coin. `laurel-ratings evaluate` prints the same for a CSV file.

# %%
half = GAMES // 2
in_reality = np.where(first_won, best, 1 - best)[half:]
print(f"{'best possible':<14} log loss {-np.log(in_reality).mean():.4f}")
losses = {}
for name in ("elo", "glicko", "glicko-2", "trueskill", "elo-mmr", "bar"):
    system = build(name)
    found = evaluate_predictions(history, predict_history(system, history), first=half)
    losses[name] = found.log_loss
    print(f"{name:<14} log loss {found.log_loss:.4f}, {found.accuracy:.1f}% right")

# %% [markdown]
# ## Are the chances honest?
#
# Of the matches that a system gives 70%, 70% should be won. A row has the sides with about the same
# forecast.


# %%
def show(row: Bin) -> str:
    return f"{row.sides:>5} sides: forecast {row.predicted:.2f}, won {row.observed:.2f}"


found = evaluate_predictions(history, predict_history(build("elo"), history), first=half)
print("\n".join(map(show, found.calibration)))

# %% [markdown]
# ## Change a parameter
#
# Elo's largest gain decides how fast ratings follow results. Try a few on the first half only, and
# then see whether the choice holds on the second: parameters that were chosen on the results that
# judge them look better than they are.

# %%
gains = (8.0, 16.0, 32.0, 64.0)
learnt = {
    gain: evaluate_predictions(
        (early := history.part(0, half)), predict_history(build("elo", {"max_gain": gain}), early)
    ).log_loss
    for gain in gains
}
gain = min(learnt, key=learnt.__getitem__)
system = build("elo", {"max_gain": gain})
later = evaluate_predictions(history, predict_history(system, history), first=half).log_loss
print(f"largest gain {gain:g}: log loss {later:.4f}, by default {losses['elo']:.4f}")
