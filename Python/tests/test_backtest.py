"""The same log as a table and as a file: `poprules backtest` counts the same as the rows."""

import collections
import csv
import datetime
import io
import json
import os
import pathlib
import subprocess

import pytest

from conftest import MAPPING, log

PROGRAM = pathlib.Path(os.environ.get("POPRULES_REPOSITORY", ".")) / ".build/debug/poprules"


pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not built")
TABLE = log(users=60, events=1_500)


def report(folder, form):
    """Returns the output of the program for the log."""
    (folder / "shop.mapping.json").write_text(json.dumps({"poprules_mapping": 1, **MAPPING}))
    with open(folder / "log.jsonl", "w") as file:
        for row in TABLE.to_pylist():
            file.write(json.dumps({**row, "time": row["time"].isoformat()}) + "\n")
    command = [PROGRAM, "backtest", "rules.yaml", "log.jsonl", "--mapping", "shop.mapping.json"]
    ran = subprocess.run(
        [*command, "-f", form], cwd=folder, capture_output=True, text=True, check=True
    )
    return ran.stdout


def test_the_program_counts_the_same_rows(folder, rules):
    measures = {"shown", "ended", "kept_away"}
    counted = {
        (line["day"], line["popup"], line["measure"], line["detail"]): int(line["count"])
        for line in csv.DictReader(io.StringIO(report(folder, "csv")))
        if line["measure"] in measures
    }
    told = collections.Counter(
        (str(row["day"]), row["popup"], row["kind"], row["reason"] or "")
        for row in rules.replay(TABLE, MAPPING).rows.to_arrow().to_pylist()
        if row["kind"] in measures
    )
    assert told["2026-05-04", "thanks", "shown", ""] > 0
    assert told == {key: count for key, count in counted.items() if count}


def test_the_report_is_built_from_the_tally(folder, rules):
    printed = json.loads(report(folder, "json"))
    tally = rules.replay(TABLE, MAPPING).tally
    assert (tally["users"], tally["events"]) == (printed["users"], printed["events"])
    assert tally["userWeeks"] == printed["fatigue"]["userWeeks"]
    assert tally["userWeeksShowing"] == printed["fatigue"]["userWeeksShowingAtLeast"]
    start = datetime.date(1970, 1, 1)
    assert printed["days"] == {
        str(start + datetime.timedelta(day["day"])): {
            "users": day["users"], "popups": day["popups"],
        }
        for day in tally["days"]
    }
    assert printed["overlaps"] == [
        {"popups": [one, other], "users": users}
        for one, others in tally["overlaps"].items()
        for other, users in others.items()
    ]
    for popup, counts in printed["popups"].items():
        assert counts["medianSecondsToFirst"] == median(tally["timesToShow"][popup])


def median(steps):
    """Where the step ends that half of the users are in or below."""
    wanted = sum(count for _, count in steps) / 2
    for step, count in steps:
        wanted -= count
        if wanted <= 0:
            n, k = divmod(step, 8)
            return 2**n * (1 + k / 8)
