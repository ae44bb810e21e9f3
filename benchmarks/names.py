"""Measure the search for players among a million names of many alphabets.

Each text is searched as the page of players does it, several times. Times are from the call to the
rows in Django. ``EXPLAIN=1`` prints the plans of the slowest, too.
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Iterator
from itertools import count, islice
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.scratch import PROJECT, machine, scratch_league

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from league.models import Player

NAMES = 1_000_000
RUNS = 15
CHUNK = 20_000
PAGE = 51

DEMO = PROJECT / "league" / "demo"
FIRST = """
Dark Shadow Black Angry Arctic Blue Broken Crimson Deadly Electric Frozen Ghost Golden Grim Happy
Iron Lazy Lucky Mad Mystic Night Pixel Quick Red Royal Savage Secret Silent Silver Sneaky Storm Void
"""
SECOND = """
Wolf Hunter Dragon Archer Assassin Bear Blade Captain Cat Eagle Falcon Fox Gamer Goblin Hawk King
Knight Lion Mage Ninja Owl Panda Phoenix Pirate Queen Raven Reaper Rider Rogue Samurai Tiger Zombie
"""
CYRILLIC_GIVEN = """
Александр Алексей Анна Борис Виктор Владимир Дмитрий Екатерина Елена Иван Игорь Ирина Мария Михаил
Наталья Николай Ольга Павел Светлана Сергей Татьяна Юрий
"""
CYRILLIC_FAMILY = """
Иванов Смирнов Кузнецов Попов Петров Соколов Лебедев Козлов Новиков Морозов Волков Соловьёв Зайцев
Павлов Семёнов Виноградов Фёдоров Михайлов Яковлев
"""
CHINESE_FAMILY = "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗"
CHINESE_GIVEN = "伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀英华文玉红春"
JAPANESE_FAMILY = "佐藤 鈴木 高橋 田中 渡辺 伊藤 山本 中村 小林 加藤"
JAPANESE_GIVEN = "さくら はると ゆい そうた ひなた みお"
KOREAN_FAMILY = "김이박최정강조윤장임"
KOREAN_GIVEN = "민서준지우현도하윤은채수빈"

SEARCHED = """
a e s z 1 а е 王 さ 김 ш an ma sh zq 19 ма 王伟 佐藤 김민 ann mar ric son che ngr der ова 199 qzx
王伟芳 anna mari dark shadow martin smith müller o'brien shadowhunter darkwolf иван Мария петров
佐藤さく xqzj nosuchname anna_smith dark_wolf zzzz_zzzz e_s
"""
"""Texts of one, two, three and more letters: common, rare and in no name. A ``_`` is a space."""


class Names:
    """Plausible names, most of which share their words with many others."""

    def __init__(self, random: np.random.Generator) -> None:
        self.random = random
        self.given = (DEMO / "given_names.txt").read_text().split()
        self.family = (DEMO / "family_names.txt").read_text().split()

    def __iter__(self) -> Iterator[str]:
        makers = [self.european, self.tag, self.russian, self.chinese, self.japanese, self.korean,
                  self.letters]  # fmt: skip
        share = [0.32, 0.38, 0.1, 0.06, 0.05, 0.04, 0.05]
        while True:
            for which in self.random.choice(len(makers), 1_000, p=share).tolist():
                yield makers[which]()

    def one_of(self, words: str | list[str]) -> str:
        """Return a word, early ones far more often than late ones."""
        return words[int(len(words) * self.random.random() ** 2)]

    def some_of(self, words: str) -> str:
        return "".join(self.one_of(words) for _ in range(self.random.integers(2, 5)))

    def number(self) -> str:
        return str(int(10 ** self.random.uniform(0, 5)))

    def european(self) -> str:
        return f"{self.one_of(self.given)} {self.one_of(self.family)} {self.number()}"

    def tag(self) -> str:
        middle = self.one_of(["", " ", "_"])
        return f"{self.one_of(FIRST.split())}{middle}{self.one_of(SECOND.split())}{self.number()}"

    def russian(self) -> str:
        given, family = CYRILLIC_GIVEN.split(), CYRILLIC_FAMILY.split()
        return f"{self.one_of(given)} {self.one_of(family)} {self.number()}"

    def chinese(self) -> str:
        return self.one_of(CHINESE_FAMILY) + self.some_of(CHINESE_GIVEN)

    def japanese(self) -> str:
        family, given = JAPANESE_FAMILY.split(), JAPANESE_GIVEN.split()
        return self.one_of(family) + self.one_of(given) + self.number()

    def korean(self) -> str:
        return self.one_of(KOREAN_FAMILY) + self.some_of(KOREAN_GIVEN)

    def letters(self) -> str:
        drawn = self.random.integers(0, 26, int(self.random.integers(4, 12)))
        return "".join("abcdefghijklmnopqrstuvwxyz"[at] for at in drawn)


def distinct(random: np.random.Generator) -> Iterator[tuple[str, str, str, str]]:
    """Yield names with their other forms, no two of which look alike."""
    from league.models.names import fold, tidy
    from league.models.skeletons import skeleton, without_accents

    taken: set[str] = set()
    for name in map(tidy, Names(random)):
        bones = skeleton(name)
        if bones not in taken:
            taken.add(bones)
            yield name, fold(name), bones, without_accents(name)


def fill(total: int) -> None:
    """Write players with these names. What is slow to keep is built at the end."""
    from django.db import connection

    from league.models.collation import sort_key

    rows = islice(distinct(np.random.default_rng(1)), total)
    ids = count(1)
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexdef FROM pg_indexes WHERE indexname = 'league_player_trigrams'")
        (rebuild,) = cursor.fetchone() or ("",)
        cursor.execute("DROP INDEX league_player_trigrams")
        cursor.execute("ALTER TABLE league_player DISABLE TRIGGER add_name_starts")
        while chunk := list(islice(rows, CHUNK)):
            with cursor.copy(
                "COPY league_player (id, name, folded_name, skeleton, search_name, sort_name, "
                "may_resemble, created_at) FROM STDIN"
            ) as copy:
                for forms in chunk:
                    copy.write_row((next(ids), *forms, sort_key(forms[0]), False, "2026-01-01"))
        cursor.execute("ALTER TABLE league_player ENABLE TRIGGER add_name_starts")
        cursor.execute(
            "INSERT INTO league_namestart (start, player_id) SELECT s.start, p.id "
            "FROM league_player AS p CROSS JOIN LATERAL league_name_starts(p.search_name) "
            "AS s(start) ORDER BY 1, 2"
        )
        cursor.execute(rebuild)
        cursor.execute("VACUUM ANALYZE league_player")
        cursor.execute("VACUUM ANALYZE league_namestart")


def search(text: str) -> QuerySet[Player]:
    from league.models import Player

    return Player.objects.search(text)[:PAGE]


def milliseconds(text: str) -> tuple[float, float, int]:
    """Return the middle and the longest time of a search, and how many names a page shows."""
    times = []
    for _ in range(RUNS):
        begin = perf_counter()
        found = len(search(text))
        times.append(1000 * (perf_counter() - begin))
    return statistics.median(times), max(times), found


def measure() -> None:
    """Print how long each text takes, the slowest first."""
    texts = [text.replace("_", " ") for text in SEARCHED.split()]
    measured = sorted(((*milliseconds(text), text) for text in texts), reverse=True)
    for middle, longest, found, text in measured:
        print(f"{text:<14} {len(text):>2} letters {middle:6.1f} ms {longest:6.1f} ms {found:>3}")
    if os.environ.get("EXPLAIN"):
        for *_, text in measured[:3]:
            print(f"\n{text}\n{search(text).explain(analyze=True, buffers=True)}")


def main() -> None:
    with scratch_league():
        print(machine())
        begin = perf_counter()
        fill(NAMES)
        print(f"{NAMES:,} names written in {perf_counter() - begin:.0f} s")
        measure()


if __name__ == "__main__":
    main()
