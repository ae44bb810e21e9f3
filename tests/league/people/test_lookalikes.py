"""Names that look like other names, reserved words, and genuine names of many scripts."""

from collections import Counter

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection
from django.test import Client

from league.models import Arena, Player, ReservedWord, Roster, User
from league.models.lookalikes import refuse_reserved
from league.models.names import validate_name
from league.models.skeletons import likenesses, skeleton, words_of
from league.services.people.players import register, save_roster
from league.services.transfer.histories.imports import find_players
from tests.support.cast import NOW, account
from tests.support.name_lists import genuine_names, imitations

pytestmark = pytest.mark.slow

MOST_THAT_PASS = 10


def passes(name: str) -> bool:
    try:
        Player(name=name).full_clean()
    except ValidationError:
        return False
    return True


def test_hardly_any_imitation_passes() -> None:
    Player.objects.create(name="England")
    ReservedWord.objects.get_or_create(name="admin", defaults={"kind": "reserved"})
    tried = [*imitations("England"), *imitations("admin")]
    assert len(tried) >= 490
    passed = [name for name in tried if passes(name)]
    assert len(passed) <= MOST_THAT_PASS, f"{len(passed)} of {len(tried)} pass: {passed}"


@pytest.mark.parametrize(
    ("taken", "name"),
    [
        ("England", "Englancl"), ("England", "Englandꓸ"), ("England", "EngIancI"),
        ("Edward", "Edvvard"), ("Edward", "EcIvvarcl"), ("Clark", "Dark"), ("Mowgli", "Rnovvgli"),
    ],
)  # fmt: skip
def test_pairs_of_letters_that_look_like_one_are_seen(taken: str, name: str) -> None:
    Player.objects.create(name=taken)
    assert not passes(name)


def test_hardly_any_genuine_name_is_kept_from_its_owner_by_a_pair_of_letters() -> None:
    names = sorted({name for script, name in genuine_names()})
    known = {skeleton(name): name for name in names}
    taken = [
        (name, known[bones])
        for name in names
        for bones in likenesses(name) - {skeleton(name)}
        if bones in known
    ]
    assert len(taken) < 0.001 * len(names), taken


def test_no_genuine_name_is_refused() -> None:
    names = list(genuine_names())
    scripts = Counter(script for script, name in names)
    assert len(names) >= 5_000
    assert len(scripts) >= 12
    refused = {}
    for script, name in names:
        try:
            validate_name(name)
        except ValidationError as error:
            refused[f"{script}: {name}"] = error.messages
    assert refused == {}
    reserved = set(ReservedWord.objects.values_list("skeleton", flat=True))
    assert [name for script, name in names if words_of(name) & reserved] == []


def test_hardly_any_genuine_names_look_alike() -> None:
    names = {name for script, name in genuine_names()}
    assert len({skeleton(name) for name in names}) > 0.99 * len(names)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "ΑΝΝΑ"), ("Ian", "lan"), ("Mark", "Rnark"), ("Anna", "4nn4"),
        ("Ann Lee", "Ann-Lee"), ("scope", "ѕсоре"),
        ("Łucja", "Lucja"), ("محمد", "محـمد"), ("E", "🅔"), ("England", "ꓰꓠꓖꓡꓮꓠꓓ"),
    ],
)  # fmt: skip
def test_names_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alex69", "Alex96"), ("P6", "P9"), ("किरण", "करण"), ("Team 4", "Team A"), ("か", "が"),
        ("一", "二"),
    ],
)  # fmt: skip
def test_different_names_have_different_skeletons(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@pytest.mark.parametrize(
    "name",
    [
        "Admin", "The Admin", "adm1n", "LaurelAdmin", "ADMIN-7", "a.d.m.i.n", "Ädmin Bob", "admin2",
    ],
)  # fmt: skip
def test_a_reserved_word_is_refused_as_a_name_and_as_a_word_of_one(name: str) -> None:
    ReservedWord.objects.get_or_create(name="admin", defaults={"kind": "reserved"})
    with pytest.raises(ValidationError, match="“admin” is reserved"):
        refuse_reserved(name)


def test_a_reserved_word_inside_another_word_is_no_reserved_word() -> None:
    ReservedWord.objects.get_or_create(name="admin", defaults={"kind": "reserved"})
    refuse_reserved("Badminton")
    refuse_reserved("Administrable")


def test_an_insult_is_refused_without_being_repeated() -> None:
    ReservedWord.objects.create(name="nincompoop", kind=ReservedWord.Kind.FORBIDDEN)
    with pytest.raises(ValidationError) as refusal:
        Player(name="N1ncompoop Bob").full_clean()
    assert refusal.value.message_dict == {"name": ["This name contains a forbidden word."]}


def test_staff_may_allow_a_player_a_name_that_resembles_another(alice: Player) -> None:
    olga = account("Olga", superuser=True)
    charlie = Player.objects.create(name="Charlie")
    browser = Client()
    assert olga.user
    browser.force_login(olga.user)
    page = f"/admin/league/player/{charlie.pk}/change/"
    form = {
        "name": "Al1ce", "user": "", "former_names-TOTAL_FORMS": 0,
        "former_names-INITIAL_FORMS": 0,
    }  # fmt: skip
    refused = browser.post(page, form)
    assert "is taken or too similar to a taken name" in refused.content.decode()
    browser.post(page, form | {"may_resemble": "on"})
    charlie.refresh_from_db()
    assert charlie.name == "Al1ce"
    # The exception ends no sooner than the resemblance.
    refused = browser.post(page, form)
    assert "is taken or too similar to a taken name" in refused.content.decode()


def test_two_new_names_that_look_alike_cannot_both_be_written(alice: Player) -> None:
    with pytest.raises(IntegrityError, match="player_looks_like_no_other"):
        Player.objects.create(name="Al1ce")


def test_a_name_taken_between_check_and_write_is_refused(
    alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Player, "refuse_imitation", lambda self: None)
    user = User.objects.create(username="al1ce")
    with pytest.raises(ValidationError, match="has just been taken"):
        register(user, "Al1ce")


@pytest.mark.parametrize("name", ["A1ice", "Alice.", "Admin"])
def test_an_account_cannot_sign_up_with_an_imitation(name: str, alice: Player) -> None:
    ReservedWord.objects.get_or_create(name="admin", defaults={"kind": "reserved"})
    secret = "horse staple 91"
    form = {"username": name, "password1": secret, "password2": secret}
    answer = Client().post("/accounts/signup/", form)
    assert answer.status_code == 200
    assert User.objects.count() == 1
    assert Player.objects.count() == 1


def test_a_roster_cannot_imitate_another_or_use_a_reserved_word(
    teams: Arena, alice: Player, charlie: Player
) -> None:
    ReservedWord.objects.get_or_create(name="admin", defaults={"kind": "reserved"})
    save_roster(teams, alice, "Foxes", [charlie], now=NOW)
    for name, sentence in {
        "F0xes": "looks like",
        "Fóxes.": "looks like",
        "Admin": "reserved",
    }.items():
        with pytest.raises(ValidationError, match=sentence):
            save_roster(teams, charlie, name, [alice], now=NOW)
    assert Roster.objects.count() == 1


def test_an_import_keeps_names_that_look_alike() -> None:
    Player.objects.create(name="Jose")

    class History:
        players = ["José", "Anna", "Ánna", "Jose"]

    ids, created = find_players(History)  # type: ignore[arg-type] # only the names are read
    assert created == 3
    assert len(set(ids)) == 4
    allowed = Player.objects.filter(may_resemble=True).values_list("name", flat=True)
    assert set(allowed) == {"José", "Ánna"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Gergő Takács", "takacs"), ("Łucja Nowak", "lucja"), ("Ayşe Yıldız", "yildiz"),
        ("Gergő Takács", "aka"), ("Jean-François", "franc"), ("Ægir", "aegir"), ("Smith", "SMÍTH"),
    ],
)  # fmt: skip
def test_a_search_ignores_accents_and_finds_the_middle_of_names(name: str, text: str) -> None:
    Player.objects.create(name="Somebody Else")
    player = Player.objects.create(name=name)
    assert list(Player.objects.search(text)) == [player]
    assert [
        row["name"] for row in Client().get("/api/v1/players/", {"search": text}).json()["results"]
    ] == [name]


def test_the_middle_of_a_name_is_found_by_an_index() -> None:
    Player.objects.bulk_create(
        Player(name=f"Player {number}", folded_name=f"player {number}") for number in range(3000)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE league_player")
        found = Player.objects.containing("r 123").explain()
    assert "league_player_trigrams" in found, found


def test_a_common_text_reads_no_more_names_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.models.player.MOST_FOUND", 3)
    for name in ("Ana", "Anatol", "Anais", "Anastasia", "Oksana"):
        Player.objects.create(name=name)
    assert Player.objects.search("a").count() == 3
    assert Player.objects.search("ana").count() == 3, "enough words start with it"
    names = set(Player.objects.search("sana").values_list("name", flat=True))
    assert names == {"Oksana"}


def test_the_middle_of_words_is_looked_for_if_few_words_start_with_the_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("league.models.player.MOST_FOUND", 3)
    for name in ("Ana", "Anatol", "Oksana", "Ivana", "Juliana", "Diana"):
        Player.objects.create(name=name)
    found = {player.name for player in Player.objects.search("ana")}
    assert {"Ana", "Anatol"} < found
