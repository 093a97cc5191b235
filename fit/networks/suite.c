#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const suite_design rings_design, multistage_design, torus_design, scouting_design,
    closed_design, routers_design, workloads_design;

const suite_design *const suite_designs[] = {
    &rings_design,  &multistage_design, &torus_design,     &scouting_design,
    &closed_design, &routers_design,    &workloads_design, NULL};

const double suite_precision = 0.01;
static const double usual_loads[] = {0.2, 0.5, 0.8, 0.9, 0.95, 0};
/* Finite buffers lose packets instead of piling them up: they can be offered more. */
static const double beyond = 1.3;

static const double random_precision = 0.02, learned_precision = 0.025;
static const double random_cycles = 1e5, learned_cycles = 1e5;

double suite_precision_of(const suite *s, const suite_entry *entry) {
    const double usual = s->design->precision > 0 ? s->design->precision : suite_precision;
    if (!entry->random)
        return usual;
    return fmax(usual, entry->held_out ? random_precision : learned_precision);
}

double suite_cycles_of(const suite *s, const suite_entry *entry) {
    if (!entry->random)
        return s->design->max_cycles;
    return fmin(s->design->max_cycles, entry->held_out ? random_cycles : learned_cycles);
}

void suite_stop(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

fc_scenario *suite_scenario(const suite *s, const suite_entry *entry, double rate) {
    char text[1024], load[48] = "";
    if (rate > 0)
        snprintf(load, sizeof load, "%srate: %.9g", entry->traffic[0] ? ", " : "", rate);
    const int length = snprintf(text, sizeof text,
                                "name: %s\nnetwork: {%s}\ntraffic: {%s%s}\n"
                                "simulation: {precision: %g, max_cycles: %g, seed: 2026%s}\n",
                                s->design->name, entry->network, entry->traffic, load,
                                suite_precision_of(s, entry), suite_cycles_of(s, entry),
                                /* their precision is that of their replications */
                                strstr(entry->traffic, "workload") ? ", replications: 32" : "");
    fc_scenario *scenario;
    fc_error error;
    if (fc_scenario_read_text(text, (size_t)length, "design", NULL, 0, &error, &scenario) != FC_OK)
        suite_stop(text, error.text);
    return scenario;
}

static size_t count_of(const char *const *names) {
    size_t count = 0;
    while (names[count])
        ++count;
    return count;
}

static void clear(suite_value *value) {
    value->simulated = value->half_width = (double)NAN;
    for (size_t m = 0; m < SUITE_MODELS; ++m)
        value->predicted[m] = (double)NAN;
}

bool suite_knows_saturation(const suite *s) {
    return s->features->capacity || s->design->exact_saturation;
}

suite_point suite_nothing(double fraction) {
    suite_point point = {.fraction = fraction, .rate = (double)NAN, .cycles = (double)NAN};
    for (size_t k = 0; k < SUITE_METRICS; ++k)
        clear(&point.metrics[k]);
    return point;
}

static void set_loads(const suite *s, suite_entry *entry, const fc_scenario *scenario) {
    const double *loads = s->design->loads ? s->design->loads : usual_loads;
    size_t open = 0;
    while (loads[open] > 0)
        ++open;
    const bool closed = !fc_scenario_load_key(scenario);
    const bool finite = s->features->capacity && !strstr(entry->network, "infinite");
    entry->point_count = closed ? 1 : open + finite;
    for (size_t i = 0; i < entry->point_count; ++i)
        entry->points[i] = suite_nothing(closed ? (double)NAN : i < open ? loads[i] : beyond);
}

void suite_add(suite *s, bool held_out, const char *network, const char *traffic) {
    if (s->count == SUITE_ENTRIES)
        suite_stop(s->design->name, "too many entries");
    suite_entry *entry = &s->entries[s->count++];
    *entry = (suite_entry){.held_out = held_out};
    snprintf(entry->network, sizeof entry->network, "%s", network);
    snprintf(entry->traffic, sizeof entry->traffic, "%s", traffic);
    const bool open = !strstr(traffic, "closed") && !strstr(traffic, "workload");
    fc_scenario *scenario = suite_scenario(s, entry, open ? 1e-6 : 0);
    const fc_feature_list *features = fc_features_of(scenario);
    if (!features || strcmp(features->name, s->design->name) != 0)
        suite_stop(network, "is not of this design's kind");
    s->features->read(scenario, entry->features);
    set_loads(s, entry, scenario);
    for (size_t m = 0; m < s->models; ++m)
        entry->covered[m] = fc_method_covers(s->design->models[m], scenario, NULL) == FC_OK;
    entry->nodes = scenario->family->nodes(scenario->parameters);
    clear(&entry->saturation);
    fc_scenario_free(scenario);
}

size_t suite_grid_count(const suite *s) {
    size_t count = 0;
    while (count < s->count && !s->entries[count].random)
        ++count;
    return count;
}

suite *suite_create(const suite_design *design) {
    suite *s = calloc(1, sizeof *s);
    if (!s)
        suite_stop(design->name, "out of memory");
    s->design = design;
    s->models = count_of(design->models);
    s->metrics = count_of(design->metrics);
    for (size_t i = 0; fc_feature_lists[i]; ++i)
        if (strcmp(fc_feature_lists[i]->name, design->name) == 0)
            s->features = fc_feature_lists[i];
    design->lay_out(s);
    suite_add_random(s);
    return s;
}
