"""Values as the engine writes and reads them, and as Python does."""

from __future__ import annotations

import base64
import datetime
import decimal
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

Time = datetime.datetime | str
"""A time; one without a zone is in UTC, and what is below a microsecond is cut off."""


def utc(time: Time) -> datetime.datetime:
    """A time with its zone."""
    if isinstance(time, str):
        time = datetime.datetime.fromisoformat(time.replace("Z", "+00:00"))
    elif not isinstance(time, datetime.datetime) or _is_no_time(time):
        raise TypeError(f"a time is a datetime or a text, but not {time!r}")
    # Not what a class like pandas' makes of it.
    time = datetime.datetime.combine(time.date(), time.timetz())
    if time.tzinfo is None:
        return time.replace(tzinfo=datetime.timezone.utc)
    return time.astimezone(datetime.timezone.utc)


def timestamp(time: Time) -> str:
    """RFC 3339."""
    return utc(time).isoformat().replace("+00:00", "Z")


def duration(span: datetime.timedelta) -> str:
    """In seconds, to the microsecond."""
    micros = span // datetime.timedelta(microseconds=1)
    sign, micros = ("-" if micros < 0 else ""), abs(micros)
    whole, part = divmod(micros, 1_000_000)
    return f"{sign}{whole}s" if part == 0 else f"{sign}{whole}.{part:06}s"


_UNITS = {
    "d": 86_400_000_000_000, "h": 3_600_000_000_000, "m": 60_000_000_000, "s": 1_000_000_000,
    "ms": 1_000_000, "us": 1_000, "ns": 1,
}
_PART = re.compile(r"(\d+)(?:\.(\d+))?(ms|us|ns|d|h|m|s)")


def nanoseconds(text: str) -> int:
    """A duration such as `1m30s`."""
    count = 0
    for whole, part, unit in _PART.findall(text):
        count += int(whole) * _UNITS[unit]
        if part:
            count += int(part) * _UNITS[unit] // 10 ** len(part)
    return -count if text.startswith("-") else count


def span(text: str) -> datetime.timedelta:
    """A duration such as `1m30s`, of which what is below a microsecond is rounded up."""
    return datetime.timedelta(microseconds=-(-nanoseconds(text) // 1_000))


# MARK: From Python

Leaf = datetime.datetime | datetime.timedelta | bytes
"""What JSON has no word for."""


def plain(value: Any, name: str, leaf: Callable[[Leaf, str], Any] = lambda leaf, _: leaf) -> Any:
    """A value of a context or a payload, of Python's own types; `TypeError` names what is none.

    Scalars of NumPy are what they hold, a `Decimal` is a double; `leaf` says what is told for what
    JSON has no word for.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        if not -(2**63) <= value < 2**64:
            raise ValueError(f"`{name}` is {value}, which no int and no uint can be")
        return int(value)
    if isinstance(value, float | decimal.Decimal):
        return float(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return leaf(bytes(value), name)
    if isinstance(value, datetime.datetime | datetime.timedelta) and not _is_no_time(value):
        return leaf(value, name)
    if isinstance(value, Mapping):
        return {_key(key, name): plain(item, f"{name}[{key!r}]", leaf) for key, item in value.items()}
    shape = getattr(value, "shape", None)
    if shape == ():
        return plain(_scalar(value, name), name, leaf)
    if isinstance(value, Sequence) or isinstance(shape, tuple) and len(shape) == 1:
        return [plain(item, f"{name}[{place}]", leaf) for place, item in enumerate(value)]
    raise TypeError(f"`{name}` is {value!r}, of the type {type(value).__name__}, which is no value")


def plain_map(
    values: Mapping[str, Any] | None, leaf: Callable[[Leaf, str], Any] = lambda leaf, _: leaf
) -> dict[str, Any]:
    """The values of a context or a payload by their names."""
    if values is None:
        return {}
    if not isinstance(values, Mapping):
        raise TypeError(f"values come by their names, in a dictionary, but not as {values!r}")
    for name in values:
        if not isinstance(name, str):
            raise TypeError(f"a name is a text, but not {name!r}")
    return {name: plain(value, name, leaf) for name, value in values.items()}


def _is_no_time(value: datetime.datetime | datetime.timedelta) -> bool:
    """`NaT` of pandas, which is a datetime and equal to nothing."""
    return value != value


def _key(key: Any, name: str) -> bool | int | str:
    found = plain(key, name)
    if isinstance(found, bool | int | str):
        return found
    raise TypeError(f"`{name}` has the key {key!r}: keys are texts, whole numbers and booleans")


def _scalar(value: Any, name: str) -> Any:
    """What a scalar of NumPy holds; times of nanoseconds would be whole numbers otherwise."""
    kind = value.dtype.kind
    if kind in "mM":
        value = value.astype("datetime64[us]" if kind == "M" else "timedelta64[us]")
    item = value.item()
    if isinstance(item, type(value)) or item is None:
        raise TypeError(f"`{name}` is {value!r}, which is no value")
    return item


def to_engine(value: Any) -> Any:
    """A plain value in the form that requests have."""
    if value is None:
        return {"$null": True}
    if isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value if value < 2**63 else {"$uint": value}
    if isinstance(value, float):
        return {"$double": "nan" if math.isnan(value) else repr(value)}
    if isinstance(value, datetime.datetime):
        return {"$timestamp": timestamp(value)}
    if isinstance(value, datetime.timedelta):
        return {"$duration": duration(value)}
    if isinstance(value, bytes):
        return {"$bytes": base64.b64encode(value).decode()}
    if isinstance(value, dict):
        return {"$map": [to_engine(item) for pair in value.items() for item in pair]}
    return [to_engine(item) for item in value]


def named_to_engine(values: Mapping[str, Any] | None) -> dict[str, Any]:
    """The values of a context or a payload by their names, in the form that requests have."""
    return {name: to_engine(value) for name, value in plain_map(values).items()}


# MARK: To YAML

# What JSON writes as it is and YAML does not take: a context and a mapping are read as YAML.
_HIDDEN = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def to_yaml(value: Any) -> str:
    """A plain value without what JSON has no word for, in one line."""
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


def as_text(value: Leaf, name: str) -> str:
    """What a file says for what YAML has no word for, where a type is wanted that has."""
    if isinstance(value, datetime.datetime):
        return timestamp(value)
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            raise ValueError(f"`{name}` is {value!r}, which is not UTF-8") from None
    count, rest = divmod(value, datetime.timedelta(milliseconds=1))
    if rest or count < 0:
        raise ValueError(f"`{name}` is {value!r}: durations are whole milliseconds from 0 on here")
    return f"{count}ms"


def refused(value: Leaf, name: str) -> str:
    """For where no type is wanted."""
    constructor = {bytes: "bytes", datetime.timedelta: "duration"}
    word = next((word for kind, word in constructor.items() if isinstance(value, kind)), "timestamp")
    raise TypeError(
        f"`{name}` is {value!r}, which a context without rules cannot say: give the text, and write"
        f" `{word}({name})`"
    )


def kinds(form: Any) -> list[str]:
    """What of a value in the form of requests JSON has no word for, in order."""
    return sorted(_kinds(form))


def _kinds(form: Any) -> Iterator[str]:
    if isinstance(form, list):
        for item in form:
            yield from _kinds(item)
    elif isinstance(form, dict):
        for kind, content in form.items():
            if kind == "$map":
                yield from _kinds(content)
            elif kind in ("$timestamp", "$duration", "$bytes"):
                yield kind


# MARK: From the engine


def from_engine(value: Any) -> Any:
    """The same the other way; what Python cannot say, and a version, stay texts."""
    if isinstance(value, list):
        return [from_engine(item) for item in value]
    if not isinstance(value, dict):
        return value
    [(kind, content)] = value.items()
    match kind:
        case "$null":
            return None
        case "$double":
            return float(content)
        case "$bytes":
            return base64.b64decode(content)
        case "$timestamp":
            return _time(content)
        case "$duration":
            return _span(content)
        case "$map":
            items = [from_engine(item) for item in content]
            return dict(zip(items[::2], items[1::2]))
        case _:
            return content


def _time(text: str) -> datetime.datetime | str:
    """A time that Python can say; another one, such as of the year 0, stays a text."""
    try:
        whole, dot, rest = text.removesuffix("Z").partition(".")
        time = datetime.datetime.fromisoformat(whole).replace(tzinfo=datetime.timezone.utc)
        return time + datetime.timedelta(microseconds=int(rest[:6].ljust(6, "0")) if dot else 0)
    except ValueError:
        return text


def _span(text: str) -> datetime.timedelta | str:
    """A duration that Python can say; one with parts of a microsecond stays a text."""
    count, rest = divmod(nanoseconds(text), 1_000)
    try:
        return text if rest else datetime.timedelta(microseconds=count)
    except OverflowError:
        return text
