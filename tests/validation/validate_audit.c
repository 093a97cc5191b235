/* Random scenarios over all keys, and whether anything the program says of them is wrong.
 *
 *     validate_audit DIRECTORY [ROUTERS OTHERS WORKLOADS [SEED [JOBS [FIRST [SECONDS]]]]]
 *
 * simulates so many of each kind, from number FIRST on, checks the laws and bounds that must hold,
 * that engines agree, and whether the interval of the forecast holds what was simulated. Each
 * scenario has a process of its own, JOBS at a time (0: one a core), so a crash is a finding as
 * another, and one that takes more than SECONDS of processor time is ended and counted. Leaves
 * audit.csv, one row for each scenario, in DIRECTORY and prints a line for each kind, and the keys
 * that clear misses have in common. The page audit.md beside it is written by hand. Fails if a law
 * is broken, or the intervals of forecasts without a flag hold too rarely. */
#include "audit.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COUNT = 300, SECONDS = 120, ENGINES_EACH = 8, TWICE_EACH = 10, JOBS_MOST = 256 };
static const uint64_t usual_seed = 20261119;

typedef struct outcome {
    bool done, unfinished; /* unfinished: ended at the limit */
    audit_text what;
    audit_finding found;
} outcome;

typedef struct job {
    pid_t process; /* 0: none */
    int from;      /* the end to read */
    unsigned index;
} job;

typedef struct audit_run {
    FILE *csv;
    audit_kind kind;
    uint64_t seed;
    unsigned first, count, jobs, seconds;
    outcome *list; /* count */
} audit_run;

/* ---- one scenario, in a process of its own ---- */

static void examine(const audit_run *r, unsigned index, int to) {
    static outcome o;
    const unsigned number = r->first + index;
    const audit_settings settings = {.precision = 0.05,
                                     .cycles = 30000,
                                     .longer_precision = 0.006,
                                     .longer_cycles = 200000,
                                     .twice = number % TWICE_EACH == 0,
                                     .engines = number % ENGINES_EACH == 0};
    const struct rlimit limit = {r->seconds, r->seconds + 5};
    setrlimit(RLIMIT_CPU, &limit);
    o.done = true;
    o.what = audit_draw(r->kind, r->seed, number);
    /* What is sent first says what it was, should the process not come further. */
    if (write(to, &o.what, sizeof o.what) != sizeof o.what)
        _exit(1);
    o.found = audit_scenario(&o.what, &settings);
    _exit(write(to, &o.found, sizeof o.found) == sizeof o.found ? 0 : 1);
}

static void start_job(const audit_run *r, job *j, unsigned index) {
    int ends[2];
    fflush(NULL);
    if (pipe(ends) != 0 || (j->process = fork()) < 0) {
        perror("validate_audit");
        exit(1);
    }
    if (j->process == 0) {
        close(ends[0]);
        examine(r, index, ends[1]);
    }
    close(ends[1]);
    j->from = ends[0];
    j->index = index;
}

static bool receive(int from, void *what, size_t size) {
    char *to = what;
    while (size > 0) {
        const ssize_t got = read(from, to, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        to += got;
        size -= (size_t)got;
    }
    return true;
}

static void end_job(const audit_run *r, job *j, int status) {
    outcome *o = &r->list[j->index];
    receive(j->from, &o->what, sizeof o->what);
    if (!receive(j->from, &o->found, sizeof o->found)) {
        o->found = audit_nothing_found();
        o->unfinished = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
        o->found.seconds = o->unfinished ? r->seconds : 0;
        if (!o->unfinished)
            snprintf(o->found.broken, sizeof o->found.broken, "the process ended with status %d",
                     status);
    }
    o->done = true;
    close(j->from);
    j->process = 0;
}

/* ---- what is left of it ---- */

typedef struct tally {
    unsigned count, refused, unfinished, settled, missed, saturated, broken;
    unsigned forecasts, plain, plain_hold, plain_clear; /* without a flag */
    unsigned validated, validated_hold, validated_clear;
    double seconds, longest;
} tally;

static void write_text(FILE *csv, const char *text) {
    fputc('"', csv);
    for (; *text; ++text)
        fputc(*text == '\n' ? ' ' : *text == '"' ? '\'' : *text, csv);
    fputs("\"\n", csv);
}

static void write_row(const audit_run *r, unsigned index) {
    const outcome *o = &r->list[index];
    const audit_finding *f = &o->found;
    fprintf(r->csv,
            "%s,%u,%s,%.6g,%.3g,%.6g,%.3g,%s,\"%s\",%s,%s,%u,\"%s\",%.6g,%.6g,%.6g,%s,%.2f,",
            audit_kind_names[r->kind], r->first + index,
            o->unfinished ? "unfinished"
            : f->refused  ? "refused"
                          : fc_outcome_name(f->outcome),
            f->found.value, f->found.half_width, f->longer.value, f->longer.half_width,
            f->missed ? "missed" : "", f->broken, f->model,
            f->model[0] ? fc_outcome_name(f->forecast) : "", f->flags, f->reason, f->value, f->low,
            f->high,
            f->holds   ? "holds"
            : f->clear ? "clear miss"
                       : "",
            f->seconds);
    write_text(r->csv, o->what.text);
    fflush(r->csv);
    if (f->broken[0])
        fprintf(stderr, "%s %u: %s\n%s", audit_kind_names[r->kind], r->first + index, f->broken,
                o->what.text);
    if (o->unfinished)
        fprintf(stderr, "%s %u: not done in %u s\n%s", audit_kind_names[r->kind], r->first + index,
                r->seconds, o->what.text);
}

/* Whether the forecast says something that can be held against it. */
static bool says(const audit_finding *f) {
    return !f->refused && f->model[0] && f->outcome != FC_OUTCOME_NOT_CONVERGED &&
           (!isnan(f->low) || f->forecast == FC_OUTCOME_SATURATED) &&
           !(f->flags & (FC_FLAG_NOT_VALIDATED | FC_FLAG_NOT_CONVERGED));
}

static void add(tally *t, const outcome *o) {
    const audit_finding *f = &o->found;
    ++t->count;
    t->seconds += f->seconds;
    t->longest = fmax(t->longest, f->seconds);
    t->unfinished += o->unfinished;
    if (o->unfinished)
        return;
    t->refused += f->refused;
    t->saturated += !f->refused && f->outcome == FC_OUTCOME_SATURATED;
    t->settled += !isnan(f->longer.value) && f->outcome == FC_OUTCOME_OK;
    t->missed += f->missed;
    t->broken += f->broken[0] != '\0';
    t->forecasts += !f->refused && f->model[0];
    if (!says(f))
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
    printf("%s: %u scenarios, %u refused, %u not done, %u saturated, %u break a law; intervals "
           "miss the longer run in %u of %u; %u forecasts; without a flag %u, held %.1f %%, clear "
           "misses %.1f %%; validated %u, held %.1f %%, clear misses %.1f %%; %.0f s, the longest "
           "%.0f\n",
           name, t->count, t->refused, t->unfinished, t->saturated, t->broken, t->missed,
           t->settled, t->forecasts, t->plain, 100.0 * t->plain_hold / fmax(t->plain, 1),
           100.0 * t->plain_clear / fmax(t->plain, 1), t->validated,
           100.0 * t->validated_hold / fmax(t->validated, 1),
           100.0 * t->validated_clear / fmax(t->validated, 1), t->seconds, t->longest);
}

/* ---- the keys of clear misses ---- */

typedef struct key_tally {
    char key[60];
    unsigned plain, clear;
} key_tally;

/* A key counts, and a word as its value: "topology: ring". */
static void count_key(key_tally *list, size_t most, const char *key, const audit_finding *f) {
    size_t i = 0;
    while (i < most - 1 && list[i].key[0] && strcmp(list[i].key, key) != 0)
        ++i;
    snprintf(list[i].key, sizeof list[i].key, "%s", key);
    ++list[i].plain;
    list[i].clear += f->clear;
}

static void count_keys(key_tally *list, size_t most, const outcome *o) {
    int depth = 0;
    const char *at = o->what.text;
    for (; *at; ++at) {
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        const bool begins = depth == 1 && (at[0] == '{' || (at[0] == ',' && at[1] == ' '));
        const char *name = at + (*at == ',' ? 2 : 1);
        const size_t length = strcspn(name, ":{}[],");
        if (!begins || name[length] != ':')
            continue;
        char key[60];
        const char *value = name + length + 2;
        const bool word = *value >= 'a' && *value <= 'z';
        const size_t whole = length + (word ? 2 + strcspn(value, ",}") : 0);
        snprintf(key, sizeof key, "%.*s", (int)whole, name);
        count_key(list, most, key, &o->found);
    }
}

static int by_misses(const void *a, const void *b) {
    const key_tally *left = a, *right = b;
    return left->clear != right->clear ? (left->clear < right->clear) - (left->clear > right->clear)
                                       : strcmp(left->key, right->key);
}

static void print_keys(const audit_run *r) {
    enum { KEYS = 400, PRINTED = 12 };
    static key_tally keys[KEYS];
    memset(keys, 0, sizeof keys);
    for (unsigned i = 0; i < r->count; ++i)
        if (r->list[i].done && !r->list[i].unfinished && says(&r->list[i].found) &&
            !r->list[i].found.flags)
            count_keys(keys, KEYS, &r->list[i]);
    qsort(keys, KEYS, sizeof *keys, by_misses);
    for (size_t k = 0; k < PRINTED && keys[k].clear; ++k)
        printf("    %s: %u clear misses in %u without a flag\n", keys[k].key, keys[k].clear,
               keys[k].plain);
}

/* At least 87 % of the intervals without a flag hold; three standard errors less are chance. */
static bool hold_too_rarely(const tally *t) {
    static const double least = 0.87;
    const double error = sqrt(least * (1 - least) / fmax(t->plain, 1));
    return t->plain_hold < (least - 3 * error) * t->plain;
}

/* ---- all of them ---- */

static void examine_all(const audit_run *r, tally *t) {
    static job jobs[JOBS_MOST];
    unsigned next = 0, running = 0, written = 0;
    while (next < r->count || running > 0) {
        for (unsigned j = 0; j < r->jobs && next < r->count; ++j) {
            if (jobs[j].process)
                continue;
            start_job(r, &jobs[j], next++);
            ++running;
        }
        int status;
        const pid_t ended = wait(&status);
        for (unsigned j = 0; j < r->jobs; ++j) {
            if (!jobs[j].process || jobs[j].process != ended)
                continue;
            end_job(r, &jobs[j], status);
            --running;
        }
        for (; written < r->count && r->list[written].done; ++written) {
            write_row(r, written);
            add(t, &r->list[written]);
        }
    }
}

static unsigned argument(int argc, char **argv, int index, unsigned usual) {
    return argc > index ? (unsigned)strtoul(argv[index], NULL, 10) : usual;
}

static unsigned examine_kind(audit_run *r) {
    tally t = {0};
    if (r->count == 0)
        return 0;
    r->list = calloc(r->count, sizeof *r->list);
    if (!r->list) {
        perror("validate_audit");
        exit(1);
    }
    examine_all(r, &t);
    print_tally(audit_kind_names[r->kind], &t);
    print_keys(r);
    fflush(stdout);
    free(r->list);
    return t.broken + hold_too_rarely(&t);
}

int main(int argc, char **argv) {
    if (argc < 2 || argc > 9 || argc == 3 || argc == 4) {
        fprintf(stderr, "usage: validate_audit DIRECTORY [ROUTERS OTHERS WORKLOADS [SEED [JOBS "
                        "[FIRST [SECONDS]]]]]\n");
        return 2;
    }
    const char *undrawn = audit_undrawn_key();
    if (undrawn) {
        fprintf(stderr, "%s: tests/validation/audit_draw.c has nothing to draw for it\n", undrawn);
        return 1;
    }
    char path[1024];
    snprintf(path, sizeof path, "%s/audit.csv", argv[1]);
    audit_run r = {.csv = fopen(path, "w"),
                   .seed = argc > 5 ? strtoull(argv[5], NULL, 10) : usual_seed,
                   .jobs = argument(argc, argv, 6, 1),
                   .first = argument(argc, argv, 7, 0),
                   .seconds = argument(argc, argv, 8, SECONDS)};
    if (!r.csv) {
        perror(path);
        return 1;
    }
    if (r.jobs == 0)
        r.jobs = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    r.jobs = r.jobs < JOBS_MOST ? r.jobs : JOBS_MOST;
    fprintf(r.csv, "kind,number,outcome,value,half_width,longer,longer_half_width,interval,law,"
                   "model,forecast,flags,reason,predicted,low,high,holds,seconds,scenario\n");
    unsigned bad = 0;
    for (int kind = 0; kind < AUDIT_KINDS; ++kind) {
        r.kind = (audit_kind)kind;
        r.count = argument(argc, argv, 2 + kind, COUNT);
        bad += examine_kind(&r);
    }
    fclose(r.csv);
    return bad ? 1 : 0;
}
