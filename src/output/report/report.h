/* The content of a report, in order, as its writers see it. */
#ifndef FC_OUTPUT_REPORT_H
#define FC_OUTPUT_REPORT_H

#include "flitcast/flitcast.h"
#include "output/pictures/heatmap.h"
#include "output/pictures/plot.h"

/* A statement of a paper and the number that it is tested by. It holds if low <= value <= high.
 * Texts that are not needed are NULL. */
typedef struct fc_report_claim {
    const char *statement; /* what the paper says */
    const char *source;    /* where it says so: "section 4.7" */
    const char *quantity;  /* what the value is: "response time, 10 % hot over uniform" */
    const char *unit;      /* of the value and its bounds: "%", "cycles", "points" */
    double value;
    double low, high;    /* -INFINITY, INFINITY: no bound */
    const char *bound;   /* whose bounds they are: "the paper's", or "ours: it gives no number" */
    const char *read_at; /* where the value was read, in the table or figure */
    size_t cells, held; /* how many cells were looked at, and in how many it holds; 0: one number */
    const char *remark; /* what else was found */
} fc_report_claim;

typedef struct fc_report_table {
    size_t columns, rows, capacity;
    char **names;
    fc_cell *cells; /* rows x columns */
    size_t next;    /* column of the next cell */
    size_t keys;    /* columns that identify a row; 0: not known */
    bool leave_out; /* in a terminal, what does not fit */
} fc_report_table;

typedef enum fc_item_kind {
    FC_ITEM_HEADING,
    FC_ITEM_TEXT,
    FC_ITEM_CODE,
    FC_ITEM_TABLE,
    FC_ITEM_PLOT,
    FC_ITEM_HEATMAP,
    FC_ITEM_DRAWING,
    FC_ITEM_CLAIM,
    FC_ITEM_SCENARIO /* code that is a file, too */
} fc_item_kind;

typedef struct fc_item {
    fc_item_kind kind;
    char *title; /* of code and tables; may be empty */
    char *text;  /* heading, paragraph, code, scenario, drawing as SVG; of a claim its statement */
    fc_report_claim *claim; /* its texts are its own */
    fc_report_table *table;
    fc_plot *plot;
    fc_heatmap *map;
} fc_item;

struct fc_report {
    char *title;
    fc_item *items;
    size_t item_count, capacity;
    fc_status status;
};

/* Preformatted text, for example a scenario; title may be NULL. */
void fc_report_add_code(fc_report *report, const char *title, const char *text);
/* The name, the hash and every key of a scenario. */
void fc_report_add_scenario(fc_report *report, const fc_scenario *scenario);
/* For the table just started: the first `keys` columns identify a row and are repeated where a wide
 * table is continued below. leave_out: instead, columns that do not fit on a terminal are left out,
 * the last ones first, and named below the table; files contain all of them. */
void fc_report_set_keys(fc_report *report, size_t keys, bool leave_out);
/* A row cell by cell, left to right. */
void fc_report_row(fc_report *report);
void fc_report_cell_text(fc_report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void fc_report_cell_number(fc_report *report, double value, int digits);
void fc_report_cell_interval(fc_report *report, double value, double half_width);
void fc_report_cell_compared(fc_report *report, double value, double relative);
void fc_report_cell_percent(fc_report *report, double ratio);
/* Takes the picture over; it is freed with the report. */
void fc_report_add_plot(fc_report *report, fc_plot *plot);
void fc_report_add_heatmap(fc_report *report, fc_heatmap *map);
void fc_report_add_claim(fc_report *report, const fc_report_claim *claim);
bool fc_report_claim_holds(const fc_report_claim *claim);
/* A scenario that was run, shown as code and kept as a file that runs it again. */
void fc_report_add_scenario_file(fc_report *report, const char *title, const char *text);
fc_status fc_report_status(const fc_report *report);

/* What cannot be added makes the report fail; the first failure counts. */
void fc_report_fail(fc_report *report, fc_status status);
/* A picture that only pages show: an SVG element. */
void fc_report_add_drawing(fc_report *report, const char *svg);

/* A cell of a table as read by people; plain: ASCII only. The text lives in the cell or the buffer.
 */
enum { FC_CELL_SIZE = 96 };
const char *fc_cell_text(const fc_cell *cell, bool plain, char buffer[FC_CELL_SIZE]);
bool fc_cell_is_number(const fc_cell *cell);
/* A claim that owns its texts; NULL if out of memory. */
fc_report_claim *fc_report_claim_copy(const fc_report_claim *claim);
void fc_report_claim_free(fc_report_claim *claim);
/* "response time: +40 %, at most 30 % (ours)", where it was read and in how many cells it holds, as
 * a sentence; NULL if out of memory. Free with free(). */
char *fc_report_claim_found(const fc_report_claim *claim);
/* "3 of 4 claims hold.", or an empty text if there are no claims. */
void fc_report_verdict(const fc_report *report, char text[FC_CELL_SIZE]);

/* One file per format; called between fc_writing_begin and fc_writing_end. */
fc_status fc_report_write_text(const fc_report *report, const fc_write_settings *settings,
                               FILE *stream);
fc_status fc_report_write_json(const fc_report *report, FILE *stream);
fc_status fc_report_write_csv(const fc_report *report, FILE *stream);
/* plot: at the end; may be NULL. */
fc_status fc_report_write_html(const fc_report *report, const fc_plot *plot, FILE *stream);

/* Two cells: what the metric is physically, and the unit; empty where nothing is known. */
void fc_report_cells_physical(fc_report *report, const fc_units *units, const fc_metric *metric);

/* How far a model is off, as a sentence: that it was corrected, or its measured errors. */
void fc_report_add_accuracy(fc_report *report, const fc_result *result);

#endif
