"""On Spark the same rows as on one machine; skipped where PySpark or Java is not."""

import importlib.util
import os
import shutil
import sys

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


def test_spark_has_the_rows_of_one_machine(spark, rules):
    from poprules.spark import replay

    table = log(users=200, events=5_000)
    columns = ["user", "time", "popup", "kind", "reason", "ordinal"]
    local = rules.replay(table, MAPPING).rows.to_arrow().select(columns)
    played = replay(spark.createDataFrame(table), rules, MAPPING, partitions=3)
    rows = played.select(*columns).toArrow()
    order = [(name, "ascending") for name in columns]
    assert local.num_rows > 1_000
    assert rows.sort_by(order).to_pylist() == local.sort_by(order).to_pylist()


def test_a_mapping_is_refused_before_spark_runs(spark, rules):
    from poprules.spark import replay

    frame = spark.createDataFrame(log(users=2, events=2))
    with pytest.raises(poprules.RulesError):
        replay(frame, rules, {"colums": {}})
    with pytest.raises(poprules.Error, match="no column `who`"):
        replay(frame, rules, {"columns": {"user": "who"}})
    with pytest.raises(ValueError, match="identities"):
        replay(frame, rules, {"merge_identities": True, "columns": {"user": ["user", "event"]}})
