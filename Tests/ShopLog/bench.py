"""Measures `poprules backtest`, and beside it a query of DuckDB and a loop that say the same.

    bench.py POPRULES SHOPLOG [EVENTS…]
    bench.py query LOG | loop LOG       prints by day how many users were thanked for the first time
"""

import collections
import csv
import importlib.util
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

RULES = pathlib.Path(__file__).parent / "Rules"


def loop(log):
    """What one would write in an hour."""
    first = {}
    with open(log) as lines:
        for line in lines:
            row = json.loads(line)
            if row["event"] == "Order Completed" and row["payload"]["total"] > 50:
                time = first.get(row["user"])
                if time is None or row["time"] < time:
                    first[row["user"]] = row["time"]
    return sorted(collections.Counter(time[:10] for time in first.values()).items())


def query(log):
    """The same for DuckDB."""
    import duckdb

    return duckdb.sql(f"""
        select substr(first, 1, 10) as day, count(*) as users from (
            select "user", min(time) as first
            from read_json('{log}', format = 'newline_delimited', columns = {{"user": 'VARCHAR',
                time: 'VARCHAR', event: 'VARCHAR', payload: 'STRUCT(total DOUBLE)'}})
            where event = 'Order Completed' and payload.total > 50 group by "user")
        group by day order by day""").fetchall()


def measured(call):
    """What a program prints, with its seconds, its seconds of processor time and its MB."""
    began = time.monotonic()
    child = subprocess.Popen(call, stdout=subprocess.PIPE, text=True)
    output = child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{call[0]} ended with {child.returncode}")
    return output, time.monotonic() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def days(report):
    """By day how often the only popup showed, of the CSV of a report."""
    rows = csv.DictReader(io.StringIO(report))
    shown = [row for row in rows if row["measure"] == "shown" and row["count"] != "0"]
    return "".join(f"{row['day']} {row['count']}\n" for row in shown)


def measure(poprules, log, events):
    def backtest(name, rules=None):
        mapping = RULES / f"{name}.mapping.yaml"
        rules = rules or RULES / f"{name}.yaml"
        return [poprules, "backtest", rules, log, "--mapping", mapping, "-f", "csv"]

    cases = {
        "backtest: nothing is read": backtest("unread"),
        "backtest: three popups": backtest("three"),
        "backtest: rules/": backtest("app", rules="rules"),
        "one popup: backtest": backtest("once"),
        "one popup: a loop in Python": [sys.executable, __file__, "loop", log],
    }
    if importlib.util.find_spec("duckdb"):
        cases["one popup: DuckDB"] = [sys.executable, __file__, "query", log]
    else:
        print("DuckDB: skipped, it is not here and PyPI cannot be reached")
    row = "{:30} {:>11} {:>8} {:>9} {:>9} {:>7}".format
    print(row("", "events", "s", "s of cpu", "µs/event", "MB"))
    outputs, used = {}, {}
    for name, call in cases.items():
        output, seconds, processor, memory = measured(call)
        print(row(name, f"{events:,}", f"{seconds:.2f}", f"{processor:.2f}",
                  f"{processor / events * 1e6:.2f}", f"{memory:.0f}"), flush=True)
        if name.startswith("one popup"):
            outputs[name] = days(output) if name.endswith("backtest") else output
            used[name] = processor
    same = len(set(outputs.values())) == 1 and outputs["one popup: backtest"]
    print(f"{min(used, key=used.get)} takes the least processor time; ", end="")
    print("all say the same" if same else f"they do NOT say the same: {outputs}")
    return same


def main(words):
    if words[0] in ["query", "loop"]:
        answer = query(words[1]) if words[0] == "query" else loop(words[1])
        print("".join(f"{day} {users}\n" for day, users in answer), end="")
        return 0
    poprules, shop_log, *sizes = words
    same = True
    for size in sizes or ["100000"]:
        with tempfile.TemporaryDirectory() as folder:
            log = f"{folder}/log.jsonl"
            with open(log, "w") as file:
                subprocess.run([shop_log, size], stdout=file, check=True)
            with open(log, "rb") as file:
                events = sum(1 for _ in file)
            same = measure(poprules, log, events) and same
    return 0 if same else 1


sys.exit(main(sys.argv[1:]))
