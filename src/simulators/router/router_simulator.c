/* The simulator `router`: the router engine behind the driver. */
#include "simulators/router/router_simulator.h"

#include <math.h>
#include "base/memory.h"
#include "network/router_traffic.h"
#include "simulators/kept.h"
#include "simulators/router/router_team.h"
#include "simulators/router/sources.h"

static const fc_metric_id observables[] = {
    FC_METRIC_LATENCY,      FC_METRIC_NETWORK_LATENCY, FC_METRIC_SOURCE_WAIT,
    FC_METRIC_THROUGHPUT,   FC_METRIC_OFFERED,         FC_METRIC_LATENCY_HOT,
    FC_METRIC_LATENCY_COLD, FC_METRIC_LATENCY_LAST,    FC_METRIC_RESPONSE_TIME,
    FC_METRIC_ROUND_TRIP,   FC_METRIC_MEMORY_WAIT,     FC_METRIC_HOPS,
    FC_METRIC_DURATION,     FC_METRIC_ENERGY_PER_FLIT, FC_METRIC_POWER,
    FC_METRIC_NONE,
};

static const fc_metric_id class_observables[] = {
    FC_METRIC_LATENCY,       FC_METRIC_NETWORK_LATENCY,
    FC_METRIC_SOURCE_WAIT,   FC_METRIC_LATENCY_LAST,
    FC_METRIC_THROUGHPUT,    FC_METRIC_OFFERED,
    FC_METRIC_RESPONSE_TIME, FC_METRIC_HOPS,
    FC_METRIC_NONE,
};

static const char *const controls[] = {"messages offered", "flits of messages offered",
                                       "paths of messages delivered", "waits in shadow queues",
                                       NULL};
static const char *const stations[] = {"the network and its sources", NULL};

/* ---- what it covers ---- */

/* The memory of a simulation is computed before any of it is allocated. */
static fc_status check_size(const fc_scenario *scenario, const fc_routed *routed, fc_error *error) {
    const double gigabyte = 0x1p30, most = fmin(16, fc_machine_memory() / gigabyte);
    const double copies = routed->workload ? 1 : (double)scenario->simulation.replications;
    fc_router_extent extent;
    const fc_status status = fc_router_network_measure(scenario, error, &extent);
    if (status != FC_OK)
        return status;
    const double needed = copies * fc_router_memory(routed, &extent) / gigabyte;
    if (needed > most)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the simulation would take about %.3g GiB of memory, all replications "
                       "together: too much here; use fewer virtual channels, smaller buffers or "
                       "fewer replications",
                       needed);
    return FC_OK;
}

static bool suits(const fc_scenario *scenario) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    return routed && routed->pipelined_by;
}

static fc_status covers(const fc_scenario *scenario, fc_error *error) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    if (!suits(scenario))
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the router simulator is for pipelined routers; this "
                       "scenario has the idealised router, which the flit simulator covers");
    for (size_t i = 0; i < routed->requests.count; ++i) {
        const double reply = routed->requests.types[i].memory_reply;
        if (reply != floor(reply))
            return fc_fail(error, FC_ERROR_UNSUPPORTED,
                           "the router simulator counts whole cycles: memory_reply must be a whole "
                           "number");
    }
    return check_size(scenario, routed, error);
}

/* ---- life ---- */

static void discard(void *shared) {
    fc_router_common *common = shared;
    if (!common)
        return;
    fc_router_discard_ensembles(common);
    fc_router_shadow_plan_free(common->shadow);
    fc_multicast_free(common->multicast);
    fc_traffic_free(common->traffic);
    fc_router_network_free(common->network);
    fc_release(common);
}

static fc_status prepare(const fc_scenario *scenario, fc_error *error, void **shared) {
    fc_router_common *common = fc_allocate(1, sizeof *common);
    if (!common)
        return fc_fail_memory(error);
    fc_status status = fc_router_network_create(scenario, error, &common->network);
    if (status == FC_OK && !fc_scenario_routed(scenario)->workload)
        status = fc_router_traffic_create(scenario, common->network, error, &common->traffic);
    if (status == FC_OK)
        status = fc_multicast_create(scenario, common->network, common->traffic, error,
                                     &common->multicast);
    if (status != FC_OK) {
        discard(common);
        return status;
    }
    common->mean_path = (double)NAN;
    const fc_routed *routed = fc_scenario_routed(scenario);
    if (common->traffic && !routed->requests.count && !routed->given &&
        scenario->simulation.controls == FC_CONTROLS_AUTO) {
        uint32_t stages = 0;
        for (int stage = 0; stage < FC_ROUTER_STAGES; ++stage)
            stages += (uint32_t)routed->router_delay[stage];
        common->mean_path = fc_router_mean_path(common->network, common->traffic, stages);
    }
    if (common->traffic && scenario->simulation.controls == FC_CONTROLS_AUTO)
        status = fc_router_shadow_plan_create(scenario, common->network, common->traffic, error,
                                              &common->shadow);
    if (status != FC_OK) {
        discard(common);
        return status;
    }
    *shared = common;
    return FC_OK;
}

static void release(void *state) {
    fc_router_run_state *run = state;
    if (!run)
        return;
    fc_router_free(run->engine);
    fc_router_shadow_free(&run->shadow);
    fc_router_windows_free(&run->windows);
    fc_release(run->crossed);
    fc_release(run->granted);
    fc_release(run->injected);
    fc_release(run);
}

static fc_status create(const fc_scenario *scenario, const void *shared, uint64_t seed,
                        uint32_t replication, fc_error *error, void **state) {
    const fc_router_common *common = shared;
    fc_router_run_state *run = fc_allocate(1, sizeof *run);
    if (!run)
        return fc_fail_memory(error);
    run->seed = seed;
    run->replication = replication;
    run->mean_path = common->mean_path;
    fc_status status =
        fc_router_create(common->network, fc_scenario_routed(scenario), error, &run->engine);
    if (status == FC_OK && common->multicast)
        status = fc_router_take_multicast(run->engine, common->multicast, error);
    if (status == FC_OK && common->ensemble)
        status = fc_router_join_ensemble(common, replication, error, run);
    else if (status == FC_OK)
        status = common->traffic ? fc_open_sources_create(run->engine, common->traffic, seed,
                                                          replication, error)
                                 : fc_work_sources_create(run->engine, seed, replication, error);
    if (status == FC_OK && common->shadow)
        status = fc_router_shadow_create(common->shadow, error, &run->shadow);
    if (status == FC_OK && common->shadow && common->ensemble)
        status = fc_router_shadow_draw(&run->shadow, seed, replication, error);
    else if (status == FC_OK && common->shadow)
        run->engine->shadow = &run->shadow;
    if (status == FC_OK && replication == 0)
        status = fc_router_windows_create(run->engine, error, &run->windows);
    if (status != FC_OK) {
        release(run);
        return status;
    }
    *state = run;
    return FC_OK;
}

/* ---- an overloaded network ---- */

static double filling(const fc_scenario *scenario, const void *shared) {
    const fc_router_common *common = shared;
    const fc_routed *routed = fc_scenario_routed(scenario);
    const fc_classes classes = fc_classes_of(routed);
    double flits = 0;
    for (size_t c = 0; c < classes.count; ++c)
        flits += fc_class_chain_flits(&classes, c);
    return (double)common->network->inputs * (double)routed->virtual_channels *
           (double)routed->buffer / flits;
}

/* Without control variates, which speak of a steady state. */
static fc_status create_flooded(const fc_scenario *scenario, const void *shared, fc_random_key key,
                                double messages, fc_error *error, void **state) {
    fc_router_common plain = *(const fc_router_common *)shared;
    plain.ensemble = NULL;
    plain.shadow = NULL;
    fc_status status = create(scenario, &plain, key.seed, key.replication, error, state);
    if (status != FC_OK)
        return status;
    fc_router_run_state *run = *state;
    status = fc_open_sources_flood(run->engine, messages);
    run->inside += run->engine->sums.generated;
    return status == FC_OK ? FC_OK : fc_fail_memory(error);
}

/* Before it has run: its traffic is drawn by the parts of the network from here on. */
static fc_status divide(void *state, const void *shared, unsigned threads, fc_error *error) {
    fc_router_run_state *run = state;
    const fc_router_common *common = shared;
    const uint32_t parts =
        common->traffic ? fc_team_size(common->network, run->engine->routed, threads) : 1;
    if (parts == 1)
        return FC_OK;
    fc_sources_free(run->engine->sources);
    run->engine->sources = NULL;
    run->engine->shadow = NULL;
    if (common->shadow) {
        const fc_status status =
            fc_router_shadow_draw(&run->shadow, run->seed, run->replication, error);
        if (status != FC_OK)
            return status;
    }
    return fc_team_create(run->engine, parts, common->traffic, run->seed, run->replication, error);
}

/* ---- running ---- */

static void fill(const fc_router *engine, double cycles, fc_sample *sample) {
    const fc_router_sums *sums = &engine->sums;
    const double node_cycles = cycles * engine->senders;
    const bool answered = engine->kinds.answers;
    fc_observe(sample, FC_METRIC_LATENCY, sums->latency, sums->messages);
    fc_observe(sample, FC_METRIC_NETWORK_LATENCY, sums->latency - sums->source_wait,
               sums->messages);
    fc_observe(sample, FC_METRIC_SOURCE_WAIT, sums->source_wait, sums->messages);
    fc_observe(sample, FC_METRIC_LATENCY_LAST, sums->last_latency, sums->last);
    fc_observe(sample, FC_METRIC_THROUGHPUT,
               answered ? sums->served : sums->messages - sums->copies, node_cycles);
    fc_observe(sample, FC_METRIC_OFFERED, sums->generated, node_cycles);
    fc_observe(sample, FC_METRIC_LATENCY_HOT, sums->latency_hot, sums->messages_hot);
    fc_observe(sample, FC_METRIC_LATENCY_COLD, sums->latency_cold, sums->messages_cold);
    fc_observe(sample, FC_METRIC_RESPONSE_TIME, sums->response, sums->answered);
    fc_observe(sample, FC_METRIC_ROUND_TRIP, sums->round_trip, sums->answered);
    fc_observe(sample, FC_METRIC_MEMORY_WAIT, sums->memory_wait, sums->memory_requests);
    fc_observe(sample, FC_METRIC_HOPS, sums->routers - sums->messages, sums->messages);
    const fc_energy *energy = &engine->routed->energy;
    if (energy->given) {
        const double each = energy->buffer_write + energy->buffer_read + energy->crossbar;
        const double used = each * sums->flit_routers + energy->link * sums->flit_links +
                            (energy->buffer_read + energy->crossbar) * sums->copied_flits;
        fc_observe(sample, FC_METRIC_ENERGY_PER_FLIT, used, sums->flits);
        fc_observe(sample, FC_METRIC_POWER,
                   used + energy->leakage * engine->network->routers * cycles, cycles);
    }
}

/* Of each class that has a name. Nodes that send other classes alone do not count for its rate. */
static void fill_classes(const fc_router *engine, double cycles, fc_sample *sample) {
    for (uint32_t c = 0; engine->class_sums && c < engine->classes; ++c) {
        const fc_class_sums *sums = &engine->class_sums[c];
        const double node_cycles = cycles * fc_open_sources_senders(engine, c);
        fc_observe_class(sample, c, FC_METRIC_LATENCY, sums->latency, sums->messages);
        fc_observe_class(sample, c, FC_METRIC_NETWORK_LATENCY, sums->latency - sums->source_wait,
                         sums->messages);
        fc_observe_class(sample, c, FC_METRIC_SOURCE_WAIT, sums->source_wait, sums->messages);
        fc_observe_class(sample, c, FC_METRIC_LATENCY_LAST, sums->last_latency, sums->last);
        fc_observe_class(sample, c, FC_METRIC_THROUGHPUT, sums->messages - sums->copies,
                         node_cycles);
        if (engine->kinds.list[c].share > 0)
            fc_observe_class(sample, c, FC_METRIC_OFFERED, sums->generated, node_cycles);
        fc_observe_class(sample, c, FC_METRIC_RESPONSE_TIME, sums->response, sums->answered);
        fc_observe_class(sample, c, FC_METRIC_HOPS, sums->routers - sums->messages, sums->messages);
    }
}

/* Messages, or requests with their replies. */
static void fill_station(fc_router_run_state *run, fc_sample *sample) {
    const fc_router_sums *sums = &run->engine->sums;
    const bool answered = run->engine->kinds.answers;
    const double left = answered ? sums->served : sums->messages - sums->copies;
    const double stay = answered ? sums->stay : sums->latency - sums->copies_latency;
    run->inside += sums->generated - left;
    sample->stations[0] = (fc_station){run->inside, left, left + stay};
}

/* Where nodes have rates of their own their mean is not the rate. Of every pair as many messages
 * are delivered, on average, as are offered: so the mean path of those delivered is known, too. */
static fc_status fill_controls(fc_router_run_state *run, uint64_t cycles, fc_sample *sample,
                               fc_error *error) {
    const fc_router *engine = run->engine;
    const fc_routed *routed = engine->routed;
    const fc_router_sums *sums = &engine->sums;
    if (routed->workload || routed->given || routed->profile)
        return FC_OK;
    fc_status status = FC_OK;
    if (run->shadow.plan)
        status = fc_router_shadow_advance(&run->shadow, engine->time, cycles, error,
                                          &sample->controls[3]);
    if (routed->destinations && routed->destinations->weights)
        return status;
    sample->controls[0] = sums->generated - routed->rate * engine->senders * (double)cycles;
    double flits = 0;
    for (size_t i = 0; i < routed->lengths.count; ++i)
        flits += routed->lengths.share[i] * (double)routed->lengths.flits[i];
    if (routed->lengths.count)
        sample->controls[1] = sums->generated_flits - flits * sums->generated;
    if (!isnan(run->mean_path))
        sample->controls[2] = sums->path - (run->mean_path + engine->eject_delay) * sums->messages;
    return status;
}

/* The sums the report needs, over the whole measurement. */
static void keep(fc_router_sums *total, const fc_router_sums *sums) {
    total->messages += sums->messages;
    total->latency += sums->latency;
    total->source_wait += sums->source_wait;
    total->routers += sums->routers;
    total->path += sums->path;
    total->flits += sums->flits;
}

/* From window to window. */
static fc_status run_windows(fc_router_run_state *run, uint64_t until, fc_error *error) {
    fc_status status = FC_OK;
    while (status == FC_OK && run->engine->time < until) {
        const uint64_t end = fc_router_windows_end(&run->windows);
        status = fc_router_run(run->engine, end < until ? end : until, error);
        if (status == FC_OK && run->engine->time == end)
            fc_router_windows_close(run->engine, &run->windows);
    }
    return status;
}

/* With the passes of repetitions that were skipped in this stretch. */
static void observe_duration(fc_router_run_state *run, double busy, bool first, fc_sample *sample) {
    const uint64_t skipped = fc_work_skipped(fc_work_of(run->engine)).cycles;
    fc_observe(sample, FC_METRIC_DURATION, busy + (double)(skipped - run->skipped), first);
    run->skipped = skipped;
}

/* What the engine has seen in a stretch. */
static fc_status fill_sample(fc_router_run_state *run, uint64_t cycles, uint64_t hops,
                             fc_sample *sample, fc_error *error) {
    const fc_router *engine = run->engine;
    sample->events += engine->hops - hops;
    sample->backlog = engine->messages_alive;
    sample->arrivals = engine->sums.generated;
    /* A workload may end before the stretch does. */
    const uint64_t idle = engine->routed->workload ? fc_work_idle(engine) : 0;
    const double busy = (double)(cycles - (idle < cycles ? idle : cycles));
    fill(engine, busy, sample);
    fill_classes(engine, busy, sample);
    if (engine->routed->workload) /* of one run: a sum over its stretches */
        observe_duration(run, busy, engine->time == cycles, sample);
    fill_station(run, sample);
    keep(&run->total, &engine->sums);
    return fill_controls(run, cycles, sample, error);
}

static fc_status advance(void *state, uint64_t cycles, fc_sample *sample, fc_error *error) {
    fc_router_run_state *run = state;
    fc_router *engine = run->engine;
    const uint64_t hops = engine->hops;
    const double helpers = engine->helper_seconds;
    engine->sums = (fc_router_sums){0};
    for (uint32_t c = 0; engine->class_sums && c < engine->classes; ++c)
        engine->class_sums[c] = (fc_class_sums){0};
    engine->histogram = sample->latencies;
    engine->histograms = sample->histograms;
    fc_status status = run_windows(run, engine->time + cycles, error);
    if (status == FC_OK)
        status = fill_sample(run, cycles, hops, sample, error);
    sample->helper_seconds = engine->helper_seconds - helpers;
    return status;
}

static fc_status advance_group(void *const *states, size_t count, uint64_t cycles,
                               fc_sample *samples, fc_error *error) {
    fc_status status = fc_router_run_ensemble(states, count, cycles, samples, error);
    for (size_t i = 0; status == FC_OK && i < count; ++i) {
        fc_router_run_state *run = states[i];
        const uint64_t before = run->hops;
        run->hops = run->engine->hops;
        status = fill_sample(run, cycles, before, &samples[i], error);
    }
    return status;
}

static void start_measuring(void *state) {
    fc_router_run_state *run = state;
    run->total = (fc_router_sums){0};
    run->measured_from = run->engine->time;
    fc_router_clear_detail(run->engine);
    if (run->ensemble)
        run->status = fc_router_measure_lane(run, &run->error);
    fc_router_windows_restart(run->engine, &run->windows);
}

static void give_message(void *context, const fc_router_message *message, uint64_t latency) {
    const fc_delivered_message seen = {.generated = message->born,
                                       .started = message->started,
                                       .delivered = message->born + latency,
                                       .source = message->course.source,
                                       .destination = message->course.destination,
                                       .class_number = message->kind,
                                       .flits = message->flits};
    fc_kept_message(context, &seen);
}

/* context: of the first lane. */
static void give_lane_message(void *context, uint32_t lane, const fc_core_header *message,
                              uint64_t latency) {
    const fc_delivered_message seen = {.generated = message->born,
                                       .started = message->started,
                                       .delivered = message->born + latency,
                                       .source = message->source,
                                       .destination = message->destination,
                                       .flits = message->flits};
    fc_kept_message((fc_kept *)context + lane, &seen);
}

static void observe(void *const *states, size_t count, fc_kept *kept) {
    for (size_t i = 0; i < count; ++i) {
        fc_router_run_state *run = states[i];
        run->engine->observer = give_message;
        run->engine->observer_context = &kept[i];
        kept[i].node_of = run->engine->network->ports ? run->engine->network->ports->node_of : NULL;
        if (run->ensemble && run->lane == 0)
            fc_ensemble_observe(run->ensemble, give_lane_message, &kept[i]);
    }
}

/* What the engine of an ensemble has seen is fetched once, at the end. */
static fc_status finish(void *const *states, size_t replications, fc_error *error) {
    fc_status status = FC_OK;
    for (size_t i = 0; status == FC_OK && i < replications; ++i) {
        fc_router_run_state *run = states[i];
        if (run->ensemble)
            status = run->status == FC_OK ? fc_router_read_lane(run, error)
                                          : fc_fail(error, run->status, "%s", run->error.text);
    }
    return status;
}

static bool has_histograms(const fc_scenario *scenario) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    return routed->given || routed->requests.count;
}

static bool comes_to_an_end(const fc_scenario *scenario) {
    return fc_scenario_routed(scenario)->workload != NULL;
}

static bool drew(const void *state) {
    return fc_work_drew(((const fc_router_run_state *)state)->engine);
}

static double done(const void *state) {
    const fc_router *engine = ((const fc_router_run_state *)state)->engine;
    return fc_work_share(fc_work_of(engine));
}

/* The flits of the longest messages of a chain that begins with a class, and the longest waits
 * between them, without load. *messages: at least as many as it has. */
static double longest_chain(const fc_classes *classes, size_t first, size_t *messages) {
    double sum = 0;
    size_t count = 0;
    for (uint32_t at = (uint32_t)first; at != FC_NONE; at = classes->list[at].reply, ++count) {
        const fc_class *class = &classes->list[at];
        double most = 0;
        for (size_t i = 0; i < class->lengths.count; ++i) {
            double own = (double)class->lengths.flits[i];
            if (class->reply != FC_NONE)
                own += class->memory_reply[i] + class->memory_busy[i];
            if (class->paired)
                own += (double)classes->list[class->reply].lengths.flits[i];
            most = fmax(most, own);
        }
        sum += most;
        if (class->paired) {
            count += 2;
            break;
        }
    }
    *messages = count > *messages ? count : *messages;
    return sum;
}

/* A few times the life of a message. */
static double time_scale(const fc_scenario *scenario) {
    const fc_routed *routed = fc_scenario_routed(scenario);
    const fc_classes classes = fc_classes_of(routed);
    double flits = (double)routed->message_flits, router = 0;
    size_t longest = 1;
    for (size_t c = 0; c < classes.count; ++c) {
        const double chain = longest_chain(&classes, c, &longest);
        flits = fmax(flits, chain);
    }
    for (int stage = 0; stage < FC_ROUTER_STAGES; ++stage)
        router += (double)routed->router_delay[stage];
    const double bursts =
        routed->injection.process == FC_ON_OFF ? routed->injection.on + routed->injection.off : 0;
    fc_router_extent extent = {.longest_link = 1};
    fc_router_network_measure(scenario, NULL, &extent);
    const double path = (extent.longest_path + 1) * (router + extent.longest_link);
    return 4 * (flits + path * (double)longest + 2 * (double)routed->node_delay) + 2 * bursts;
}

static uint64_t period(const fc_scenario *scenario) {
    const fc_profile *profile = fc_scenario_routed(scenario)->profile;
    return profile ? profile->period : 0;
}

static const fc_engines engines = {.choose = fc_router_choose_engine,
                                   .shares = fc_router_shares,
                                   .look_ahead = fc_router_look_ahead,
                                   .advance_group = advance_group,
                                   .finish = finish,
                                   .divide = divide};
static const fc_flooding flooding = {.filling = filling, .create = create_flooded};
static const fc_ending ending = {.ends = comes_to_an_end, .drew = drew, .done = done};

const fc_simulator fc_simulator_router = {
    .info = {.name = "router",
             .revision = 10,
             .kind = FC_SIMULATOR,
             .family = "torus, fabric",
             .title = "networks of pipelined virtual-channel routers, every flit in every cycle",
             .source = "ours",
             .validity = "wormhole and cut-through switching, any delays of routers, links and "
                         "credits, 1 to 64 virtual channels, buffers of 1 to 1024 flits; open "
                         "traffic, classes of messages, requests with replies, workloads and "
                         "traces",
             .accuracy = "exact: message by message like a plain reference implementation of its "
                         "rules"},
    .event_name = "flit-hops",
    .observables = observables,
    .class_observables = class_observables,
    .has_histograms = has_histograms,
    .stations = stations,
    .bounded = true,
    .controls = controls,
    .suits = suits,
    .covers = covers,
    .prepare = prepare,
    .discard = discard,
    .create = create,
    .advance = advance,
    .start_measuring = start_measuring,
    .observe = observe,
    .report = fc_router_report,
    .release = release,
    .time_scale = time_scale,
    .period = period,
    .engines = &engines,
    .flooding = &flooding,
    .ending = &ending,
};
