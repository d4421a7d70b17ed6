"""Answers questions in SMT-LIB: the first line declares, each other one is asked by itself."""
import sys

import z3

declarations, *questions = sys.stdin.read().splitlines()
for question in questions:
    solver = z3.Solver()
    solver.set("timeout", 2000)
    solver.add(z3.parse_smt2_string(declarations + question))
    print(solver.check())
