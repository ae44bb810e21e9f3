"""The three file formats of a dump, written in batches."""

from __future__ import annotations

import gzip
import json
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from league.services.core.exports import csv_lines
from league.services.dumps.tables import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from league.services.dumps.tables import Table

    Row = tuple[Any, ...]
    Write = Callable[[Sequence[Row]], None]
    """Appends rows to the files."""

COMPRESSION = 5
"""The gzip level, from 1 to 9. Level 6 takes 50 % longer and saves 1 %."""


@contextmanager
def all_formats(folder: Path, table: Table) -> Iterator[Write]:
    """Write rows to a file in each format. The files are complete when this exits."""
    with ExitStack() as files:
        writers = [
            files.enter_context(form(folder / f"{table.name}.{ending}", table))
            for ending, form in FORMATS.items()
        ]

        def write(rows: Sequence[Row]) -> None:
            for one in writers:
                one(rows)

        yield write


@contextmanager
def as_csv(path: Path, table: Table) -> Iterator[Write]:
    """Write a table as CSV. Times are ISO 8601 in UTC, and missing values are empty."""
    with gzip.open(path, "wt", COMPRESSION, encoding="utf-8", newline="") as file:
        header, *_none = csv_lines(list(table.columns), [])
        file.write(header)

        def write(rows: Sequence[Row]) -> None:
            _header, *lines = csv_lines([], (tuple(map(csv_value, row)) for row in rows))
            file.writelines(lines)

        yield write


@contextmanager
def as_ndjson(path: Path, table: Table) -> Iterator[Write]:
    """Write a table as one JSON object per line."""
    names = list(table.columns)
    with gzip.open(path, "wt", COMPRESSION, encoding="utf-8", newline="") as file:

        def write(rows: Sequence[Row]) -> None:
            for row in rows:
                record = dict(zip(names, row, strict=True))
                text = json.dumps(record, ensure_ascii=False, default=time_text, allow_nan=False)
                file.write(f"{text}\n")

        yield write


@contextmanager
def as_parquet(path: Path, table: Table) -> Iterator[Write]:
    """Write a table as Parquet, each batch as a row group. Times are microseconds in UTC."""
    import pyarrow as pa  # noqa: PLC0415 - slow to load, and only a worker needs it
    import pyarrow.parquet as pq  # noqa: PLC0415 - likewise

    types = {
        Kind.INTEGER: pa.int64(),
        Kind.NUMBER: pa.float64(),
        Kind.TEXT: pa.string(),
        Kind.TIME: pa.timestamp("us", tz="UTC"),
        Kind.TRUTH: pa.bool_(),
    }
    schema = pa.schema([(name, types[kind]) for name, kind in table.columns.items()])
    with pq.ParquetWriter(path, schema, compression="zstd") as file:

        def write(rows: Sequence[Row]) -> None:
            columns = zip(*rows, strict=True) if rows else ([] for _each in schema)
            arrays = [
                pa.array(column, each.type) for column, each in zip(columns, schema, strict=True)
            ]
            file.write_batch(pa.record_batch(arrays, schema=schema))

        yield write


FORMATS = {"csv.gz": as_csv, "ndjson.gz": as_ndjson, "parquet": as_parquet}
"""By file extension."""


def csv_value(value: Any) -> Any:
    if isinstance(value, datetime):
        return time_text(value)
    return int(value) if isinstance(value, bool) else value


def time_text(value: datetime) -> str:
    return value.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
