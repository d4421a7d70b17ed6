"""On Spark the same rows as on one machine; skipped where PySpark or Java is not."""

import datetime
import importlib.util
import os
import random
import shutil
import sys

import pyarrow
import pytest

import poprules

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pyspark") is None or shutil.which("java") is None,
    reason="there is no PySpark or no Java",
)

RULES = """\
poprules: 1
context:
  plan: { type: string, default: free }
events:
  bought: { price: double }
popups:
  thanks:
    trigger: { event: bought, where: event.price > 10.0 }
    cap: { windows: [{ max: 2, per: 7d }] }
  hello:
    trigger: start
    when: plan == "pro"
    cap: { every: 1d }
"""


def log(users, events):
    """A log of a seeded draw: who does what in a month."""
    draw = random.Random(7)
    start = datetime.datetime(2026, 5, 4, tzinfo=datetime.timezone.utc)
    rows = []
    for _ in range(events):
        user = f"user-{draw.randrange(users)}"
        time = start + datetime.timedelta(seconds=draw.randrange(30 * 86_400))
        event = draw.choice(["bought", "opened", "browsed"])
        payload = '{"price": %d, "plan": "%s"}' % (draw.randrange(40), draw.choice(["pro", "free"]))
        rows.append((user, time, event, payload))
    names = ["user", "time", "event", "payload"]
    return pyarrow.table([list(column) for column in zip(*rows)], names=names)


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


@pytest.fixture
def rules(tmp_path):
    (tmp_path / "rules.yaml").write_text(RULES)
    return poprules.RuleSet.load(tmp_path)


MAPPING = {"context": {"plan": {"field": "plan"}}}


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
    with pytest.raises(ValueError, match="identities"):
        replay(frame, rules, {"merge_identities": True, "columns": {"user": ["user", "event"]}})
