/* Replications of the simulator `router` as lanes of ensembles, and which engine is the fastest.
 *
 * Lanes visit every router in every cycle, events only what moves: so lanes win where much moves,
 * and where there are replications enough to fill them. */
#include <math.h>
#include <stdio.h>
#include "base/memory.h"
#include "base/pool.h"
#include "simulators/ensemble/lane_pool.h"
#include "simulators/router/router_simulator.h"

/* ---- choice ---- */

/* Mean flits of a message. */
static double flits_of_message(const fc_routed *routed) {
    double flits = routed->lengths.count ? 0 : (double)routed->message_flits;
    for (size_t i = 0; i < routed->lengths.count; ++i)
        flits += routed->lengths.share[i] * (double)routed->lengths.flits[i];
    return flits;
}

/* Flits that cross the links of a router in a cycle, about, if messages go to any node. */
static double flits_of_router(const fc_scenario *scenario, const fc_router_network *network) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    fc_router_extent extent = {0};
    fc_router_network_measure(scenario, NULL, &extent);
    return routed->rate * flits_of_message(routed) * extent.mean_path * network->nodes /
           network->routers;
}

/* What a router does in a cycle, about. */
typedef struct router_work {
    double flits;   /* over links */
    double headers; /* of those */
    double slower;  /* how many times as long lanes take for this kind of network */
} router_work;

/* Routers for which the core is compiled apart (core_build.h). */
static bool is_most_frequent(const fc_routed *routed, const fc_router_network *network) {
    bool five = true;
    for (uint32_t r = 0; r < network->routers; ++r)
        five &= network->output_first[r + 1] - network->output_first[r] <= 5;
    return five && routed->virtual_channels == 4 && routed->buffer >= 8 && routed->buffer < 16 &&
           routed->input_speedup == 1;
}

static router_work work_of(const fc_scenario *scenario, const fc_router_network *network) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    const double flits = flits_of_router(scenario, network);
    const double caches = network->routers > 200 ? 1.35 : 1;
    const double classes = routed->channels_by_rule ? 1.11 : 1;
    const double kind = is_most_frequent(routed, network) ? 1 : 1.3;
    return (router_work){flits, flits / flits_of_message(routed), caches * classes * kind};
}

/* Times of a router's cycle, fitted to measured pairs (docs/validation/engines.md); the unit is
 * that of a flit over a link by events. Events take time for flits and headers alone. Lanes visit
 * every router, and a header takes them longer than a flit; the busier the lanes, the better
 * branches are predicted. */
static double time_of_events(const router_work *work) {
    return work->flits + 1.02 * work->headers;
}

static double time_of_group(const router_work *work, fc_ensemble_build build, double replications) {
    static const double slower[FC_ENSEMBLE_BUILDS] = {[FC_ENSEMBLE_PLAIN] = 2.8,
                                                      [FC_ENSEMBLE_AVX2] = 1.15,
                                                      [FC_ENSEMBLE_AVX512] = 1,
                                                      [FC_ENSEMBLE_WIDE] = 1};
    const double visit = build == FC_ENSEMBLE_WIDE ? 1.35 : 0.99;
    const double each = (0.44 * work->flits + 1.57 * work->headers) / (1 + 0.28 * work->flits);
    return slower[build] * work->slower * (visit + replications * each);
}

/* Of all replications. */
static double time_of_lanes(const router_work *work, fc_ensemble_build build, double replications,
                            unsigned threads) {
    const double lanes = fc_ensemble_lanes(build);
    return ceil(ceil(replications / lanes) / threads) *
           time_of_group(work, build, fmin(replications, lanes));
}

/* The same if other runs fill the lanes. */
static double time_of_shared(const router_work *work, fc_ensemble_build build,
                             double replications) {
    const double lanes = fc_ensemble_lanes(build);
    return replications / lanes * time_of_group(work, build, lanes);
}

/* How lanes would simulate a run. */
typedef struct lane_choice {
    fc_ensemble_build build;
    fc_lane_pool *pool; /* whose lanes it would share; NULL: it has its own */
    bool faster;        /* than events */
} lane_choice;

/* The fastest. Lanes that are shared are taken for full. */
static lane_choice choose_lanes(const fc_scenario *scenario, const fc_router_common *common,
                                const fc_simulation_settings *simulation,
                                const fc_run_settings *settings) {
    const router_work work = work_of(scenario, common->network);
    const double replications = (double)simulation->replications;
    const unsigned threads = fc_pool_threads(settings);
    const bool narrow = fc_ensemble_word(scenario, common->network) == 32;
    lane_choice choice = {.build = FC_ENSEMBLE_PLAIN};
    double least = INFINITY;
    for (fc_ensemble_build build = FC_ENSEMBLE_PLAIN; build < FC_ENSEMBLE_BUILDS; ++build) {
        if (!fc_ensemble_runs(build) || (build == FC_ENSEMBLE_WIDE && !narrow))
            continue;
        const double time = time_of_lanes(&work, build, replications, threads);
        if (time <= least) {
            least = time;
            choice.build = build;
        }
    }
    fc_lane_pool *pool = settings && !(fc_seconds_allowed(simulation) > 0) ? settings->lanes : NULL;
    const fc_ensemble_build shared =
        pool ? fc_lane_pool_build(pool, scenario, common->network, common->traffic,
                                  (uint32_t)simulation->replications)
             : FC_ENSEMBLE_SCALAR;
    if (shared != FC_ENSEMBLE_SCALAR && time_of_shared(&work, shared, replications) < least) {
        least = time_of_shared(&work, shared, replications);
        choice.pool = pool;
    }
    choice.faster = least < ceil(replications / threads) * time_of_events(&work);
    return choice;
}

static fc_status covered(const fc_scenario *scenario, const fc_router_network *network,
                         const fc_simulation_settings *simulation, fc_error *error) {
    if (simulation->max_cycles > 0x1p30)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "engines other than events do not cover simulation.max_cycles above 2^30");
    return fc_ensemble_covers(scenario, network, error);
}

static fc_status create_ensembles(const fc_scenario *scenario, fc_router_common *common,
                                  const fc_simulation_settings *simulation, fc_ensemble_build build,
                                  fc_error *error, fc_engine_choice *choice) {
    const bool gpu = build == FC_ENSEMBLE_GPU;
    const uint32_t lanes = gpu ? (uint32_t)simulation->replications : fc_ensemble_lanes(build);
    const size_t groups = ((size_t)simulation->replications + lanes - 1) / lanes;
    choice->engine = gpu ? FC_ENGINE_GPU : FC_ENGINE_LANES;
    choice->group = common->lanes = lanes;
    common->choice = choice;
    common->ensemble = fc_allocate(groups, sizeof *common->ensemble);
    if (!common->ensemble)
        return fc_fail_memory(error);
    for (; common->ensembles < groups; ++common->ensembles) {
        const uint32_t first = (uint32_t)common->ensembles * lanes;
        const uint32_t left = (uint32_t)simulation->replications - first;
        const fc_status status = fc_ensemble_create(
            scenario, common->network, common->traffic, (uint64_t)simulation->seed, first,
            left < lanes ? left : lanes, build, error, &common->ensemble[common->ensembles]);
        if (status != FC_OK)
            return status;
    }
    return FC_OK;
}

unsigned fc_router_shares(const fc_scenario *scenario) {
    const fc_simulation_settings *simulation = &scenario->simulation;
    const bool lanes =
        simulation->engine == FC_ENGINE_LANES || simulation->engine == FC_ENGINE_AUTO;
    if (!lanes || fc_seconds_allowed(simulation) > 0 || fc_scenario_routed(scenario)->workload)
        return 1;
    const fc_ensemble_build most =
        fc_ensemble_runs(FC_ENSEMBLE_WIDE) ? FC_ENSEMBLE_WIDE : FC_ENSEMBLE_PLAIN;
    const unsigned share = fc_ensemble_lanes(most) / (unsigned)simulation->replications;
    return share > 1 ? share : 1;
}

/* All replications in lanes that other runs share. */
static fc_status share_lanes(const fc_scenario *scenario, fc_router_common *common,
                             const fc_simulation_settings *simulation, fc_lane_pool *pool,
                             fc_error *error, fc_engine_choice *choice) {
    choice->engine = FC_ENGINE_LANES;
    choice->group = common->lanes = (uint32_t)simulation->replications;
    common->choice = choice;
    common->ensemble = fc_allocate(1, sizeof *common->ensemble);
    if (!common->ensemble)
        return fc_fail_memory(error);
    const fc_status status = fc_ensemble_create_shared(scenario, common->network, common->traffic,
                                                       (uint64_t)simulation->seed, common->lanes,
                                                       pool, error, &common->ensemble[0]);
    common->ensembles = status == FC_OK;
    return status;
}

fc_status fc_router_choose_engine(const fc_scenario *scenario, void *shared,
                                  const fc_simulation_settings *simulation,
                                  const fc_run_settings *settings, fc_error *error,
                                  fc_engine_choice *choice) {
    fc_router_common *common = shared;
    fc_error reason = {{0}};
    const int asked = simulation->engine;
    fc_status status = covered(scenario, common->network, simulation, &reason);
    if (asked == FC_ENGINE_EVENTS)
        return FC_OK;
    if (status != FC_OK && asked == FC_ENGINE_AUTO)
        snprintf(choice->reason, sizeof choice->reason, "%.*s", (int)sizeof choice->reason - 1,
                 reason.text);
    if (status != FC_OK)
        return asked == FC_ENGINE_AUTO ? FC_OK
                                       : fc_fail(error, status, "simulation.engine: %s: %s",
                                                 fc_engine_names[asked], reason.text);
    if (asked == FC_ENGINE_GPU) {
        status = create_ensembles(scenario, common, simulation, FC_ENSEMBLE_GPU, &reason, choice);
        if (status != FC_OK)
            return fc_fail(error, status,
                           "simulation.engine: gpu: %s (auto simulates on the processor, "
                           "with the same results)",
                           reason.text);
        return FC_OK;
    }
    const lane_choice lanes = choose_lanes(scenario, common, simulation, settings);
    if (asked == FC_ENGINE_AUTO && !lanes.faster)
        return FC_OK;
    return lanes.pool ? share_lanes(scenario, common, simulation, lanes.pool, error, choice)
                      : create_ensembles(scenario, common, simulation, lanes.build, error, choice);
}

void fc_router_discard_ensembles(fc_router_common *common) {
    for (size_t i = 0; i < common->ensembles; ++i)
        fc_ensemble_free(common->ensemble[i]);
    fc_release(common->ensemble);
}

/* ---- lanes ---- */

fc_status fc_router_join_ensemble(const fc_router_common *common, uint32_t replication,
                                  fc_error *error, fc_router_run_state *run) {
    run->ensemble = common->ensemble[replication / common->lanes];
    run->lane = replication % common->lanes;
    run->choice = common->choice;
    run->engine->senders = common->traffic->senders;
    run->engine->hot_node =
        common->traffic->hot_node == FC_NO_NODE ? FC_NONE : common->traffic->hot_node;
    run->crossed = fc_allocate(common->network->outputs, sizeof *run->crossed);
    run->granted = fc_allocate(common->network->outputs, sizeof *run->granted);
    run->injected = fc_allocate(common->network->nodes, sizeof *run->injected);
    return run->crossed && run->granted && run->injected ? FC_OK : fc_fail_memory(error);
}

static void read_crossed(fc_router_run_state *run) {
    const fc_router_network *network = run->engine->network;
    for (uint32_t o = 0; o < network->outputs; ++o)
        run->engine->output[o].crossed =
            fc_ensemble_crossed(run->ensemble, run->lane, o) - run->crossed[o];
}

fc_status fc_router_read_lane(fc_router_run_state *run, fc_error *error) {
    const fc_status status = fc_ensemble_read(run->ensemble, error);
    if (status != FC_OK)
        return status;
    fc_router *engine = run->engine;
    read_crossed(run);
    for (uint32_t o = 0; o < engine->network->outputs; ++o) {
        const fc_core_output *output = fc_ensemble_output(run->ensemble, run->lane, o);
        engine->output[o].granted =
            fc_ensemble_granted(run->ensemble, run->lane, o) - run->granted[o];
        engine->output[o].waited = output->waited;
    }
    for (uint32_t n = 0; n < engine->nodes; ++n) {
        const fc_core_node *node = fc_ensemble_node(run->ensemble, run->lane, n);
        engine->node[n].messages = node->messages;
        engine->node[n].latency = node->latency;
        engine->node[n].source_wait = node->source_wait;
        engine->node[n].injected =
            fc_ensemble_injected(run->ensemble, run->lane, n) - run->injected[n];
    }
    return fc_ensemble_read_histogram(run->ensemble, run->lane, error);
}

fc_status fc_router_measure_lane(fc_router_run_state *run, fc_error *error) {
    const fc_router_network *network = run->engine->network;
    fc_status status = fc_ensemble_read(run->ensemble, error);
    if (status == FC_OK && run->lane == 0)
        status = fc_ensemble_clear_detail(run->ensemble, error);
    for (uint32_t o = 0; o < network->outputs; ++o) {
        run->crossed[o] = fc_ensemble_crossed(run->ensemble, run->lane, o);
        run->granted[o] = fc_ensemble_granted(run->ensemble, run->lane, o);
    }
    for (uint32_t n = 0; n < network->nodes; ++n)
        run->injected[n] = fc_ensemble_injected(run->ensemble, run->lane, n);
    return status;
}

/* Adds what the lane has seen since the last call. */
static void add_tally(fc_router_run_state *run) {
    fc_router *engine = run->engine;
    const fc_core_tally *tally = fc_ensemble_tally(run->ensemble, run->lane);
    fc_router_sums *sums = &engine->sums;
    const double messages = (double)tally->messages, routers = (double)tally->routers;
    const double flits = (double)tally->flits, flit_routers = (double)tally->flit_routers;
    const uint32_t link = (uint32_t)engine->routed->link_delay;
    const uint32_t stages = engine->eject_delay - engine->node_delay;
    sums->messages += messages;
    sums->latency += (double)tally->latency;
    sums->source_wait += (double)tally->source_wait;
    sums->routers += routers;
    sums->path += (routers - messages) * (stages + link) + messages * engine->eject_delay;
    sums->flits += flits;
    sums->flit_routers += flit_routers;
    sums->flit_links += (flit_routers - flits) * link;
    sums->generated += (double)tally->generated;
    sums->generated_flits += (double)tally->generated_flits;
    if (engine->hot_node != FC_NONE) {
        sums->messages_hot += (double)tally->messages_hot;
        sums->latency_hot += (double)tally->latency_hot;
        sums->messages_cold += messages - (double)tally->messages_hot;
        sums->latency_cold += (double)tally->latency - (double)tally->latency_hot;
    }
    engine->messages_alive += (uint32_t)tally->generated - (uint32_t)tally->messages;
    engine->hops = tally->hops;
    engine->time = fc_ensemble_time(run->ensemble);
}

size_t fc_router_look_ahead(void *const *states, uint64_t cycles, size_t batches) {
    enum { MOST_STOPS = 256 };
    const fc_router_run_state *run = states[0];
    fc_router_windows windows = run->windows;
    uint64_t time = run->engine->time;
    size_t batch = 0;
    for (; run->ensemble && batch < batches; ++batch, time += cycles) {
        uint32_t stop[MOST_STOPS], stops = 0;
        for (; fc_router_windows_end(&windows) < time + cycles && stops < MOST_STOPS - 1; ++stops) {
            stop[stops] = (uint32_t)fc_router_windows_end(&windows);
            fc_router_windows_skip(&windows);
        }
        stop[stops++] = (uint32_t)(time + cycles);
        if (fc_router_windows_end(&windows) == time + cycles)
            fc_router_windows_skip(&windows);
        if (fc_router_windows_end(&windows) < time + cycles ||
            !fc_ensemble_expect(run->ensemble, stop, stops))
            break;
    }
    return batch ? batch : 1;
}

fc_status fc_router_run_ensemble(void *const *states, size_t count, uint64_t cycles,
                                 fc_sample *samples, fc_error *error) {
    fc_router_run_state *first = states[0];
    const uint64_t until = first->engine->time + cycles;
    fc_status status = FC_OK;
    for (size_t i = 0; i < count; ++i) {
        fc_router_run_state *run = states[i];
        run->engine->sums = (fc_router_sums){0};
        fc_ensemble_set_histogram(run->ensemble, run->lane, samples[i].latencies);
    }
    while (status == FC_OK && first->engine->time < until) {
        const uint64_t end = fc_router_windows_end(&first->windows);
        status = fc_ensemble_run(first->ensemble, end < until ? end : until, error);
        for (size_t i = 0; status == FC_OK && i < count; ++i)
            add_tally(states[i]);
        if (status == FC_OK && first->engine->time == end) {
            read_crossed(first);
            fc_router_windows_close(first->engine, &first->windows);
        }
    }
    samples[0].helper_seconds = fc_ensemble_take_seconds(first->ensemble);
    const char *trouble = fc_ensemble_trouble(first->ensemble);
    if (trouble)
        snprintf(first->choice->reason, sizeof first->choice->reason,
                 "%.*s; the processor took over", (int)sizeof first->choice->reason - 32, trouble);
    return status;
}
