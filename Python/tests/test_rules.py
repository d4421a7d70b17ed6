"""Rules, findings, expressions, differences, stories and sessions."""

import copy
import datetime
import decimal
import gc
import importlib.metadata
import math
import os
import pathlib
import pickle
import subprocess
import sys
import threading

import numpy
import pandas
import pytest

import poprules
from conftest import RULES

REPOSITORY = pathlib.Path(os.environ.get("POPRULES_REPOSITORY", pathlib.Path(__file__).parents[2]))
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
    assert (error.line, error.file) == (12, str(folder / "rules.yaml"))
    with pytest.raises(poprules.RulesError) as raised:
        poprules.RuleSet.load(folder)
    assert [found.check for found in raised.value.report if found.level == "error"] == [error.check]
    assert error.check in str(raised.value)
    report = poprules.check(folder)
    assert "<table>" in report._repr_html_()
    assert report[0] == report.diagnostics[0]
    assert hash(report) == hash(poprules.check(folder))


def test_a_missing_or_invalid_source_of_rules_is_an_error():
    with pytest.raises(FileNotFoundError, match="nowhere"):
        poprules.RuleSet.load("nowhere")
    with pytest.raises(poprules.Error, match="bundle"):
        poprules.RuleSet.from_bundle(b"nothing")
    with pytest.raises(ValueError):
        poprules.RuleSet.load("a\0b")


def test_an_argument_of_the_wrong_type_is_a_type_error(rules):
    for call in (
        lambda: poprules.evaluate(3),
        lambda: poprules.evaluate("1", at=5),
        lambda: poprules.evaluate("1", [1]),
        lambda: poprules.evaluate("1", {1: 2}),
        lambda: poprules.diff("a", "b"),
        lambda: poprules.RuleSet.from_bundle("a"),
        lambda: rules.session(None),
        lambda: rules.session(pandas.NaT),
        lambda: rules.session(START, user=3),
        lambda: rules.session(START, seed=1.5),
        lambda: rules.session(START, context=[]),
        lambda: rules.session(START).update({}, "plan"),
    ):
        with pytest.raises(TypeError):
            call()
    assert rules.session(START, seed=numpy.int64(2**63 - 1)).start()
    # E54: the seeds that C takes.
    assert rules.session(START, seed=-1).start()
    for seed in (-(2**63) - 1, 2**63):
        with pytest.raises(ValueError, match="seed"):
            rules.session(START, seed=seed)
    for bundle in (bytearray(rules.bundle()), memoryview(rules.bundle())):
        assert poprules.RuleSet.from_bundle(bundle).popups == rules.popups
    assert poprules.check(os.fsencode(REPOSITORY / "rules")).ok


def test_results_are_python_values():
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


    assert poprules.evaluate("duration('90s')") == datetime.timedelta(seconds=90)
    assert poprules.evaluate("duration('0.0000005s')") == "0.0000005s"
    assert poprules.evaluate("type(1)") == "int"


def test_python_values_are_accepted():
    for value in (
        "\U0001f600\x7f\u2028\n", -0.5, float("inf"), float("-inf"), 2**64 - 1, -(2**63), None,
        True, {1: {"1": [], True: {}}}, [1, [2.0]],
    ):
        assert poprules.evaluate("a", {"a": value}) == value
    assert math.isnan(poprules.evaluate("a", {"a": float("nan")}))
    for given, value in (
        (numpy.int64(5), 5), (numpy.float32(1.5), 1.5), (numpy.float64(1.5), 1.5),
        (numpy.bool_(True), True), (numpy.str_("a"), "a"), (numpy.array([1, 2]), [1, 2]),
        (pandas.Series([1.5]), [1.5]), (decimal.Decimal("1.5"), 1.5),
        ({numpy.int64(1): (2,)}, {1: [2]}),
    ):
        found = poprules.evaluate("a", {"a": given})
        assert (found, type(found)) == (value, type(value))


def test_an_invalid_value_is_named_in_the_error():
    day = datetime.datetime(2026, 5, 4)
    for value in (
        day, pandas.Timestamp(day), numpy.datetime64(day, "ns"), datetime.timedelta(1), b"ab",
        {"b": [day]}, day.date(), pandas.NaT, pandas.NA, numpy.datetime64("NaT"), {1, 2}, {None: 1},
        {1.5: 1}, object(), numpy.array([[1]]), pandas.DataFrame({"a": [1]}),
    ):
        with pytest.raises(TypeError, match="`a"):
            poprules.evaluate("a", {"a": value})
    with pytest.raises(ValueError, match="`a`"):
        poprules.evaluate("a", {"a": 2**64})
    with pytest.raises(TypeError, match=r"write `timestamp\(a\)`"):
        poprules.evaluate("now - a", {"a": day})


TYPES = {
    "at": "timestamp", "took": "duration", "raw": "bytes", "some": "any", "ids": "map<int, string>",
    "times": "list<timestamp>", "real": "double", "name": "string",
}


@pytest.fixture
def typed(folder):
    keys = "".join(f"  {name}: {type}\n" for name, type in TYPES.items())
    (folder / "rules.yaml").write_text(RULES.replace("context:\n", "context:\n" + keys))
    return poprules.RuleSet.load(folder)


def test_keys_of_rules_have_their_types(typed):
    day = datetime.datetime(2026, 5, 4, 9, 0, 0, 5, tzinfo=datetime.timezone.utc)
    for name, value in (
        ("at", day), ("took", datetime.timedelta(days=2, milliseconds=5)), ("raw", "\xe9".encode()),
        ("ids", {1: "a"}), ("times", [day]), ("some", {1: [None]}), ("real", float("inf")),
    ):
        assert typed.evaluate(name, {name: value}) == value
        with typed.session(START, context={name: value}) as session:
            assert session.now
    assert typed.evaluate("at", {"at": numpy.datetime64("2026-05-04T09:00:00.000005", "ns")}) == day
    for name, value in (("some", day), ("some", [b"ab"]), ("name", day)):
        with pytest.raises(TypeError, match=name):
            typed.evaluate("plan", {name: value})
    for name, value in (
        ("took", datetime.timedelta(microseconds=5)), ("took", -datetime.timedelta(1)),
        ("raw", b"\xff"),
    ):
        with pytest.raises(ValueError, match=name):
            typed.evaluate("plan", {name: value})


def test_payloads_accept_the_numbers_of_tables(rules):
    with rules.session(START) as session:
        for price in (numpy.float64(11), numpy.int64(11), numpy.float32(11), decimal.Decimal("11")):
            effects = session.send("bought", {"price": price})
            assert "rejected" not in str(effects)


def test_an_expression_knows_the_names_of_rules(rules):
    assert rules.evaluate('plan == "free"') is True
    assert rules.evaluate("plan", {"plan": "pro"}) == "pro"
    with pytest.raises(poprules.RulesError):
        rules.evaluate("pla")
    with pytest.raises(poprules.Error, match="bundle"):
        poprules.RuleSet.from_bundle(rules.bundle()).evaluate("plan")


def test_a_difference_is_shown_as_text_and_as_a_page(folder, rules):
    (folder / "rules.yaml").write_text(RULES.replace("> 10.0", "> 20.0"))
    changes = poprules.diff(rules, poprules.RuleSet.load(folder))
    assert changes
    assert [change["name"] for change in changes.entries] == ["popup thanks"]
    assert "thanks" in str(changes)
    assert "<iframe" in changes._repr_html_()


def test_a_scenario_is_played_from_text_and_from_a_file(folder, rules):
    file = folder / "hello.test.yaml"
    [story] = stories = poprules.simulate(file, text=STORY)
    assert story.failures == ()
    assert (story.title, repr(story)) == (
        "a pro is greeted", "<Story 'a pro is greeted', 0 failures>",
    )
    assert "<svg" in stories._repr_html_()
    assert "<svg" in stories[:1]._repr_html_()
    file.write_text(STORY.replace("plan: pro", "plan: free"))
    [story] = poprules.simulate(file)
    assert len(story.failures) == 1
    with pytest.raises(poprules.RulesError):
        poprules.simulate(file, text="tests: 1\n")
    with pytest.raises(poprules.Error, match="poprules.simulate"):
        rules.simulate(file)


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


def test_a_session_refuses_what_rules_refuse(rules):
    for given in ({"context": {"plna": "pro"}}, {"context": {"plan": 1}}, {"zone": "Nowhere/X"}):
        with pytest.raises(poprules.Error, match="plna|plan|Nowhere"):
            rules.session(START, **given)


def test_a_refused_call_leaves_the_time_unchanged(rules):
    with rules.session(START) as session:
        session.start()
        with pytest.raises(poprules.Error):
            session.input("nope", at="2026-05-04T10:00:00Z")
        with pytest.raises(poprules.Error):
            session.send("bought", {"price": 1.0}, at="9999-12-31T00:00:00Z")
        assert session.now == session.start_time
        at = {"instant": "1m", "date": "2026-05-04T09:01:00Z"}
        session.handle([{"at": at, "input": "timePassed"}])
        session.send("bought", {"price": 1.0})
        assert repr(session) == "<Session of '' at 2026-05-04T09:01:00Z>"


def test_a_misspelt_popup_is_not_explained(rules):
    with rules.session(START) as session:
        assert len(session.explain("thanks", "hello")) == 2
        with pytest.raises(poprules.Error, match="thank`"):
            session.explain("hello", "thank")
        with pytest.raises(TypeError):
            session.explain()


def test_closed_rules_refuse_every_call(folder, rules):
    with poprules.RuleSet.load(folder) as other:
        session = other.session(START)
        changes = poprules.diff(rules, other)
    for call in (
        lambda: other.evaluate("plan"), other.bundle, lambda: other.popups,
        lambda: other.session(START), lambda: other.replay(pandas.DataFrame()),
        lambda: poprules.diff(rules, other),
    ):
        with pytest.raises(poprules.Error, match="closed"):
            call()
    assert repr(other) == "<RuleSet, closed>"
    assert session.start()
    assert changes.text is not None
    session.close()
    with pytest.raises(poprules.Error, match="this session is closed"):
        session.start()


def test_a_copy_shares_the_rules(rules):
    for other in (copy.copy(rules), copy.deepcopy(rules)):
        assert other.evaluate("plan") == "free"
        other.close()
    del other
    gc.collect()
    assert rules.evaluate("plan") == "free"


def test_rules_are_sent_to_other_processes_as_a_bundle(folder, rules, tmp_path_factory):
    sent = tmp_path_factory.mktemp("sent") / "rules.pickle"
    sent.write_bytes(pickle.dumps((rules, poprules.diff(rules, rules))))
    script = "import pickle, sys, poprules\n"
    script += "other = poprules.RuleSet.load(sys.argv[2])\n"
    script += "rules, changes = pickle.load(open(sys.argv[1], 'rb'))\n"
    script += "print(rules.popups, other.popups, bool(changes), changes.text == '')\n"
    (folder / "rules.yaml").write_text("poprules: 1\npopups: { other: { trigger: start } }\n")
    ran = subprocess.run(
        [sys.executable, "-c", script, sent, folder], capture_output=True, text=True, check=True
    )
    said = f"{['thanks', 'hello']} {['other']} False {poprules.diff(rules, rules).text == ''}\n"
    assert ran.stdout == said


def test_a_session_cannot_be_pickled(rules):
    session = rules.session(START)
    for sent in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="history"):
            sent(session)
    assert session.start()


def test_findings_arrive_from_other_processes(folder):
    (folder / "rules.yaml").write_text(RULES.replace('"pro"', "1"))
    with pytest.raises(poprules.RulesError) as raised:
        poprules.RuleSet.load(folder)
    for sent in (pickle.loads(pickle.dumps(raised.value)), copy.copy(raised.value)):
        assert (sent.report, str(sent)) == (raised.value.report, str(raised.value))


def test_threads_do_not_interfere(rules):
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


def test_no_control_character_of_a_file_is_printed(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text('poprules: 1\npopups:\n  a: { template: "no\\e[31m\\a\\u202e\\u009b" }\n')
    (finding,) = (found for found in poprules.check(path) if found.level == "error")
    with pytest.raises(poprules.RulesError) as raised:
        poprules.RuleSet.load(path)
    texts = [str(finding), str(raised.value), poprules.check(path)._repr_html_()]
    rules = []
    for description in ["plain", "no\\e[31m\\a"]:
        path.write_text(f'poprules: 1\npopups:\n  a: {{ description: "{description}" }}\n')
        rules.append(poprules.RuleSet.load(path))
    changes = poprules.diff(*rules)
    texts += [str(changes), changes.text, str(poprules.Error("no\x1b[31m"))]
    for text in texts:
        assert "\\u{1b}" in text
        assert not any(ord(character) < 32 and character != "\n" for character in text)
        assert "\u202e" not in text and "\u009b" not in text


def test_the_shop_is_checked_and_played():
    assert poprules.check(REPOSITORY / "rules").ok
    rules = poprules.RuleSet.load(REPOSITORY / "rules")
    stories = poprules.simulate(REPOSITORY / "rules" / "new-user.test.yaml")
    assert rules.popups and len(stories) > 0
    assert all(story.failures == () for story in stories)


def test_a_refused_value_or_event_gives_one_warning(rules):
    """E50."""
    session = rules.session(START)
    with pytest.warns(UserWarning, match="ordr.placed") as warned:
        session.send("ordr.placed")
        session.send("ordr.placed")
        session.update({"cart.itemz": 2})
    assert len(warned) == 2
    assert {warning.filename for warning in warned} == {__file__}


def test_the_wheel_contains_the_licenses_of_its_parts():
    """E55."""
    about = importlib.metadata.distribution("poprules")
    assert about.metadata["License-Expression"] == "MIT"
    assert about.metadata["Author"] == "the poprules authors"
    licenses = next(file for file in about.files or [] if file.name == "LICENSES.txt")
    text = licenses.read_text()
    for words in ("Apache License", "LibYAML", "libzstd-dev", "zlib1g-dev"):
        assert words in text


def test_days_and_times_of_numpy_are_accepted_as_times(rules):
    """E56."""
    day = datetime.date(2026, 5, 4)
    first = rules.session(datetime.datetime(2026, 5, 4, tzinfo=datetime.timezone.utc)).start_time
    precise = numpy.datetime64("2026-05-04T00:00:00.0", "ns")
    for time in (day, numpy.datetime64("2026-05-04"), precise):
        assert rules.session(time).start_time == first
    with pytest.raises(ValueError, match="such as '2026-05-04T09:00:00Z', not 'soon'"):
        rules.session("soon")


def test_a_supposition_is_explained_without_changing_anything(rules):
    """E56."""
    session = rules.session(START)
    session.start()
    before = session.explain(*rules.popups)
    at = {"instant": "1s", "date": "2026-05-04T09:00:01Z"}
    assert session.suppose([{"at": at, "input": "background"}], *rules.popups) != before
    assert session.explain(*rules.popups) == before


def test_text_of_a_rule_file_never_starts_a_command_of_a_ci_server(tmp_path):
    (tmp_path / "rules.yaml").write_text(
        'poprules: 1\npopups:\n  a: { after: ["##vso[task.x]y"], content: { t: x } }\n'
        '  b: { when: "true", after: ["x\\n::error::forged"] }\n'
    )
    report = poprules.check(tmp_path)
    printed = [str(report), repr(report), repr(report.diagnostics[0])]
    with pytest.raises(poprules.RulesError) as caught:
        poprules.RuleSet.load(tmp_path)
    printed += [str(caught.value), repr(caught.value)]
    assert any("\\u{23}vso[" in text for text in printed)
    for text in printed:
        assert "##vso[" not in text
        assert not any(line.lstrip().startswith("::") for line in text.splitlines())


def test_a_bundle_or_mapping_that_never_ends_is_refused(tmp_path, rules):
    os.mkfifo(tmp_path / "pipe.popbundle")
    (tmp_path / "zero.popbundle").symlink_to("/dev/zero")
    for name in ["pipe", "zero"]:
        with pytest.raises(poprules.Error, match="not a regular file"):
            poprules.RuleSet.load(tmp_path / f"{name}.popbundle")
    with open(tmp_path / "large.popbundle", "wb") as file:
        file.truncate(16 * 1024 * 1024 + 1)
    with pytest.raises(poprules.Error, match="more than"):
        poprules.RuleSet.load(tmp_path / "large.popbundle")


def test_types_and_optional_values_inside_of_others_are_strings():
    assert poprules.evaluate("[optional.of(5)]") == ["optional.of(5)"]
    assert poprules.evaluate("{'a': type(1)}") == {"a": "int"}
