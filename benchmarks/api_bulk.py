"""Compare 1,000 results in one request of the API with the same results in a file.

Both take turns, each time in a new arena with the same 100 players. The file is read and imported
by ``import_history``, the command's way. The request passes the whole site: token, JSON, checks,
import, ledger of staff actions, and the report of each row.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.scratch import machine, scratch_league

if TYPE_CHECKING:
    from league.models import Arena

ROUNDS = 5
RESULTS = 1_000
PLAYERS = 100
START = datetime(2026, 1, 1, tzinfo=UTC)


def duels() -> list[tuple[datetime, str, str]]:
    """Return results as the time, the winner and the loser."""
    chance = random.Random(1)
    names = [f"Player {number}" for number in range(PLAYERS)]
    pairs = [chance.sample(names, 2) for _ in range(RESULTS)]
    return [
        (START + timedelta(minutes=number), winner, loser)
        for number, (winner, loser) in enumerate(pairs)
    ]


def new_arena(name: str) -> Arena:
    from league.models import Arena
    from league.services.seasons.opening import open_season

    arena = Arena(name=name, slug=name)
    arena.full_clean()
    arena.save()
    open_season(arena, starts_at=START)
    return arena


def as_file(arena: Arena, folder: Path) -> float:
    """Import the results as a file. Return the seconds that it took."""
    from league.services.transfer.files.result_files import read
    from league.services.transfer.histories.imports import import_history

    path = folder / "results.csv"
    lines = ["match_id,played_at,side,place,player"]
    for number, (at, winner, loser) in enumerate(duels()):
        for place, player in enumerate((winner, loser)):
            lines.append(f"{number},{at.isoformat()},{place},{place},{player}")
    path.write_text("\n".join(lines))
    begin = time.perf_counter()
    done = import_history(arena, read(path), now=datetime.now(UTC) + timedelta(days=1))
    took = time.perf_counter() - begin
    assert done.matches == RESULTS
    return took


def as_request(arena: Arena, client: Any) -> float:
    """Import the results by a request. Return the seconds that it took."""
    rows = [
        {"played_at": at.isoformat(), "side_1": winner, "side_2": loser, "winner": "1"}
        for at, winner, loser in duels()
    ]
    address = f"/api/v1/arenas/{arena.slug}/results/bulk/"
    begin = time.perf_counter()
    answer = client.post(address, {"rows": rows}, format="json")
    took = time.perf_counter() - begin
    assert answer.status_code == 201, answer.content
    return took


def staff_client() -> Any:
    from rest_framework.test import APIClient

    from league.models import Scope, User
    from league.services.people.tokens import make_token

    olga = User.objects.create_superuser("olga", password=None)
    _made, text = make_token(olga, "Benchmark", Scope.values, now=datetime.now(UTC))
    client = APIClient(SERVER_NAME="localhost")
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return client


def main() -> None:
    with scratch_league(), tempfile.TemporaryDirectory() as folder:
        print(machine())
        client = staff_client()
        took: dict[str, list[float]] = {"file": [], "request": []}
        for round_ in range(ROUNDS + 1):
            one = as_file(new_arena(f"file-{round_}"), Path(folder))
            other = as_request(new_arena(f"request-{round_}"), client)
            if round_:
                took["file"].append(one)
                took["request"].append(other)
        rates = {name: RESULTS / statistics.median(each) for name, each in took.items()}
        for name, rate in rates.items():
            print(f"  {name:<8} {rate:8,.0f} results/s   {rate / rates['file']:5.2f} of the file")


if __name__ == "__main__":
    main()
