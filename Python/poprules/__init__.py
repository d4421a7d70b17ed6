"""Popups as rules: check, explain, simulate and replay them.

    import poprules

    rules = poprules.RuleSet.load("rules")
    poprules.check("rules").diagnostics
    rules.simulate("rules/new-user.test.yaml")
"""

from ._findings import Diagnostic, Report
from ._library import Error, NoValue, RulesError
from ._rules import Changes, RuleSet, Simulation, Story, check, diff, evaluate
from ._session import Session
from ._table import Replay, Rows

__all__ = [
    "Changes",
    "Diagnostic",
    "Error",
    "NoValue",
    "Replay",
    "Report",
    "Rows",
    "RuleSet",
    "RulesError",
    "Session",
    "Simulation",
    "Story",
    "check",
    "diff",
    "evaluate",
]
