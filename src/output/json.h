/* JSON through Jansson's trees, printed our way: Jansson prints 0.1 as 0.10000000000000001, we
 * print the shortest text that reads back as the same number. */
#ifndef FC_OUTPUT_JSON_H
#define FC_OUTPUT_JSON_H

#include "flitcast/flitcast.h"

#include <jansson.h>

/* The object of one result, or NULL if out of memory. detail: its tables too. */
json_t *fc_json_result(const fc_result *result, bool detail);

json_t *fc_json_text(const char *text); /* what is not UTF-8 is replaced */
json_t *fc_json_number(double value);   /* null if not finite */
json_t *fc_json_integer(uint64_t value);
/* {"tool": "flitcast", "version": ...}, to be continued */
json_t *fc_json_document(void);

/* A tree and a newline. Objects and arrays of plain values stand on one line. A NULL tree is
 * FC_ERROR_MEMORY. The tree is released. */
fc_status fc_json_write(json_t *tree, FILE *stream);

#endif
