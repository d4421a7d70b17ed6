"""The counts of a replay."""

from __future__ import annotations

from typing import TypedDict


class PopupCounts(TypedDict):
    """The counts of a popup on a day."""

    eligible: int
    """The number of times that it could have shown: impressions, those that users in the control
    group would have seen, and those that only waited for the screen when the session was over."""
    shown: int
    """Impressions."""
    users: int
    """Users who saw it on that day."""
    firstUsers: int
    """Users who saw it for the first time."""
    kept: dict[str, int]
    """The number of times that it was suppressed, by reason code."""
    ended: dict[str, int]
    """The number of times that it ended, by reason code."""
    exposures: dict[str, int]
    """The number of exposures, by arm of the experiment."""
    firstExposures: dict[str, int]
    """The number of users who were exposed for the first time, by arm."""
    goals: dict[str, dict[str, int]]
    """The number of times that goals were reached, by goal, then by arm; an empty arm means no
    arm."""


class DayCounts(TypedDict):
    """The counts of a day, in the mapping's `zone`."""

    day: int
    """Counted from 1970-01-01."""
    users: int
    """Users who were there."""
    popups: dict[str, PopupCounts]
    """By popup, those to which something happened."""


class Example(TypedDict):
    """The place of a reported value."""

    file: str
    """`the table`."""
    line: int
    """The row, from 1."""
    text: str


class Misfit(TypedDict):
    """Values that do not fit."""

    count: int
    example: Example
    """The first of them."""


class Unfound(TypedDict):
    """Something that no row has."""

    kind: str
    """`event`, `field`, `context`, `start` or `column`."""
    name: str
    log: list[str]
    """Its form in the log: names of events, or a place."""


class Tally(TypedDict):
    """The counts of a log; all except `days` are totals over all days."""

    users: int
    events: int
    userWeeks: int
    """Weeks of users who were there."""
    userWeeksShowing: list[int]
    """Weeks of users who saw at least one popup, at least two, and so on."""
    days: list[DayCounts]
    """The days with at least one user, in order."""
    timesToShow: dict[str, list[list[int]]]
    """By popup, how long it took from a user's first session to her first impression: pairs of a
    step and a count of users. Step 0 is less than a second; step `8 * n + k + 1`, with `k` from 0
    to 7, begins at `2**n * (1 + k / 8)` seconds."""
    overlaps: dict[str, dict[str, int]]
    """Users who saw two popups, by the one that comes first in the rules, then by the other. For
    a user who saw more than 100 popups, the pairs of the 100 that came first are counted."""
    usersBeyondPairs: int
    """Users who saw more than 100 popups."""
