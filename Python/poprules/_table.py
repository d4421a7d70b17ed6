"""Logs of user actions, as tables of any library that supports Arrow."""

from __future__ import annotations

import atexit
import ctypes
import html
import json
import os
import sys
import threading
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from . import _given
from ._findings import shown
from ._library import Error, call, file_bytes, text
from ._tally import Misfit, Tally, Unfound
from ._values import Time, timestamp

if TYPE_CHECKING:
    from ._rules import RuleSet

STREAM = b"arrow_array_stream"


class ArrowStream(Protocol):
    """A table of pandas, Polars, DuckDB, pyarrow and others, or a stream of one."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...


_Release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Stream(ctypes.Structure):
    """`ArrowArrayStream`."""

    _fields_ = [
        ("get_schema", ctypes.c_void_p),
        ("get_next", ctypes.c_void_p),
        ("get_last_error", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
        ("private_data", ctypes.c_void_p),
    ]


_python = ctypes.pythonapi
_python.PyCapsule_GetPointer.restype = ctypes.c_void_p
_python.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_python.PyCapsule_New.restype = ctypes.py_object
_python.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Rows:
    """The events of popups, one row per event, without a copy.

    `pyarrow.table(rows)`, `polars.DataFrame(rows)` and DuckDB read it unchanged, any number of
    times, if pyarrow is installed, which stores the rows. Without pyarrow only one reader can take
    them.
    """

    def __init__(self) -> None:
        self._stream = _Stream()
        self._table: Any = None
        # Held again by the thread that reads the stream into a table.
        self._lock = threading.RLock()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        try:
            table = self.to_arrow()
        except ImportError:
            return _capsule(self)
        return table.__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> Any:
        """Returns a pyarrow table; pyarrow must be installed."""
        with self._lock:
            if self._table is None:
                import pyarrow

                self._table = pyarrow.table(_Once(self))
            return self._table

    def to_pandas(self) -> Any:
        """Returns a pandas data frame; pandas and pyarrow must be installed."""
        frame = self.to_arrow().to_pandas()
        # Without a value in some rows pandas would make it a float.
        return frame.astype({"ordinal": "Int64"}) if "ordinal" in frame else frame

    def __reduce__(self) -> tuple[Any, tuple[Any]]:
        return (_rows, (self.to_arrow(),))

    def __del__(self) -> None:
        if self._stream.release:
            _Release(self._stream.release)(ctypes.addressof(self._stream))


def _rows(table: Any) -> Rows:
    """Rows that have been read."""
    rows = Rows()
    rows._table = table
    return rows


class _Once:
    """The stream of rows itself, for its one reader."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return _capsule(self._rows)


# Streams that capsules point to, by their addresses, and the addresses of the capsules.
_alive: dict[int, tuple[_Stream, int]] = {}


def _capsule(rows: Rows) -> Any:
    """Returns a capsule with the stream of rows, which they no longer have.

    A stream has one owner, who releases it: it is checked and taken under the lock.
    """
    with rows._lock:
        if not rows._stream.release:
            raise ValueError("these rows can be read only once: install pyarrow to read them again")
        stream, rows._stream = rows._stream, _Stream()
    address = ctypes.addressof(stream)
    capsule = _python.PyCapsule_New(address, STREAM, ctypes.cast(_ended, ctypes.c_void_p))
    _alive[address] = (stream, id(capsule))
    return capsule


def _end(capsule: int) -> None:
    """Called when a capsule is freed: releases a stream that nobody has taken."""
    address = _pointer(capsule, STREAM)
    stream, _ = _alive.pop(address)
    if stream.release:
        _Release(stream.release)(address)


@atexit.register
def _forget() -> None:
    """Disables the destructors of capsules that outlive the program's Python functions."""
    for _, capsule in _alive.values():
        _set_destructor(capsule, None)


_ended = _Release(_end)
_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", _python)
)
_set_destructor = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(
    ("PyCapsule_SetDestructor", _python)
)


class Replay:
    """The effects of rules on the users of a log.

    `rows`, `tally`, the problems of the log (`skipped`, `misfits`, `in_no_row`, `unknown_events`),
    `merges_identities`, and `histories` after a part of a log.
    """

    def __init__(self, rows: Rows, sums: dict[str, Any], histories: Rows | None = None) -> None:
        self.rows = rows
        """The events of popups, one row per event."""
        self.histories = histories
        """The histories of users after a part of a log; one row per user, with the columns
        `user` and `history`. None if a whole log was played."""
        self.tally: Tally = sums["tally"]
        """The counts by day and popup, and in total, as in the report of `poprules backtest`."""
        self.skipped: dict[str, int] = sums["skipped"]
        """The number of rows of the log that could not be read, by reason."""
        self.misfits: dict[str, Misfit] = sums["misfits"]
        """Invalid values, which are ignored, by key, event field or `order`; `payload` counts
        strings that aren't complete JSON."""
        self.in_no_row: list[Unfound] = sums["inNoRow"]
        """Names that the rules or the mapping use, but no row has."""
        self.unknown_events: dict[str, int] = sums["unknownEvents"]
        """The number of events that the rules don't declare, by name; empty if there are too many
        names."""
        self.merges_identities: bool = sums["mergesIdentities"]
        """True if the mapping combines several names of one user."""
        self.user_columns: list[str] = sums["userColumns"]
        """The columns that the mapping reads for the user: in each row, the first one with a
        value counts."""

    def __repr__(self) -> str:
        played = f"{self.tally['events']} events of {self.tally['users']} users"
        return shown(f"<Replay of {', '.join([played, *self._losses()])}>")

    def _losses(self) -> list[str]:
        """Returns the parts of the log that were not played as intended, in words."""
        losses = {
            "skipped rows": sum(self.skipped.values()),
            "invalid values": sum(misfit["count"] for misfit in self.misfits.values()),
            "events that the rules don't declare": sum(self.unknown_events.values()),
        }
        return [f"{count} {what}" for what, count in losses.items() if count]

    def _warn(self) -> None:
        """Warns if a tenth of the rows or more was skipped."""
        skipped = sum(self.skipped.values())
        if skipped * 10 >= skipped + self.tally["events"] and skipped:
            reasons = ", ".join(f"{why}: {count}" for why, count in self.skipped.items())
            warnings.warn(
                f"{skipped} of {skipped + self.tally['events']} rows were skipped ({reasons});"
                " see `skipped`",
                stacklevel=4,
            )

    def _repr_html_(self) -> str:
        rows = self.rows.to_arrow().group_by(["popup", "kind"]).aggregate([([], "count_all")])
        sums = {(row["popup"], row["kind"]): row["count_all"] for row in rows.to_pylist()}
        kinds = ["shown", "kept_away", "ended", "exposed", "converted"]
        head = "".join(f"<th>{kind.replace('_', ' ')}" for kind in kinds)
        lines = [
            f"<tr><th style='text-align:left'>{html.escape(popup)}"
            + "".join(f"<td>{sums.get((popup, kind), 0)}" for kind in kinds)
            for popup in sorted({popup for popup, _ in sums})
        ]
        losses = "".join(f"<p>{loss}" for loss in self._losses())
        return f"<table><tr><th>popup{head}{''.join(lines)}</table>{losses}"


def mapping_words(mapping: Mapping[str, Any] | str | os.PathLike[str] | None) -> str | None:
    """Returns a mapping in YAML; a single line that ends like the name of a file is a path."""
    if mapping is None:
        return None
    if isinstance(mapping, Mapping):
        given = {"poprules_mapping": 1, **mapping}
        return _given.to_yaml(_given.plain_map(given, _given.as_text))
    path = os.fspath(mapping)
    if not isinstance(path, str):
        raise TypeError(f"a mapping must be a dictionary, a string or a path, not {mapping!r}")
    if path is mapping and ("\n" in path or not path.endswith((".yaml", ".yml", ".json"))):
        return path
    return file_bytes(path).decode("utf-8")


def mapping_text(mapping: Mapping[str, Any] | str | os.PathLike[str] | None) -> bytes | None:
    """A mapping as the library reads it."""
    words = mapping_words(mapping)
    return None if words is None else text(words)


def replay(
    rules: RuleSet,
    table: ArrowStream,
    mapping: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    *,
    histories: ArrowStream | None = None,
    until: Time | None = None,
) -> Replay:
    """Replays a log of user events, in any order, against rules.

    `table` has one row per event; without a `mapping` its columns are `user`, `time`, `event` and
    `payload`. It is never copied as a whole. For a part of a log, the answer has `histories` too;
    sessions that aren't over `until` its end continue in the next part, whose rows contain them.
    """
    words = mapping_text(mapping)
    # The capsules stay while their streams are read. Histories are read before the log is opened
    # where they can be: two streams of one connection to DuckDB exclude each other.
    known = None if histories is None else _capsule_of(_read(histories))
    capsule = _capsule_of(table)
    stream = _python.PyCapsule_GetPointer(capsule, STREAM)
    before = None if known is None else _python.PyCapsule_GetPointer(known, STREAM)
    is_part = histories is not None or until is not None
    rows, after = Rows(), Rows() if is_part else None
    said = call(
        "pop_replay_part",
        rules._handle.number,
        words,
        None if until is None else text(until if isinstance(until, str) else timestamp(until)),
        before,
        stream,
        ctypes.byref(rows._stream),
        None if after is None else ctypes.byref(after._stream),
    )
    played = Replay(rows, json.loads(said), after)
    played._warn()
    return played


def _read(table: ArrowStream) -> ArrowStream:
    """A table that is in memory, where pyarrow is."""
    try:
        import pyarrow
    except ImportError:
        return table
    return pyarrow.table(table) if hasattr(table, "__arrow_c_stream__") else table


def _held_together(table: ArrowStream) -> ArrowStream:
    """Returns a table whose buffers are as long as its offsets require.

    Streams contain no lengths of buffers, so the maker of a stream has to know them. Tables of
    pyarrow may come from files that nobody has checked; other libraries check when they read.
    """
    pyarrow = sys.modules.get("pyarrow")
    if pyarrow is None:
        return table
    try:
        if isinstance(table, (pyarrow.Table, pyarrow.RecordBatch, pyarrow.ChunkedArray)):
            table.validate()
        elif isinstance(table, pyarrow.RecordBatchReader):
            reader: ArrowStream = pyarrow.RecordBatchReader.from_batches(
                table.schema, _validated(table)
            )
            return reader
    except pyarrow.ArrowInvalid as error:
        raise Error(f"the table cannot be read: {error}") from error
    return table


def _validated(batches: Any) -> Any:
    for batch in batches:
        batch.validate()
        yield batch


def _capsule_of(table: ArrowStream) -> Any:
    table = _held_together(table)
    if not hasattr(table, "__arrow_c_stream__"):
        raise TypeError(
            f"a {type(table).__name__} is not a table with `__arrow_c_stream__`: pass a data frame;"
            " a lazy data frame must be collected first"
        )
    return table.__arrow_c_stream__()
