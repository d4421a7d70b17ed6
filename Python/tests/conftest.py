"""Rules, a mapping and a log that the tests share."""

import datetime
import random

import pyarrow
import pytest

import poprules

RULES = """\
poprules: 1
context:
  plan: { type: string, default: free }
events:
  bought: { price: double }
popups:
  thanks:
    trigger: { event: bought, where: event.price > 10.0 }
    cap: { windows: [{ max: 2, per: 7d }] }
  hello:
    trigger: start
    when: plan == "pro"
    cap: { every: 1h }
"""
MAPPING = {"context": {"plan": {"field": "plan"}}}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "rules.yaml").write_text(RULES)
    return tmp_path


@pytest.fixture
def rules(folder):
    return poprules.RuleSet.load(folder)


def log(users, events):
    """A log of a seeded draw: who does what in a month."""
    draw = random.Random(7)
    start = datetime.datetime(2026, 5, 4, tzinfo=datetime.timezone.utc)
    rows = []
    for _ in range(events):
        user = f"user-{draw.randrange(users)}"
        time = start + datetime.timedelta(seconds=draw.randrange(30 * 86_400))
        event = draw.choice(["bought", "opened", "browsed"])
        payload = '{"price": %d, "plan": "%s"}' % (draw.randrange(40), draw.choice(["pro", "free"]))
        rows.append((user, time, event, payload))
    names = ["user", "time", "event", "payload"]
    return pyarrow.table([list(column) for column in zip(*rows)], names=names)
