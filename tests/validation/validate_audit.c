/* Random scenarios over all keys, and whether anything the program says of them is wrong.
 *
 *     validate_audit DIRECTORY [ROUTERS OTHERS WORKLOADS [SEED]]
 *
 * simulates each of them, checks the laws and bounds that must hold, that engines agree, and
 * whether the interval of the forecast holds what was simulated. Leaves audit.csv, one row for each
 * scenario, in DIRECTORY and prints a summary. The page audit.md beside it is written by hand.
 * Fails if a law is broken, or the intervals of forecasts without a flag hold too rarely. */
#include "audit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 300, ENGINES_EACH = 8, TWICE_EACH = 10 };
typedef struct tally {
    unsigned count, refused, settled, missed, saturated, broken;
    unsigned forecasts, plain, plain_hold, plain_clear; /* without a flag */
    unsigned validated, validated_hold, validated_clear;
} tally;

static void write_text(FILE *csv, const char *text) {
    fputc('"', csv);
    for (; *text; ++text)
        fputc(*text == '\n' ? ' ' : *text == '"' ? '\'' : *text, csv);
    fputs("\"\n", csv);
}

static void write_row(FILE *csv, audit_kind kind, unsigned number, const audit_text *what,
                      const audit_finding *f) {
    fprintf(csv, "%s,%u,%s,%.6g,%.3g,%.6g,%.3g,%s,\"%s\",%s,%s,%u,\"%s\",%.6g,%.6g,%.6g,%s,%.2f,",
            audit_kind_names[kind], number, f->refused ? "refused" : fc_outcome_name(f->outcome),
            f->found.value, f->found.half_width, f->longer.value, f->longer.half_width,
            f->missed ? "missed" : "", f->broken, f->model,
            f->model[0] ? fc_outcome_name(f->forecast) : "", f->flags, f->reason, f->value, f->low,
            f->high,
            f->holds   ? "holds"
            : f->clear ? "clear miss"
                       : "",
            f->seconds);
    write_text(csv, what->text);
    fflush(csv);
}

static void add(tally *t, const audit_finding *f) {
    ++t->count;
    t->refused += f->refused;
    t->saturated += !f->refused && f->outcome == FC_OUTCOME_SATURATED;
    t->settled += !isnan(f->longer.value) && f->outcome == FC_OUTCOME_OK;
    t->missed += f->missed;
    t->broken += f->broken[0] != '\0';
    const bool says = !f->refused && f->model[0] && f->outcome != FC_OUTCOME_NOT_CONVERGED &&
                      (!isnan(f->low) || f->forecast == FC_OUTCOME_SATURATED);
    t->forecasts += !f->refused && f->model[0];
    if (!says || f->flags & (FC_FLAG_NOT_VALIDATED | FC_FLAG_NOT_CONVERGED))
        return;
    ++t->validated;
    t->validated_hold += f->holds;
    t->validated_clear += f->clear;
    if (f->flags)
        return;
    ++t->plain;
    t->plain_hold += f->holds;
    t->plain_clear += f->clear;
}

static void print_tally(const char *name, const tally *t) {
    printf("%s: %u scenarios, %u refused, %u saturated, %u break a law; intervals miss the longer "
           "run in %u of %u; %u forecasts; without a flag %u, held %.1f %%, clear misses %.1f %%; "
           "validated %u, held %.1f %%, clear misses %.1f %%\n",
           name, t->count, t->refused, t->saturated, t->broken, t->missed, t->settled, t->forecasts,
           t->plain, 100.0 * t->plain_hold / fmax(t->plain, 1),
           100.0 * t->plain_clear / fmax(t->plain, 1), t->validated,
           100.0 * t->validated_hold / fmax(t->validated, 1),
           100.0 * t->validated_clear / fmax(t->validated, 1));
}

/* At least 87 % of the intervals without a flag hold; three standard errors less are chance. */
static bool hold_too_rarely(const tally *t) {
    static const double least = 0.87;
    const double error = sqrt(least * (1 - least) / fmax(t->plain, 1));
    return t->plain_hold < (least - 3 * error) * t->plain;
}

static void run(FILE *csv, audit_kind kind, unsigned count, uint64_t seed, tally *t) {
    for (unsigned i = 0; i < count; ++i) {
        const audit_settings settings = {.precision = 0.05,
                                         .cycles = 30000,
                                         .longer_precision = 0.006,
                                         .longer_cycles = 200000,
                                         .twice = i % TWICE_EACH == 0,
                                         .engines = i % ENGINES_EACH == 0};
        const audit_text what = audit_draw(kind, seed, i);
        const audit_finding f = audit_scenario(&what, &settings);
        write_row(csv, kind, i, &what, &f);
        add(t, &f);
        if (f.broken[0])
            fprintf(stderr, "%s %u: %s\n%s", audit_kind_names[kind], i, f.broken, what.text);
    }
    print_tally(audit_kind_names[kind], t);
}

int main(int argc, char **argv) {
    if (argc != 2 && argc != 5 && argc != 6) {
        fprintf(stderr, "usage: validate_audit DIRECTORY [ROUTERS OTHERS WORKLOADS [SEED]]\n");
        return 2;
    }
    const char *undrawn = audit_undrawn_key();
    if (undrawn) {
        fprintf(stderr, "%s: tests/validation/audit_draw.c has nothing to draw for it\n", undrawn);
        return 1;
    }
    char path[1024];
    snprintf(path, sizeof path, "%s/audit.csv", argv[1]);
    FILE *csv = fopen(path, "w");
    if (!csv) {
        perror(path);
        return 1;
    }
    fprintf(csv, "kind,number,outcome,value,half_width,longer,longer_half_width,interval,law,model,"
                 "forecast,flags,reason,predicted,low,high,holds,seconds,scenario\n");
    unsigned bad = 0;
    for (int kind = 0; kind < AUDIT_KINDS; ++kind) {
        tally t = {0};
        run(csv, (audit_kind)kind, argc > 4 ? (unsigned)strtoul(argv[2 + kind], NULL, 10) : COUNT,
            argc > 5 ? strtoull(argv[5], NULL, 10) : 20261119, &t);
        bad += t.broken + hold_too_rarely(&t);
    }
    fclose(csv);
    return bad ? 1 : 0;
}
