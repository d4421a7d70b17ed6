"""The shared library, by ctypes: the functions of poprules.h."""

from __future__ import annotations

import ctypes
import errno
import json
import os
import pathlib
import stat
import sys
from typing import Any, NoReturn

from ._findings import Report, shown

ABI_VERSION = 1


class Error(Exception):
    """An error, described by a sentence."""

    def __init__(self, *words: object) -> None:
        # A traceback prints them, and they can quote a file or an argument.
        super().__init__(*(shown(word) if isinstance(word, str) else word for word in words))


class RulesError(Error):
    """Rules, tests or an expression have errors; `report` contains them."""

    def __init__(self, report: Report) -> None:
        self.report = report
        errors = [str(finding) for finding in report.diagnostics if finding.level == "error"]
        super().__init__("\n".join(errors))

    def __reduce__(self) -> tuple[type[RulesError], tuple[Report]]:
        return (RulesError, (self.report,))


class NoValue(Error):
    """An expression has no value for the given context."""


LARGEST_FILE = 16 * 1024 * 1024
"""The most bytes of a bundle or mapping, as for `poprules`."""


def file_bytes(path: str | os.PathLike[str]) -> bytes:
    """Returns the content of a file of at most `LARGEST_FILE` bytes; raises `Error` for a larger
    file, and for one that never ends, such as a device or a pipe."""
    # Without this flag, opening a pipe waits for a writer.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
        if not stat.S_ISREG(mode):
            raise Error(f"`{os.fspath(path)}` is not a regular file")
        with open(descriptor, "rb", closefd=False) as file:
            content = file.read(LARGEST_FILE + 1)
    finally:
        os.close(descriptor)
    if len(content) > LARGEST_FILE:
        raise Error(f"`{os.fspath(path)}` has more than {LARGEST_FILE} bytes")
    return content


class Answer(ctypes.Structure):
    """`pop_answer`."""

    _fields_ = [("bytes", ctypes.c_void_p), ("length", ctypes.c_size_t)]


_OK, _FINDINGS, _NO_VALUE = 0, 4, 5
_Handle, _Bytes, _Text, _Size = ctypes.c_uint64, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t
_Opened, _Answered = ctypes.POINTER(_Handle), ctypes.POINTER(Answer)

# The arguments of each function, between its name and the answer.
_FUNCTIONS: dict[str, list[Any]] = {
    "pop_close": [_Handle],
    "pop_rules_from_bundle": [_Bytes, _Size, _Opened],
    "pop_rules_from_path": [_Text, _Opened],
    "pop_rules_bundle": [_Handle],
    "pop_rules_describe": [_Handle],
    "pop_check": [_Text],
    "pop_evaluate": [_Handle, _Text, _Text, _Text],
    "pop_diff": [_Handle, _Handle, _Text],
    "pop_simulate": [_Text, _Text],
    "pop_session_open": [_Handle, _Bytes, _Size, _Opened],
    "pop_session_handle": [_Handle, _Bytes, _Size],
    "pop_session_handle_lines": [_Handle, _Bytes, _Size],
    "pop_session_explain": [_Handle, _Bytes, _Size],
    "pop_session_suppose": [_Handle, _Bytes, _Size],
    "pop_session_history": [_Handle],
    "pop_replay": [_Bytes, _Size],
    "pop_replay_part": [_Handle, _Text, _Text, *[ctypes.c_void_p] * 4],
}


def _path() -> str:
    named = os.environ.get("POPRULES_LIBRARY")
    if named:
        return named
    name = "libpoprules.dylib" if sys.platform == "darwin" else "libpoprules.so"
    return str(pathlib.Path(__file__).with_name(name))


def _loaded() -> ctypes.CDLL:
    library = ctypes.CDLL(_path())
    library.pop_abi_version.restype = ctypes.c_uint32
    version = library.pop_abi_version()
    if version != ABI_VERSION:
        raise ImportError(
            f"{_path()} does not match this version of the poprules package (interface {version}"
            f" instead of {ABI_VERSION}); reinstall the package"
        )
    library.pop_free.argtypes = [_Answered]
    library.pop_free.restype = None
    for name, arguments in _FUNCTIONS.items():
        function = getattr(library, name)
        function.argtypes = [*arguments, _Answered]
        function.restype = ctypes.c_int32
    return library


_library = _loaded()


def call(name: str, *arguments: Any) -> bytes:
    """Returns the answer of a function; raises the error that the function reports."""
    answer = Answer()
    status = getattr(_library, name)(*arguments, ctypes.byref(answer))
    try:
        said = ctypes.string_at(answer.bytes, answer.length) if answer.bytes else b""
    finally:
        _library.pop_free(ctypes.byref(answer))
    if status == _OK:
        return said
    if status == _FINDINGS:
        raise RulesError(Report.of(json.loads(said)))
    raise (NoValue if status == _NO_VALUE else Error)(said.decode())


def opened(what: str, name: str, *arguments: Any) -> tuple[Handle, bytes]:
    """Returns the handle that a function opens, and its answer; `what` names the handle."""
    number = _Handle()
    said = call(name, *arguments, ctypes.byref(number))
    return Handle(number.value, what), said


def text(words: str) -> bytes:
    """Returns a string as C has it, which ends at the first zero byte: it must not contain any."""
    if not isinstance(words, str):
        raise TypeError(f"expected a string, not {words!r}")
    if "\0" in words:
        raise ValueError("the string contains a null character")
    return words.encode()


def path_text(path: str | bytes | os.PathLike[str]) -> bytes:
    """A path as C has it."""
    return text(os.fsdecode(path))


class Handle:
    """An open object, closed once it is unreachable."""

    def __init__(self, number: int, what: str) -> None:
        self._number = number
        self._what = what

    @property
    def number(self) -> int:
        """The number of the handle, valid only in this process; raises `Error` if it is closed."""
        if self._number == 0:
            raise Error(f"{self._what} closed")
        return self._number

    def close(self) -> None:
        """Closes the handle; closing again does nothing."""
        number, self._number = self._number, 0
        if number:
            _library.pop_close(number, None)

    def __reduce__(self) -> NoReturn:
        raise TypeError("an open handle cannot be pickled or copied")

    def __del__(self) -> None:
        if _library is not None:
            self.close()
