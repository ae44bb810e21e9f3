"""The presets, and setting rules by name."""

from pathlib import Path

import pytest

from matchmaking.io.rule_arguments import ChoiceError, apply_choices
from matchmaking.io.xmlfile import read
from matchmaking.lab.simulation import simulate
from matchmaking.lab.workload import Workload
from matchmaking.laurel import matcher
from matchmaking.presets import PRESETS
from matchmaking.published import wave
from matchmaking.rules.arena import Choices, Rules
from matchmaking.ticket import Queue
from tests.support.effort import LONG, spread
from tests.support.matchmaking_queues import party, solo

PUBLISHED = {"gw2-unranked": 0, "gw2-ranked": 1, "gw2-ranked-off-season": 2}


@pytest.mark.parametrize(("name", "place"), PUBLISHED.items())
def test_the_published_presets_are_as_published(name: str, place: int) -> None:
    page = read((Path(__file__).parents[1] / "support" / "published.xml").read_text()).all(Rules)
    assert PRESETS[name].rules() == page[place]
    assert PRESETS[name].rules().choices == Choices()


def matches_of(name: str, tickets: int, wait: float) -> int:
    queue = Queue.of([solo(number, wait=wait) for number in range(tickets)])
    return len(wave.match(queue, PRESETS[name].rules(), now=0.0).matches)


@pytest.mark.parametrize("name", PUBLISHED)
def test_as_published_twenty_tickets_never_match(name: str) -> None:
    assert matches_of(name, 20, 3600.0) == 0
    assert matches_of(name, 21, 3600.0) == 1


def test_a_small_community_plays_with_ten_players_online() -> None:
    assert matches_of("small-community", 10, 0.0) == 1


def test_choices_are_set_by_name() -> None:
    chosen = apply_choices(Rules(), ["falloff=min", "failed_available=true", "fairness=0.05"])
    assert (chosen.choices.falloff, chosen.choices.failed_available) == ("min", True)
    assert chosen.laurel.fairness == 0.05
    assert apply_choices(chosen, ["falloff=max"]).choices.falloff == "max"


@pytest.mark.parametrize(
    ("choice", "problem"),
    [
        ("falloff", "must be written NAME=VALUE, such as falloff=min"),
        ("faloff=min", "faloff is not a choice; did you mean falloff?"),
        ("colour=red", "colour is not a choice; choose from empty_team, games,"),
        ("falloff=mun", "falloff must be one of max, min; you gave “mun”"),
        ("failed_available=perhaps", "failed_available must be true or false; you gave “perhaps”"),
        ("fairness=2", "fairness must be a number more than 0 and at most 0.5; you gave “2”"),
    ],
)
def test_an_impossible_choice_is_explained(choice: str, problem: str) -> None:
    with pytest.raises(ChoiceError) as refused:
        apply_choices(Rules(), [choice])
    assert problem in str(refused.value)


@pytest.mark.parametrize("size", spread([3, 2, 1], 2))
def test_small_teams_have_a_preset_with_short_waits(size: int) -> None:
    """By the weights for ten players, a second of waiting would add too little."""
    rules = PRESETS[f"recommended-{size}v{size}"].rules()
    assert rules.team_size == size
    hours, duos = 0.6 if LONG else 0.4, 0.25 if size > 1 else 0.0
    workload = Workload(online=200, hours=hours, warm_up=600.0, duos=duos)

    def median(weights: Rules) -> float:
        made = simulate(workload, matcher.match, weights, seed=1, interval=6.0).figures()
        assert made.fair == 1.0
        return made.median

    of_ten = PRESETS["recommended"].rules().model_copy(update={"team_size": size})
    assert median(rules) < 45
    assert median(rules) < 0.8 * median(of_ten)


@pytest.mark.parametrize("name", ["recommended", "small-community"])
def test_five_friends_meet_five_singles_but_rather_another_five(name: str) -> None:
    rules = PRESETS[name].rules()
    singles = [solo(f"single {number}", wait=200) for number in range(5)]
    friends, rivals = (party(who, *[1500.0] * 5, wait=200) for who in ("friends", "rivals"))
    for others, met in (([], 6), ([rivals], 2)):
        queue = Queue.of([friends, *singles, *others])
        (match, *_) = matcher.match(queue, rules, now=0.0).matches
        assert len(match.tickets) == met
        assert 0 in match.tickets
