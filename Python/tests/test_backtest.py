"""The same log as a table and as a file: `poprules backtest` counts what the rows say."""

import collections
import csv
import io
import json
import os
import pathlib
import subprocess

import pytest

from conftest import MAPPING, log

PROGRAM = pathlib.Path(os.environ.get("POPRULES_REPOSITORY", ".")) / ".build/debug/poprules"


@pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not built")
def test_the_program_counts_the_same_rows(folder, rules):
    (folder / "shop.yaml").write_text(json.dumps({"poprules_mapping": 1, **MAPPING}))
    table = log(users=60, events=1_500)
    with open(folder / "log.jsonl", "w") as file:
        for row in table.to_pylist():
            file.write(json.dumps({**row, "time": row["time"].isoformat()}) + "\n")
    report = subprocess.run(
        [PROGRAM, "backtest", "rules.yaml", "log.jsonl", "--mapping", "shop.yaml", "-f", "csv"],
        cwd=folder, capture_output=True, text=True, check=True,
    )
    measures = {"shown", "ended", "kept_away"}
    counted = {
        (line["day"], line["popup"], line["measure"], line["detail"]): int(line["count"])
        for line in csv.DictReader(io.StringIO(report.stdout))
        if line["measure"] in measures
    }
    rows = rules.replay(table, MAPPING).rows.to_arrow()
    told = collections.Counter(
        (str(row["day"]), row["popup"], row["kind"], row["reason"] or "")
        for row in rows.to_pylist()
        if row["kind"] in measures
    )
    assert told["2026-05-04", "thanks", "shown", ""] > 0
    assert told == {key: count for key, count in counted.items() if count}
