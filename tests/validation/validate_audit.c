/* Random scenarios over all families, and whether anything the program says of them is wrong.
 *
 *     validate_audit DIRECTORY [COUNT [FIRST]]
 *
 * simulates each of them, and again ten times as long with other random numbers; checks the
 * identities that hold in steady state; and asks the model that would be chosen. Leaves audit.csv,
 * one row for each scenario, in DIRECTORY, appended to if FIRST is given, and prints a summary. The
 * page audit.md beside it is written by hand. Fails if a model misleads, an identity is broken, an
 * interval has no width, or more intervals miss than chance allows. */
#include "audit.h"

#include <math.h>
#include <stdlib.h>

enum { COUNT = 300 };

typedef struct tally {
    unsigned count, refused, settled, missed, certain, broken, models, far, misled;
} tally;

static void write_row(FILE *csv, unsigned number, const audit_text *what, const audit_finding *f) {
    char scenario[600];
    size_t used = 0;
    for (const char *c = what->text; *c && used + 2 < sizeof scenario; ++c)
        scenario[used++] = *c == '\n' ? ' ' : *c == '"' ? '\'' : *c;
    scenario[used] = '\0';
    fprintf(csv, "%u,%s,%s,%.6g,%.3g,%.6g,%.3g,%s,\"%s\",%s,%.4f,%s,%.2f,\"%s\"\n", number,
            what->kind,
            f->refused   ? "refused"
            : f->settled ? "ok"
                         : "no mean",
            f->value, f->half_width, f->longer, f->longer_half_width, f->missed ? "missed" : "",
            f->identity, f->model, f->error,
            f->misled   ? "misled"
            : f->warned ? "warned"
                        : "",
            f->seconds, scenario);
    fflush(csv);
}

static void add(tally *t, const audit_finding *f) {
    ++t->count;
    t->refused += f->refused;
    t->settled += f->settled;
    t->missed += f->missed;
    t->certain += f->certain;
    t->broken += f->identity[0] != '\0';
    t->models += isnan(f->error) ? 0 : 1;
    t->far += fabs(f->error) > 0.15;
    t->misled += f->misled;
}

int main(int argc, char **argv) {
    if (argc < 2 || argc > 4) {
        fprintf(stderr, "usage: validate_audit DIRECTORY [COUNT [FIRST]]\n");
        return 2;
    }
    const unsigned count = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : COUNT;
    const unsigned first = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;
    char path[1024];
    snprintf(path, sizeof path, "%s/audit.csv", argv[1]);
    FILE *csv = fopen(path, first ? "a" : "w");
    if (!csv) {
        perror(path);
        return 1;
    }
    if (!first)
        fprintf(csv, "number,kind,outcome,value,half_width,longer,longer_half_width,interval,"
                     "identity,model,error,warning,seconds,scenario\n");
    tally t = {0};
    for (unsigned i = first; i < first + count; ++i) {
        const audit_text what = audit_draw(i);
        const audit_finding f = audit_scenario(&what, 0.05, 100000);
        write_row(csv, i, &what, &f);
        add(&t, &f);
        if (f.missed || f.misled || f.certain || f.identity[0])
            fprintf(stderr, "%u, %s:%s%s%s %s %.4g +- %.2g against %.4g +- %.2g, %s %+.0f %%\n%s",
                    i, what.kind, f.missed ? " missed" : "", f.misled ? " misled" : "",
                    f.certain ? " certain" : "", f.identity, f.value, f.half_width, f.longer,
                    f.longer_half_width, f.model, 100 * f.error, what.text);
    }
    fclose(csv);
    printf("%u scenarios: %u refused, %u with a mean; %u intervals miss the longer run (%.1f %%), "
           "%u of width 0, %u identities broken; %u models, %u off by more than 15 %%, %u of these "
           "without a warning\n",
           t.count, t.refused, t.settled, t.missed, 100.0 * t.missed / fmax(t.settled, 1),
           t.certain, t.broken, t.models, t.far, t.misled);
    /* A 95 % interval may miss in one of twenty cases; three standard deviations more are chance.
     */
    const double allowed = 0.05 * t.settled + 3 * sqrt(0.05 * 0.95 * t.settled);
    return t.broken || t.misled || t.certain || t.missed > allowed ? 1 : 0;
}
