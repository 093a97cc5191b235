/* What the library writes to a stream, as a text. */
#ifndef PAGE_TEXT_STREAM_H
#define PAGE_TEXT_STREAM_H

#include <stdio.h>
#include <stdlib.h>
#include "flitcast/flitcast.h"

typedef struct text_stream {
    FILE *stream; /* NULL: there is no memory */
    char *text;
    size_t length;
} text_stream;

static inline FILE *text_stream_open(text_stream *made) {
    made->text = NULL;
    return made->stream = open_memstream(&made->text, &made->length);
}

/* Closes the stream. The text, to be freed, if `status` says that it is complete; else NULL. */
static inline char *text_stream_close(text_stream *open, fc_status status) {
    if (fclose(open->stream) == 0 && status == FC_OK)
        return open->text;
    free(open->text);
    return NULL;
}

#endif
