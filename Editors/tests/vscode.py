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


def search(pattern, text):
    # Python takes no alternatives of different lengths behind `?<=`.
    return re.search(pattern.replace(r"(?<=^|[\s{,])", r"(?:^|(?<=[\s{,]))"), text)


for line in ["    when: a", "{ event: e, where: event.total > 1 }", "    dismiss_when: !a"]:
    assert search(rules["line"]["begin"], line), line
for line in ["    when: { a: b }", "    when:", "    whenever: a"]:
    assert not search(rules["line"]["begin"], line), line
assert search(rules["block"]["begin"], "    when: >-")
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
