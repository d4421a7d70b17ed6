"""Values as the engine writes and reads them, and as Python does."""

from __future__ import annotations

import base64
import datetime
import math
import re
from collections.abc import Iterator
from typing import Any

Time = datetime.datetime | datetime.date | str
"""A time, or a day, which means its start; a time without a zone is in UTC, and parts below
a microsecond are cut off. `datetime64` of NumPy is accepted as well."""


def is_no_time(value: datetime.datetime | datetime.timedelta) -> bool:
    """`NaT` of pandas, which is a datetime and equal to nothing."""
    return value != value


def utc(time: Time) -> datetime.datetime:
    """A time with its zone."""
    given: Any = time
    if type(given).__name__ == "datetime64":
        # From nanoseconds, NumPy would make a number.
        time = given.astype("datetime64[us]").item()
    if isinstance(time, str):
        try:
            time = datetime.datetime.fromisoformat(time.replace("Z", "+00:00"))
        except ValueError:
            raise ValueError(
                f"a time must be a string such as '2026-05-04T09:00:00Z', not {given!r}"
            ) from None
    elif isinstance(time, datetime.date) and not isinstance(time, datetime.datetime):
        time = datetime.datetime.combine(time, datetime.time())
    if not isinstance(time, datetime.datetime) or is_no_time(time):
        raise TypeError(f"a time must be a datetime, date or string, not {given!r}")
    # The time itself, and not the result of a subclass like pandas'.
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
    """Returns a duration such as `1m30s`; parts below a microsecond are rounded up."""
    return datetime.timedelta(microseconds=-(-nanoseconds(text) // 1_000))


def to_engine(value: Any) -> Any:
    """Converts a Python value to the form in which the engine takes it."""
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


def kinds(form: Any) -> list[str]:
    """Returns the kinds of values in a request that JSON can't express, in order."""
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


def from_engine(value: Any) -> Any:
    """Returns Python's value for an engine's; values that Python can't express, and versions,
    stay strings."""
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
    """Returns a time that Python can express; another time, such as of the year 0, stays a
    string."""
    try:
        whole, dot, rest = text.removesuffix("Z").partition(".")
        time = datetime.datetime.fromisoformat(whole).replace(tzinfo=datetime.timezone.utc)
        return time + datetime.timedelta(microseconds=int(rest[:6].ljust(6, "0")) if dot else 0)
    except ValueError:
        return text


def _span(text: str) -> datetime.timedelta | str:
    """Returns a duration that Python can express; one with parts of a microsecond stays a
    string."""
    count, rest = divmod(nanoseconds(text), 1_000)
    try:
        return text if rest else datetime.timedelta(microseconds=count)
    except OverflowError:
        return text
