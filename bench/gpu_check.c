/* The core on a GPU: is it the one of the processor, and how fast is it?
 *
 *     gpu_check equal [NUMBER [FIRST]]   compares all counters with the processor's
 *     gpu_check speed [THREADS]          flit-hops a second, beside threads of the processor
 *     gpu_check time [ROW [NETWORKS]]    the GPU alone, all rows of that table or one
 *
 * Built by gpu_check.sh, which needs no library: networks are filled in by hand. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/hash.h"
#include "base/random.h"
#include "network/router_traffic.h"
#include "scenario/fabric.h"
#include "scenario/torus.h"
#include "simulators/ensemble/ensemble.h"
#include "simulators/router/sources.h"

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void demand(fc_status status, const fc_error *error) {
    if (status == FC_OK)
        return;
    fprintf(stderr, "%s\n", error->text);
    exit(1);
}

/* ---- networks ---- */

typedef struct world {
    fc_torus torus;   /* grids; of others only what all have */
    fc_fabric fabric; /* trees */
    bool tree;
    fc_scenario scenario;
    fc_router_network *network;
    fc_traffic *traffic;
} world;

static fc_torus plain_torus(int topology, fc_integer_list radix, int64_t channels, int rule) {
    int64_t nodes = 1;
    for (size_t d = 0; d < radix.count; ++d)
        nodes *= radix.values[d];
    fc_torus torus = {.topology = topology, .radix = radix, .channel_rule = rule, .nodes = nodes};
    torus.routed = (fc_routed){.pipelined_by = "network.router_delay",
                               .router_delay = {1, 1, 1, 1},
                               .link_delay = 1,
                               .node_delay = 2,
                               .input_speedup = 1,
                               .allocator_rounds = 1,
                               .concentration = 1,
                               .virtual_channels = channels,
                               .buffer = 8,
                               .handover = FC_NEXT_CYCLE,
                               .injection_channels = 1,
                               .ejection_channels = channels,
                               .injection = {.process = FC_BERNOULLI},
                               .outstanding = FC_INFINITE,
                               .nodes = nodes,
                               .digits = radix,
                               .hot_node = -1};
    return torus;
}

static void build(world *w) {
    static char name[] = "check";
    fc_error error;
    w->torus.routed.destinations = &w->torus.destinations;
    w->fabric.routed = w->torus.routed;
    w->fabric.destinations = w->torus.destinations;
    w->fabric.routed.destinations = &w->fabric.destinations;
    w->scenario = (fc_scenario){.name = name,
                                .family = w->tree ? &fc_fabric_family : &fc_torus_family,
                                .parameters = w->tree ? (void *)&w->fabric : (void *)&w->torus};
    demand(fc_router_network_create(&w->scenario, &error, &w->network), &error);
    demand(fc_ensemble_covers(&w->scenario, w->network, &error), &error);
    demand(fc_router_traffic_create(&w->scenario, w->network, &error, &w->traffic), &error);
}

static void take_down(world *w) {
    fc_traffic_free(w->traffic);
    fc_router_network_free(w->network);
}

static int64_t draw(fc_random *random, int64_t least, int64_t most) {
    return least + fc_random_below(random, (uint32_t)(most - least + 1));
}

/* A fly or a fat tree of 16 to 64 nodes instead of the grid. */
static void draw_tree(fc_random *random, world *w) {
    const int64_t arity = fc_random_below(random, 2) ? 4 : 2;
    const int64_t levels = arity == 4 ? draw(random, 2, 3) : draw(random, 4, 5);
    const bool fly = fc_random_below(random, 2), drawn = fc_random_below(random, 2);
    w->tree = true;
    w->fabric = (fc_fabric){.topology = fly ? FC_FLY : FC_FAT_TREE,
                            .arity = arity,
                            .levels = levels,
                            .extra_stages = fly && drawn ? draw(random, 1, levels - 1) : 0,
                            .routing = drawn ? FC_ROUTE_RANDOM : FC_ROUTE_DESTINATION};
    fc_routed *r = &w->torus.routed;
    r->nodes = (int64_t)pow((double)arity, (double)levels);
    r->virtual_channels = draw(random, 1, arity == 4 ? 8 : 4);
    r->digits = (fc_integer_list){.count = 1, .values = {r->nodes}};
}

/* Half of the networks have the routers that the GPU has a kernel of its own for; some of these are
 * large. A quarter are trees. */
static void draw_world(fc_random *random, bool frequent, bool large, bool tree, world *w) {
    static const int patterns[] = {FC_UNIFORM, FC_UNIFORM, FC_HOT_SPOT, FC_BIT_COMPLEMENT};
    const bool wraps = fc_random_below(random, 2);
    fc_integer_list radix = {.count = (size_t)draw(random, 1, 3)};
    for (size_t d = 0; d < radix.count; ++d)
        radix.values[d] = radix.count == 3 ? 2 : (int64_t)1 << draw(random, 1, 3);
    int64_t channels = wraps ? 2 * draw(random, 1, 4) : draw(random, 1, 8);
    if (frequent) {
        radix.count = 2;
        for (size_t d = 0; d < 2; ++d)
            radix.values[d] = large ? 32 : (int64_t)1 << draw(random, 2, 4);
        channels = 4;
    }
    w->torus =
        plain_torus(wraps ? FC_TORUS : FC_MESH, radix, channels, wraps ? FC_DATELINE : FC_FREE);
    if (!frequent && !wraps && channels > 1 && fc_random_below(random, 3) == 0)
        w->torus.routing = FC_O1TURN;
    if (tree) {
        draw_tree(random, w);
        channels = w->torus.routed.virtual_channels;
    }
    fc_routed *r = &w->torus.routed;
    for (int stage = 0; stage < FC_ROUTER_STAGES; ++stage)
        r->router_delay[stage] =
            frequent && (stage == FC_STAGE_ROUTING || stage == FC_STAGE_ALLOCATION)
                ? 1
                : draw(random, 0, 2);
    r->link_delay = draw(random, 1, 3);
    r->node_delay = draw(random, 1, 3);
    r->credit_delay = draw(random, 0, 2);
    r->buffer = draw(random, 1, 12);
    r->input_speedup = !frequent && fc_random_below(random, 2) ? FC_INFINITE : 1;
    r->injection_channels = frequent ? 1 : draw(random, 1, channels);
    r->ejection_channels = draw(random, 1, channels);
    r->message_flits = (int64_t)1 << draw(random, 0, frequent ? 4 : 5);
    if (fc_random_below(random, 3) == 0)
        r->lengths = (fc_lengths){.count = 2, .flits = {1, 9}, .share = {0.6, 0.4}};
    r->rate = 0.001 + 0.5 * fc_random_unit(random) / (double)r->message_flits;
    r->injection.process = fc_random_below(random, 2) ? FC_BERNOULLI : FC_POISSON;
    w->torus.destinations.pattern = patterns[fc_random_below(random, 4)];
    w->torus.destinations.share = 0.2;
    if (w->torus.destinations.pattern == FC_HOT_SPOT)
        r->hot_node = 1;
    build(w);
}

/* ---- equality ---- */

static uint64_t hash_lane(const world *w, fc_ensemble *ensemble, uint32_t lane, uint64_t tallies) {
    fc_error error;
    uint64_t hash = tallies;
    demand(fc_ensemble_read(ensemble, &error), &error);
    for (uint32_t o = 0; o < w->network->outputs; ++o) {
        const uint32_t crossed = fc_ensemble_crossed(ensemble, lane, o);
        const uint32_t granted = fc_ensemble_granted(ensemble, lane, o);
        hash = fc_hash(hash, &crossed, sizeof crossed);
        hash = fc_hash(hash, &granted, sizeof granted);
        hash = fc_hash(hash, fc_ensemble_output(ensemble, lane, o), sizeof(fc_core_output));
    }
    for (uint32_t n = 0; n < w->network->nodes; ++n) {
        const uint32_t injected = fc_ensemble_injected(ensemble, lane, n);
        hash = fc_hash(hash, &injected, sizeof injected);
        hash = fc_hash(hash, fc_ensemble_node(ensemble, lane, n), sizeof(fc_core_node));
    }
    return hash;
}

/* A hash for each network of all that was counted in it, in three stretches. Returns messages. */
static uint64_t run_hash(const world *w, fc_ensemble_build kind, uint32_t first, uint32_t networks,
                         uint64_t *hashes) {
    const uint64_t until[] = {37, 700, 1203};
    fc_error error;
    fc_ensemble *ensemble;
    uint64_t messages = 0;
    fc_histogram *histogram = calloc(networks, sizeof *histogram);
    demand(fc_ensemble_create(&w->scenario, w->network, w->traffic, 5, first, networks, kind,
                              &error, &ensemble),
           &error);
    for (uint32_t lane = 0; lane < networks; ++lane) {
        hashes[lane] = FC_HASH_START;
        fc_ensemble_set_histogram(ensemble, lane, &histogram[lane]);
    }
    for (size_t i = 0; i < sizeof until / sizeof *until; ++i) {
        demand(fc_ensemble_run(ensemble, until[i], &error), &error);
        for (uint32_t lane = 0; lane < networks; ++lane) {
            const fc_core_tally *tally = fc_ensemble_tally(ensemble, lane);
            hashes[lane] = fc_hash(hashes[lane], tally, sizeof *tally);
            messages += tally->messages;
        }
    }
    for (uint32_t lane = 0; lane < networks; ++lane) {
        hashes[lane] = hash_lane(w, ensemble, lane, hashes[lane]);
        demand(fc_ensemble_read_histogram(ensemble, lane, &error), &error);
        hashes[lane] = fc_hash(hashes[lane], &histogram[lane], sizeof *histogram);
    }
    if (fc_ensemble_trouble(ensemble)) {
        printf("%s\n", fc_ensemble_trouble(ensemble));
        hashes[0] = 0;
    }
    fc_ensemble_free(ensemble);
    free(histogram);
    return messages;
}

static int check_equality(uint32_t first, uint32_t configurations, fc_ensemble_build kind) {
    enum { NETWORKS = 5 };
    uint32_t equal = 0;
    uint64_t messages = 0;
    for (uint32_t number = first; number < first + configurations; ++number) {
        fc_random random = fc_random_stream(77, number, 0);
        world w = {.scenario = {0}};
        uint64_t expected[NETWORKS], seen[NETWORKS];
        draw_world(&random, number % 2, number % 40 == 21, number % 4 == 2, &w);
        for (uint32_t lane = 0; lane < NETWORKS; ++lane)
            messages += run_hash(&w, FC_ENSEMBLE_SCALAR, lane, 1, &expected[lane]);
        run_hash(&w, kind, 0, NETWORKS, seen);
        const bool same = memcmp(seen, expected, sizeof seen) == 0;
        equal += same;
        if (!same)
            printf("configuration %u differs\n", number);
        take_down(&w);
    }
    printf("%u of %u configurations equal, %llu messages\n", equal, configurations,
           (unsigned long long)messages);
    return equal == configurations ? 0 : 1;
}

/* ---- speed ---- */

typedef struct job {
    const world *w;
    bool events;
    uint64_t cycles;
    double hops;
} job;

enum { WARM_UP = 2000 };

/* What one thread of the processor does; the hops are those after the warm-up. */
static void *run_thread(void *context) {
    job *j = context;
    fc_error error;
    if (j->events) {
        fc_router *engine;
        demand(
            fc_router_create(j->w->network, fc_scenario_routed(&j->w->scenario), &error, &engine),
            &error);
        demand(fc_open_sources_create(engine, j->w->traffic, 1, 0, &error), &error);
        demand(fc_router_run(engine, j->cycles, &error), &error);
        j->hops = (double)engine->hops;
        fc_router_free(engine);
    } else {
        const fc_ensemble_build best =
            fc_ensemble_best(&j->w->scenario, j->w->network, FC_CORE_MOST_LANES);
        fc_ensemble *ensemble;
        demand(fc_ensemble_create(&j->w->scenario, j->w->network, j->w->traffic, 1, 0,
                                  fc_ensemble_lanes(best), best, &error, &ensemble),
               &error);
        demand(fc_ensemble_run(ensemble, j->cycles, &error), &error);
        j->hops = 0;
        for (uint32_t lane = 0; lane < fc_ensemble_lanes(best); ++lane)
            j->hops += (double)fc_ensemble_tally(ensemble, lane)->hops;
        fc_ensemble_free(ensemble);
    }
    return NULL;
}

static double speed_of_threads(const world *w, unsigned threads, bool events, uint64_t cycles) {
    pthread_t *thread = calloc(threads, sizeof *thread);
    job *jobs = calloc(threads, sizeof *jobs);
    double hops = 0;
    const double start = now();
    for (unsigned i = 0; i < threads; ++i) {
        jobs[i] = (job){.w = w, .events = events, .cycles = cycles};
        pthread_create(&thread[i], NULL, run_thread, &jobs[i]);
    }
    for (unsigned i = 0; i < threads; ++i) {
        pthread_join(thread[i], NULL);
        hops += jobs[i].hops;
    }
    const double speed = hops / (now() - start);
    free(thread);
    free(jobs);
    return speed;
}

static double gpu_hops(const fc_ensemble *ensemble, uint32_t networks) {
    double hops = 0;
    for (uint32_t n = 0; n < networks; ++n)
        hops += (double)fc_ensemble_tally(ensemble, n)->hops;
    return hops;
}

static double speed_of_gpu(const world *w, uint32_t networks, uint64_t cycles) {
    fc_error error;
    fc_ensemble *ensemble;
    demand(fc_ensemble_create(&w->scenario, w->network, w->traffic, 1, 0, networks, FC_ENSEMBLE_GPU,
                              &error, &ensemble),
           &error);
    demand(fc_ensemble_run(ensemble, WARM_UP, &error), &error);
    const double before = gpu_hops(ensemble, networks), start = now();
    demand(fc_ensemble_run(ensemble, WARM_UP + cycles, &error), &error);
    const double seconds = now() - start;
    const double speed = (gpu_hops(ensemble, networks) - before) / seconds;
    fc_ensemble_free(ensemble);
    return speed;
}

static const struct cell {
    int topology;
    int64_t radix, flits;
    double load;
    uint32_t networks;
} cells[] = {/* networks: whole fillings of 132 multiprocessors, but for the last */
             {FC_MESH, 8, 16, 0.3, 1056}, {FC_MESH, 8, 16, 0.3, 4224},
             {FC_MESH, 8, 1, 0.3, 792},   {FC_MESH, 8, 1, 0.3, 3168},
             {FC_MESH, 8, 16, 0.1, 1056}, {FC_TORUS, 8, 16, 0.3, 1056},
             {FC_TORUS, 8, 1, 0.3, 792},  {FC_MESH, 16, 16, 0.15, 528},
             {FC_MESH, 16, 1, 0.15, 528}, {FC_MESH, 32, 16, 0.08, 264},
             {FC_MESH, 32, 1, 0.08, 264}, {FC_MESH, 8, 16, 0.3, 8}};
enum { CELLS = sizeof cells / sizeof *cells };

static void build_cell(const struct cell *cell, world *w) {
    const fc_integer_list radix = {.count = 2, .values = {cell->radix, cell->radix}};
    w->torus =
        plain_torus(cell->topology, radix, 4, cell->topology == FC_MESH ? FC_FREE : FC_DATELINE);
    w->torus.routed.message_flits = cell->flits;
    w->torus.routed.rate = cell->load / (double)cell->flits;
    build(w);
}

/* The GPU alone, three times: for a profiler, and to compare kernels. */
static void time_cell(size_t i, uint32_t networks) {
    world w = {.scenario = {0}};
    build_cell(&cells[i], &w);
    printf("%2dx%-2d %s %3d  %4.2f  %8u ", (int)cells[i].radix, (int)cells[i].radix,
           cells[i].topology == FC_MESH ? "m" : "t", (int)cells[i].flits, cells[i].load, networks);
    for (int run = 0; run < 3; ++run)
        printf(" %10.3g", speed_of_gpu(&w, networks, 4000));
    printf("\n");
    fflush(stdout);
    take_down(&w);
}

static void check_speed(unsigned threads) {
    printf(
        "network  flits  load  networks  GPU hops/s   %2u threads: lanes     events   GPU/lanes\n",
        threads);
    for (size_t i = 0; i < CELLS; ++i) {
        world w = {.scenario = {0}};
        build_cell(&cells[i], &w);
        const double gpu = speed_of_gpu(&w, cells[i].networks, 4000);
        const double lanes = speed_of_threads(&w, threads, false, 4000);
        const double events = speed_of_threads(&w, threads, true, 20000);
        printf("%2dx%-2d %s %3d  %4.2f  %8u  %10.3g  %18.3g %10.3g  %10.1f\n", (int)cells[i].radix,
               (int)cells[i].radix, cells[i].topology == FC_MESH ? "m" : "t", (int)cells[i].flits,
               cells[i].load, cells[i].networks, gpu, lanes, events, gpu / lanes);
        fflush(stdout);
        take_down(&w);
    }
}

/* A curve: 20 loads, 512 replications of each, 40960 cycles. */
static void check_curve(void) {
    const double start = now();
    double latency = 0;
    for (int i = 1; i <= 20; ++i) {
        const fc_integer_list radix = {.count = 2, .values = {8, 8}};
        world w = {.torus = plain_torus(FC_MESH, radix, 4, FC_FREE)};
        fc_error error;
        fc_ensemble *ensemble;
        w.torus.routed.message_flits = 16;
        w.torus.routed.rate = 0.018 * i / 16;
        build(&w);
        demand(fc_ensemble_create(&w.scenario, w.network, w.traffic, 1, 0, 512, FC_ENSEMBLE_GPU,
                                  &error, &ensemble),
               &error);
        demand(fc_ensemble_run(ensemble, 4096, &error), &error);
        demand(fc_ensemble_run(ensemble, 4096 + 40960, &error), &error);
        double sum = 0, messages = 0;
        for (uint32_t n = 0; n < 512; ++n) {
            sum += (double)fc_ensemble_tally(ensemble, n)->latency;
            messages += (double)fc_ensemble_tally(ensemble, n)->messages;
        }
        latency = sum / messages;
        fc_ensemble_free(ensemble);
        take_down(&w);
    }
    printf("curve of 20 loads x 512 replications x 40960 cycles: %.2f s (last latency %.3f)\n",
           now() - start, latency);
}

int main(int count, char **arguments) {
    const char *what = count > 1 ? arguments[1] : "equal";
    const int number = count > 2 ? atoi(arguments[2]) : 0;
    const uint32_t configurations = number > 0 ? (uint32_t)number : 60;
    const uint32_t other = count > 3 ? (uint32_t)atoi(arguments[3]) : 0;
    fc_error error;
    if (strcmp(what, "lanes") == 0)
        return check_equality(other, configurations, FC_ENSEMBLE_PLAIN);
    demand(fc_ensemble_gpu(&error), &error);
    if (strcmp(what, "time") == 0) {
        for (size_t i = 0; i < CELLS; ++i) {
            if (count < 3 || i == (size_t)number)
                time_cell(i, other ? other : cells[i].networks);
        }
        return 0;
    }
    if (strcmp(what, "speed") != 0)
        return check_equality(other, configurations, FC_ENSEMBLE_GPU);
    check_speed(number > 0 ? (unsigned)number : 16);
    check_curve();
    return 0;
}
