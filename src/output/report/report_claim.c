/* A claim in words: what was compared, its value, between which bounds, and where it was read. */
#include <math.h>
#include <stdlib.h>
#include "base/memory.h"
#include "output/report/report.h"
#include "output/text/numbers.h"

bool fc_report_claim_holds(const fc_report_claim *claim) {
    return claim->value >= claim->low && claim->value <= claim->high;
}

void fc_report_claim_free(fc_report_claim *claim) {
    if (!claim)
        return;
    fc_release((char *)claim->statement);
    fc_release((char *)claim->source);
    fc_release((char *)claim->quantity);
    fc_release((char *)claim->unit);
    fc_release((char *)claim->bound);
    fc_release((char *)claim->read_at);
    fc_release((char *)claim->remark);
    fc_release(claim);
}

static bool copy(const char *text, const char **place) {
    *place = text ? fc_copy_text(text) : NULL;
    return !text || *place;
}

fc_report_claim *fc_report_claim_copy(const fc_report_claim *claim) {
    fc_report_claim *made = fc_allocate(1, sizeof *made);
    if (!made)
        return NULL;
    *made = (fc_report_claim){.value = claim->value,
                              .low = claim->low,
                              .high = claim->high,
                              .cells = claim->cells,
                              .held = claim->held};
    if (!copy(claim->statement, &made->statement) || !copy(claim->source, &made->source) ||
        !copy(claim->quantity, &made->quantity) || !copy(claim->unit, &made->unit) ||
        !copy(claim->bound, &made->bound) || !copy(claim->read_at, &made->read_at) ||
        !copy(claim->remark, &made->remark)) {
        fc_report_claim_free(made);
        return NULL;
    }
    return made;
}

enum { DIGITS = 3 };

static void write_number(const char *before, double value, const fc_report_claim *claim,
                         FILE *stream) {
    char number[FC_NUMBER_SIZE];
    fc_number_text(value, DIGITS, number);
    fprintf(stream, "%s%s%s%s", before, number, claim->unit ? " " : "",
            claim->unit ? claim->unit : "");
}

static void write_bounds(const fc_report_claim *claim, FILE *stream) {
    char low[FC_NUMBER_SIZE];
    if (isfinite(claim->low) && claim->low == claim->high) {
        write_number(", to be ", claim->low, claim, stream);
    } else if (isfinite(claim->low) && isfinite(claim->high)) {
        fc_number_text(claim->low, DIGITS, low);
        fprintf(stream, ", to be from %s", low);
        write_number(" to ", claim->high, claim, stream);
    } else if (isfinite(claim->low)) {
        write_number(", to be at least ", claim->low, claim, stream);
    } else if (isfinite(claim->high)) {
        write_number(", to be at most ", claim->high, claim, stream);
    }
    if (claim->bound)
        fprintf(stream, " (%s)", claim->bound);
}

static void write_found(const fc_report_claim *claim, FILE *stream) {
    if (claim->quantity) {
        fputs(claim->quantity, stream);
        if (isfinite(claim->value))
            write_number(": ", claim->value, claim, stream);
        else
            fputs(": none", stream);
        write_bounds(claim, stream);
    }
    if (claim->read_at)
        fprintf(stream, "; read at %s", claim->read_at);
    if (claim->cells)
        fprintf(stream, "; it holds in %zu of %zu cells", claim->held, claim->cells);
    if (claim->source)
        fprintf(stream, "; stated in %s", claim->source);
    if (claim->remark)
        fprintf(stream, "%s%s", claim->quantity ? ". " : "", claim->remark);
}

char *fc_report_claim_found(const fc_report_claim *claim) {
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    write_found(claim, stream);
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}
