"""Runs a request through the C interface: replay.py LIBRARY < REQUEST > ANSWER"""

import ctypes
import sys


class Answer(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_void_p), ("length", ctypes.c_size_t)]


library = ctypes.CDLL(sys.argv[1])
library.pop_replay.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.POINTER(Answer)]
library.pop_free.argtypes = [ctypes.POINTER(Answer)]
library.pop_free.restype = None

request = sys.stdin.buffer.read()
answer = Answer()
status = library.pop_replay(request, len(request), ctypes.byref(answer))
sys.stdout.buffer.write(b"%d\n" % status + ctypes.string_at(answer.bytes, answer.length))
library.pop_free(ctypes.byref(answer))
