"""A scheduler that handles inputs one after the other."""

from __future__ import annotations

import datetime
import json
import operator
import os
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, NoReturn

from . import _given, _values
from ._findings import shown
from ._library import Error, Handle, call, opened
from ._values import Time


class Session:
    """A user's session, from its start; its time advances with each input and never goes back.

    `now` is the time of the last input. `next_wake` is the time when something changes even without
    inputs: call `pass_time` then; it is None if there is no such time. A call that fails as a whole
    raises and changes nothing. An input that the rules reject, such as an undeclared event, causes
    a warning, once per message, and an effect `rejected`.
    """

    start_time: datetime.datetime
    now: datetime.datetime
    next_wake: datetime.datetime | None

    def __init__(
        self,
        rules: Handle,
        start: Time,
        *,
        user: str,
        seed: int,
        context: Mapping[str, Any] | None,
        history: Any,
        zone: str | None,
    ) -> None:
        seed = operator.index(seed)
        if not -(2**63) <= seed < 2**63:
            raise ValueError(f"a seed must be an integer from -2**63 to 2**63 - 1, not {seed}")
        if not isinstance(user, str):
            raise TypeError(f"a user must be a string, not {user!r}")
        self.start_time = self.now = _values.utc(start)
        self._user = user
        self._told: set[str] = set()
        moment = self._moment(self.now)
        request: dict[str, Any] = {"start": moment, "seed": seed, "user": user}
        if history is not None:
            request["history"] = history
        inputs: list[dict[str, Any]] = []
        if zone is not None:
            inputs.append({"at": moment, "input": "zoneChanged", "zone": zone})
        given = _given.named_to_engine(context)
        if given:
            inputs.append({"at": moment, "input": "update", "set": given})
        request["inputs"] = inputs
        said = json.dumps(request).encode()
        self._handle, answer = opened(
            "this session is", "pop_session_open", rules.number, said, len(said)
        )
        refused = _refused(self._take(json.loads(answer)))
        if refused:
            self.close()
            raise Error("\n".join(refused))

    def start(self, at: Time | None = None) -> list[dict[str, Any]]:
        """Starts the app; returns the effects."""
        return self.input("started", at)

    def send(
        self, event: str, payload: Mapping[str, Any] | None = None, at: Time | None = None
    ) -> list[dict[str, Any]]:
        """Sends an event of the app; returns the effects."""
        return self.input("send", at, event=event, payload=_given.named_to_engine(payload))

    def update(
        self, values: Mapping[str, Any], unset: Sequence[str] = (), at: Time | None = None
    ) -> list[dict[str, Any]]:
        """Sets context keys and removes the values of others; returns the effects."""
        if isinstance(unset, str):
            raise TypeError(f"`unset` must be a list of names, such as [{unset!r}]")
        given = _given.named_to_engine(values)
        return self.input("update", at, set=given, unset=list(unset))

    def pass_time(self, at: Time) -> list[dict[str, Any]]:
        """Lets time pass without an input; returns the effects."""
        return self.input("timePassed", at)

    def input(self, name: str, at: Time | None = None, **members: Any) -> list[dict[str, Any]]:
        """Handles any input, with the members of its JSON; returns the effects."""
        moment = self.now if at is None else max(self.now, _values.utc(at))
        [step] = self.handle([{"at": self._moment(moment), "input": name, **members}])
        effects: list[dict[str, Any]] = step["effects"]
        return effects

    def handle(self, inputs: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Handles inputs in their JSON form, each with its time `at`, in one call; returns one
        step per input."""
        inputs = list(inputs)
        steps = self._take(self._asked("pop_session_handle", {"inputs": inputs}))
        # Only now: a refused call leaves the time unchanged.
        times = [self.start_time + _values.span(given["at"]["instant"]) for given in inputs]
        self.now = max([self.now, *times])
        for message in _refused(steps):
            if message not in self._told:
                self._told.add(message)
                warnings.warn(shown(message), stacklevel=_outside())
        return steps

    def explain(self, popup: str, *more: str) -> list[dict[str, Any]]:
        """Returns why popups show or don't show; raises `Error` for an unknown popup."""
        asked = [popup, *more]
        explained: list[dict[str, Any]] = self._asked("pop_session_explain", {"popups": asked})[
            "explanations"
        ]
        return explained

    def suppose(
        self, inputs: Iterable[Mapping[str, Any]], popup: str, *more: str
    ) -> list[dict[str, Any]]:
        """Returns why popups would or would not show after inputs as for `handle`.

        Changes nothing.
        """
        request = {"inputs": list(inputs), "popups": [popup, *more]}
        explained: list[dict[str, Any]] = self._asked("pop_session_suppose", request)[
            "explanations"
        ]
        return explained

    def history(self) -> Any:
        """Returns the history of the user, which you can pass to another session."""
        return json.loads(call("pop_session_history", self._handle.number))["history"]

    def close(self) -> None:
        """Closes the session; later calls raise `Error`."""
        self._handle.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _asked(self, function: str, request: dict[str, Any]) -> Any:
        said = json.dumps(request).encode()
        return json.loads(call(function, self._handle.number, said, len(said)))

    def _take(self, answer: dict[str, Any]) -> list[dict[str, Any]]:
        wake = answer.get("nextWake")
        self.next_wake = None if wake is None else self.start_time + _values.span(wake)
        steps: list[dict[str, Any]] = answer["steps"]
        return steps

    def _moment(self, time: datetime.datetime) -> dict[str, str]:
        return {
            "instant": _values.duration(time - self.start_time),
            "date": _values.timestamp(time),
        }

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a session cannot be pickled or copied: open another session with its `history()`"
        )

    def __repr__(self) -> str:
        return shown(f"<Session of {self._user!r} at {_values.timestamp(self.now)}>")


def _refused(steps: list[dict[str, Any]]) -> list[str]:
    """Returns the messages about refused inputs."""
    told = [effect.get("told", {}) for step in steps for effect in step["effects"]]
    return [one["message"] for one in told if one.get("event") == "rejected"]


def _outside() -> int:
    """Returns the number of calls up to the first code outside of this package."""
    level, frame = 1, sys._getframe(1)
    here = os.path.dirname(__file__)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(here):
        level, frame = level + 1, frame.f_back
    return level
