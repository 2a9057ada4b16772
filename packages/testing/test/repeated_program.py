"""Runs a program of Python once for each line of stdin, which it reads as its own stdin, and prints a line of JSON each
time: what it has printed, and its exit code. Python itself starts only once."""
import contextlib
import io
import json
import sys

program, *arguments = sys.argv[1:]
lines = sys.stdin
sys.argv = [program, *arguments]
with open(program) as source:
    compiled = compile(source.read(), program, "exec")

for line in lines:
    code = 0
    sys.stdin = io.StringIO(line)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        try:
            exec(compiled, {"__name__": "__main__"})
        except SystemExit as end:
            code = end.code
    print(json.dumps({"report": printed.getvalue(), "code": code}), flush=True)
