"""Tests of rules, and their results."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from typing import Any, overload

from ._findings import Diagnostic, shown
from ._library import call, path_text
from ._library import text as c_text


def simulate(path: str | os.PathLike[str], *, text: str | None = None) -> Simulation:
    """Plays the tests of a test file with the rules next to the file on the disk.

    The name ends with `.test.yaml`. `text` replaces the content; then the file need not exist.
    """
    words = None if text is None else c_text(text)
    played = json.loads(call("pop_simulate", path_text(path), words))["stories"]
    return Simulation(Story(story) for story in played)


class Story:
    """A test that was played: `title`, `log`, `failures`, `timeline` and `svg`."""

    def __init__(self, story: dict[str, Any]) -> None:
        self.title: str = story["title"]
        self.log: list[dict[str, Any]] = story["log"]
        """The events, each with its `time` in seconds."""
        self.failures = tuple(Diagnostic.of(found) for found in story["failures"])
        """The expectations of the test that were not met."""
        self.timeline: str = story["timeline"]
        """The popups on the screens, as text."""
        self.svg: str = story["svg"]
        """The popups on the screens, as a picture."""

    def __str__(self) -> str:
        return shown(self.timeline)

    def __repr__(self) -> str:
        return shown(f"<Story {self.title!r}, {len(self.failures)} failures>")

    def _repr_html_(self) -> str:
        return self.svg


class Simulation(Sequence[Story]):
    """The played tests of a file."""

    def __init__(self, stories: Iterable[Story]) -> None:
        self._stories = tuple(stories)

    @overload
    def __getitem__(self, place: int) -> Story: ...
    @overload
    def __getitem__(self, place: slice) -> Simulation: ...
    def __getitem__(self, place: int | slice) -> Story | Simulation:
        if isinstance(place, slice):
            return Simulation(self._stories[place])
        return self._stories[place]

    def __len__(self) -> int:
        return len(self._stories)

    def __str__(self) -> str:
        return "\n".join(str(story) for story in self._stories)

    def _repr_html_(self) -> str:
        return "\n".join(f"<div>{story.svg}</div>" for story in self._stories)
