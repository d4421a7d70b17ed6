"""The findings of `check`."""

from __future__ import annotations

import dataclasses
import html
import re
import unicodedata
from collections.abc import Iterator
from typing import Any


# Azure Pipelines obeys `##[...]` and `##vso[...]` anywhere in a log, GitHub Actions lines that begin
# with `::` and a letter.
_COMMAND_MARK = re.compile(r"##(?=[A-Za-z]*\[)")
_COMMAND_LINE = re.compile(r"^(\s*):(?=:[^\W\d_])", re.MULTILINE)


def shown(text: str) -> str:
    """Returns the string with escapes for characters that a terminal obeys or that change what
    users see, and for commands that a CI server obeys in a log."""
    safe = "".join(
        f"\\u{{{ord(character):x}}}"
        if character not in "\n\t\u200d"
        and unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")
        else character
        for character in text
    )
    return _COMMAND_LINE.sub(r"\1\\u{3a}", _COMMAND_MARK.sub(r"#\\u{23}", safe))


def fields_shown(value: Any) -> str:
    """Returns the representation of a data class, with the escapes of `shown`."""
    fields = [
        f"{field.name}={getattr(value, field.name)!r}"
        for field in dataclasses.fields(value) if field.repr
    ]
    return shown(f"{type(value).__name__}({', '.join(fields)})")


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """One finding, as printed by `poprules validate --format json`."""

    check: str
    """The id, such as `P0301`; run `poprules explain-check P0301` to read about it."""
    name: str
    level: str
    """`error`, `warning` or `info`."""
    message: str
    file: str
    line: int
    """From 1."""
    column: int
    """From 1, in Unicode scalars."""
    end_line: int
    end_column: int
    label: str
    subject: str | None
    notes: tuple[str, ...]
    help: tuple[str, ...]
    json: dict[str, Any] = dataclasses.field(repr=False, compare=False)
    """The whole finding as JSON, including related places and fixes."""

    @classmethod
    def of(cls, found: dict[str, Any]) -> Diagnostic:
        start, end = found["range"]["start"], found["range"]["end"]
        return cls(
            check=found["check"], name=found["name"], level=found["level"],
            message=found["message"], file=found["file"], line=start["line"],
            column=start["column"], end_line=end["line"], end_column=end["column"],
            label=found.get("label", ""), subject=found.get("subject"),
            notes=tuple(found["notes"]), help=tuple(found["help"]), json=found,
        )

    def __repr__(self) -> str:
        return fields_shown(self)

    def __str__(self) -> str:
        return shown(
            f"{self.file}:{self.line}:{self.column}: {self.level}[{self.check}]: {self.message}"
        )


@dataclasses.dataclass(frozen=True)
class Report:
    """All findings about some rules. True if there are findings; `ok` if none is an error."""

    diagnostics: tuple[Diagnostic, ...]
    summary: dict[str, Any] = dataclasses.field(hash=False)
    """The numbers of checked items and of findings: `files`, `popups`, `errors`, `warnings`,
    `infos`."""

    @classmethod
    def of(cls, document: dict[str, Any]) -> Report:
        return cls(
            tuple(Diagnostic.of(found) for found in document["diagnostics"]), document["summary"]
        )

    @property
    def ok(self) -> bool:
        """True if there is no error."""
        return all(finding.level != "error" for finding in self.diagnostics)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.diagnostics)

    def __len__(self) -> int:
        return len(self.diagnostics)

    def __getitem__(self, place: int) -> Diagnostic:
        return self.diagnostics[place]

    def __repr__(self) -> str:
        return fields_shown(self)

    def __str__(self) -> str:
        return "\n".join(str(finding) for finding in self.diagnostics)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(finding.level)}<td>{html.escape(finding.check)}"
            f"<td>{html.escape(shown(finding.file))}:{finding.line}:{finding.column}"
            f"<td style='text-align:left'>{html.escape(shown(finding.message))}"
            for finding in self.diagnostics
        )
        head = "<tr><th>level<th>check<th>location<th>message"
        return f"<table>{head}{rows}</table>" if rows else "<p>no findings</p>"
