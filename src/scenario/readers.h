/* Typed reading of document values, with the sentences users see. Custom key readers use these for
 * what is nested inside their key. `what` is the key's path in messages ("traffic.rate"). */
#ifndef FC_SCENARIO_READERS_H
#define FC_SCENARIO_READERS_H

#include "scenario/family.h"

/* minimum..maximum inclusive; above: the minimum itself is not allowed. */
typedef struct fc_range {
    double minimum, maximum;
    bool above;
} fc_range;

fc_status fc_read_number(const fc_document *document, const fc_value *value, const char *what,
                         fc_range range, fc_error *error, double *number);
fc_status fc_read_integer(const fc_document *document, const fc_value *value, const char *what,
                          fc_range range, fc_error *error, int64_t *number);
/* names is NULL-terminated; *choice is the index of the one found. */
fc_status fc_read_choice(const fc_document *document, const fc_value *value, const char *what,
                         const char *const *names, fc_error *error, int *choice);
fc_status fc_read_integers(const fc_document *document, const fc_value *value, const char *what,
                           fc_range range, fc_error *error, fc_integer_list *list);
/* value must be a mapping whose keys are all among names (NULL-terminated). */
fc_status fc_check_members(const fc_document *document, const fc_value *value, const char *what,
                           const char *const *names, fc_error *error);

/* "a whole number from 1 to 64, or 'infinite'", "one of: open, closed": what a key takes. */
void fc_key_expectation(const fc_key *key, char *text, size_t size);
/* The key as it would be declared for what the field holds: a list, if it may be one and is. */
fc_key fc_key_as_given(const fc_key *key, const void *field);
/* Reads the value into the key's field (or leaves it to the key's own reader). */
fc_status fc_key_read(const fc_key *key, const fc_document *document, const fc_value *value,
                      void *field, fc_error *error);
/* The text, then the number with as few digits as read back as the same. */
void fc_number_write(const char *before, double number, FILE *stream);
/* The field as YAML, without a newline. */
void fc_key_write(const fc_key *key, const void *field, FILE *stream);

#endif
