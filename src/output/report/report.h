/* The content of a report, in order, as its writers see it. */
#ifndef FC_OUTPUT_REPORT_H
#define FC_OUTPUT_REPORT_H

#include "flitcast/flitcast.h"

typedef enum fc_cell_kind {
    FC_CELL_EMPTY,
    FC_CELL_TEXT,
    FC_CELL_NUMBER,
    FC_CELL_INTERVAL,
    FC_CELL_COMPARED,
    FC_CELL_PERCENT
} fc_cell_kind;

typedef struct fc_cell {
    fc_cell_kind kind;
    char *text; /* FC_CELL_TEXT */
    double value;
    double half_width; /* FC_CELL_INTERVAL; NaN: none */
    double relative;   /* FC_CELL_COMPARED; NaN: no error known */
    int digits;        /* FC_CELL_NUMBER */
} fc_cell;

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

/* Two cells: what the metric is physically, and the unit; empty where nothing is known. */
void fc_report_cells_physical(fc_report *report, const fc_units *units, const fc_metric *metric);

/* How far a model is off, as a sentence: that it was corrected, or its measured errors. */
void fc_report_add_accuracy(fc_report *report, const fc_result *result);

#endif
