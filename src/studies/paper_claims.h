/* Claims that are tested in more than one cell of a table: the worst cell is their value. */
#ifndef FC_STUDIES_PAPER_CLAIMS_H
#define FC_STUDIES_PAPER_CLAIMS_H

#include <math.h>
#include "flitcast/flitcast.h"
#include "output/report/report.h"

/* Bounds of a claim, in its initialiser. */
#define FC_AT_MOST(bound) .low = -INFINITY, .high = (bound)
#define FC_AT_LEAST(bound) .low = (bound), .high = INFINITY
#define FC_BETWEEN(least, most) .low = (least), .high = (most)

/* Whose bounds they are. */
#define FC_BOUND_PAPER "the paper's number"
#define FC_BOUND_OURS "ours: the paper gives no number"

typedef struct fc_cell_claim {
    fc_report_claim claim;
    char read_at[160]; /* of the worst cell */
} fc_cell_claim;

/* One more cell, named as for printf; NaN does not hold. */
void fc_cell_claim_add(fc_cell_claim *cells, double value, const char *cell, ...)
    __attribute__((format(printf, 3, 4)));
void fc_report_add_cell_claim(fc_report *report, fc_cell_claim *cells);

#endif
