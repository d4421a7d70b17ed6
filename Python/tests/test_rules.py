"""Rules, findings, expressions, differences, stories and sessions."""

import datetime
import os
import pathlib
import threading

import pytest

import poprules

REPOSITORY = pathlib.Path(os.environ.get("POPRULES_REPOSITORY", pathlib.Path(__file__).parents[2]))
RULES = """\
poprules: 1
context:
  plan: { type: string, default: free }
events:
  bought: { price: double }
popups:
  thanks:
    trigger: { event: bought, where: event.price > 10.0 }
  hello:
    trigger: start
    when: plan == "pro"
"""
STORY = """\
poprules_test: 1
tests:
  a pro is greeted:
    context: { plan: pro }
    steps:
      - after: 1s
        expect: { showing: { main: hello } }
"""
START = "2026-05-04T09:00:00Z"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "rules.yaml").write_text(RULES)
    return tmp_path


@pytest.fixture
def rules(folder):
    return poprules.RuleSet.load(folder)


def test_a_folder_a_file_and_a_bundle_are_the_same_rules(folder, rules):
    (folder / "rules.popbundle").write_bytes(rules.bundle())
    for other in (folder / "rules.yaml", folder / "rules.popbundle"):
        loaded = poprules.RuleSet.load(other)
        assert loaded.popups == ["thanks", "hello"]
        assert not rules.diff(loaded)
        assert loaded.bundle() == rules.bundle()


def test_findings_have_their_places(folder):
    assert poprules.check(folder).ok
    (folder / "rules.yaml").write_text(RULES.replace('"pro"', "1"))
    [error] = [found for found in poprules.check(folder) if found.level == "error"]
    assert (error.line, error.file) == (11, str(folder / "rules.yaml"))
    with pytest.raises(poprules.RulesError) as raised:
        poprules.RuleSet.load(folder)
    assert [found.check for found in raised.value.report if found.level == "error"] == [error.check]
    assert error.check in str(raised.value)
    assert "<table>" in poprules.check(folder)._repr_html_()


def test_what_is_not_there_is_an_error():
    with pytest.raises(poprules.Error, match="nowhere"):
        poprules.RuleSet.load("nowhere")
    with pytest.raises(poprules.Error, match="bundle"):
        poprules.RuleSet.from_bundle(b"nothing")
    with pytest.raises(ValueError):
        poprules.RuleSet.load("a\0b")


def test_values_come_back_as_python_has_them():
    assert poprules.evaluate("a + 1", {"a": 2}) == 3
    assert poprules.evaluate("[1.5, 2.0]") == [1.5, 2.0]
    assert poprules.evaluate("{'a': true}") == {"a": True}
    assert poprules.evaluate("null") is None
    assert poprules.evaluate("b'ab'") == b"ab"
    time = datetime.datetime(2026, 5, 4, 9, tzinfo=datetime.timezone.utc)
    assert poprules.evaluate("now", at=time) == time
    with pytest.raises(poprules.NoValue):
        poprules.evaluate("1 / a", {"a": 0})
    with pytest.raises(poprules.RulesError):
        poprules.evaluate("1 +")


def test_an_expression_knows_the_names_of_rules(rules):
    assert rules.evaluate('plan == "free"') is True
    assert rules.evaluate("plan", {"plan": "pro"}) == "pro"
    with pytest.raises(poprules.RulesError):
        rules.evaluate("pla")
    with pytest.raises(poprules.Error, match="bundle"):
        poprules.RuleSet.from_bundle(rules.bundle()).evaluate("plan")


def test_a_difference_is_told_as_text_and_as_a_page(folder, rules):
    (folder / "rules.yaml").write_text(RULES.replace("> 10.0", "> 20.0"))
    changes = poprules.diff(rules, poprules.RuleSet.load(folder))
    assert changes
    assert [change["name"] for change in changes.entries] == ["popup thanks"]
    assert "thanks" in str(changes)
    assert "<iframe" in changes._repr_html_()


def test_a_story_is_played_from_text_and_from_a_file(folder, rules):
    [story] = rules.simulate(STORY)
    assert story.failures == ()
    assert story.title == "a pro is greeted"
    assert "<svg" in rules.simulate(STORY)._repr_html_()
    file = folder / "hello.test.yaml"
    file.write_text(STORY.replace("plan: pro", "plan: free"))
    [story] = rules.simulate(file)
    assert len(story.failures) == 1
    with pytest.raises(poprules.RulesError):
        rules.simulate("tests: 1\n")


def test_a_session_takes_events_and_explains(rules):
    with rules.session(START, user="ada", context={"plan": "pro"}) as session:
        effects = session.start()
        assert [effect["presentation"]["popup"] for effect in effects if "presentation" in effect]
        session.send("bought", {"price": 11.5}, at="2026-05-04T09:01:00Z")
        assert session.now == datetime.datetime(2026, 5, 4, 9, 1, tzinfo=datetime.timezone.utc)
        [explanation] = session.explain("thanks")
        assert explanation["popup"] == "thanks"
        known = session.history()
    with pytest.raises(poprules.Error):
        session.history()
    with rules.session("2026-05-05T09:00:00Z", user="ada", history=known) as another:
        assert another.history() == known


def test_threads_do_not_meet(rules):
    failures = []

    def run(number):
        try:
            for _ in range(20):
                assert poprules.evaluate("a", {"a": number}) == number
                with rules.session(START, user=str(number)) as session:
                    session.start()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_the_shop_is_checked_and_played():
    assert poprules.check(REPOSITORY / "rules").ok
    rules = poprules.RuleSet.load(REPOSITORY / "rules")
    stories = rules.simulate(REPOSITORY / "rules" / "new-user.test.yaml")
    assert all(story.failures == () for story in stories)
