/* The page's own files and the examples, built into the program. */
#ifndef SERVE_ASSETS_H
#define SERVE_ASSETS_H

#include <stddef.h>

typedef struct serve_asset {
    const char *path; /* "src/serve/assets/page.js", "examples/mesh.yaml" */
    const char *text;
    size_t length;
} serve_asset;

extern const serve_asset serve_assets[]; /* ends with a path of NULL */

#endif
