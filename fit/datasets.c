/* Makes the datasets that corrections are fitted to, from the tables of simulated networks.
 *
 *     fit_datasets FAMILY DIRECTORY FILE
 *
 * FAMILY is torus, scouting, closed, multistage or routers; DIRECTORY has the tables. A tenth of
 * the networks that were drawn at random, and of routers those of router_intervals.csv, are left
 * out of the fit; networks held out to score the program are never in a dataset. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "base/pool.h"
#include "dataset.h"
#include "models/closed/closed_cycle.h"
#include "models/closed/closed_traits.h"
#include "models/multistage/multistage_traits.h"
#include "models/router/router_traits.h"
#include "models/scouting/scouting_traits.h"
#include "models/torus/torus_traits.h"
#include "seen.h"
#include "suite.h"
#include "suite_points.h"
#include "targets.h"

enum { TABLES_MOST = 4, BATCH = 256, RECORDS_MOST = DRAWN_LOADS };

/* A network as a table has it. */
typedef struct source {
    const drawn_case *at;
    bool random, is_short, left_out;
} source;

/* What is written of it: form `curve` one record, form `values` one for each load. */
typedef struct record {
    fc_traits *traits;
    fit_network network;
    fit_load loads[DRAWN_LOADS];
} record;

typedef struct batch_item {
    record records[RECORDS_MOST];
    size_t count;
} batch_item;

typedef struct family {
    const char *name, *model;
    unsigned revision;
    const fc_trait_names *names;
    const char *const *values;           /* NULL: form `curve` */
    const char *tables[TABLES_MOST + 1]; /* beside the suite of that name */
    const char *left_out;                /* one of the tables */
    const char *held_out;                /* a table whose networks are in none */
    fc_status (*make)(const source *from, fc_error *error, batch_item *made);
} family;

/* ---- form `curve` ---- */

static const char *group_of(const source *from) {
    static const struct {
        const char *text, *group;
    } groups[] = {{"topology: torus", "torus"},
                  {"topology: mesh", "mesh"},
                  {"topology: ring,", "ring"},
                  {"topology: hypercube", "hypercube"},
                  {"topology: fly", "fly"},
                  {"topology: fat-tree", "fat-tree"},
                  {"topology: dragonfly", "dragonfly"},
                  {"topology: hyperx", "hyperx"},
                  {"topology: flattened", "hyperx"},
                  {"topology: slim-fly", "slim-fly"},
                  {"topology: graph", "graph"},
                  {"contention: output", "contention"},
                  {"topology: multistage", "multistage"}};
    for (size_t i = sizeof groups / sizeof *groups; i-- > 0;)
        if (strstr(from->at->network, groups[i].text) &&
            (strcmp(groups[i].group, "multistage") != 0 ||
             !strstr(from->at->network, "contention: output")))
            return groups[i].group;
    return "other";
}

/* A search in short runs may end too early, or see that a network is full too late: it is not
 * believed where loads that are clearly higher settled, or if it is clearly above what links carry.
 */
static double saturation_of(const drawn_case *at, double capacity) {
    static const double beyond = 1.05;
    double settled = 0;
    for (size_t i = 0; i < at->count; ++i)
        if (!isnan(at->points[i].value[0]))
            settled = fmax(settled, at->points[i].rate);
    const double found = at->saturation;
    const bool believed = found > 0 && settled < beyond * found && found < beyond * capacity;
    return believed ? fmin(found, capacity) : 0;
}

static void take_simulated(const source *from, double capacity, record *made) {
    const drawn_case *at = from->at;
    const double saturation = saturation_of(at, capacity);
    made->network = (fit_network){.group = group_of(from),
                                  .left_out = from->left_out,
                                  .saturation = saturation,
                                  .saturation_half = saturation > 0 ? at->saturation_half : 0,
                                  .load_count = (uint32_t)at->count,
                                  .loads = made->loads};
    for (size_t i = 0; i < at->count; ++i) {
        const drawn_point *p = &at->points[i];
        made->loads[i] = (fit_load){(float)p->rate, (float)p->value[0], (float)p->half[0],
                                    (float)p->value[1], (float)p->half[1]};
    }
}

typedef fc_status traits_function(const fc_scenario *scenario, void *prepared, fc_error *error,
                                  fc_traits **traits);

/* One record, if the model has traits for the network. */
static fc_status make_curve(const source *from, const fc_scenario *scenario, void *prepared,
                            traits_function *read, fc_error *error, batch_item *made) {
    fc_traits *traits;
    fc_status status = read(scenario, prepared, error, &traits);
    if (status != FC_OK || !traits)
        return status;
    record *one = &made->records[0];
    one->traits = traits;
    take_simulated(from, traits->capacity, one);
    made->count = 1;
    return FC_OK;
}

/* Any load: traits do not depend on it. */
static fc_scenario *scenario_of(const source *from) {
    fc_scenario *scenario = drawn_case_scenario(from->at, 1e-6);
    if (!scenario)
        suite_stop(from->at->network, "is refused");
    return scenario;
}

static fc_status make_routers(const source *from, fc_error *error, batch_item *made) {
    fc_scenario *scenario = scenario_of(from);
    fc_router_prepared p;
    fc_status status = fc_router_prepare(scenario, error, &p);
    if (status == FC_OK) {
        status = make_curve(from, scenario, &p, fc_router_traits, error, made);
        fc_router_prepared_release(&p);
    }
    fc_scenario_free(scenario);
    return status == FC_ERROR_UNSUPPORTED ? FC_OK : status; /* as the command would refuse it */
}

static fc_status make_torus(const source *from, fc_error *error, batch_item *made) {
    fc_scenario *scenario = scenario_of(from);
    fc_sharing_solver *solver = fc_sharing_solver_of(scenario);
    const fc_status status =
        solver ? make_curve(from, scenario, solver, fc_torus_traits, error, made) : FC_ERROR_MEMORY;
    fc_sharing_solver_free(solver);
    fc_scenario_free(scenario);
    return status;
}

static fc_status make_scouting(const source *from, fc_error *error, batch_item *made) {
    fc_scenario *scenario = scenario_of(from);
    fc_scouting_solver *solver;
    fc_status status = fc_scouting_solver_create(scenario->parameters, error, &solver);
    if (status == FC_OK) {
        status = make_curve(from, scenario, solver, fc_scouting_traits, error, made);
        fc_scouting_solver_free(solver);
    }
    fc_scenario_free(scenario);
    return status;
}

/* ---- form `values` ---- */

typedef fc_status values_function(const fc_scenario *scenario, const fc_result *result,
                                  fc_error *error, fc_traits **traits);
typedef bool target_function(const fc_scenario *scenario, const fc_result *result,
                             const drawn_point *point, bool is_short, fit_network *network);

static fc_status make_values(const source *from, const char *model, values_function *read,
                             target_function *aim, fc_error *error, batch_item *made) {
    for (size_t i = 0; i < from->at->count; ++i) {
        const drawn_point *point = &from->at->points[i];
        if (!isfinite(point->value[0]) || !isfinite(point->value[1]))
            continue;
        fc_scenario *scenario = drawn_case_scenario(from->at, point->rate);
        if (!scenario)
            suite_stop(from->at->network, "is refused");
        fc_result *result;
        record *one = &made->records[made->count];
        fc_status status = fc_predict(scenario, model, error, &result);
        if (status == FC_OK)
            status = read(scenario, result, error, &one->traits);
        one->network = (fit_network){.group = group_of(from), .left_out = from->left_out};
        if (status == FC_OK && one->traits &&
            aim(scenario, result, point, from->is_short, &one->network)) {
            ++made->count;
        } else if (status == FC_OK) {
            fc_traits_free(one->traits);
            one->traits = NULL;
        }
        if (status == FC_OK)
            fc_result_free(result);
        fc_scenario_free(scenario);
        if (status != FC_OK)
            return status;
    }
    return FC_OK;
}

static fc_status make_closed(const source *from, fc_error *error, batch_item *made) {
    return make_values(from, "closed-refined", fc_closed_traits, fit_closed_targets, error, made);
}

static fc_status make_multistage(const source *from, fc_error *error, batch_item *made) {
    return make_values(from, "multistage-backpressure", fc_multistage_traits,
                       fit_multistage_targets, error, made);
}

/* ---- families ---- */

static const char *const closed_values[] = {"efficiency", "network time", "hot over cold", NULL};
static const char *const multistage_values[] = {"latency", NULL};
static const family families[] = {
    {.name = "torus",
     .model = "torus-sharing",
     .revision = FC_TORUS_TRAITS_REVISION,
     .names = &fc_torus_trait_names,
     .tables = {"torus_points", "mesh_points"},
     .make = make_torus},
    {.name = "scouting",
     .model = "scouting-sharing",
     .revision = FC_SCOUTING_TRAITS_REVISION,
     .names = &fc_scouting_trait_names,
     .tables = {"scouting_points"},
     .make = make_scouting},
    {.name = "closed",
     .model = "closed-refined",
     .revision = FC_CLOSED_TRAITS_REVISION,
     .names = &fc_closed_trait_names,
     .values = closed_values,
     .tables = {"closed_points", "closed_hot_points"},
     .held_out = "closed_hot_held_out",
     .make = make_closed},
    {.name = "multistage",
     .model = "multistage-backpressure",
     .revision = FC_MULTISTAGE_TRAITS_REVISION,
     .names = &fc_multistage_trait_names,
     .values = multistage_values,
     .tables = {"multistage_points"},
     .make = make_multistage},
    {.name = "routers",
     .model = "router-queueing",
     .revision = FC_ROUTER_TRAITS_REVISION,
     .names = &fc_router_trait_names,
     .tables = {"router_training", "router_points", "router_wide", "router_intervals"},
     .left_out = "router_intervals",
     .held_out = "router_held_out",
     .make = make_routers},
};
enum { FAMILIES = sizeof families / sizeof *families };

/* ---- tables ---- */

typedef struct sources {
    drawn_case *cases;
    source *list;
    size_t case_count, count;
} sources;

/* A fixed tenth, by the text of the network. */
static bool is_tenth(const drawn_case *at) {
    uint64_t hash = fc_hash(FC_HASH_START, at->network, strlen(at->network));
    hash = fc_hash(hash, at->traffic, strlen(at->traffic));
    return (hash ^ hash >> 29) % 10 == 0;
}

static void add_source(sources *all, const drawn_case *at, bool random, bool is_short) {
    all->list[all->count++] = (source){at, random, is_short, random && is_tenth(at)};
}

static void add_suite(const family *of, const char *directory, sources *all) {
    for (size_t i = 0; suite_designs[i]; ++i) {
        if (strcmp(suite_designs[i]->name, of->name) != 0)
            continue;
        suite *s = suite_create(suite_designs[i]);
        suite_read(s, directory);
        drawn_case *first = all->cases + all->case_count;
        all->case_count += drawn_cases_of(s, first, DRAWN_CASES);
        for (size_t e = 0; e < s->count; ++e)
            if (s->entries[e].covered[0] && !(s->entries[e].held_out && s->entries[e].random) &&
                first[e].count > 0)
                add_source(all, &first[e], s->entries[e].random, false);
        free(s);
    }
}

static void add_table(const char *directory, const char *name, bool is_left_out, sources *all) {
    drawn_case *first = all->cases + all->case_count;
    const size_t count = drawn_cases_read(directory, name, first, DRAWN_CASES - all->case_count);
    all->case_count += count;
    for (size_t i = 0; i < count; ++i) {
        add_source(all, &first[i], true, true);
        all->list[all->count - 1].left_out |= is_left_out;
    }
}

static int by_text(const void *a, const void *b) {
    const drawn_case *x = a, *y = b;
    const int network = strcmp(x->network, y->network);
    return network ? network : strcmp(x->traffic, y->traffic);
}

/* Networks that score the program are not learned from, whatever table has them too. */
static void remove_held_out(const char *directory, const char *name, sources *all) {
    drawn_case *held = calloc(DRAWN_CASES, sizeof *held);
    const size_t count = held ? drawn_cases_read(directory, name, held, DRAWN_CASES) : 0;
    if (count == 0)
        suite_stop(name, "has no networks");
    qsort(held, count, sizeof *held, by_text);
    size_t kept = 0;
    for (size_t i = 0; i < all->count; ++i)
        if (!bsearch(all->list[i].at, held, count, sizeof *held, by_text))
            all->list[kept++] = all->list[i];
    all->count = kept;
    free(held);
}

static sources read_sources(const family *of, const char *directory) {
    sources all = {.cases = calloc(DRAWN_CASES, sizeof *all.cases),
                   .list = calloc(DRAWN_CASES, sizeof *all.list)};
    if (!all.cases || !all.list)
        suite_stop(of->name, "out of memory");
    add_suite(of, directory, &all);
    for (size_t i = 0; of->tables[i]; ++i)
        add_table(directory, of->tables[i],
                  of->left_out && strcmp(of->tables[i], of->left_out) == 0, &all);
    if (of->held_out)
        remove_held_out(directory, of->held_out, &all);
    return all;
}

/* ---- what was drawn ---- */

static fit_seen *find_seen(const sources *all) {
    fit_seen *seen = fit_seen_create();
    for (size_t i = 0; i < all->count; ++i) {
        if (all->list[i].left_out)
            continue;
        const drawn_case *at = all->list[i].at;
        fc_scenario *scenario = drawn_case_scenario(at, at->points[0].rate > 0 ? 1e-6 : 0);
        if (!seen || !scenario || !fit_seen_add(seen, scenario))
            suite_stop(at->network, scenario ? "out of memory" : "is refused");
        fc_scenario_free(scenario);
    }
    return seen;
}

/* ---- writing ---- */

/* Traits count with so many binary digits: more make a file twice as large and no fit better. */
static void round_all(float *values, size_t count) {
    enum { DROPPED = 13 };
    for (size_t i = 0; i < count; ++i) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        bits = (bits + (1U << (DROPPED - 1))) & ~((1U << DROPPED) - 1);
        memcpy(&values[i], &bits, sizeof bits);
    }
}

typedef struct batch {
    const family *of;
    const source *first;
    batch_item items[BATCH];
} batch;

static fc_status make_item(void *context, size_t index) {
    batch *b = context;
    fc_error error;
    const fc_status status = b->of->make(&b->first[index], &error, &b->items[index]);
    if (status != FC_OK)
        suite_stop(b->first[index].at->network, error.text);
    return status;
}

static size_t write_batch(batch *b, size_t count, fit_writer *writer) {
    size_t written = 0;
    for (size_t i = 0; i < count; ++i) {
        batch_item *item = &b->items[i];
        for (size_t k = 0; k < item->count; ++k, ++written) {
            fc_traits *traits = item->records[k].traits;
            round_all(traits->lane, traits->lane_count * traits->lane_inputs);
            round_all(traits->movement, traits->movement_count * traits->movement_inputs);
            if (!fit_writer_add(writer, &item->records[k].network, traits))
                suite_stop(b->of->name, "cannot be written");
            fc_traits_free(traits);
        }
        *item = (batch_item){.count = 0};
    }
    return written;
}

int main(int argc, char **argv) {
    const family *of = NULL;
    for (size_t i = 0; i < FAMILIES && argc == 4; ++i)
        if (strcmp(families[i].name, argv[1]) == 0)
            of = &families[i];
    if (!of) {
        fprintf(stderr, "usage: fit_datasets torus|scouting|closed|multistage|routers "
                        "DIRECTORY FILE\n");
        return 2;
    }
    const sources all = read_sources(of, argv[2]);
    fit_seen *seen = find_seen(&all);
    const fit_head head = {.model = of->model,
                           .revision = of->revision,
                           .names = of->names,
                           .values = of->values,
                           .seen = fit_seen_lines(seen)};
    fit_writer *writer = fit_writer_create(argv[3], &head);
    batch *b = calloc(1, sizeof *b);
    if (!writer || !b)
        suite_stop(argv[3], "cannot be written");
    size_t written = 0;
    b->of = of;
    for (size_t i = 0; i < all.count; i += BATCH) {
        const size_t count = all.count - i < BATCH ? all.count - i : BATCH;
        b->first = &all.list[i];
        fc_pool_run(NULL, NULL, count, make_item, b);
        written += write_batch(b, count, writer);
    }
    fprintf(stderr, "%zu networks, %zu records\n", all.count, written);
    free(b);
    fit_seen_free(seen);
    free(all.cases);
    free(all.list);
    return fit_writer_close(writer) ? 0 : 1;
}
