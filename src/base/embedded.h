/* Files built into the library: papers/ and the default scenario. */
#ifndef FC_BASE_EMBEDDED_H
#define FC_BASE_EMBEDDED_H

#include <stddef.h>

/* The text of a file by its path from the project's root ("papers/hamacher-jiang/figure-4.yaml");
 * NULL if it is not built in. */
const char *fc_embedded(const char *path, size_t *length);

#endif
