"""On Spark the same rows as on one machine; skipped where PySpark or Java is not."""

import datetime
import importlib.util
import os
import shutil
import sys

import pyarrow
import pytest

import poprules
from conftest import MAPPING, log

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pyspark") is None or shutil.which("java") is None,
    reason="there is no PySpark or no Java",
)

@pytest.fixture(scope="module")
def spark():
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.shuffle.partitions", "4")
        .getOrCreate()
    )
    yield session
    session.stop()


def test_spark_gives_the_same_rows_as_one_machine(spark, rules):
    from poprules.spark import replay

    table = log(users=200, events=5_000)
    columns = ["user", "time", "popup", "kind", "reason", "ordinal"]
    local = rules.replay(table, MAPPING).rows.to_arrow().select(columns)
    played = replay(spark.createDataFrame(table), rules, MAPPING, partitions=3)
    rows = played.select(*columns).toArrow()
    order = [(name, "ascending") for name in columns]
    assert local.num_rows > 1_000
    assert rows.sort_by(order).to_pylist() == local.sort_by(order).to_pylist()


def test_days_on_spark_give_the_same_rows(spark, rules):
    from poprules.spark import replay_part

    table = log(users=60, events=1_500)
    cut = datetime.datetime(2026, 5, 18, tzinfo=datetime.timezone.utc)
    early = [when < cut for when in table["time"].to_pylist()]
    first, second = (
        spark.createDataFrame(table.filter(pyarrow.array(part)))
        for part in (early, [not is_early for is_early in early])
    )
    rows, histories = replay_part(first, rules, MAPPING, until=cut, partitions=2)
    more, _ = replay_part(second, rules, MAPPING, histories=histories, partitions=2)
    columns = ["user", "time", "popup", "kind", "reason", "ordinal"]
    order = [(name, "ascending") for name in columns]
    played = rows.union(more).select(*columns).toArrow().sort_by(order)
    whole = rules.replay(table, MAPPING).rows.to_arrow().select(columns).sort_by(order)
    assert histories.count() == 60
    assert played.to_pylist() == whole.to_pylist()


def test_a_mapping_is_refused_before_spark_runs(spark, rules):
    from poprules.spark import replay

    frame = spark.createDataFrame(log(users=2, events=2))
    with pytest.raises(poprules.RulesError):
        replay(frame, rules, {"colums": {}})
    with pytest.raises(poprules.Error, match="no column `who`"):
        replay(frame, rules, {"columns": {"user": "who"}})
    with pytest.raises(ValueError, match="identities"):
        replay(frame, rules, {"merge_identities": True, "columns": {"user": ["user", "event"]}})


def test_events_are_grouped_by_the_user_of_the_mapping(spark, rules):
    """E45."""
    from poprules.spark import replay, replay_part

    table = log(users=40, events=400)
    mapping = {**MAPPING, "columns": {**MAPPING.get("columns", {}), "user": "who"}}
    renamed = table.rename_columns(
        ["who" if name == "user" else name for name in table.column_names]
    )
    frame = spark.createDataFrame(renamed)
    columns = ["user", "time", "popup", "kind"]
    order = [(name, "ascending") for name in columns]
    local = rules.replay(renamed, mapping).rows.to_arrow().select(columns).sort_by(order)
    rows = replay(frame, rules, mapping, partitions=3).select(*columns).toArrow().sort_by(order)
    assert rows.to_pylist() == local.to_pylist()
    for play in (replay, replay_part):
        with pytest.raises(ValueError, match="does not match the user column `who`"):
            play(frame, rules, mapping, user="event")
        with pytest.raises(ValueError, match="names `who`, `event`"):
            play(frame, rules, {**mapping, "columns": {"user": ["who", "event"]}})
