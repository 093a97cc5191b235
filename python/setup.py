"""What pyproject.toml cannot say: the extension module, and the version, which is the library's."""

import os
import sys

from setuptools import setup

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from extension import build_folder, library_version  # noqa: E402

folder = build_folder("python")
setup(
    version=library_version(),
    cffi_modules=["extension.py:ffi"],
    # In Flitcast's source tree nothing is written but below its build folder.
    options={"build": {"build_base": folder}, "egg_info": {"egg_base": folder}} if folder else {},
)
