"""Whether a table has the columns that a mapping is about."""

from __future__ import annotations

import ctypes
import json
from typing import Any

from . import _values
from ._library import Error, RulesError, call, text


class _Schema(ctypes.Structure):
    """`ArrowSchema`."""


_Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.c_void_p),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]
_GetSchema = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_Release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def columns(stream: int) -> list[str]:
    """The names of the columns of an `ArrowArrayStream`, which begins with its `get_schema`.

    None where there is no schema: of that the library tells.
    """
    schema = _Schema()
    get_schema = _GetSchema(ctypes.c_void_p.from_address(stream).value or 0)
    if get_schema(stream, ctypes.addressof(schema)) != 0:
        return []
    try:
        fields = [schema.children[place].contents for place in range(schema.n_children)]
        return [(field.name or b"").decode() for field in fields]
    finally:
        if schema.release:
            _Release(schema.release)(ctypes.addressof(schema))


def check(columns: list[str], mapping: bytes | None) -> None:
    """An `Error` where a table has no column for users, times or events, though it has others.

    The mapping has been read without an error. What a preset takes is not looked at: the library
    alone knows it.
    """
    if not columns or _said(mapping, "preset"):
        return
    said = _said(mapping, "columns") or {}
    for part, them in (("user", "users"), ("time", "times"), ("event", "events")):
        given = said.get(part, part)
        paths = given if isinstance(given, list) else [given]
        if not any(str(path).split(".")[0].removesuffix("[]") in columns for path in paths):
            raise Error(
                f"the table has no column {_listed(paths)} for the {them}; it has"
                f" {_listed(columns)}, and `columns` of the mapping says which it is"
            )


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _said(mapping: bytes | None, name: str) -> Any:
    """What a mapping says under a name, as the library reads it; None where it says nothing."""
    if mapping is None:
        return None
    try:
        said = call("pop_evaluate", 0, text(name), mapping, None)
    except RulesError:
        return None
    return _values.from_engine(json.loads(said)["value"])
