#include "studies/paper_claims.h"
#include "output/report/report.h"

#include <stdarg.h>

/* How far outside of the bounds, or below 0 how far inside; NaN is farthest out. */
static double excess(const fc_report_claim *claim, double value) {
    return isnan(value) ? INFINITY : fmax(value - claim->high, claim->low - value);
}

void fc_cell_claim_add(fc_cell_claim *cells, double value, const char *cell, ...) {
    fc_report_claim *claim = &cells->claim;
    const double out = excess(claim, value);
    if (claim->cells == 0 || out > excess(claim, claim->value)) {
        va_list arguments;
        claim->value = value;
        va_start(arguments, cell);
        vsnprintf(cells->read_at, sizeof cells->read_at, cell, arguments);
        va_end(arguments);
    }
    ++claim->cells;
    claim->held += out <= 0;
}

void fc_report_add_cell_claim(fc_report *report, fc_cell_claim *cells) {
    char worst[200];
    snprintf(worst, sizeof worst, "%s%s", cells->read_at,
             cells->claim.cells > 1 ? ", the worst" : "");
    cells->claim.read_at = worst;
    fc_report_add_claim(report, &cells->claim);
    cells->claim.read_at = NULL;
}
