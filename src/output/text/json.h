/* JSON through Jansson's trees, printed by ourselves: Jansson prints 0.1 as 0.10000000000000001, we
 * print the shortest text that reads back as the same number.
 *
 * Where memory runs out a tree becomes NULL, and so does every tree it was to be part of: nothing
 * need be checked before fc_json_write says so. */
#ifndef FC_OUTPUT_JSON_H
#define FC_OUTPUT_JSON_H

#include "flitcast/flitcast.h"

#include <jansson.h>

/* The object of one result, or NULL if out of memory. detail: its tables too. */
json_t *fc_json_result(const fc_result *result, bool detail);

json_t *fc_json_critical(const fc_critical *critical); /* of a workload */

json_t *fc_json_text(const char *text); /* what is not UTF-8 is replaced */
json_t *fc_json_number(double value);   /* null if not finite */
/* "physical": {"value", "unit", "half_width"} of a value with that unit; nothing where the units do
 * not say what it is. half_width NaN: none. */
void fc_json_set_physical(json_t **object, const fc_units *units, const char *unit, double value,
                          double half_width);
/* The number of that key; `otherwise` if there is none. */
double fc_json_number_of(const json_t *object, const char *key, double otherwise);
json_t *fc_json_integer(uint64_t value);
/* {"tool": "flitcast", "version": ...}, to be continued */
json_t *fc_json_document(void);

/* Both take the value; without one, or without memory, what it was to be put into is released and
 * becomes NULL. */
void fc_json_set(json_t **object, const char *key, json_t *value);
void fc_json_append(json_t **array, json_t *value);

/* A tree and a newline. Objects and arrays of plain values are written on one line. A NULL tree is
 * FC_ERROR_MEMORY. The tree is released. */
fc_status fc_json_write(json_t *tree, FILE *stream);

/* ["wide", "not-validated"] */
json_t *fc_json_flags(unsigned flags);

#endif
