"""Logs as tables of every library that speaks Arrow."""

import datetime
import gc
import json
import pickle
import struct
import subprocess
import sys
import threading
import time as clock

import duckdb
import pandas
import polars
import pyarrow
import pytest

import poprules
from conftest import MAPPING, log

UTC = datetime.timezone.utc


def time(minute, day=4):
    return datetime.datetime(2026, 5, day, 9, minute, tzinfo=UTC)


LOG = [
    ("bea", time(3), "bought", {"price": 5}),
    ("ada", time(1), "opened", {"plan": "pro"}),
    ("ada", time(2), "bought", {"price": 11.5}),
    ("ada", time(0, day=5), "opened", {}),
    ("carl \u00e9\"\\", time(9), "bought", {"price": 99}),
]


def columns(payload=json.dumps):
    users, times, events, payloads = zip(*LOG)
    return {
        "user": users, "time": times, "event": events, "payload": [payload(it) for it in payloads],
        "unread": [1] * len(LOG),
    }


def told(replay):
    return [
        (row["user"], row["time"], row["popup"], row["kind"], row["reason"])
        for row in replay.rows.to_arrow().to_pylist()
    ]


def test_a_log_is_played_from_every_table_library(rules):
    table = pyarrow.table(columns())
    expected = told(rules.replay(table, MAPPING))
    shown = [(user, popup) for user, _, popup, kind, _ in expected if kind == "shown"]
    assert shown == [("ada", "hello"), ("ada", "thanks"), ("ada", "hello"), (LOG[4][0], "thanks")]
    frame = pandas.DataFrame(columns())
    connection = duckdb.connect()
    connection.execute("set timezone = 'UTC'")
    for other in (
        frame,
        frame.astype({"user": "category", "event": "category"}),
        polars.DataFrame(columns()),
        connection.from_arrow(table),
        table.to_reader(max_chunksize=2),
        pyarrow.table(columns(lambda payload: {"price": None, "plan": None, **payload})),
        table.set_column(1, "time", table["time"].cast(pyarrow.timestamp("ms", "Europe/Berlin"))),
        table.set_column(1, "time", table["time"].cast(pyarrow.timestamp("ns"))),
        table.set_column(0, "user", table["user"].cast(pyarrow.large_string())),
        pyarrow.concat_tables([table.slice(3), table.slice(0, 3)]),
    ):
        assert told(rules.replay(other, MAPPING)) == expected


def test_the_order_of_rows_does_not_matter(rules):
    table = pyarrow.table(columns())
    expected = told(rules.replay(table, MAPPING))
    turned = table.take(list(range(len(LOG)))[::-1])
    assert told(rules.replay(turned, MAPPING)) == expected


def test_a_mapping_is_a_dictionary_or_yaml_or_its_path(folder, rules):
    table = pyarrow.table(columns()).rename_columns(["who", "when", "what", "payload", "unread"])
    words = "poprules_mapping: 1\ncolumns: { user: who, time: when, event: what }\n"
    words += "context: { plan: { field: plan } }\n"
    mapping = {**MAPPING, "columns": {"user": "who", "time": "when", "event": "what"}}
    expected = told(rules.replay(pyarrow.table(columns()), MAPPING))
    assert told(rules.replay(table, words)) == told(rules.replay(table, mapping)) == expected
    path = folder / "shop.mapping.yaml"
    path.write_text(words)
    assert told(rules.replay(table, path)) == told(rules.replay(table, str(path))) == expected
    with pytest.raises(FileNotFoundError):
        rules.replay(table, "nowhere.yaml")
    with pytest.raises(TypeError, match="mapping"):
        rules.replay(table, words.encode())
    with pytest.raises(poprules.RulesError, match="colums"):
        rules.replay(table, {"colums": {"user": "who"}})


def test_a_table_without_the_columns_of_its_mapping_is_refused(rules):
    table = pyarrow.table(columns())
    users = pyarrow.nulls(len(LOG), pyarrow.string())
    # E46: lost rows are seen without asking for them.
    with pytest.warns(UserWarning, match=f"{len(LOG)} of {len(LOG)} rows were skipped"):
        replay = rules.replay(table.set_column(0, "user", users))
    assert replay.skipped == {"without a user": len(LOG)}
    assert f"{len(LOG)} skipped rows" in repr(replay)
    assert f"{len(LOG)} skipped rows" in replay._repr_html_()
    for column in ("user", "time", "event"):
        other = table.drop_columns([column])
        for same in (other, duckdb.from_arrow(other), polars.from_arrow(other), other.to_reader()):
            with pytest.raises(poprules.Error, match=f"no column `{column}`.*`payload`"):
                rules.replay(same)
    with pytest.raises(poprules.Error, match="no column `who`"):
        rules.replay(table, {"columns": {"user": ["who", "a.b"]}})
    with pytest.raises(poprules.Error, match="no column `when`"):
        rules.replay(table, "poprules_mapping: 1\ncolumns: { time: when }\n")
    assert rules.replay(table, {"columns": {"user": ["who", "user"]}}).tally["users"] == 3
    with pytest.raises(poprules.Error, match="no column `userId`"):
        rules.replay(table, {"preset": "segment"})
    assert rules.replay(pyarrow.table({})).tally["events"] == 0


def test_problems_of_a_table_are_reported(rules):
    table = pyarrow.table(columns(lambda it: json.dumps(it | {"plan": [1]})))
    mapping = {
        "columns": {"order": "unread", "insert_id": "nowhere"},
        "context": {"plan": {"field": "plan"}},
        "events": {"bought": "seen"},
    }
    replay = rules.replay(table, mapping)
    example = {"file": "the table", "line": 1, "text": "[1]"}
    assert replay.misfits["plan"] == {"count": len(LOG), "example": example}
    assert {"kind": "column", "name": "insert_id", "log": ["nowhere"]} in replay.in_no_row
    assert {"kind": "event", "name": "bought", "log": ["seen"]} in replay.in_no_row
    assert replay.unknown_events == {"bought": 3, "opened": 2}


def test_a_mapping_accepts_python_values(folder):
    (folder / "rules.yaml").write_text(
        "poprules: 1\ncontext: { since: { type: timestamp }, of: { type: string, default: b } }\n"
        "popups: { old: { trigger: start, when: since < now && of == '\U0001f600' } }\n"
    )
    since = datetime.datetime(2026, 5, 1, tzinfo=UTC)
    mapping = {
        "given": {"since": since, "of": "\U0001f600"},
        "session": {"timeout": datetime.timedelta(minutes=30)},
    }
    played = poprules.RuleSet.load(folder).replay(pyarrow.table(columns()), mapping)
    assert "shown" in [kind for *_, kind, _ in told(played)]
    with pytest.raises(TypeError, match="since"):
        poprules.RuleSet.load(folder).replay(pyarrow.table({}), {"given": {"since": object()}})


def test_users_can_be_played_in_parts(rules):
    events = log(users=20, events=500)
    whole = rules.replay(events, MAPPING)
    parts = []
    for part in range(3):
        some = duckdb.sql(f"from events where hash(\"user\") % 3 = {part}")
        parts.append(rules.replay(some, MAPPING))
    rows = pyarrow.concat_tables([part.rows.to_arrow() for part in parts])
    assert sorted(map(str, rows.to_pylist())) == sorted(map(str, whole.rows.to_arrow().to_pylist()))
    assert sum(part.tally["users"] for part in parts) == whole.tally["users"]


def test_times_may_be_numbers(rules):
    seconds = pyarrow.table({**columns(), "time": [row[1].timestamp() for row in LOG]})
    expected = told(rules.replay(pyarrow.table(columns()), MAPPING))
    for form, table in (("seconds", seconds), ("milliseconds", pyarrow.table(columns()))):
        mapping = {**MAPPING, "time": {"form": form}}
        assert told(rules.replay(table, mapping)) == expected


def test_sums_are_reported(rules):
    replay = rules.replay(pyarrow.table(columns()), MAPPING)
    assert (replay.tally["users"], replay.tally["events"]) == (3, 5)
    assert not replay.merges_identities
    assert "<th style='text-align:left'>thanks<td>2" in replay._repr_html_()


def test_every_library_may_read_the_rows_repeatedly(rules):
    rows = rules.replay(pyarrow.table(columns()), MAPPING).rows
    for _ in range(2):
        [(count,)] = duckdb.sql("select count(*) from rows").fetchall()
        assert count > 0
        assert len(duckdb.from_arrow(rows).fetchall()) == len(polars.DataFrame(rows)) == count
        assert pyarrow.table(rows).num_rows == len(rows.to_pandas()) == count
    assert rows.to_arrow().schema.field("time").type == pyarrow.timestamp("us", "UTC")


def test_one_reader_gets_the_rows_without_pyarrow(rules, monkeypatch):
    rows = rules.replay(polars.DataFrame(columns()), MAPPING).rows
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert len(polars.DataFrame(rows)) > 0
    with pytest.raises(ValueError, match="pyarrow"):
        polars.DataFrame(rows)


def test_a_replay_can_be_pickled(rules):
    replay = rules.replay(pyarrow.table(columns()), MAPPING)
    sent = pickle.loads(pickle.dumps(replay))
    assert told(sent) == told(replay)
    assert (sent.tally, sent.skipped) == (replay.tally, {})
    assert repr(sent) == "<Replay of 5 events of 3 users, 2 events that the rules don't declare>"


def test_columns_of_a_batch_outlive_it(rules):
    batch = rules.replay(pyarrow.table(columns()), MAPPING).rows.to_arrow().to_batches()[0]
    popup = batch.column(3)
    del batch
    gc.collect()
    assert "thanks" in popup.to_pylist()


def test_an_unread_stream_is_freed(rules):
    from poprules import _table

    for _ in range(100):
        rules.replay(pyarrow.table(columns()), MAPPING)
        rules.replay(pyarrow.table(columns()), MAPPING).rows.__arrow_c_stream__()
        rules.replay(pyarrow.table(columns()), MAPPING).rows.to_arrow()
    gc.collect()
    assert _table._alive == {}


def test_a_stream_may_outlive_the_program(folder):
    script = "import poprules, pyarrow, sys; rules = poprules.RuleSet.load(sys.argv[1]);"
    script += "kept = rules.replay(pyarrow.table({})).rows.__arrow_c_stream__()"
    ended = subprocess.run([sys.executable, "-c", script, folder], capture_output=True)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_an_object_that_is_not_a_table_is_refused(rules):
    with pytest.raises(TypeError, match="list"):
        rules.replay([1, 2])
    with pytest.raises(TypeError, match="collected"):
        rules.replay(polars.DataFrame(columns()).lazy())
    since_midnight = pyarrow.array([1], pyarrow.time64("us"))
    with pytest.raises(poprules.Error, match="column `user` has an unsupported type"):
        rules.replay(pyarrow.table({"user": since_midnight, "time": [1], "event": ["opened"]}))
    empty = rules.replay(pyarrow.table({}))
    assert (empty.tally["events"], len(empty.rows.to_arrow())) == (0, 0)


def test_a_payload_in_too_many_lists_is_refused(rules):
    """D2: the search for the type took 2^64 steps."""
    kind = pyarrow.float64()
    for _ in range(80):
        kind = pyarrow.list_(kind)
    texts = pyarrow.table(columns())
    table = texts.set_column(3, "payload", pyarrow.nulls(len(texts), kind))
    with pytest.raises(poprules.Error, match="column `payload.*` has an unsupported type"):
        rules.replay(table, MAPPING)


def test_lists_that_multiply_each_other_are_refused(rules):
    values = pyarrow.nulls(2 ** 30, pyarrow.null())
    for _ in range(30):
        values = pyarrow.FixedSizeListArray.from_arrays(values, 2)
    table = pyarrow.table({"user": ["ada"], "time": [time(1)], "event": ["bought"],
                           "payload": values})
    with pytest.raises(poprules.Error, match="more than 67108864 bytes"):
        rules.replay(table, MAPPING)


def test_columns_may_be_bytes_and_unread_columns_of_any_type(rules):
    texts = pyarrow.table(columns())
    users = texts["user"].cast(pyarrow.binary())
    span = pyarrow.array([1] * len(texts), pyarrow.duration("s"))
    table = texts.set_column(0, "user", users).append_column("span", span)
    assert rules.replay(table).rows.to_arrow() == rules.replay(texts).rows.to_arrow()
def test_days_played_one_by_one_give_the_same_rows(rules):
    table = log(users=40, events=3_000)
    whole = rules.replay(table, MAPPING)
    histories, rows, events = None, [], 0
    for day in range(4, 35):
        begin = datetime.datetime(2026, 5, 1, tzinfo=UTC) + datetime.timedelta(days=day - 1)
        end = begin + datetime.timedelta(days=1)
        part = [begin <= when < end for when in table["time"].to_pylist()]
        played = rules.replay(
            table.filter(pyarrow.array(part)), MAPPING, histories=histories,
            until=end if day < 34 else None,
        )
        rows.append(played.rows.to_arrow())
        histories = played.histories.to_arrow()
        events += played.tally["events"]
    assert events == 3_000 and histories.num_rows == 40
    assert sum("open" in json.loads(row) for row in histories["history"].to_pylist()) == 0
    order = [("user", "ascending"), ("time", "ascending")]
    expected = whole.rows.to_arrow()
    assert expected.num_rows > 500
    assert pyarrow.concat_tables(rows).sort_by(order).to_pylist() == expected.to_pylist()


def test_unreadable_histories_are_reported(rules):
    table = pyarrow.table(columns())
    with pytest.raises(poprules.Error, match="no column `history`"):
        rules.replay(table, MAPPING, histories=pyarrow.table({"user": ["ada"]}))
    with pytest.raises(poprules.Error, match="the history of `ada`: "):
        broken = pyarrow.table({"user": ["ada"], "history": ['{"day": "x"}']})
        rules.replay(table, MAPPING, histories=broken)
    for history in ("{", None, "ada"):
        broken = pyarrow.table({"user": ["ada"], "history": pyarrow.array([history], "string")})
        with pytest.raises(poprules.Error, match="the history of `ada` is not JSON"):
            rules.replay(table, MAPPING, histories=broken)
    with pytest.raises(poprules.Error, match="has no `user`"):
        nobody = pyarrow.table({"user": pyarrow.nulls(1, "string"), "history": ["{}"]})
        rules.replay(table, MAPPING, histories=nobody)
    with pytest.raises(poprules.Error, match="`ada` has two histories"):
        twice = pyarrow.table({"user": ["ada", "ada"], "history": ["{}", "{}"]})
        rules.replay(table, MAPPING, histories=twice)
    for end in ("2300-01-01T00:00:00Z", "tomorrow"):
        with pytest.raises(poprules.Error, match="from 1970 to 2199"):
            rules.replay(table, MAPPING, until=end)


def test_parts_are_played_in_their_order_and_once(rules):
    table = pyarrow.table(columns())
    played = rules.replay(table, MAPPING, until=time(0, day=7))
    for late in (table, table.slice(0, 1)):
        with pytest.raises(poprules.Error, match="in order, each part once"):
            rules.replay(late, MAPPING, histories=played.histories)


def test_a_value_that_an_open_session_omits_is_kept(folder):
    (folder / "rules.yaml").write_text(
        "poprules: 1\ncontext: { plan: { type: string, default: free } }\nevents: { x: {} }\n"
        "popups: { up: { trigger: { changed: plan } }, now: { trigger: { event: x }, when: plan == 'pro' } }\n"
    )
    rules = poprules.RuleSet.load(folder)
    log = {
        "user": [7, 7, 7], "time": [time(minute) for minute in range(3)], "event": ["x"] * 3,
        "payload": ['{"plan":"pro"}', "{}", '{"plan":"pro"}'],
    }
    mapping = {"context": {"plan": {"field": "plan", "events": ["x"]}}}
    expected = told(rules.replay(pyarrow.table(log), mapping))
    first = rules.replay(pyarrow.table(log), mapping, until=time(5))
    frame = first.histories.to_pandas()
    frame["user"] = frame["user"].astype(int)
    rest = rules.replay(pyarrow.table(log).slice(0, 0), mapping, histories=frame)
    assert expected and told(first) + told(rest) == expected


def test_null_in_a_table_is_ignored_and_in_json_it_clears_the_key(folder):
    (folder / "rules.yaml").write_text(
        "poprules: 1\ncontext: { plan: { type: string, default: free } }\nevents: { x: {} }\n"
        "popups: { now: { trigger: { event: x }, when: plan == 'pro' } }\n"
    )
    rules = poprules.RuleSet.load(folder)
    mapping = {"context": {"plan": {"field": "plan", "events": ["x"]}}}
    log = {"user": ["a"] * 2, "time": [time(minute) for minute in range(2)], "event": ["x"] * 2}
    payloads = [{"plan": "pro"}, {"plan": None}]
    shape = pyarrow.struct({"plan": pyarrow.string()})
    table = pyarrow.table(log | {"payload": pyarrow.array(payloads, shape)})
    texts = pyarrow.table(log | {"payload": [json.dumps(it) for it in payloads]})
    shown = [
        sum(row[3] == "shown" for row in told(rules.replay(it, mapping))) for it in (table, texts)
    ]
    assert shown == [2, 1]


def test_parts_may_come_from_one_connection(rules, tmp_path):
    connection = duckdb.connect()
    log = pyarrow.table(columns())
    first = rules.replay(log.slice(0, 0), MAPPING, until=time(0))
    known = pyarrow.table(first.histories)
    played = rules.replay(
        connection.sql("from log"), MAPPING, histories=connection.sql("from known")
    )
    assert told(played) == told(rules.replay(log, MAPPING))


@pytest.mark.slow
def test_batches_of_long_strings_are_small(rules):
    """S-M6: offsets of 32 bits never overflow, since batches are divided by bytes, too."""
    names = [f"{number}".rjust(60_000, "u") for number in range(1_000)]
    table = pyarrow.table({
        "user": names, "time": [time(1)] * len(names), "event": ["opened"] * len(names),
    })
    rows = rules.replay(table, MAPPING).rows.to_arrow()
    assert sorted(set(rows["user"].to_pylist())) == sorted(names)
    sizes = [batch.column("user").nbytes for batch in rows.to_batches()]
    assert len(sizes) > 3 and max(sizes) < 17 << 20
    parts = rules.replay(table, MAPPING, until=time(59)).histories.to_arrow()
    assert len(parts.to_batches()) > 3 and parts.num_rows == len(names)


def test_one_of_many_threads_gets_the_rows(rules, monkeypatch):
    """S-M7: a stream is taken once, even if others request it too, and freed once."""
    from poprules import _table

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    real = _table._Stream

    def slow(*values):
        clock.sleep(0.002)
        return real(*values)

    for _ in range(20):
        rows = rules.replay(polars.DataFrame(columns()), MAPPING).rows
        monkeypatch.setattr(_table, "_Stream", slow)
        start, got, refused = threading.Barrier(8), [], []

        def export():
            start.wait()
            try:
                got.append(rows.__arrow_c_stream__())
            except ValueError:
                refused.append(1)

        threads = [threading.Thread(target=export) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        monkeypatch.setattr(_table, "_Stream", real)
        assert (len(got), len(refused)) == (1, 7)
    got.clear()
    gc.collect()
    assert _table._alive == {}


def test_threads_share_one_table(rules):
    rows = rules.replay(pyarrow.table(columns()), MAPPING).rows
    tables = []
    threads = [
        threading.Thread(target=lambda: tables.append(pyarrow.table(rows))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(tables) == 8 and all(table == tables[0] for table in tables)


class Unseen:
    """A table that is not checked before its stream is read."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def ints(*numbers, form="i"):
    return pyarrow.py_buffer(struct.pack(f"<{len(numbers)}{form}", *numbers))


def texts(*offsets, data=b"adabea", kind=pyarrow.string()):
    return pyarrow.Array.from_buffers(
        kind, len(offsets) - 1, [None, ints(*offsets), pyarrow.py_buffer(data)]
    )


def made(column):
    """Some versions of pyarrow refuse to make some of these themselves."""
    try:
        return column()
    except pyarrow.ArrowInvalid as refusal:
        pytest.skip(f"pyarrow makes no such array: {refusal}")


def views(*rows, data=b"a name that is longer than a view"):
    packed = b"".join(struct.pack("<i4sii", *row) for row in rows)
    buffers = [None, pyarrow.py_buffer(packed), pyarrow.py_buffer(data)]
    return pyarrow.Array.from_buffers(pyarrow.string_view(), len(rows), buffers)


def lists(*offsets):
    items = pyarrow.array(["a", "b"])
    buffers = [None, ints(*offsets)]
    return pyarrow.Array.from_buffers(
        pyarrow.list_(pyarrow.string()), len(offsets) - 1, buffers, children=[items]
    )


def entries(*indexes, kind="int8"):
    numbers = pyarrow.array(indexes, kind)
    return pyarrow.DictionaryArray.from_arrays(numbers, pyarrow.array(["ada", "bea"]), safe=False)


@pytest.mark.parametrize(
    ("column", "flaw"),
    [
        (lambda: texts(0, 5, 3), "offsets that are not in ascending order"),
        (lambda: texts(0, 1 << 30, 6), "offsets that are not in ascending order"),
        (lambda: texts(-4, 3, 6), "offsets that are not in ascending order"),
        (lambda: texts(0, -3, 6, kind=pyarrow.binary()), "offsets that are not in ascending order"),
        (lambda: lists(0, 2, 90), "a list outside its items"),
        (lambda: lists(0, 90, 2), "offsets that are not in ascending order"),
        (lambda: lists(-1, 1, 2), "offsets that are not in ascending order"),
        (lambda: entries(0, 2), "an index outside its dictionary"),
        (lambda: entries(0, -1), "an index outside its dictionary"),
        (lambda: entries(0, 1 << 63, kind="uint64"), "an index outside its dictionary"),
        (lambda: views((3, b"ada", 0, 0), (-9, b"ada", 0, 0)), "a view outside its buffers"),
        (lambda: views((3, b"ada", 0, 0), (20, b"a na", 1, 0)), "a view outside its buffers"),
        (lambda: views((3, b"ada", 0, 0), (20, b"a na", -1, 0)), "a view outside its buffers"),
        (lambda: views((3, b"ada", 0, 0), (20, b"a na", 0, 20)), "a view outside its buffers"),
        (lambda: views((3, b"ada", 0, 0), (20, b"a na", 0, -1)), "a view outside its buffers"),
    ],
)
def test_arrays_that_claim_more_than_they_contain_are_refused(rules, column, flaw):
    """S-M7."""
    table = pyarrow.table({
        "user": made(column), "time": [time(1), time(2)], "event": ["opened", "opened"],
    })
    with pytest.raises(poprules.Error, match=flaw):
        rules.replay(Unseen(table), MAPPING)
    for whole in (table, table.to_reader()):
        with pytest.raises((poprules.Error, pyarrow.ArrowInvalid)):
            rules.replay(whole, MAPPING)


@pytest.mark.parametrize("data", [b"ada", b""])
def test_strings_beyond_their_buffer_are_refused(rules, data):
    """S-M7: streams do not say how long buffers are; pyarrow knows."""
    table = pyarrow.table({
        "user": made(lambda: texts(0, 3, 1 << 30, data=data)), "time": [time(1), time(2)], "event": ["x", "x"],
    })
    for whole in (table, table.to_batches()[0], table.to_reader()):
        with pytest.raises((poprules.Error, pyarrow.ArrowInvalid)):
            rules.replay(whole, MAPPING)


def test_valid_arrays_are_read_in_every_layout(rules):
    users = ["a name that is longer than a view", "bea", "carl", None]
    expected = None
    for column in (
        pyarrow.array(users), pyarrow.array(users, pyarrow.large_string()),
        pyarrow.array(users, pyarrow.string_view()), pyarrow.array(users).dictionary_encode(),
        pyarrow.array(users, pyarrow.binary_view()),
    ):
        table = pyarrow.table({
            "user": column, "time": [time(minute) for minute in range(4)],
            "event": ["opened"] * 4,
        })
        for part in (table, Unseen(table)):
            found = rules.replay(part, MAPPING).tally
            assert (found["users"], found["events"]) == (3, 3)
            expected = expected or found
            assert found == expected
        assert rules.replay(table.slice(1, 2), MAPPING).tally["users"] == 2


def test_times_outside_the_calendar_are_skipped(rules):
    for unit in ("s", "ms", "us", "ns"):
        times = pyarrow.array([-(1 << 63), (1 << 63) - 1, 0], "int64")
        table = pyarrow.table({
            "user": ["ada"] * 3, "time": times.cast(pyarrow.timestamp(unit, "UTC")),
            "event": ["opened"] * 3,
        })
        assert rules.replay(table, MAPPING).tally["events"] >= 1


@pytest.mark.slow
def test_rules_that_wake_all_the_time_end_with_an_error(folder):
    """S-M1."""
    (folder / "rules.yaml").write_text(
        "poprules: 1\ncontext: { k: { type: int, default: 2000 } }\nevents: { x: {} }\n"
        "session: { timeout: 30d }\n"
        "popups: { p: { trigger: { event: x }, when: now.getMilliseconds() > k } }\n"
    )
    table = pyarrow.table({"user": ["ada"], "time": [time(1)], "event": ["x"]})
    with pytest.raises(poprules.Error, match="nothing was decided.*`ada`.*`p` waited"):
        poprules.RuleSet.load(folder).replay(table)
