#include "simulators/ensemble/cuda_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FILE_NAME "libflitcast_cuda.so"

/* Where libraries are looked for, then beside the program. It stays open. */
static void *open_library(void) {
    char path[1024];
    void *library = dlopen(FILE_NAME, RTLD_NOW | RTLD_LOCAL);
    const ssize_t length = library ? 0 : readlink("/proc/self/exe", path, sizeof path - 1);
    if (library || length <= 0)
        return library;
    path[length] = '\0';
    char *end = strrchr(path, '/');
    if (!end || (size_t)(end + 1 - path) + sizeof FILE_NAME > sizeof path)
        return NULL;
    memcpy(end + 1, FILE_NAME, sizeof FILE_NAME);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static const fc_cuda_functions *replacement;

void fc_cuda_replace(const fc_cuda_functions *functions) {
    replacement = functions;
}

const fc_cuda_functions *fc_cuda_open(fc_error *error) {
    if (replacement)
        return replacement;
    void *library = open_library();
    if (!library) {
        fc_error_write(error, FILE_NAME " was not found; it is built where nvcc is, with "
                                        "-DFLITCAST_CUDA=ON, and needs an NVIDIA GPU");
        return NULL;
    }
    const fc_cuda_functions *(*get)(void);
    *(void **)&get = dlsym(library, FC_CUDA_SYMBOL);
    const fc_cuda_functions *functions = get ? get() : NULL;
    if (!functions || functions->revision != FC_CUDA_REVISION) {
        fc_error_write(error, FILE_NAME " belongs to another version of Flitcast");
        return NULL;
    }
    const char *problem = functions->check();
    if (problem) {
        fc_error_write(error, "%s", problem);
        return NULL;
    }
    return functions;
}
