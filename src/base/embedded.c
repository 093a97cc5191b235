#include "base/embedded.h"

#include <string.h>

const char *fc_embedded(const char *path, size_t *length) {
    for (size_t i = 0; fc_embedded_files[i].path; ++i) {
        if (strcmp(fc_embedded_files[i].path, path) == 0) {
            *length = fc_embedded_files[i].length;
            return fc_embedded_files[i].text;
        }
    }
    return NULL;
}
