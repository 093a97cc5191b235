/* The scenario of a request, within what the page serves. */
#ifndef PAGE_SCENARIO_H
#define PAGE_SCENARIO_H

#include <jansson.h>
#include "flitcast/flitcast.h"
#include "page/page_request.h"

/* Larger networks are for the command line. */
enum { PAGE_NODES_MAX = 16384 };

/* Where a message of the reader points to, from 1; 0: nowhere. */
typedef struct page_error {
    size_t line, column;
    char text[1024];
} page_error;

/* A scenario or a BookSim configuration, in which case *yaml (free it) is its translation and
 * *differences the sentences on what is different; both may be NULL afterwards. Files it names must
 * lie below the working folder. */
fc_status page_scenario_read(const page_text *text, page_error *error, char **yaml,
                             json_t **differences, fc_scenario **scenario);
json_t *page_error_json(const page_error *error);

#endif
