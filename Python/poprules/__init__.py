"""In-app popups as rules: check, explain, simulate and replay them.

    import poprules

    poprules.check("rules").diagnostics
    rules = poprules.RuleSet.load("rules")
    rules.evaluate("user.launches > 3", {"user.launches": 5})
    poprules.simulate("rules/new-user.test.yaml")
"""

from importlib import metadata as _metadata

from ._findings import Diagnostic, Report
from ._library import Error, NoValue, RulesError
from ._rules import Changes, RuleSet, check, diff, evaluate
from ._session import Session
from ._stories import Simulation, Story, simulate
from ._table import ArrowStream, Replay, Rows
from ._tally import DayCounts, Misfit, PopupCounts, Tally, Unfound

try:
    __version__ = _metadata.version("poprules")
except _metadata.PackageNotFoundError:  # Used from a checkout that was never installed.
    __version__ = "0"

__all__ = [
    "ArrowStream",
    "Changes",
    "DayCounts",
    "Diagnostic",
    "Error",
    "Misfit",
    "NoValue",
    "PopupCounts",
    "Replay",
    "Report",
    "Rows",
    "RuleSet",
    "RulesError",
    "Session",
    "Simulation",
    "Story",
    "Tally",
    "Unfound",
    "check",
    "diff",
    "evaluate",
    "simulate",
]
