#include <math.h>
#include "suite.h"

const double suite_widest = 0.05;

bool suite_within(const suite_value *value, double share) {
    return value->half_width <= 1.01 * share * fabs(value->simulated); /* of rounded numbers */
}

/* Whether a longer run may reach the precision. */
static bool can_be_better(const suite *s, const suite_entry *entry, const suite_point *point) {
    return !suite_within(&point->metrics[0], suite_precision_of(s, entry)) &&
           !(point->cycles >= suite_cycles_of(s, entry));
}

bool suite_lacks(const suite *s, const suite_entry *entry, const suite_point *point) {
    return !point->done || can_be_better(s, entry, point);
}

bool suite_counts(const suite_entry *entry, const suite_value *value, size_t model) {
    return entry->covered[model] && !isnan(value->predicted[model]) &&
           suite_within(value, suite_widest);
}

static void write_error(const suite_entry *entry, const suite_value *value, size_t model,
                        FILE *stream) {
    if (!suite_counts(entry, value, model))
        fprintf(stream, "FC_CASE_NONE");
    else if (isinf(value->predicted[model]))
        fprintf(stream, "FC_CASE_UNSOLVED");
    else
        fprintf(stream, "%.0f", 1e5 * (value->predicted[model] / value->simulated - 1));
}

/* Random networks are of use once they are simulated. */
static bool is_carried(const suite_entry *entry) {
    bool done = !entry->random;
    for (size_t i = 0; i < entry->point_count; ++i)
        done |= entry->points[i].done;
    return done;
}

static void write_networks(const suite *s, FILE *stream) {
    const size_t features = fc_feature_count(s->features);
    fprintf(stream, "\nstatic const fc_case_network %s[] = {\n", s->design->name);
    for (size_t e = 0; e < s->count; ++e) {
        const suite_entry *entry = &s->entries[e];
        if (!is_carried(entry))
            continue;
        fprintf(stream, "    {%s, {", entry->held_out ? "true" : "false");
        for (size_t i = 0; i < entry->point_count; ++i) {
            const double load = entry->points[i].fraction;
            fprintf(stream, isnan(load) ? "%sFC_CASE_CLOSED" : "%s%.0f", i ? ", " : "", 1e3 * load);
        }
        fprintf(stream, "}, {");
        for (size_t f = 0; f < features; ++f)
            fprintf(stream, "%s%.6g", f ? ", " : "", entry->features[f]);
        fprintf(stream, "}},\n");
    }
    fprintf(stream, "};\n");
}

/* "closed_0", of another metric than the main one "closed_0_1" */
static void write_name(const suite *s, size_t model, size_t metric, FILE *stream) {
    fprintf(stream, "%s_%zu", s->design->name, model);
    if (metric)
        fprintf(stream, "_%zu", metric);
}

static void write_rows(const suite *s, size_t model, size_t metric, FILE *stream) {
    fprintf(stream, "\nstatic const fc_case_row ");
    write_name(s, model, metric, stream);
    fprintf(stream, "[] = {\n");
    size_t network = 0;
    for (size_t e = 0; e < s->count; ++e) {
        const suite_entry *entry = &s->entries[e];
        if (!is_carried(entry))
            continue;
        ++network;
        if (!entry->covered[model])
            continue;
        fprintf(stream, "    {%zu, {", network - 1);
        for (size_t i = 0; i < entry->point_count; ++i) {
            fprintf(stream, i ? ", " : "");
            write_error(entry, &entry->points[i].metrics[metric], model, stream);
        }
        fprintf(stream, "}},\n");
    }
    fprintf(stream, "};\n");
}

static size_t carried(const suite *s) {
    return s->design->carried ? s->design->carried : 1;
}

void suite_write_cases(suite *const *suites, FILE *stream) {
    fprintf(stream, "/* clang-format off */\n"
                    "/* Written by tests/validation/validate_suite.c from the tables in "
                    "docs/validation: not to be edited. */\n"
                    "#include \"registry/accuracy_cases.h\"\n");
    for (size_t i = 0; suites[i]; ++i) {
        write_networks(suites[i], stream);
        for (size_t m = 0; m < suites[i]->models; ++m)
            for (size_t k = 0; k < carried(suites[i]); ++k)
                write_rows(suites[i], m, k, stream);
    }
    fprintf(stream, "\n#define ROWS(rows) rows, sizeof(rows) / sizeof *(rows)\n\n"
                    "const fc_case_model fc_case_models[] = {\n");
    for (size_t i = 0; suites[i]; ++i) {
        const char *name = suites[i]->design->name;
        for (size_t m = 0; m < suites[i]->models; ++m)
            for (size_t k = 0; k < carried(suites[i]); ++k) {
                fprintf(stream, "    {\"%s\", \"%s\", %s, ROWS(", suites[i]->design->models[m],
                        name, name);
                write_name(suites[i], m, k, stream);
                if (k)
                    fprintf(stream, "), \"%s\"},\n", suites[i]->design->metrics[k]);
                else
                    fprintf(stream, "), NULL},\n");
            }
    }
    fprintf(stream, "    {NULL, NULL, NULL, NULL, 0, NULL},\n};\n");
}
