"""The guide's code runs and prints what the guide says, and so do the examples.

UPDATE=1 rewrites what the guide's blocks print; read the difference.
"""

import contextlib
import io
import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT

PAGE = os.path.join(ROOT, "docs", "guide", "python.md")
BLOCK = re.compile(r"```python\n(?P<code>.*?)```\n(\n```text\n(?P<printed>.*?)```\n)?", re.S)


def test_guide(tmp_path, monkeypatch):
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "guide"}

    def run(block):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block["code"], PAGE, "exec"), names)
        text = f"\n```text\n{printed.getvalue()}```\n" if printed.getvalue() else ""
        return f"```python\n{block['code']}```\n{text}"

    now = BLOCK.sub(run, page)
    if os.environ.get("UPDATE"):
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(now)
    assert BLOCK.search(page) and now == page


@pytest.mark.parametrize("script, arguments, printed", [
    ("noc_sweep.py", ["."], "8x8 torus: saturates at"),
    ("own_optimizer.py", ["40"], "chosen: "),
    ("own_optimizer.py", ["3"], ""),
    ("place_tasks.py", ["20"], "after the search"),
])
def test_examples(script, arguments, printed, tmp_path):
    path = os.path.join(ROOT, "examples", "python", script)
    done = subprocess.run([sys.executable, path, *arguments], cwd=tmp_path, capture_output=True,
                          text=True, timeout=120)
    assert done.returncode == (0 if printed else 1), done.stderr
    assert printed in done.stdout and "Traceback" not in done.stderr
    if script == "noc_sweep.py":
        assert "<svg" in (tmp_path / "noc_sweep.svg").read_text()
