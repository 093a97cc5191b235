/* Writes what the graph network of router-queueing sees of simulated networks, for its fit
 * (fit_routers.py): the inputs of src/models/router/router_learned.h, and what was simulated.
 *
 *     validate_graphs DIRECTORY FILE
 *
 * reads routers.csv, router_training.csv, router_points.csv and router_intervals.csv in DIRECTORY;
 * the last are left out of the fit. Of each network FILE has, as 32-bit numbers in the order of the
 * machine: how many lanes, movements, links and loads it has and which table it is from; the
 * latency of the empty network, its 99th percentile, the simulated saturation load and its half
 * width, the load at which the busiest link is full; the inputs of the whole; for each load the
 * rate, the mean latency, its half width, the 99th percentile and its half width; and the inputs of
 * its lanes and movements. */
#include <pthread.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/pool.h"
#include "models/router/router_learned.h"
#include "suite_points.h"

enum { TABLES = 4 };

typedef struct writer {
    FILE *stream;
    pthread_mutex_t lock;
    drawn_case *cases;
    uint32_t *table_of;
} writer;

static void put(FILE *stream, const void *data, size_t size, size_t count) {
    if (fwrite(data, size, count, stream) != count)
        suite_stop("graphs", "cannot be written");
}

static void put_loads(FILE *stream, const drawn_case *at) {
    for (size_t i = 0; i < at->count; ++i) {
        const drawn_point *p = &at->points[i];
        const float values[] = {(float)p->rate, (float)p->value[0], (float)p->half[0],
                                (float)p->value[1], (float)p->half[1]};
        put(stream, values, sizeof values, 1);
    }
}

/* The waits of bursts at their source alone, at equally spaced loads up to the capacity. */
static void put_bursts(FILE *stream, const fc_learned_inputs *in) {
    enum { POINTS = 64 };
    static const double longest = 1e6;
    float waits[POINTS] = {0}, rate = 0;
    for (uint32_t l = 0; l < in->lane_count; ++l)
        rate = fmaxf(rate, in->lanes[l].bursts);
    for (int i = 0; i < POINTS && rate > 0; ++i) {
        const double load = in->capacity * (i + 1) / POINTS;
        waits[i] =
            (float)fmin(longest, fc_router_burst_wait(load * (double)rate, &in->bursts.injection,
                                                      in->bursts.time));
    }
    put(stream, waits, sizeof waits, 1);
}

static void put_network(FILE *stream, const drawn_case *at, uint32_t table,
                        const fc_learned_inputs *in) {
    const uint32_t sizes[] = {in->lane_count, in->movement_count, in->link_count,
                              (uint32_t)at->count, table};
    const float known[] = {(float)in->empty, (float)in->tail_empty, (float)at->saturation,
                           (float)at->saturation_half, (float)in->capacity};
    put(stream, sizes, sizeof sizes, 1);
    put(stream, known, sizeof known, 1);
    put(stream, in->whole, sizeof in->whole, 1);
    put_bursts(stream, in);
    put_loads(stream, at);
    put(stream, in->lanes, sizeof *in->lanes, in->lane_count);
    put(stream, in->movements, sizeof *in->movements, in->movement_count);
}

static fc_status write_one(void *context, size_t index) {
    writer *all = context;
    const drawn_case *at = &all->cases[index];
    fc_scenario *scenario = drawn_case_scenario(at, 1e-4);
    fc_router_prepared p;
    fc_learned_inputs inputs;
    fc_error error;
    bool known;
    if (!scenario || fc_router_prepare(scenario, &error, &p) != FC_OK)
        suite_stop(at->network, scenario ? error.text : "is refused");
    const fc_status status = fc_learned_inputs_create(&p, &error, &known, &inputs);
    if (status == FC_OK && known) {
        pthread_mutex_lock(&all->lock);
        put_network(all->stream, at, all->table_of[index], &inputs);
        pthread_mutex_unlock(&all->lock);
        fc_learned_inputs_release(&inputs);
    }
    fc_router_prepared_release(&p);
    fc_scenario_free(scenario);
    return status;
}

static size_t read_tables(const char *directory, writer *all) {
    static const char *const names[TABLES] = {"routers", "router_training", "router_points",
                                              "router_intervals"};
    size_t count = 0;
    for (uint32_t t = 0; t < TABLES; ++t) {
        const size_t room = DRAWN_CASES - count;
        size_t more = 0;
        for (size_t i = 0; suite_designs[i] && t == 0; ++i)
            if (strcmp(suite_designs[i]->name, names[t]) == 0) {
                suite *s = suite_create(suite_designs[i]);
                suite_read(s, directory);
                more = drawn_cases_of(s, all->cases, room);
                free(s);
            }
        if (t > 0)
            more = drawn_cases_read(directory, names[t], all->cases + count, room);
        for (size_t i = 0; i < more; ++i)
            all->table_of[count + i] = t;
        count += more;
    }
    return count;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: validate_graphs DIRECTORY FILE\n");
        return 2;
    }
    writer all = {.stream = fopen(argv[2], "wb"),
                  .lock = PTHREAD_MUTEX_INITIALIZER,
                  .cases = calloc(DRAWN_CASES, sizeof *all.cases),
                  .table_of = calloc(DRAWN_CASES, sizeof *all.table_of)};
    if (!all.stream || !all.cases || !all.table_of)
        suite_stop(argv[2], "cannot be written");
    const size_t count = read_tables(argv[1], &all);
    if (fc_pool_run(NULL, NULL, count, write_one, &all) != FC_OK)
        suite_stop(argv[2], "out of memory");
    fprintf(stderr, "%zu networks\n", count);
    free(all.cases);
    free(all.table_of);
    return fclose(all.stream) == 0 ? 0 : 1;
}
