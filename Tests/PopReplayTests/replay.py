"""Runs a request through the C interface: replay.py LIBRARY < REQUEST > ANSWER"""

import ctypes
import sys

library = ctypes.CDLL(sys.argv[1])
library.pop_replay.argtypes = [
    ctypes.c_char_p,
    ctypes.c_ssize_t,
    ctypes.POINTER(ctypes.c_ssize_t),
]
library.pop_replay.restype = ctypes.c_void_p
library.pop_free.argtypes = [ctypes.c_void_p]
library.pop_free.restype = None

request = sys.stdin.buffer.read()
length = ctypes.c_ssize_t()
answer = library.pop_replay(request, len(request), ctypes.byref(length))
sys.stdout.buffer.write(ctypes.string_at(answer, length.value))
library.pop_free(answer)
