"""Logs that one machine is too small for, on Spark 4: the same engine in every worker."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ._rules import RuleSet
from ._table import mapping_words

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame

SCHEMA = (
    "user string, time timestamp, day date, popup string, kind string, reason string,"
    " ordinal bigint, variant string, goal string"
)
"""The columns that `replay` answers."""


def replay(
    dataframe: DataFrame,
    rules: RuleSet,
    mapping: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    *,
    user: str = "user",
    partitions: int | None = None,
) -> DataFrame:
    """Plays rules against a log of what users did; answers what happened to popups, a row each.

    `user` is the column that all events of a person have in common: by it they are brought
    together. The events of a partition are held in memory by its worker, which plays her users one
    after the other; `partitions` says how many there are, by default as Spark is set. The rows are
    those of `RuleSet.replay` over the whole table, in another order; a mapping that merges
    identities is refused, since whom they join is not known before everybody is together.
    """
    import pyarrow

    bundle = rules.bundle()
    words = mapping_words(mapping)
    # Says what is wrong with the mapping here and not in a worker.
    empty = pyarrow.table({name: pyarrow.nulls(0) for name in dataframe.columns})
    if rules.replay(empty, words).merges_identities:
        raise ValueError("give every person one column first: identities are not merged on Spark")

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

