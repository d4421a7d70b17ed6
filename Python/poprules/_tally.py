"""The counts of a replay."""

from __future__ import annotations

from typing import TypedDict


class PopupCounts(TypedDict):
    """The counts of a popup on a day."""

    eligible: int
    """The number of times that it could have shown: impressions, impressions that users in the
    control group would have had, and times that it only waited for the screen when the session
    ended."""
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
    """Active users."""
    popups: dict[str, PopupCounts]
    """The counts by popup; popups without counts are left out."""


class Example(TypedDict):
    """The place of a reported value."""

    file: str
    """`the table`."""
    line: int
    """The row, from 1."""
    text: str


class Misfit(TypedDict):
    """Invalid values."""

    count: int
    example: Example
    """The first invalid value."""


class Unfound(TypedDict):
    """A name that no row has."""

    kind: str
    """`event`, `field`, `context`, `start` or `column`."""
    name: str
    log: list[str]
    """The name in the log: names of events, or a place."""


class Tally(TypedDict):
    """The counts of a log; all except `days` are totals over all days."""

    users: int
    events: int
    userWeeks: int
    """The number of weeks in which a user was active, over all users."""
    userWeeksShowing: list[int]
    """The number of user weeks with at least one popup, at least two, and so on."""
    days: list[DayCounts]
    """The days with at least one user, in order."""
    timesToShow: dict[str, list[list[int]]]
    """By popup, the time from a user's first session to the first impression: pairs of a step and
    a count of users. Step 0 is less than a second; step `8 * n + k + 1`, with `k` from 0 to 7,
    starts at `2**n * (1 + k / 8)` seconds."""
    overlaps: dict[str, dict[str, int]]
    """The number of users who saw two popups, by the popup that is first in the rules, then by the
    other. For a user who saw more than 100 popups, only pairs of the first 100 are counted."""
    usersBeyondPairs: int
    """Users who saw more than 100 popups."""
