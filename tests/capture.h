/* What a writer writes, as text. */
#ifndef CAPTURE_H
#define CAPTURE_H

#include "test_support.h"

#include <stdlib.h>
#include <string.h>

typedef struct capture {
    FILE *stream;
    char *text;
    size_t length;
} capture;

static inline void capture_begin(capture *output) {
    output->text = NULL;
    output->stream = open_memstream(&output->text, &output->length);
    assert_non_null(output->stream);
}

/* Free the text. */
static inline char *capture_end(capture *output) {
    assert_int_equal(fclose(output->stream), 0);
    return output->text;
}

#endif
