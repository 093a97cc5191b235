/* Errors as sentences: filled where they happen, passed up unchanged. */
#ifndef FC_BASE_STATUS_H
#define FC_BASE_STATUS_H

#include "flitcast/flitcast.h"

/* Writes the sentence into error, which may be NULL. */
void fc_error_write(fc_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes the sentence and has the status as its value, so that a failing function can end in:
 * return fc_fail(error, FC_ERROR_INPUT, "...", ...);
 * A macro, so that a static analyser sees that it is never FC_OK. */
#define fc_fail(error, status, ...) (fc_error_write(error, __VA_ARGS__), (status))

/* The sentence every allocation failure uses. */
static inline fc_status fc_fail_memory(fc_error *error) {
    return fc_fail(error, FC_ERROR_MEMORY, "out of memory");
}

/* The sentence of whatever was cancelled and has nothing to show. */
static inline fc_status fc_fail_cancelled(fc_error *error) {
    return fc_fail(error, FC_ERROR_CANCELLED, "stopped");
}

#endif
