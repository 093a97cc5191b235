"""The package itself: documentation, what it exports."""

import doctest
import importlib
import pkgutil
import subprocess
import sys

import flitcast as fc


def test_everything_exported_is_there_and_documented():
    for name in fc.__all__:
        assert getattr(fc, name).__doc__, name


def test_examples_in_the_documentation_strings():
    for module in pkgutil.iter_modules(fc.__path__, "flitcast."):
        if module.name == "flitcast._native":
            continue
        assert doctest.testmod(importlib.import_module(module.name)).failed == 0
    assert doctest.testmod(fc).failed == 0


def test_nothing_but_cffi_is_imported():
    code = ("import sys, flitcast; print(sorted({m.split('.')[0] for m in sys.modules} "
            "& {'numpy', 'pandas', 'IPython', 'matplotlib', 'scipy'}))")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
