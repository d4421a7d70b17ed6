"""Hooks of MkDocs for `make docs`: what GitHub shows and Python-Markdown doesn't, and links out of docs/."""

import os
import re

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s#]+)(#[^)\s]*)?\)")


def on_page_markdown(markdown, page, config, files):
    """Turn links out of docs/ into links to the repository, or into text if its address isn't known."""
    folder = os.path.dirname(page.file.src_uri)

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
