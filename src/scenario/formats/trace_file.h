/* Files of messages: one message a line, comma-separated or as JSON objects.
 *
 *     time,source,destination,flits,after
 *     0,3,12,5
 *     20,12,3,9,0
 *     0,5,1,9,0;1
 *
 *     {"time": 0, "source": 3, "destination": 12, "bytes": 160}
 *     {"time": 20, "source": 12, "destination": 3, "bytes": 288, "after": [0]}
 *
 * The header line and the last column may be missing; a header that says bytes instead of flits
 * gives sizes in bytes. '#' begins a comment line. Messages are numbered from 0 in the file's
 * order. Without `after` a message is generated at cycle `time`; with it, `time` cycles after the
 * last of the messages it names has been delivered. A message of size 0 is not sent: it takes its
 * time and those that wait for it go on, so that it can be a computation or a barrier.
 *
 * A file of more than FC_TRACE_BYTES_MAX bytes is not kept in memory but read while it runs. Then
 * messages that wait for none must be in the order of time, and the others below those they wait
 * for. */
#ifndef FC_SCENARIO_TRACE_FILE_H
#define FC_SCENARIO_TRACE_FILE_H

#include <stdio.h>
#include "scenario/routed.h"
#include "scenario/text_file.h"

enum { FC_TRACE_MESSAGES_MAX = 1 << 24, FC_TRACE_BYTES_MAX = 1 << 27, FC_TRACE_AFTER_MAX = 65536 };

/* From text, which it changes; path is only named in messages. Free with fc_trace_clear. */
fc_status fc_trace_parse(char *text, const char *path, fc_error *error, fc_trace *trace);
/* Checks a file that is too long for memory and leaves it to be read while it runs. */
fc_status fc_trace_scan(const char *path, fc_error *error, fc_trace *trace);
void fc_trace_clear(fc_trace *trace);

/* Reads a file line by line. */
typedef struct fc_trace_lines {
    fc_lines at; /* for messages: the path, and the line last read */
    FILE *stream;
    char *buffer;
    size_t room;
    bool begun, in_bytes;
    size_t count;    /* messages read */
    uint32_t *after; /* of the message last read: what it waits for */
    size_t afters, after_room;
    uint64_t checksum;
} fc_trace_lines;
fc_status fc_trace_lines_open(const char *path, fc_error *error, fc_trace_lines *lines);
/* *more is false at the end of the file. message->after is not set: see lines->after. */
fc_status fc_trace_lines_next(fc_trace_lines *lines, fc_error *error, fc_trace_message *message,
                              bool *more);
void fc_trace_lines_close(fc_trace_lines *lines);

/* The key traffic.trace, into an fc_workload. */
fc_status fc_trace_read(const fc_document *document, const fc_value *value, void *field,
                        fc_error *error);
void fc_trace_write(const void *field, FILE *stream);
/* The file that `value` names. what  key, for messages */
fc_status fc_trace_file_read(const fc_document *document, const fc_value *value, const char *what,
                             fc_trace *trace, fc_error *error);
void fc_trace_file_write(const fc_trace *trace, FILE *stream);

#endif
