/* Speed of the engines that simulate networks of routers, on one core: flits crossing links between
 * routers per second of CPU time, of all replications together.
 *
 *     bench_engines [repeats [row]...]     default 3, all; the best of them is printed
 *
 * Meshes, a torus and trees with the four-stage router of BookSim's examples: 4 virtual channels,
 * buffers of 8, one flit per input and cycle, uniform traffic. Engines take turns, so that their
 * ratio does not depend on what else the machine does. */
#include "bench_world.h"
#include "simulators/ensemble/ensemble.h"

typedef struct cell {
    const char *network;
    int flits;
    double load; /* flits per node per cycle */
} cell;

enum { WARM_UP = 2000 };

static world make(const cell *one) {
    char text[600];
    snprintf(text, sizeof text,
             "network: {%s, virtual_channels: 4, buffer: 8, router_delay: [1, 1, 1, 1], "
             "node_delay: 2, input_speedup: 1, injection_channels: 1, ejection_channels: 4}\n"
             "traffic: {rate: %.9g, message_flits: %d, injection: bernoulli}\n",
             one->network, one->load / one->flits, one->flits);
    return make_world(text);
}

/* Millions of flit-hops a second of the event engine, and flit-hops in a cycle. */
static double events(const world *w, double wanted, double *per_cycle) {
    fc_error error;
    fc_router *engine = start_engine(w, WARM_UP);
    *per_cycle = (double)engine->hops / WARM_UP;
    const uint64_t before = engine->hops;
    const double start = cpu_seconds();
    demand(fc_router_run(engine, WARM_UP + (uint64_t)(wanted / *per_cycle), &error), &error);
    const double speed = (double)(engine->hops - before) / (cpu_seconds() - start) / 1e6;
    fc_router_free(engine);
    return speed;
}

static double hops_of(const world *w, const fc_ensemble *ensemble, uint32_t lanes) {
    double hops = 0;
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        for (uint32_t o = 0; o < w->network->outputs; ++o) {
            if (!(w->network->output_end[o] & FC_TO_NODE))
                hops += fc_ensemble_crossed(ensemble, lane, o);
        }
    }
    return hops;
}

static double lanes(const world *w, fc_ensemble_build build, double wanted, double per_cycle) {
    const uint32_t count = fc_ensemble_lanes(build);
    fc_error error;
    fc_ensemble *ensemble;
    demand(fc_ensemble_create(w->scenario, w->network, w->traffic, 1, 0, count, build, &error,
                              &ensemble),
           &error);
    demand(fc_ensemble_run(ensemble, WARM_UP, &error), &error);
    const double before = hops_of(w, ensemble, count), start = cpu_seconds();
    const uint64_t end = WARM_UP + (uint64_t)(wanted / per_cycle / count);
    demand(fc_ensemble_run(ensemble, end, &error), &error);
    const double seconds = cpu_seconds() - start;
    const double speed = (hops_of(w, ensemble, count) - before) / seconds / 1e6;
    fc_ensemble_free(ensemble);
    return speed;
}

int main(int count, char **arguments) {
    static const cell cells[] = {
        {"topology: mesh, radix: [8, 8]", 16, 0.3},
        {"topology: mesh, radix: [8, 8]", 1, 0.3},
        {"topology: mesh, radix: [8, 8]", 16, 0.1},
        {"topology: mesh, radix: [8, 8]", 1, 0.1},
        {"topology: mesh, radix: [8, 8]", 16, 0.05},
        {"topology: mesh, radix: [8, 8]", 1, 0.05},
        {"topology: mesh, radix: [8, 8]", 4, 0.3},
        {"topology: mesh, radix: [8, 8]", 4, 0.1},
        {"topology: mesh, radix: [8, 8]", 16, 0.01},
        {"topology: mesh, radix: [8, 8]", 1, 0.01},
        {"topology: mesh, radix: [16, 16]", 16, 0.15},
        {"topology: mesh, radix: [32, 32]", 16, 0.08},
        {"topology: mesh, radix: [32, 32]", 1, 0.08},
        {"topology: torus, radix: [8, 8], channel_rule: dateline", 16, 0.3},
        {"topology: fat-tree, arity: 4, levels: 3", 16, 0.3},
        {"topology: fat-tree, arity: 4, levels: 3", 1, 0.3},
        {"topology: fat-tree, arity: 4, levels: 3, routing: random", 16, 0.1},
        {"topology: fly, arity: 4, levels: 3", 16, 0.3},
        {"topology: fly, arity: 4, levels: 3", 1, 0.1},
        {"topology: fly, arity: 8, levels: 2", 4, 0.2},
    };
    static const char *const names[] = {"single", "plain", "avx2", "avx512", "16 lanes"};
    const int repeats = count > 1 ? atoi(arguments[1]) : 3;
    bool listed[sizeof cells / sizeof *cells] = {false};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; ++i) {
        listed[i] = count < 3;
        for (int k = 2; k < count; ++k)
            listed[i] |= (size_t)atoi(arguments[k]) == i + 1;
    }
    printf("M flit-hops/s of CPU time; in brackets: times the event engine\n");
    printf("%-30s flits  load  events", "network");
    for (fc_ensemble_build build = FC_ENSEMBLE_SCALAR; build < FC_ENSEMBLE_BUILDS; ++build)
        printf(" %13s", names[build]);
    printf("\n");
    for (size_t i = 0; i < sizeof cells / sizeof *cells; ++i) {
        if (!listed[i])
            continue;
        world w = make(&cells[i]);
        const bool narrow = fc_ensemble_word(w.scenario, w.network) == 32;
        double best[1 + FC_ENSEMBLE_BUILDS] = {0};
        for (int r = 0; r < repeats; ++r) {
            double per_cycle;
            const double wanted = 2e6, event_speed = events(&w, wanted, &per_cycle);
            best[0] = event_speed > best[0] ? event_speed : best[0];
            for (fc_ensemble_build build = FC_ENSEMBLE_SCALAR; build < FC_ENSEMBLE_BUILDS;
                 ++build) {
                if (!fc_ensemble_runs(build) || (build == FC_ENSEMBLE_WIDE && !narrow))
                    continue;
                const double speed = lanes(&w, build, 2 * wanted, per_cycle);
                best[1 + build] = speed > best[1 + build] ? speed : best[1 + build];
            }
        }
        printf("%-30.30s %5d  %4.2f  %6.1f", cells[i].network + strlen("topology: "),
               cells[i].flits, cells[i].load, best[0]);
        for (fc_ensemble_build build = FC_ENSEMBLE_SCALAR; build < FC_ENSEMBLE_BUILDS; ++build)
            printf("  %5.1f (%4.2f)", best[1 + build], best[1 + build] / best[0]);
        printf("\n");
        fflush(stdout);
        free_world(&w);
    }
    return 0;
}
