"""Replays of logs too large for one machine, on Spark 4: the same engine in every worker."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ._rules import RuleSet
from ._table import mapping_words
from ._values import Time

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame

SCHEMA = (
    "user string, time timestamp, day date, popup string, kind string, reason string,"
    " ordinal bigint, variant string, goal string"
)
"""The columns of the rows that `replay` returns."""


def replay(
    dataframe: DataFrame,
    rules: RuleSet,
    mapping: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    *,
    user: str | None = None,
    partitions: int | None = None,
) -> DataFrame:
    """Replays a log of user events against rules; returns the events of popups, one row per event.

    The events of a user are grouped by the column that the mapping reads for the user; if you pass
    `user`, it must be this column. Each worker holds the events of a partition in memory and plays
    its users one after the other. `partitions` is the number of partitions, by default Spark's
    setting. The rows are those of `RuleSet.replay` over the whole table, in another order. Raises
    `ValueError` if the mapping merges identities: merging needs all events in one place.
    """
    import pyarrow

    bundle, words, user = _checked(dataframe, rules, mapping, user)

    def play(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        first = next(batches, None)
        if first is None:
            return

        def all_batches() -> Iterator[pyarrow.RecordBatch]:
            yield first
            yield from batches

        log = pyarrow.RecordBatchReader.from_batches(first.schema, all_batches())
        played = RuleSet.from_bundle(bundle).replay(log, words)
        yield from pyarrow.RecordBatchReader.from_stream(played.rows)

    count = [] if partitions is None else [partitions]
    return dataframe.repartition(*count, user).mapInArrow(play, SCHEMA)


def replay_part(
    dataframe: DataFrame,
    rules: RuleSet,
    mapping: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    *,
    histories: DataFrame | None = None,
    until: Time | None = None,
    user: str | None = None,
    partitions: int | None = None,
) -> tuple[DataFrame, DataFrame]:
    """Replays a part of a log, such as a day; returns the rows, and the histories after it.

    `histories` are those after the previous part, None for the first part; `until` is the time at
    which the next part starts, None for the last part. The user is a string. Both results come from
    one run, which is stored (`persist`): write both before you play the next part.
    """
    import pyarrow
    from pyspark.sql import functions

    bundle, words, user = _checked(dataframe, rules, mapping, user)
    known = "poprules_history"
    if histories is not None:
        histories = histories.select(
            functions.col("user").alias(user), functions.col("history").alias(known)
        )
    log = dataframe.withColumn(user, functions.col(user).cast("string"))
    log = log.withColumn(known, functions.lit(None).cast("string"))
    both = log if histories is None else log.unionByName(histories, allowMissingColumns=True)

    def play(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        parts = list(batches)
        if not parts:
            return
        table = pyarrow.Table.from_batches(parts)
        del parts
        is_known = table[known].is_valid()
        before = table.filter(is_known).select([user, known]).rename_columns(["user", "history"])
        played = RuleSet.from_bundle(bundle).replay(
            table.filter(table[known].is_null()).drop_columns([known]), words,
            histories=before, until=until,
        )
        rows, after = pyarrow.table(played.rows), pyarrow.table(played.histories)
        yield from pyarrow.concat_tables([rows, after], promote_options="default").to_batches()

    count = [] if partitions is None else [partitions]
    played = both.repartition(*count, user).mapInArrow(play, f"{SCHEMA}, history string").persist()
    rows = played.where("history is null").drop("history")
    return rows, played.where("history is not null").select("user", "history")


def _checked(
    dataframe: DataFrame,
    rules: RuleSet,
    mapping: Mapping[str, Any] | str | os.PathLike[str] | None,
    user: str | None,
) -> tuple[bytes, str | None, str]:
    """Returns the rules, the mapping and the user's column.

    Reports their errors here and not in the workers.
    """
    import pyarrow

    words = mapping_words(mapping)
    empty = pyarrow.table({name: pyarrow.nulls(0) for name in dataframe.columns})
    played = rules.replay(empty, words)
    columns = played.user_columns
    if played.merges_identities:
        raise ValueError("Spark cannot merge identities: merge them into one user column first")
    if len(columns) != 1:
        names = ", ".join(f"`{name}`" for name in columns)
        raise ValueError(
            f"the mapping has {len(columns)} user columns ({names}); Spark needs exactly one"
        )
    if user is not None and user != columns[0]:
        raise ValueError(
            f'`user="{user}"` does not match the user column `{columns[0]}` of the mapping'
        )
    return rules.bundle(), words, columns[0]
