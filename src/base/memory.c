#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *fc_allocate(size_t count, size_t size) {
    return calloc(count ? count : 1, size ? size : 1);
}

void *fc_reallocate(void *block, size_t count, size_t size) {
    if (size && count > SIZE_MAX / size)
        return NULL;
    const size_t bytes = count * size;
    return realloc(block, bytes ? bytes : 1);
}

char *fc_copy_text(const char *text) {
    const size_t bytes = strlen(text) + 1;
    char *copy = fc_allocate(bytes, 1);
    if (copy)
        memcpy(copy, text, bytes);
    return copy;
}

void fc_release(void *block) {
    free(block);
}
