"""Builds the extension module flitcast._native from the public header, with cffi in API mode.

The library is, in this order: the one of the build folder that FLITCAST_BUILD_DIR names; the one of
the source tree (the checkout around this folder, or library/ in a source distribution), brought up to
date by CMake and linked statically, so that the package needs nothing of Flitcast where it is
installed; an installed one that pkg-config knows. FLITCAST_CFLAGS adds flags for the compiler and the
linker, for example -fsanitize=address.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from typing import Any

import cffi

HERE = os.path.dirname(os.path.abspath(__file__))
HEADER = os.path.join("include", "flitcast", "flitcast.h")


def source_tree() -> str | None:
    """The C sources: those of a source distribution, or the checkout that this folder is a part of."""
    for tree in (os.path.join(HERE, "library"), os.path.dirname(HERE)):
        if os.path.exists(os.path.join(tree, HEADER)):
            return tree
    return None


ROOT = source_tree()

# What the module adds to the header: text in memory; notes that a run leaves for the thread that
# waits for it, written by the library's own threads, which so never need Python; and a message
# without the cost of filling a structure from Python.
DECLARATIONS = """
FILE *open_memstream(char **text, size_t *length);
int fclose(FILE *stream);
void free(void *block);

typedef struct { int cancel; ...; } run_note;
run_note *run_note_create(void);
void run_note_free(run_note *note);
void run_note_leave(void *note, double done, const char *what);
double run_note_read(run_note *note, char what[96]);

fc_status live_inject_one(fc_live *live, uint32_t source, uint32_t destination, uint32_t flits,
                          uint64_t tag, uint64_t time, bool reply, fc_error *error);
"""

SOURCE = r"""
#include <flitcast/flitcast.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct {
    int cancel;
    pthread_mutex_t lock;
    double done;
    char what[96];
} run_note;

static run_note *run_note_create(void) {
    run_note *note = calloc(1, sizeof *note);
    if (note)
        pthread_mutex_init(&note->lock, NULL);
    return note;
}

static void run_note_free(run_note *note) {
    if (note)
        pthread_mutex_destroy(&note->lock);
    free(note);
}

static void run_note_leave(void *context, double done, const char *what) {
    run_note *note = context;
    pthread_mutex_lock(&note->lock);
    note->done = done;
    snprintf(note->what, sizeof note->what, "%s", what ? what : "");
    pthread_mutex_unlock(&note->lock);
}

static double run_note_read(run_note *note, char what[96]) {
    pthread_mutex_lock(&note->lock);
    const double done = note->done;
    snprintf(what, sizeof note->what, "%s", note->what);
    pthread_mutex_unlock(&note->lock);
    return done;
}

static fc_status live_inject_one(fc_live *live, uint32_t source, uint32_t destination,
                                 uint32_t flits, uint64_t tag, uint64_t time, bool reply,
                                 fc_error *error) {
    const fc_live_message message = {source, destination, flits, reply, tag, time};
    return fc_live_inject(live, &message, 1, error);
}
"""


def run(*command: str) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def pkg_config(*arguments: str) -> list[str]:
    try:
        return shlex.split(run("pkg-config", *arguments))
    except (OSError, subprocess.CalledProcessError):
        sys.exit(
            "The Flitcast library was not found. Build the package inside Flitcast's source tree, "
            "or install the library ('make install') so that 'pkg-config flitcast' finds it."
        )


def library_version() -> str:
    if not ROOT:
        return pkg_config("--modversion", "flitcast")[0]
    with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as file:
        found = re.search(r"project\(flitcast VERSION ([0-9.]+)", file.read())
    assert found, "CMakeLists.txt states no version"
    return found.group(1)


def build_folder(part: str = "") -> str | None:
    """A folder of the source tree to build in; None outside of one."""
    chosen = os.environ.get("FLITCAST_BUILD_DIR")
    if not chosen and not ROOT:
        return None
    folder = os.path.join(os.path.abspath(chosen or os.path.join(ROOT or "", "build")), part)
    os.makedirs(folder, exist_ok=True)
    return folder


def built_library(folder: str) -> str:
    """The static library of the source tree, built if it is not there or not up to date."""
    try:
        if not os.path.exists(os.path.join(folder, "CMakeCache.txt")):
            run("cmake", "-S", ROOT or HERE, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release")
        run("cmake", "--build", folder, "--target", "flitcast_static")
    except (OSError, subprocess.CalledProcessError) as problem:
        sys.exit(
            f"The Flitcast library could not be built: {problem}. It needs a C compiler and what "
            "these Debian packages hold: cmake ninja-build pkg-config libyaml-dev libjansson-dev "
            "libsqlite3-dev librandom123-dev."
        )
    return os.path.join(folder, "libflitcast.a")


def how_to_link() -> dict[str, Any]:
    flags = shlex.split(os.environ.get("FLITCAST_CFLAGS", ""))
    folder = build_folder()
    if folder:
        archive = built_library(folder)
        needs = pkg_config("--libs", "yaml-0.1", "jansson", "sqlite3")
        return {
            "include_dirs": [os.path.join(ROOT or folder, "include")],
            "extra_objects": [archive],
            "depends": [archive],
            "extra_compile_args": flags,
            "extra_link_args": [*needs, "-lpthread", "-lm", *flags],
        }
    library = pkg_config("--variable=libdir", "flitcast")
    return {
        "extra_compile_args": [*pkg_config("--cflags", "flitcast"), *flags],
        "extra_link_args": [
            *pkg_config("--libs", "flitcast"), *(f"-Wl,-rpath,{each}" for each in library), *flags
        ],
    }


def header() -> str:
    """The public header as cffi reads it: without comments, attributes and preprocessor lines."""
    if ROOT:
        path = os.path.join(ROOT, HEADER)
    else:
        folder = pkg_config("--variable=includedir", "flitcast")[0]
        path = os.path.join(folder, "flitcast", "flitcast.h")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.S)
    text = re.sub(r"__attribute__\(\(.*?\)\)\)?", "", text)
    text = re.sub(r"(?m)^\s*#.*$", "", text)
    return re.sub(r"\bFC_API\b", "", text)


ffi = cffi.FFI()
ffi.cdef(header() + DECLARATIONS)
ffi.set_source("flitcast._native", SOURCE, **how_to_link())
