/* The page's own files and the examples, built into the program. */
#ifndef PAGE_ASSETS_H
#define PAGE_ASSETS_H

#include <stddef.h>

typedef struct page_asset {
    const char *path; /* "src/page/assets/page.js", "examples/mesh.yaml" */
    const char *text;
    size_t length;
} page_asset;

extern const page_asset page_assets[]; /* ends with a path of NULL */

#endif
