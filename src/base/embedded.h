/* Files built into the library: papers/, data/ and the default scenario. */
#ifndef FC_BASE_EMBEDDED_H
#define FC_BASE_EMBEDDED_H

#include <stddef.h>

typedef struct fc_embedded_file {
    const char *path; /* from the project's root: "papers/hamacher-jiang/figure-4.yaml" */
    const char *text; /* a zero byte follows */
    size_t length;
} fc_embedded_file;

extern const fc_embedded_file
    fc_embedded_files[]; /* written by the build; ends with a path of NULL */

/* The text of a file by its path; NULL if it is not built in. */
const char *fc_embedded(const char *path, size_t *length);

#endif
