"""Values from Python: those of contexts and payloads, of any class."""

from __future__ import annotations

import datetime
import decimal
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ._values import is_no_time, timestamp, to_engine

Leaf = datetime.datetime | datetime.timedelta | bytes
"""Values that JSON can't express."""


def plain(value: Any, name: str, leaf: Callable[[Leaf, str], Any] = lambda leaf, _: leaf) -> Any:
    """Returns a value of a context or a payload, in Python's own types.

    A value of another type is a `TypeError` that names it. Scalars of NumPy become the values that
    they contain, a `Decimal` becomes a double; `leaf` returns the replacement for values that JSON
    can't express.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        if not -(2**63) <= value < 2**64:
            raise ValueError(f"`{name}` is {value}: integers must be from -2**63 to 2**64 - 1")
        return int(value)
    if isinstance(value, float | decimal.Decimal):
        return float(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return leaf(bytes(value), name)
    if isinstance(value, datetime.datetime | datetime.timedelta) and not is_no_time(value):
        return leaf(value, name)
    if isinstance(value, Mapping):
        return {
            _key(key, name): plain(item, f"{name}[{key!r}]", leaf) for key, item in value.items()
        }
    shape = getattr(value, "shape", None)
    if shape == ():
        return plain(_scalar(value, name), name, leaf)
    if isinstance(value, Sequence) or isinstance(shape, tuple) and len(shape) == 1:
        return [plain(item, f"{name}[{place}]", leaf) for place, item in enumerate(value)]
    raise TypeError(f"`{name}` is {value!r}: a {type(value).__name__} is not a supported value")


def plain_map(
    values: Mapping[str, Any] | None, leaf: Callable[[Leaf, str], Any] = lambda leaf, _: leaf
) -> dict[str, Any]:
    """The values of a context or a payload by their names."""
    if values is None:
        return {}
    if not isinstance(values, Mapping):
        raise TypeError(f"expected a dictionary of names and values, not {values!r}")
    for name in values:
        if not isinstance(name, str):
            raise TypeError(f"a name must be a string, not {name!r}")
    return {name: plain(value, name, leaf) for name, value in values.items()}


def _key(key: Any, name: str) -> bool | int | str:
    found = plain(key, name)
    if isinstance(found, bool | int | str):
        return found
    raise TypeError(f"`{name}` has the key {key!r}: keys must be strings, integers or Booleans")


def _scalar(value: Any, name: str) -> Any:
    """Returns the value of a NumPy scalar; times in nanoseconds would otherwise be integers."""
    kind = getattr(getattr(value, "dtype", None), "kind", None)
    if kind in ("m", "M"):
        value = value.astype("datetime64[us]" if kind == "M" else "timedelta64[us]")
    item = value.item()
    if isinstance(item, type(value)) or item is None:
        raise TypeError(f"cannot use `{name}`, which is {value!r}: unsupported type")
    return item


def named_to_engine(values: Mapping[str, Any] | None) -> dict[str, Any]:
    """The values of a context or a payload by their names, in the form that requests have."""
    return {name: to_engine(value) for name, value in plain_map(values).items()}


def as_text(value: Leaf, name: str) -> str:
    """Returns the YAML string for a value that YAML can't express, for keys whose type reads it."""
    if isinstance(value, datetime.datetime):
        return timestamp(value)
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            raise ValueError(f"`{name}` is {value!r}, which is not UTF-8") from None
    count, rest = divmod(value, datetime.timedelta(milliseconds=1))
    if rest or count < 0:
        raise ValueError(f"`{name}` is {value!r}: use a duration of whole milliseconds, 0 or more")
    return f"{count}ms"


def refused(value: Leaf, name: str) -> str:
    """For where no type is wanted."""
    word = "timestamp"
    if isinstance(value, datetime.timedelta):
        word = "duration"
    elif isinstance(value, bytes):
        word = "bytes"
    raise TypeError(
        f"`{name}` is {value!r}, which a context without rules cannot contain: pass a string, and"
        f" write `{word}({name})`"
    )


# Characters that JSON writes unchanged and YAML refuses: contexts and mappings are read as YAML.
_HIDDEN = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def to_yaml(value: Any) -> str:
    """Returns a value as one line of YAML. Replaces values that JSON can't express."""
    if isinstance(value, str):
        quoted = json.dumps(value, ensure_ascii=False)
        return _HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)
    if isinstance(value, float) and not math.isfinite(value):
        return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    if isinstance(value, dict):
        pairs = [f"{to_yaml(key)}: {to_yaml(item)}" for key, item in value.items()]
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(to_yaml(item) for item in value) + "]"
    return json.dumps(value)
