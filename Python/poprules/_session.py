"""A scheduler to which inputs come one after the other."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any

from . import _values
from ._library import Handle, call, opened

Time = datetime.datetime | str


class Session:
    """A user's session, from its start; its time goes on with each input and never back."""

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
        self.start_time = _values.utc(start)
        self.now = self.start_time
        """When the last input came."""
        request: dict[str, Any] = {"start": self._moment(), "seed": seed, "user": user}
        if history is not None:
            request["history"] = history
        inputs: list[dict[str, Any]] = []
        if zone is not None:
            inputs.append({"at": self._moment(), "input": "zoneChanged", "zone": zone})
        if context:
            inputs.append({"at": self._moment(), "input": "update", "set": _all(context)})
        request["inputs"] = inputs
        said = json.dumps(request).encode()
        self._handle, answer = opened("pop_session_open", rules.number, said, len(said))
        self._take(json.loads(answer))

    next_wake: datetime.datetime | None
    """When time alone will change something, and `pass_time` is expected."""

    def start(self, at: Time | None = None) -> list[dict[str, Any]]:
        """The app starts; answers the effects."""
        return self.input("started", at)

    def send(
        self, event: str, payload: Mapping[str, Any] | None = None, at: Time | None = None
    ) -> list[dict[str, Any]]:
        """The app sends an event; answers the effects."""
        return self.input("send", at, event=event, payload=_all(payload or {}))

    def update(
        self, values: Mapping[str, Any], unset: Sequence[str] = (), at: Time | None = None
    ) -> list[dict[str, Any]]:
        """The app sets context keys; answers the effects."""
        return self.input("update", at, set=_all(values), unset=list(unset))

    def pass_time(self, at: Time) -> list[dict[str, Any]]:
        """Nothing happens but time; answers the effects."""
        return self.input("timePassed", at)

    def input(self, name: str, at: Time | None = None, **members: Any) -> list[dict[str, Any]]:
        """Any input, with the members that its JSON has; answers the effects."""
        if at is not None:
            self.now = max(self.now, _values.utc(at))
        [step] = self.handle([{"at": self._moment(), "input": name, **members}])
        effects: list[dict[str, Any]] = step["effects"]
        return effects

    def handle(self, inputs: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Inputs as JSON has them, each with its time `at`, in one call; answers a step for each."""
        return self._take(self._asked("pop_session_handle", {"inputs": list(inputs)}))

    def explain(self, *popups: str) -> list[dict[str, Any]]:
        """Why popups show, or do not."""
        explained: list[dict[str, Any]] = self._asked(
            "pop_session_explain", {"popups": list(popups)}
        )["explanations"]
        return explained

    def history(self) -> Any:
        """What is known of the user, with which another session may begin."""
        return json.loads(call("pop_session_history", self._handle.number))["history"]

    def close(self) -> None:
        """Ends the session; nothing more can be asked of it."""
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

    def _moment(self) -> dict[str, str]:
        return {
            "instant": _values.duration(self.now - self.start_time),
            "date": _values.timestamp(self.now),
        }


def _all(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _values.to_engine(value) for name, value in values.items()}
