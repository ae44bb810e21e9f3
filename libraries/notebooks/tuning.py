# %% [markdown]
# # Tune a queue
#
# How long should players wait for a closer match? The simulator answers before anybody has to: in
# it, parties arrive, queue, play, rest and leave, as on an evening with 60 players online.

# %%
from statistics import fmean

from laurel_matchmaking import Matcher, Rules, Workload

evening = Workload(online=60, hours=0.75)
matcher = Matcher("laurel", team_size=2, rules="small-community")
figures = matcher.simulate(evening, seed=1)
print(f"{figures.matches:.0f} matches, {figures.fair:.0%} of them fair")
print(f"waits: median {figures.median:.0f} s, 95% below {figures.p95:.0f} s")
print(f"from the best to the weakest player of a match: {figures.spread:.0f} points")

# %% [markdown]
# ## Closer ratings, or shorter waits
#
# A party that has waited for longer than `bound` goes before all others and takes the best fair
# match there is, however far apart the ratings are. So a lower bound means shorter waits, and
# players who are further apart. A bound beyond nearly all waits shortens only the longest. Fairness
# between the two teams is a promise of its own that no wait weakens.
#
# An evening has some thirty matches, so chance moves its figures. These are means of three.


# %%
def bound_wait(seconds: float) -> Rules:
    rules = matcher.rules
    return rules.model_copy(update={"laurel": rules.laurel.model_copy(update={"bound": seconds})})


print("bound  wait  spread   fair")
for seconds in (30.0, 180.0, 900.0):
    found = [
        Matcher("laurel", rules=bound_wait(seconds)).simulate(evening, seed=s) for s in (1, 2, 3)
    ]
    print(
        f"{seconds:>5.0f} {fmean(one.median for one in found):>5.0f} "
        f"{fmean(one.spread for one in found):>7.0f} {fmean(one.fair for one in found):>6.0%}"
    )

# %% [markdown]
# ## Compare the algorithms
#
# `new` and `old` are the published algorithms of Guild Wars 2, on the same evening. They wait less,
# and most of their matches are won before they start.

# %%
print("matcher  matches  wait   95%  spread   fair")
for name in ("laurel", "new", "old"):
    found = Matcher(name, team_size=2, rules="small-community").simulate(evening, seed=1)
    print(
        f"{name:<8} {found.matches:>7.0f} {found.median:>5.0f} {found.p95:>5.0f} "
        f"{found.spread:>7.0f} {found.fair:>6.0%}"
    )
