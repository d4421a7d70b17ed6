"""Rule sets, and what can be asked of them."""

from __future__ import annotations

import datetime
import functools
import json
import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

from . import _values
from ._findings import Diagnostic, Report
from ._library import call, opened, text
from ._session import Session
from ._table import ArrowStream, Replay, replay


class RuleSet:
    """Rules that can be played: from files, or from a bundle."""

    def __init__(self, *, _opened: Any, _path: str | None) -> None:
        self._handle, said = _opened
        self._path = _path
        self.report = Report.of(json.loads(said)) if said else Report((), {})
        """What loading found that keeps nothing from being used; `check` finds more."""

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> RuleSet:
        """Reads a folder of rule files, a rule file, or a bundle; raises `RulesError` for errors."""
        name = os.fspath(path)
        if name.endswith(".popbundle"):
            try:
                return cls.from_bundle(pathlib.Path(name).read_bytes())
            except IsADirectoryError:
                pass
        return cls(_opened=opened("pop_rules_from_path", text(name)), _path=name)

    @classmethod
    def from_bundle(cls, bundle: bytes) -> RuleSet:
        """Reads what `bundle` or `poprules compile` has made."""
        return cls(_opened=opened("pop_rules_from_bundle", bundle, len(bundle)), _path=None)

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
        self,
        expression: str,
        context: Mapping[str, Any] | None = None,
        at: datetime.datetime | str | None = None,
    ) -> Any:
        """The value of an expression that may name what conditions of these rules may.

        The rules must be from files. `at` is the time that it is, by default now.
        """
        return _evaluated(self._handle.number, expression, context, at)

    def diff(self, other: RuleSet) -> Changes:
        """What changes from these rules to others, and for whom."""
        return Changes(self, other)

    def simulate(self, story: str | os.PathLike[str]) -> Simulation:
        """Plays the tests of a test file: its path, which ends in `.test.yaml`, or what it says.

        Text is played as though it stood in a file beside the rules, which must be from files.
        """
        path, words = os.fspath(story), None
        if "\n" in path or not path.endswith(".test.yaml"):
            if self._path is None:
                raise ValueError("these rules are from a bundle: name a test file")
            folder = pathlib.Path(self._path)
            folder = folder if folder.is_dir() else folder.parent
            path, words = str(folder / "in-memory.test.yaml"), text(path)
        return Simulation(json.loads(call("pop_simulate", text(path), words))["stories"])

    def session(
        self,
        start: datetime.datetime | str,
        *,
        user: str = "",
        seed: int = 0,
        context: Mapping[str, Any] | None = None,
        history: Any = None,
        zone: str | None = None,
    ) -> Session:
        """Opens a scheduler at a time; the app starts with the first `start()`."""
        return Session(
            self._handle, start, user=user, seed=seed, context=context, history=history, zone=zone
        )

    def replay(
        self, table: ArrowStream, mapping: Mapping[str, Any] | str | None = None
    ) -> Replay:
        """Plays the rules against a log of what users did: a table with a row an event.

        Takes what has `__arrow_c_stream__`: pandas, Polars, DuckDB, pyarrow. `mapping` says what
        its columns mean, as a file for `poprules backtest --mapping` does, in YAML or as a
        dictionary; without it they are `user`, `time`, `event` and `payload`.
        """
        return replay(self, table, mapping)

    def close(self) -> None:
        """Forgets the rules; what was opened with them goes on."""
        self._handle.close()

    def __repr__(self) -> str:
        return f"<RuleSet of {len(self.popups)} popups>"


def check(path: str | os.PathLike[str]) -> Report:
    """All that `poprules validate` finds in a file or a folder."""
    return Report.of(json.loads(call("pop_check", text(os.fspath(path)))))


def evaluate(
    expression: str,
    context: Mapping[str, Any] | None = None,
    at: datetime.datetime | str | None = None,
) -> Any:
    """The value of an expression in CEL, with the names that `context` gives values to."""
    return _evaluated(0, expression, context, at)


def diff(old: RuleSet, new: RuleSet) -> Changes:
    """What changes from old rules to new ones, and for whom."""
    return Changes(old, new)


def _evaluated(
    rules: int,
    expression: str,
    context: Mapping[str, Any] | None,
    at: datetime.datetime | str | None,
) -> Any:
    given = text(json.dumps(context or {}, default=_written))
    time = None if at is None else text(_values.timestamp(at))
    return _values.from_engine(
        json.loads(call("pop_evaluate", rules, text(expression), given, time))["value"]
    )


def _written(value: Any) -> Any:
    """What a file of context says where JSON has no word for a value."""
    if isinstance(value, datetime.datetime):
        return _values.timestamp(value)
    if isinstance(value, datetime.timedelta):
        return _values.duration(value)
    raise TypeError(f"{value!r} is no value of a context")


class Changes:
    """What a change of rules does, popup by popup."""

    def __init__(self, old: RuleSet, new: RuleSet) -> None:
        self._rules = (old._handle, new._handle)
        self.json: dict[str, Any] = json.loads(self._told("json"))
        """As `poprules diff --format json` prints it."""

    def _told(self, form: str) -> str:
        old, new = self._rules
        return call("pop_diff", old.number, new.number, form.encode()).decode()

    @functools.cached_property
    def text(self) -> str:
        """As `poprules diff` prints it."""
        return self._told("text")

    @functools.cached_property
    def markdown(self) -> str:
        """For a pull request."""
        return self._told("markdown")

    @functools.cached_property
    def html(self) -> str:
        """A page that stands alone."""
        return self._told("html")

    @property
    def entries(self) -> Sequence[dict[str, Any]]:
        """A popup, or something that popups share, each."""
        entries: Sequence[dict[str, Any]] = self.json["changes"]
        return entries

    def __bool__(self) -> bool:
        return bool(self.entries)

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return framed(self.html)


class Story:
    """A test as it was played."""

    def __init__(self, story: dict[str, Any]) -> None:
        self.title: str = story["title"]
        self.log: list[dict[str, Any]] = story["log"]
        """What happened, each with its `time` in seconds."""
        self.failures = tuple(Diagnostic.of(found) for found in story["failures"])
        """The expectations of the test that were not met."""
        self.timeline: str = story["timeline"]
        """What was on the screens, in words."""
        self.svg: str = story["svg"]
        """What was on the screens, as a picture."""

    def __str__(self) -> str:
        return self.timeline

    def _repr_html_(self) -> str:
        return self.svg


class Simulation(Sequence[Story]):
    """The tests of a file as they were played."""

    def __init__(self, stories: list[dict[str, Any]]) -> None:
        self._stories = [Story(story) for story in stories]

    def __getitem__(self, place: Any) -> Any:
        return self._stories[place]

    def __len__(self) -> int:
        return len(self._stories)

    def __str__(self) -> str:
        return "\n".join(story.timeline for story in self._stories)

    def _repr_html_(self) -> str:
        return "\n".join(f"<div>{story.svg}</div>" for story in self._stories)


def framed(page: str) -> str:
    """A page of its own in a notebook, whose style touches nothing else there."""
    quoted = page.replace("&", "&amp;").replace('"', "&quot;")
    return f'<iframe sandbox srcdoc="{quoted}" style="width:100%;height:30em;border:0"></iframe>'
