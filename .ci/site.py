"""Hooks of MkDocs for `make docs`: what GitHub shows and Python-Markdown doesn't, and links out of docs/."""

import os
import re
import shutil
import subprocess

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s#]+)(#[^)\s]*)?\)")


DIAGRAM = re.compile(r"^```mermaid\n(.*?)^```$", re.M | re.S)
NODE = re.compile(r"(\w+|\[\*\])(?:\[([^\]]*)\])?")


def drawn(diagram):
    """Returns a diagram of Mermaid as a picture by Graphviz: MkDocs draws none, GitHub does.

    It reads what the pages use: chains of `-->`, `&`, `-->|label|`, `A --> B: label`, `A[text]` and subgraphs.
    """
    lines = diagram.splitlines()
    sideways = " LR" in lines[0]
    texts, body = {}, []

    def nodes(part):
        found = [NODE.fullmatch(name.strip()) for name in part.split("&")]
        for match in found:
            if match.group(2):
                texts[match.group(1)] = match.group(2)
        return [match.group(1) for match in found]

    for line in lines[1:]:
        line = line.strip()
        group = re.fullmatch(r"subgraph (\w+) \[(.*)\]", line)
        if group:
            body.append(f'subgraph cluster_{group.group(1)} {{ label="{group.group(2)}"; style=dashed; color=gray')
        elif line == "end":
            body.append("}")
        elif "-->" in line:
            line, _, label = line.partition(": ") if "|" not in line else (line, "", "")
            parts = re.split(r"-->(?:\|([^|]*)\|)?", line)
            for left, mark, right in zip(parts[::2], parts[1::2], parts[2::2]):
                for start in nodes(left):
                    for end in nodes(right):
                        body.append(f'"{start}" -> "{end}" [label="{mark or label}"]')
    named = [f'"{name}" [label="{text}"]' for name, text in texts.items()] + ['"[*]" [shape=point label=""]'] * (
        "[*]" in diagram)
    graph = "digraph { rankdir=%s; node [shape=box style=rounded fontname=sans fontsize=11]" % (
        "LR" if sideways else "BT" if " BT" in lines[0] else "TB")
    graph += "; edge [fontname=sans fontsize=10]\n" + "\n".join(body + named) + "}"
    picture = subprocess.run(["dot", "-Tsvg"], input=graph, capture_output=True, text=True, check=True).stdout
    # On one line and without comments, so that Markdown takes it as one block of HTML.
    picture = re.sub(r"<!--.*?-->|<title>.*?</title>|\n", "", picture[picture.index("<svg"):], flags=re.S)
    return '<div class="diagram">' + picture.replace("<svg ", '<svg style="max-width:100%;height:auto" ', 1) + "</div>\n"


def on_page_markdown(markdown, page, config, files):
    """Turn links out of docs/ into links to the repository, or into text if its address isn't known."""
    folder = os.path.dirname(page.file.src_uri)
    if shutil.which("dot"):
        markdown = DIAGRAM.sub(lambda match: drawn(match.group(1)), markdown)

    def outside(match):
        text, target = match.group(1), match.group(2)
        path = os.path.normpath(os.path.join(folder, target))
        if "://" in target or target.startswith("mailto:") or not path.startswith(".."):
            return match.group(0)
        path = path.removeprefix("../")
        if config.repo_url:
            return f"[{text}]({config.repo_url.rstrip('/')}/blob/main/{path})"
        return text if path in text else f"{text} (`{path}`)"

    # Code keeps its text, except the escaped bars of tables.
    parts = re.split(r"(^```.*?^```$|`[^`\n]+`)", markdown, flags=re.M | re.S)
    prose = LINK.sub(outside, "".join(p if i % 2 == 0 else f"\0{i}\0" for i, p in enumerate(parts)))
    # A list after a paragraph needs an empty line.
    prose = re.sub(r"^([^\s\-*|#>\0\d<][^\n]*)\n(?=- )", r"\1\n\n", prose, flags=re.M)
    prose = re.sub(r"^(\*\*[^\n]*)\n(?=- )", r"\1\n\n", prose, flags=re.M)

    def code(match):
        text = parts[int(match.group(1))]
        return text if text.startswith("```") else text.replace("\\|", "|")

    return re.sub(r"\0(\d+)\0", code, prose)
