/* What all writers share: the C locale while they print, and the state of the stream at the end. */
#ifndef FC_OUTPUT_WRITING_H
#define FC_OUTPUT_WRITING_H

#include "base/c_locale.h"
#include "flitcast/flitcast.h"

typedef struct fc_writing {
    fc_c_locale locale;
} fc_writing;

/* The C locale begins. */
fc_writing fc_writing_begin(void);
/* Flushes; FC_ERROR_FILE if anything could not be written, else the status given. */
fc_status fc_writing_end(fc_writing *writing, FILE *stream, fc_status status);

/* The settings, or the defaults for NULL; never with a width of 0. */
fc_write_settings fc_writing_settings(const fc_write_settings *settings);

/* Starts and ends a colour or weight, if on. */
enum { FC_INK_BOLD = 1, FC_INK_RED = 31, FC_INK_GREEN = 32, FC_INK_YELLOW = 33 };
void fc_ink(FILE *stream, bool on, int code);
void fc_ink_end(FILE *stream, bool on);

/* What a sentence ends with: "." or, if the text has one already, "". */
const char *fc_full_stop(const char *text);

/* What decides the duration of a workload, in sentences; returns how many. link: the busiest link
 * too. */
enum { FC_CRITICAL_SIZE = 400, FC_CRITICAL_MAX = 4 };
size_t fc_critical_sentences(const fc_result *result, bool link, char text[][FC_CRITICAL_SIZE]);

/* One file per format; called between begin and end. */
fc_status fc_result_write_text(const fc_result *result, const fc_write_settings *settings,
                               FILE *stream);
fc_status fc_result_write_json(const fc_result *result, bool detail, FILE *stream);
fc_status fc_result_write_csv(const fc_result *result, bool detail, FILE *stream);

/* Parts and views of a result (fc_result_write_part). */
fc_status fc_result_write_table(const fc_result *result, const char *name, FILE *stream);
fc_status fc_result_write_deliveries(const fc_result *result, const fc_scenario *scenario,
                                     FILE *stream);
fc_status fc_result_write_booksim(const fc_result *result, const fc_scenario *scenario,
                                  FILE *stream);

#endif
