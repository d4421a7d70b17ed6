"""Logs of what users did, as tables of any library that speaks Arrow."""

from __future__ import annotations

import atexit
import ctypes
import html
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from ._library import call, text

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
    """What happened to popups, a row each: a stream that one reader takes, without a copy.

    `pyarrow.table(rows)`, `polars.DataFrame(rows)` and DuckDB take it as it is; `to_pandas` and
    `to_arrow` keep what they read, so that it can be asked for again.
    """

    def __init__(self) -> None:
        self._stream = _Stream()
        self._table: Any = None

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        if self._table is not None:
            return self._table.__arrow_c_stream__(requested_schema)
        if not self._stream.release:
            raise ValueError("these rows have been read: `to_arrow` keeps them")
        return _capsule(self)

    def to_arrow(self) -> Any:
        """A table of pyarrow, which has to be installed."""
        if self._table is None:
            import pyarrow

            self._table = pyarrow.table(self)
        return self._table

    def to_pandas(self) -> Any:
        """A data frame of pandas, which has to be installed beside pyarrow."""
        return self.to_arrow().to_pandas()

    def __del__(self) -> None:
        if self._stream.release:
            _Release(self._stream.release)(ctypes.addressof(self._stream))


# Streams that capsules point to, by their addresses, and the addresses of the capsules.
_alive: dict[int, tuple[_Stream, int]] = {}


def _capsule(rows: Rows) -> Any:
    """A capsule with the stream of rows, which they do not have any more."""
    stream = _Stream()
    ctypes.memmove(ctypes.byref(stream), ctypes.byref(rows._stream), ctypes.sizeof(_Stream))
    rows._stream = _Stream()
    address = ctypes.addressof(stream)
    capsule = _python.PyCapsule_New(address, STREAM, ctypes.cast(_ended, ctypes.c_void_p))
    _alive[address] = (stream, id(capsule))
    return capsule


def _end(capsule: int) -> None:
    """Called when a capsule goes: releases what nobody has taken."""
    address = _pointer(capsule, STREAM)
    stream, _ = _alive.pop(address)
    if stream.release:
        _Release(stream.release)(address)


@atexit.register
def _forget() -> None:
    """Capsules that are there when the program ends go when Python functions are gone."""
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
    """What rules do to the users of a log."""

    def __init__(self, rows: Rows, sums: dict[str, Any]) -> None:
        self.rows = rows
        """What happened to popups, a row each."""
        self.tally: dict[str, Any] = sums["tally"]
        """The sums of `poprules backtest`: by day and popup, and of all."""
        self.skipped: dict[str, int] = sums["skipped"]
        """How many rows of the log could not be read, by why."""
        self.merges_identities: bool = sums["mergesIdentities"]
        """Whether the mapping takes several names for one person."""

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
        return f"<table><tr><th>popup{head}{''.join(lines)}</table>"


def mapping_text(mapping: Mapping[str, Any] | str | None) -> bytes | None:
    """A mapping as the library reads it: YAML, or a dictionary that says the same."""
    if mapping is None or isinstance(mapping, str):
        return None if mapping is None else text(mapping)
    return text(json.dumps({"poprules_mapping": 1, **mapping}))


def replay(
    rules: RuleSet, table: ArrowStream, mapping: Mapping[str, Any] | str | None = None
) -> Replay:
    """Plays rules against a log of what users did, which may stand in any order.

    `table` has a row an event; without a `mapping` its columns are `user`, `time`, `event` and
    `payload`. Nothing of it is copied as a whole.
    """
    capsule = table.__arrow_c_stream__()
    stream = _python.PyCapsule_GetPointer(capsule, STREAM)
    rows = Rows()
    said = call(
        "pop_replay_table", rules._handle.number, mapping_text(mapping), stream,
        ctypes.byref(rows._stream),
    )
    return Replay(rows, json.loads(said))
