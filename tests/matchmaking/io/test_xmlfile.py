"""The published configuration: read completely, written back unchanged, mistakes reported."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matchmaking.dishonor import PUBLISHED_PENALTIES, DishonorRules
from matchmaking.io.blocks import Document, LadderSeason, PointRules, RatingsBlock
from matchmaking.io.xmlfile import read
from matchmaking.io.xmltree import XmlError
from matchmaking.io.xmlwriter import write
from matchmaking.prediction import AS_PUBLISHED, PredictionRules
from matchmaking.rules.arena import MatcherRules, QueueRules, Rules
from ratings.tunables.declarations import declarations
from tests.support.effort import examples
from tests.support.matchmaking_xml import PUBLISHED, attributes, normalized

ARENA = '<Arena name="Duel"><Queue>{queue}</Queue><Matcher>{matcher}</Matcher></Arena>'


def test_the_published_page_is_read_completely() -> None:
    document = read(PUBLISHED)
    ratings = document.all(RatingsBlock)
    assert [block.type for block in ratings] == ["All", "Ranked", "Unranked"]
    assert (ratings[0].rating_max_change, ratings[0].deviation_period) == (300, 3 * 86400)
    assert ratings[1].use_season
    assert ratings[1].reset.isoformat() == "2013-11-26T08:00:00-08:00"
    unranked, ranked, off_season = document.all(Rules)
    assert (unranked.name, unranked.queue.roster_max, unranked.queue.iteration_limit) == (
        "Unranked Arena",
        5,
        0.05,
    )
    assert (ranked.queue.rating_start, ranked.queue.rank_min) == (300, 20)
    assert ranked.queue.ladder is None
    assert off_season.queue.ladder is not None
    assert ranked.matcher == MatcherRules()
    (dishonor,) = document.all(DishonorRules)
    assert dishonor == DishonorRules()
    assert dishonor.penalties == PUBLISHED_PENALTIES
    conquest, stronghold = document.all(PointRules)
    assert (conquest.mode, stronghold.mode) == ("Conquest", "Stronghold")
    assert [len(rule.checkpoints) for rule in conquest.rules] == [5, 4, 2, 3, 4]
    assert conquest.rules[4].checkpoints[0].ladder_points == -3
    (season,) = document.all(LadderSeason)
    assert (season.start.isoformat(), season.grace) == ("2015-03-20T09:00:00-07:00", 60)
    (prediction,) = document.all(PredictionRules)
    assert prediction == AS_PUBLISHED


def test_the_published_page_survives_a_round_trip() -> None:
    document = read(PUBLISHED)
    written = write(document)
    assert read(written) == document
    assert write(read(written)) == written


def test_no_element_or_attribute_of_the_published_page_is_lost_or_added() -> None:
    back = write(read(PUBLISHED))
    assert normalized(attributes(back)) == normalized(attributes(PUBLISHED))


def test_fields_missing_from_a_ratings_block_stay_out() -> None:
    text = '<Ratings type="Ranked"><Decay points="700"/></Ratings>'
    assert 'Decay points="700"/>' in write(read(text))
    assert "Rating default" not in write(read(text))


def test_an_arena_is_written_with_all_its_fields() -> None:
    written = write(Document((Rules(name="Duel"),)))
    assert '<Rating start="5m" end="10m" min="25" max="1200"/>' in written
    assert '<Matcher type="Team">' in written


def test_an_arena_may_leave_out_published_fields() -> None:
    (arena,) = read(ARENA.format(queue="", matcher="")).all(Rules)
    assert arena == Rules(name="Duel")


def test_a_file_may_have_a_declaration_a_root_and_comments() -> None:
    text = '\ufeff<?xml version="1.0" encoding="UTF-8"?>\n<Configuration>\n<!-- ours -->\n'
    text += ARENA.format(queue="", matcher="") + "\n</Configuration>"
    assert [arena.name for arena in read(text).all(Rules)] == ["Duel"]


NUMBERS = {
    declaration.name: st.floats(declaration.minimum, declaration.maximum)
    if declaration.kind in {"number", "duration"}
    else st.integers(int(declaration.minimum or 0), int(declaration.maximum or 0))
    for declaration in [*declarations(MatcherRules), *declarations(QueueRules)]
    if declaration.kind in {"number", "duration", "integer"}
    and declaration.name != "iteration_interval"
}


@settings(max_examples=examples(20), deadline=None)
@given(
    matcher=st.fixed_dictionaries(
        {d.name: NUMBERS[d.name] for d in declarations(MatcherRules) if d.name in NUMBERS}
    ),
    queue=st.fixed_dictionaries(
        {
            name: NUMBERS[name]
            for name in ("iteration_limit", "potentials_falloff", "power_percent", "rank_min")
        }
    ),
    name=st.text(
        st.characters(blacklist_categories=["Cs", "Cc", "Zs", "Zl", "Zp", "Co", "Cn"]),
        min_size=1,
        max_size=20,
    ),
)
def test_any_arena_survives_a_round_trip(
    matcher: dict[str, float], queue: dict[str, float], name: str
) -> None:
    arena = Rules(
        name=name,
        matcher=MatcherRules.model_validate(matcher),
        queue=QueueRules.model_validate(queue),
    )
    assert read(write(Document((arena,)))).all(Rules) == [arena]


def problems(text: str) -> list[str]:
    with pytest.raises(XmlError) as refused:
        read(text)
    return list(refused.value.problems)


@pytest.mark.parametrize(
    ("queue", "matcher", "problem"),
    [
        ("<Foo/>", "", "line 1: <Foo> is unknown in <Queue>; choose from Iteration, Ladder,"),
        ("<Potential/>", "", "<Potential> is unknown in <Queue>; did you mean Potentials?"),
        ('<Rating Min="25"/>', "", "line 1: <Rating> @Min is unknown; did you mean @min?"),
        ('<Rating padding="1"/>', "", "<Rating> @padding is unknown; choose from @end, @max,"),
        ('<RosterSize min="-1"/>', "", "@min must be a whole number from 1 to 100;"),
        ('<RosterSize min="0"/>', "", "you gave “0”"),
        ('<RosterSize min="1.5"/>', "", "@min must be a whole number"),
        ('<Iteration interval="0s"/>', "", "@interval must be a duration more than 0s"),
        (
            '<Iteration interval="soon"/>',
            "",
            "written like 30s, 90m, 4h, 3d, 1w or 250ms; you gave “soon”",
        ),
        (
            '<Rating min="5000" max="10"/>',
            "",
            "@min must be at most Rating/@max (10); you gave 5000",
        ),
        ('<Rating start="9m" end="1m"/>', "", "@start must be at most Rating/@end (60)"),
        ('<Power percent="nan"/>', "", "<Power> @percent must be a number"),
        ('<Power percent="1e999"/>', "", "<Power> @percent must be a number"),
        ("<Rating/><Rating/>", "", "<Rating> is already in line 1"),
        ('<Ladder start="0s" end="0s" max="9" min="0"/>', "", "<Ladder> @max must be a number"),
        ("<Rating><Deep/></Rating>", "", "<Deep> is unknown in <Rating>; none is allowed here"),
        ("twenty", "", "<Queue> has text between its tags: “twenty”; remove it"),
        (
            "",
            '<Age seconds="2s"/>',
            "<Age> @seconds must be a number from -1000000000 to 1000000000",
        ),
        ("", '<Games max="-1"/>', "<Games> @max must be a number from 0 to 1000000000"),
    ],
)
def test_a_mistake_in_an_arena_is_reported_with_line_and_attribute(
    queue: str, matcher: str, problem: str
) -> None:
    assert problem in "\n".join(problems(ARENA.format(queue=queue, matcher=matcher)))


def test_an_unknown_scoring_type_is_refused() -> None:
    text = '<Arena name="Duel"><Queue/>\n<Matcher type="Solo"/></Arena>'
    assert problems(text) == ["line 2: <Matcher> @type must be one of Team; you gave “Solo”"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "there are no elements; a configuration can have Ratings, Arena, Dishonor"),
        ("   ", "there are no elements"),
        ("<Arena", "line 1: this is not XML"),
        ("not XML", "there is text outside the elements"),
        ("</Configuration><Arena/>", "this is not XML"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><Arena/>', "line 1: this is not XML"),
        ("<Arena/>", "<Arena> @name must be text of 1 to 100 characters"),
        ('<Arena name="a"><Queue/></Arena>', "<Arena> must have one <Matcher>, not 0"),
        ("<Dishonor><Penalty stacks='9'/></Dishonor>", "<Penalty> must have @reason"),
        ("<Dishonor><Penalty reason='a' stacks='-1'/></Dishonor>", "<Penalty> @stacks must be"),
        ("<Prediction><Rank method='Guess'/></Prediction>", "@method must be one of Spread"),
        ("<Ladder start='2015-03-20'/>", "@start must be a time with its UTC offset"),
        (
            "<Ladder start='2016-01-01T00:00:00Z' end='2015-01-01T00:00:00Z'/>",
            "<Ladder> @start must be before the @end",
        ),
        ("<PointRules Mode='a'><PointRule/></PointRules>", "<PointRule> must have @Odds"),
        ("<PointRules Mode='a'><PointRule Odds='2'/></PointRules>", "<PointRule> @Odds must be"),
        ("<Ratings><Rating min='9' max='1'/></Ratings>", "@min must be at most Rating/@max (1)"),
        ("<Ratings/><Ratings/>", "<Ratings> is already in line 1"),
        ("<Ratings use-season='maybe'/>", "@use-season must be true or false"),
    ],
)
def test_a_mistake_in_a_file_is_reported(text: str, problem: str) -> None:
    assert problem in "\n".join(problems(text))


def test_all_mistakes_are_reported_with_their_lines() -> None:
    text = (
        '<Arena name="Duel">\n<Queue>\n<Rank min="-1"/>\n<Colour/>\n</Queue>\n'
        '<Matcher>\n<Age hours="1"/>\n</Matcher>\n</Arena>'
    )
    lines = [problem.split(":")[0] for problem in problems(text)]
    assert sorted(lines) == ["line 3", "line 4", "line 7"]


def test_entities_are_not_expanded() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><Arena name="&b;"/>'
    assert problems(bomb)
    assert problems('<?xml version="1.0"?>' + bomb)
