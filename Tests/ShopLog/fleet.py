"""Plays a shop's log by `poprules backtest`, from Python and on Spark, and compares what they say.

    fleet.py PROGRAMS FOLDER EVENTS SEED

PROGRAMS has `poprules` and `ShopLog`. FOLDER gets the log in four parts, `sample.jsonl` with the
lines of at most a thousand users, and `sample.txt` with what happened to them, a line each as the
test of the naive model says it. Ends with 1 where anything differs.
"""

import glob
import importlib.util
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import time

import duckdb
import poprules

RULES = pathlib.Path(__file__).parent / "Rules"
MAPPING = (RULES / "shop.mapping.yaml").read_text()
COLUMNS = """ "user", epoch_us(time) as time, day, popup, kind, reason, ordinal, variant, goal """


def timed(name, work):
    """Says how long something took, and what it came to."""
    began, used = time.monotonic(), time.process_time()
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = time.process_time() - used
    used += after.ru_utime + after.ru_stime - children.ru_utime - children.ru_stime
    print(f"{name}: {time.monotonic() - began:.1f} s, {used:.1f} s of processor time", flush=True)
    return result


def write_log(programs, folder, events, seed):
    made = subprocess.Popen([f"{programs}/ShopLog", events, seed], stdout=subprocess.PIPE)
    size = int(events) * 32 + 1_000
    subprocess.run(
        ["split", "-C", str(size), "--additional-suffix=.jsonl", "-", f"{folder}/log-"],
        stdin=made.stdout, check=True,
    )
    if made.wait():
        sys.exit("ShopLog failed")


def backtest(programs, folder):
    """The report as JSON and, of the same run, as CSV."""
    call = [f"{programs}/poprules", "backtest", f"{RULES}/shop.yaml"]
    call += sorted(glob.glob(f"{folder}/log-*.jsonl"))
    call += ["--mapping", f"{RULES}/shop.mapping.yaml", "--checkpoint", f"{folder}/checkpoint"]
    first = subprocess.run([*call, "-f", "json"], check=True, stdout=subprocess.PIPE)
    second = subprocess.run([*call, "-f", "csv"], check=True, stdout=subprocess.PIPE)
    pathlib.Path(folder, "report.csv").write_bytes(second.stdout)
    shutil.rmtree(f"{folder}/checkpoint")
    return json.loads(first.stdout)


def log_of(folder):
    columns = {name: "VARCHAR" for name in ["id", "user", "time", "event", "payload"]}
    return f"read_json('{folder}/log-*.jsonl', columns = {columns})"


def by_python(base, rules, folder):
    replay = rules.replay(base.sql(f"from {log_of(folder)}"), MAPPING)
    rows = replay.rows.to_arrow()
    base.execute(f"copy (select {COLUMNS} from rows) to '{folder}/python.parquet'")
    return replay.tally


def by_spark(rules, folder):
    from pyspark.sql import SparkSession

    from poprules.spark import replay

    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.log.level", "ERROR")
        .config("spark.driver.memory", "2g")
        .config("spark.local.dir", folder)
        .config("spark.sql.session.timeZone", "UTC")
        .getOrCreate()
    )
    schema = "id string, user string, time string, event string, payload string"
    frame = spark.read.schema(schema).json(f"{folder}/log-*.jsonl")
    size = sum(os.path.getsize(path) for path in glob.glob(f"{folder}/log-*.jsonl"))
    played = replay(frame, rules, MAPPING, partitions=max(4, size >> 26))
    played.write.parquet(f"{folder}/spark.parquet")
    spark.stop()


def differences(base, one, other):
    """How many rows stand in one alone, copies counted."""
    (left,) = base.execute(f"select count(*) from ({one} except all {other})").fetchone()
    (right,) = base.execute(f"select count(*) from ({other} except all {one})").fetchone()
    return left + right


# What the CSV of `backtest` counts, of rows.
COUNTS = """
    select day, popup, 'shown' as measure, '' as detail, count(*) as count
        from {rows} where kind = 'shown' group by all
    union all select day, popup, 'users', '', count(distinct "user")
        from {rows} where kind = 'shown' group by all
    union all select day, popup, 'first_users', '', count(*)
        from {rows} where kind = 'shown' and ordinal = 1 group by all
    union all select day, popup, kind, reason, count(*)
        from {rows} where kind in ('kept_away', 'ended') group by all
    union all select day, popup, kind, variant, count(*)
        from {rows} where kind = 'exposed' group by all
    union all select day, popup, 'goal', concat_ws('/', goal, variant), count(*)
        from {rows} where kind = 'converted' group by all
"""

# Rows as the test of the naive model says them.
TOLD = """
    select "user" || ' ' || case kind when 'shown' then 'shown ' || popup
        when 'ended' then 'dismissed ' || popup || ' ' || reason
        when 'exposed' then
            'exposed ' || popup || ' ' || variant || if(ordinal = 1, ' first', '')
        when 'converted' then 'converted ' || popup || ' ' || goal || ' ' || coalesce(variant, '-')
        end || ' at '
        || regexp_replace(strftime(make_timestamp(time), '%Y-%m-%dT%H:%M:%S.%g'), '\\.?0*$', '')
        || 'Z'
    from {rows} where kind <> 'kept_away' and {sample}
"""


def write_sample(base, folder, rows):
    (users,) = base.execute(f'select count(distinct "user") from {log_of(folder)}').fetchone()
    step = max(1, users // 1_000)
    sample = f"""cast(substr("user", 2) as bigint) % {step} = 0"""
    base.execute(
        f"""copy (select id, "user", time, event, payload::json as payload from {log_of(folder)}
        where {sample}) to '{folder}/sample.jsonl' (format json)"""
    )
    lines = base.execute(TOLD.format(rows=rows, sample=sample)).fetchall()
    pathlib.Path(folder, "sample.txt").write_text("".join(f"{line}\n" for (line,) in lines))
    print(f"sample: every {step}th user", flush=True)


def main(programs, folder, events, seed):
    base = duckdb.connect()
    base.execute(f"set memory_limit = '4GB'; set temp_directory = '{folder}/duckdb'")
    base.execute("set TimeZone = 'UTC'")
    rules = poprules.RuleSet.load(RULES / "shop.yaml")
    timed("log", lambda: write_log(programs, folder, events, seed))
    report = timed("backtest", lambda: backtest(programs, folder))
    tally = timed("python", lambda: by_python(base, rules, folder))
    rows = f"'{folder}/python.parquet'"
    counted = f"""select day, popup, measure, detail, count from read_csv('{folder}/report.csv',
        types = {{detail: 'VARCHAR'}}) where popup is not null and measure <> 'eligible' and count > 0"""
    told = f"select day, popup, measure, coalesce(detail, '') as detail, count from ({COUNTS.format(rows=rows)})"
    counted = f"select day, popup, measure, coalesce(detail, '') as detail, count from ({counted})"
    wrong = differences(base, counted, told)
    for name in ["events", "users"]:
        wrong += report[name] != tally[name]
    (number,) = base.execute(f"select count(*) from {rows}").fetchone()
    print(f"{tally['events']} events, {tally['users']} users, {number} rows")
    print(f"backtest and Python: {wrong} differences in counts by day, popup and measure")
    if os.environ.get("SPARK") == "no":
        print("Spark: skipped, as it was asked for")
    elif importlib.util.find_spec("pyspark") is None or shutil.which("java") is None:
        print("Spark: skipped, there is no PySpark or no Java")
    else:
        timed("spark", lambda: by_spark(rules, folder))
        spark = f"select {COLUMNS} from '{folder}/spark.parquet/*.parquet'"
        apart = differences(base, f"from {rows}", spark)
        print(f"Python and Spark: {apart} rows differ")
        wrong += apart
    write_sample(base, folder, rows)
    sys.exit(1 if wrong else 0)


main(*sys.argv[1:])
