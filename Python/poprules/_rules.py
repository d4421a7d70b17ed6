"""Rule sets, and the questions that they answer."""

from __future__ import annotations

import copy
import errno
import functools
import json
import os
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, NoReturn

from . import _given, _values
from ._findings import Report, shown
from ._library import Error, Handle, call, file_bytes, opened, path_text, text
from ._session import Session
from ._table import ArrowStream, Replay, replay
from ._values import Time

_CLOSED = Handle(0, "these rules are")


class RuleSet:
    """Valid rules, loaded from files or from a bundle.

    `report` contains findings of loading that are not errors; `check` finds more. A copy shares the
    rules; a pickle contains them as a bundle, so that they can be sent to other processes.
    """

    report: Report

    def __init__(self, *, _handle: Handle, _report: Report) -> None:
        self._handle = _handle
        self.report = _report

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> RuleSet:
        """Loads a folder of rule files, a rule file or a bundle.

        Raises `RulesError` if the rules have errors, `FileNotFoundError` if the path is missing.
        """
        name = path_text(path)
        if not os.path.exists(path):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(path))
        if name.endswith(b".popbundle"):
            try:
                return cls.from_bundle(file_bytes(path))
            except IsADirectoryError:
                pass
        handle, said = opened("these rules are", "pop_rules_from_path", name)
        return cls(_handle=handle, _report=Report.of(json.loads(said)))

    @classmethod
    def from_bundle(cls, bundle: bytes | bytearray | memoryview) -> RuleSet:
        """Loads a bundle made by `bundle` or `poprules compile`."""
        return cls._restored(bytes(memoryview(bundle)), Report((), {}))

    @classmethod
    def _restored(cls, bundle: bytes, report: Report) -> RuleSet:
        handle, _ = opened("these rules are", "pop_rules_from_bundle", bundle, len(bundle))
        return cls(_handle=handle, _report=report)

    def __reduce__(self) -> tuple[Any, tuple[bytes, Report]]:
        return (type(self)._restored, (self.bundle(), self.report))

    def __copy__(self) -> RuleSet:
        return type(self)(_handle=self._handle, _report=self.report)

    def __deepcopy__(self, memo: dict[int, Any]) -> RuleSet:
        # Nothing of rules changes.
        return self.__copy__()

    def bundle(self) -> bytes:
        """The rules as one file, which apps load."""
        return call("pop_rules_bundle", self._handle.number)

    @functools.cached_property
    def _names(self) -> dict[str, list[str]]:
        names: dict[str, list[str]] = json.loads(call("pop_rules_describe", self._handle.number))
        return names

    @property
    def popups(self) -> list[str]:
        """The ids of the popups, in the order of the files."""
        return self._names["popups"]

    @property
    def events(self) -> list[str]:
        """The names of the events that the rules declare."""
        return self._names["events"]

    @property
    def keys(self) -> list[str]:
        """The names of the context keys."""
        return self._names["keys"]

    @property
    def schedulers(self) -> list[str]:
        """The names of the schedulers."""
        return self._names["schedulers"]

    def evaluate(
        self, expression: str, context: Mapping[str, Any] | None = None, at: Time | None = None
    ) -> Any:
        """Returns the value of an expression with the names that conditions of these rules may use.

        The rules must be from files. `at` is the current time, by default now. Values have the
        types of their keys. A datetime, timedelta or bytes raises `TypeError` if the key has
        another type, such as `any`.
        """
        rules = self._handle.number
        given = _given.plain_map(context, _given.as_text)
        answer = _evaluated(rules, expression, given, at)
        for name, form in _given.named_to_engine(context).items():
            kinds = _values.kinds(form)
            if kinds and _values.kinds(_evaluated(rules, name, given, at)["value"]) != kinds:
                raise TypeError(
                    f"`{name}` contains a datetime, timedelta or bytes, but its type does not:"
                    " these rules would read it as a string"
                )
        return _value(answer)

    def diff(self, other: RuleSet) -> Changes:
        """Returns the changes from these rules to others, and the users that they affect."""
        return Changes(self, other)

    def simulate(self, story: str | os.PathLike[str]) -> NoReturn:
        """Raises `Error`: a test is played with the rules next to its file, by
        `poprules.simulate(path)`."""
        raise Error(
            "tests are played with the rules next to the test file, not with these rules:"
            " call `poprules.simulate(path)`"
        )

    def session(
        self,
        start: Time,
        *,
        user: str = "",
        seed: int = 0,
        context: Mapping[str, Any] | None = None,
        history: Any = None,
        zone: str | None = None,
    ) -> Session:
        """Opens a scheduler at a time; the app starts with the first `start()`.

        `zone` is the user's time zone, such as `Europe/Berlin`, and `history` the user's history
        from another session. Raises `Error` if the rules reject the context or the zone.
        """
        return Session(
            self._handle, start, user=user, seed=seed, context=context, history=history, zone=zone
        )

    def replay(
        self,
        table: ArrowStream,
        mapping: Mapping[str, Any] | str | os.PathLike[str] | None = None,
        *,
        histories: ArrowStream | None = None,
        until: Time | None = None,
    ) -> Replay:
        """Replays a log of user events against the rules: a table with one row per event.

        Accepts any table with `__arrow_c_stream__`: pandas, Polars, DuckDB, pyarrow. `mapping`
        defines the meaning of its columns, like a file for `poprules backtest --mapping`: its path,
        its content in YAML, or a dictionary; without it they are `user`, `time`, `event` and
        `payload`.

        A log can be played in parts, such as days: pass each part the `histories` of the part
        before it, and each part except the last `until`, the time when the next part starts.
        """
        return replay(self, table, mapping, histories=histories, until=until)

    def close(self) -> None:
        """Closes the rules; copies, and objects created from them, continue to work."""
        self._handle = _CLOSED

    def __enter__(self) -> RuleSet:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._handle is _CLOSED:
            return "<RuleSet, closed>"
        return f"<RuleSet of {len(self.popups)} popups>"


def check(path: str | os.PathLike[str]) -> Report:
    """Returns everything that `poprules validate` finds in a file or folder."""
    return Report.of(json.loads(call("pop_check", path_text(path))))


def evaluate(
    expression: str, context: Mapping[str, Any] | None = None, at: Time | None = None
) -> Any:
    """Returns the value of a CEL expression that uses the names in `context`.

    Times, durations and bytes are not possible in such a context; they raise `TypeError`.
    """
    return _value(_evaluated(0, expression, _given.plain_map(context, _given.refused), at))


def diff(old: RuleSet, new: RuleSet) -> Changes:
    """Returns the changes from old rules to new ones, and the users that they affect."""
    return Changes(old, new)


def _evaluated(
    rules: int, expression: str, given: dict[str, Any], at: Time | None
) -> dict[str, Any]:
    time = None if at is None else text(_values.timestamp(at))
    said = call(
        "pop_evaluate", rules, text(expression), text(_given.to_yaml(given)), time
    )
    answer: dict[str, Any] = json.loads(said)
    return answer


def _value(answer: dict[str, Any]) -> Any:
    """Returns the value of an answer; types and optionals have no form of their own and are
    strings."""
    value = _values.from_engine(answer["value"])
    return answer["text"] if value is None and answer["text"] != "null" else value


class Changes:
    """The effects of a change of rules, popup by popup."""

    def __init__(self, old: RuleSet, new: RuleSet) -> None:
        for rules in (old, new):
            if not isinstance(rules, RuleSet):
                raise TypeError(f"expected a RuleSet, not {rules!r}: load it with `RuleSet.load`")
        # Copies, so that it continues to work when the rules are closed.
        self._rules = (copy.copy(old), copy.copy(new))
        self.json: dict[str, Any] = json.loads(self._told("json"))
        """The changes, as `poprules diff --format json` prints them."""

    def _told(self, form: str) -> str:
        old, new = (rules._handle.number for rules in self._rules)
        return call("pop_diff", old, new, form.encode()).decode()

    @functools.cached_property
    def text(self) -> str:
        """The changes, as `poprules diff` prints them."""
        return self._told("text")

    @functools.cached_property
    def markdown(self) -> str:
        """For a pull request."""
        return self._told("markdown")

    @functools.cached_property
    def html(self) -> str:
        """A complete page."""
        return self._told("html")

    @property
    def entries(self) -> Sequence[dict[str, Any]]:
        """The changes, one per popup or per part that popups share."""
        entries: Sequence[dict[str, Any]] = self.json["changes"]
        return entries

    def __bool__(self) -> bool:
        return bool(self.entries)

    def __str__(self) -> str:
        return shown(self.text)

    def _repr_html_(self) -> str:
        return framed(self.html)


def framed(page: str) -> str:
    """A page of its own in a notebook, whose style touches nothing else there."""
    quoted = page.replace("&", "&amp;").replace('"', "&quot;")
    return f'<iframe sandbox srcdoc="{quoted}" style="width:100%;height:30em;border:0"></iframe>'
