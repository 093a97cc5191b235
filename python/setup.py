"""What pyproject.toml cannot say: the extension module, the version, which is the library's, and that a
source distribution carries the library's C sources, so that it builds without a checkout."""

import os
import shutil
import sys

from setuptools import setup
from setuptools.command.sdist import sdist

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from extension import HERE, ROOT, build_folder, library_version  # noqa: E402

LIBRARY = ("CMakeLists.txt", "LICENSE", "cmake", "include", "src", "data", "papers",
           os.path.join("examples", "default.yaml"))


class sdist_with_library(sdist):
    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        if not ROOT:
            sys.exit("A source distribution is made inside Flitcast's source tree: the C sources are missing.")
        shutil.copy(os.path.join(HERE, "extension.py"), base_dir)
        for name in LIBRARY:
            source, target = os.path.join(ROOT, name), os.path.join(base_dir, "library", name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            if os.path.isdir(source):
                shutil.copytree(source, target)
            else:
                shutil.copy(source, target)


folder = build_folder("python")
setup(
    version=library_version(),
    cffi_modules=["extension.py:ffi"],
    cmdclass={"sdist": sdist_with_library},
    # In Flitcast's source tree nothing is written but below its build folder.
    options={"build": {"build_base": folder}, "egg_info": {"egg_base": folder}} if folder else {},
)
