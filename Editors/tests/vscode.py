"""Holds the extension for VS Code to what can be checked without VS Code."""
import json
import os
import re
import subprocess
import sys

folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "vscode")


def read(path):
    with open(os.path.join(folder, path)) as file:
        return json.load(file)


manifest = read("package.json")
assert os.path.exists(os.path.join(folder, manifest["main"]))
for grammar in manifest["contributes"]["grammars"]:
    assert read(grammar["path"])["scopeName"] == grammar["scopeName"]
for snippets in manifest["contributes"]["snippets"]:
    for snippet in read(snippets["path"]).values():
        assert snippet["prefix"] and snippet["body"]

grammar = read("syntaxes/cel-in-yaml.json")
rules = grammar["repository"]


def search(name, line):
    # Python takes no alternatives of different lengths behind `?<=`.
    pattern = rules[name]["begin"].replace(r"(?<=[{,]|[{,]\s)", r"(?:(?<=[{,])|(?<=[{,]\s))")
    return re.search(pattern, line)


for line, wanted in {
    "    when: a": "line", "  - when: a": "line", "    dismiss_when: !a": "line",
    "{ event: e, where: event.total > 1 }": "flow", "{ when: a, cap: { lifetime: 1 } }": "flow",
    "    when: >-": "block", "    when: |2-": "block", "  - when: >  # why": "block",
    "    when: { a: b }": None, "    when:": None, "    whenever: a": None,
    "    title: say when: now": None, "{ where: 'a, b' }": None,
}.items():
    assert [name for name in ("block", "line", "flow") if search(name, line)] == (
        [wanted] if wanted else []), line
# In braces an expression ends where YAML ends it, so that the brace still closes what it opened.
assert re.search(rules["flow"]["end"], " event.total > 1 }").start() == 17
names = []
for token in ["user.plan", "has(", '"a"', "12.5", "true", "in", "&&"]:
    names.append(next(
        rule["name"] for rule in rules["expression"]["patterns"]
        if re.match(rule.get("match", rule.get("begin")), token)))
assert names == [f"{name}.cel" for name in (
    "variable.other", "entity.name.function", "string.quoted.double", "constant.numeric",
    "constant.language", "keyword.operator.word", "keyword.operator")], names

try:
    subprocess.run(["node", "--check", os.path.join(folder, manifest["main"])], check=True)
    script = "the script"
except FileNotFoundError:
    script = "not the script, node is not here"
sys.exit(print(f"vscode: the manifest, the grammar, the snippets and {script}"))
