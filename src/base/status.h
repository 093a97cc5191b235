/* Errors as sentences: filled where they happen, passed up unchanged. */
#ifndef FC_BASE_STATUS_H
#define FC_BASE_STATUS_H

#include "flitcast/flitcast.h"

/* Writes the sentence into error (which may be NULL) and returns the status, so that a failing
 * function can end in: return fc_fail(error, FC_ERROR_INPUT, "...", ...); */
fc_status fc_fail(fc_error *error, fc_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The sentence every allocation failure uses. Here, so that a static analyser sees that it never
 * returns FC_OK. */
static inline fc_status fc_fail_memory(fc_error *error) {
    (void)fc_fail(error, FC_ERROR_MEMORY, "out of memory");
    return FC_ERROR_MEMORY;
}

#endif
