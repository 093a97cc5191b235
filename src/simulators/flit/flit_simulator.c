/* The simulator `flit`: the flit engine behind the driver. */
#include "simulators/flit/flit_simulator.h"

#include <math.h>
#include "base/memory.h"
#include "simulators/flit/flit_closed.h"
#include "simulators/kept.h"

static const fc_metric_id observables[] = {
    FC_METRIC_LATENCY,
    FC_METRIC_NETWORK_LATENCY,
    FC_METRIC_SOURCE_WAIT,
    FC_METRIC_THROUGHPUT,
    FC_METRIC_OFFERED,
    FC_METRIC_LATENCY_HOT,
    FC_METRIC_LATENCY_COLD,
    FC_METRIC_EFFICIENCY,
    FC_METRIC_NETWORK_TIME,
    FC_METRIC_REMOTE_TIME,
    FC_METRIC_RESPONSE_TIME,
    FC_METRIC_RESPONSE_TIME_HOT,
    FC_METRIC_RESPONSE_TIME_COLD,
    FC_METRIC_ROUND_TRIP,
    FC_METRIC_NONE,
};

enum { WHOLE_ROUND = FC_CLOSED_STATIONS, OPEN_NETWORK };

static const char *const controls[] = {"messages offered, or think times drawn",
                                       "hops of messages delivered", "waits in shadow queues",
                                       NULL};

static const char *const stations[] = {
    [FC_AT_PROCESSOR] = "the processors",
    [FC_AS_REQUEST] = "the network as requests",
    [FC_AT_MEMORY] = "the memories",
    [FC_AS_REPLY] = "the network as replies",
    [WHOLE_ROUND] = "the round from processor to processor",
    [OPEN_NETWORK] = "the network and its sources",
    NULL,
};

/* What a simulation takes is known before it is taken: it goes with the virtual channels and the
 * requests under way. */
static fc_status check_size(const fc_scenario *scenario, fc_error *error) {
    const fc_torus *torus = scenario->parameters;
    const double most = 1 << 26, requests_most = 1;
    const double copies = (double)scenario->simulation.replications * (double)torus->nodes;
    const double links =
        (double)(torus->links == FC_BIDIRECTIONAL ? 2 : 1) * (double)torus->radix.count;
    const double network = links * (double)torus->virtual_channels;
    double channels =
        copies * (network + (double)torus->injection_channels + (double)torus->ejection_channels);
    if (torus->kind == FC_CLOSED && torus->node_links == FC_LINK_PER_CHANNEL)
        channels += copies * network * (double)torus->virtual_channels; /* a source is a link too */
    const double requests = torus->kind == FC_CLOSED ? copies * (double)torus->outstanding : 0;
    const double gigabytes =
        requests * (double)(sizeof(fc_transaction) + sizeof(fc_message)) / 0x1p30;
    if (channels > most)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the flit simulator takes at most 2^26 virtual channels in all "
                       "replications together; %.3g were asked for",
                       channels);
    if (gigabytes > requests_most)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the flit simulator takes at most %g GiB for outstanding requests, in all "
                       "replications together; %.3g requests would take %.3g",
                       requests_most, requests, gigabytes);
    return FC_OK;
}

static bool suits(const fc_scenario *scenario) {
    const fc_torus *torus = scenario->parameters;
    return torus->switching == FC_WORMHOLE && !torus->routed.pipelined_by;
}

static fc_status covers(const fc_scenario *scenario, fc_error *error) {
    const fc_torus *torus = scenario->parameters;
    if (torus->routed.pipelined_by)
        return fc_fail(error, FC_ERROR_UNSUPPORTED,
                       "the flit simulator has the idealised router; %s needs the simulator router",
                       torus->routed.pipelined_by);
    if (torus->switching != FC_WORMHOLE)
        return fc_fail(error, FC_ERROR_UNSUPPORTED, "the flit simulator is for wormhole switching");
    const fc_status status = check_size(scenario, error);
    if (status != FC_OK)
        return status;
    for (size_t i = 0; torus->kind == FC_CLOSED && i < torus->requests.count; ++i) {
        const fc_request_type *type = &torus->requests.types[i];
        if (type->memory_reply != floor(type->memory_reply) ||
            type->memory_busy != floor(type->memory_busy))
            return fc_fail(error, FC_ERROR_UNSUPPORTED,
                           "the flit simulator counts whole cycles: memory_reply and memory_busy "
                           "must be whole numbers");
    }
    return FC_OK;
}

static void discard(void *shared) {
    fc_flit_common *common = shared;
    if (!common)
        return;
    fc_torus_shadow_plan_free(common->shadow);
    fc_torus_network_free(common->network);
    fc_release(common);
}

static fc_status prepare(const fc_scenario *scenario, fc_error *error, void **shared) {
    fc_flit_common *common = fc_allocate(1, sizeof *common);
    if (!common)
        return fc_fail_memory(error);
    fc_status status = fc_torus_network_create(scenario->parameters, error, &common->network);
    if (status == FC_OK)
        status = fc_torus_shadow_plan_create(scenario, common->network, false, 0, error,
                                             &common->shadow);
    if (status != FC_OK) {
        discard(common);
        return status;
    }
    *shared = common;
    return FC_OK;
}

static void release(void *state) {
    fc_flit_run_state *run = state;
    if (!run)
        return;
    fc_flit_free(run->engine);
    fc_torus_shadow_free(&run->shadow);
    fc_release(run);
}

static fc_status create(const fc_scenario *scenario, const void *shared, uint64_t seed,
                        uint32_t replication, fc_error *error, void **state) {
    (void)scenario;
    const fc_flit_common *common = shared;
    fc_flit_run_state *run = fc_allocate(1, sizeof *run);
    if (!run)
        return fc_fail_memory(error);
    run->mean_hops = common->network->mean_hops;
    fc_status status = fc_flit_create(common->network, seed, replication, error, &run->engine);
    if (status == FC_OK)
        status = fc_torus_shadow_create(common->shadow, error, &run->shadow);
    if (status != FC_OK) {
        release(run);
        return status;
    }
    if (common->shadow)
        run->engine->shadow = &run->shadow;
    *state = run;
    return FC_OK;
}

static void fill_open(const fc_flit_sums *sums, double node_cycles, fc_sample *sample) {
    fc_observe(sample, FC_METRIC_LATENCY, sums->latency, sums->messages);
    fc_observe(sample, FC_METRIC_NETWORK_LATENCY, sums->latency - sums->source_wait,
               sums->messages);
    fc_observe(sample, FC_METRIC_SOURCE_WAIT, sums->source_wait, sums->messages);
    fc_observe(sample, FC_METRIC_LATENCY_HOT, sums->latency_hot, sums->messages_hot);
    fc_observe(sample, FC_METRIC_LATENCY_COLD, sums->latency_cold, sums->messages_cold);
    fc_observe(sample, FC_METRIC_THROUGHPUT, sums->messages, node_cycles);
    fc_observe(sample, FC_METRIC_OFFERED, sums->generated, node_cycles);
}

/* A draw that has no scatter, or whose expectation is not known, stays 0 and is not used. Of every
 * pair as many messages are delivered, on average, as are offered: so are the hops of those known.
 */
static void fill_controls(fc_flit_run_state *run, uint64_t cycles, fc_sample *sample) {
    const fc_flit *engine = run->engine;
    const fc_flit_sums *sums = &engine->sums;
    const fc_torus *torus = engine->torus;
    if (engine->closed) {
        sample->controls[0] = sums->service_cycles - torus->think_time * sums->services;
        return;
    }
    sample->controls[0] = sums->generated - torus->rate * engine->traffic->senders * (double)cycles;
    if (!isnan(run->mean_hops))
        sample->controls[1] = sums->hops - run->mean_hops * sums->messages;
    sample->controls[2] = fc_torus_shadow_surplus(&run->shadow, engine->time, cycles);
}

static void fill_stations(const fc_flit *engine, fc_sample *sample) {
    const fc_flit_sums *sums = &engine->sums;
    if (!engine->closed)
        sample->stations[OPEN_NETWORK] =
            (fc_station){engine->messages_alive, sums->messages, sums->latency};
    for (int i = 0; engine->closed && i < FC_CLOSED_STATIONS; ++i)
        sample->stations[i] =
            (fc_station){engine->closed->population[i], sums->left[i], sums->stay[i]};
    if (engine->closed && !engine->closed->unlimited)
        sample->stations[WHOLE_ROUND] =
            (fc_station){(double)engine->geometry->nodes * (double)engine->torus->outstanding,
                         sums->served, sums->round_trip};
}

static void fill_closed(const fc_flit *engine, double node_cycles, fc_sample *sample) {
    const fc_flit_sums *sums = &engine->sums;
    const bool many = engine->torus->processors == FC_PROCESSOR_PER_REQUEST;
    const double processors = many ? (double)engine->torus->outstanding : 1;
    fc_observe(sample, FC_METRIC_EFFICIENCY, sums->busy, processors * node_cycles);
    fc_observe(sample, FC_METRIC_NETWORK_TIME, sums->network, sums->served);
    fc_observe(sample, FC_METRIC_REMOTE_TIME, sums->remote, sums->served);
    fc_observe(sample, FC_METRIC_RESPONSE_TIME, sums->response, sums->served);
    fc_observe(sample, FC_METRIC_RESPONSE_TIME_HOT, sums->response_hot, sums->served_hot);
    fc_observe(sample, FC_METRIC_RESPONSE_TIME_COLD, sums->response_cold, sums->served_cold);
    fc_observe(sample, FC_METRIC_ROUND_TRIP, sums->round_trip, sums->served);
    fc_observe(sample, FC_METRIC_THROUGHPUT, sums->served, node_cycles);
}

/* The sums the report needs, over the whole measurement. */
static void keep(fc_flit_sums *total, const fc_flit_sums *sums) {
    total->messages += sums->messages;
    total->latency += sums->latency;
    total->source_wait += sums->source_wait;
    total->hops += sums->hops;
    total->served += sums->served;
    total->network += sums->network;
    total->remote += sums->remote;
    total->round_trip += sums->round_trip;
}

static fc_status advance(void *state, uint64_t cycles, fc_sample *sample, fc_error *error) {
    fc_flit_run_state *run = state;
    fc_flit *engine = run->engine;
    const uint64_t hops = fc_flit_hops(engine);
    engine->sums = (fc_flit_sums){0};
    engine->histogram = sample->latencies;
    const fc_status status = fc_flit_run(engine, engine->time + cycles, error);
    if (status != FC_OK)
        return status;
    const double node_cycles = (double)cycles * engine->traffic->senders;
    sample->events += fc_flit_hops(engine) - hops;
    sample->backlog = engine->messages_alive;
    sample->arrivals = engine->sums.generated;
    if (engine->closed)
        fill_closed(engine, node_cycles, sample);
    else
        fill_open(&engine->sums, node_cycles, sample);
    fill_stations(engine, sample);
    fill_controls(run, cycles, sample);
    keep(&run->total, &engine->sums);
    return FC_OK;
}

static void start_measuring(void *state) {
    fc_flit_run_state *run = state;
    run->total = (fc_flit_sums){0};
    run->measured_from = run->engine->time;
    fc_flit_clear_detail(run->engine);
}

static void give_message(void *context, const fc_message *message, uint64_t latency) {
    const fc_delivered_message seen = {.generated = message->born,
                                       .started = message->started,
                                       .delivered = message->born + latency,
                                       .source = message->source,
                                       .destination = message->destination,
                                       .flits = message->flits};
    fc_kept_message(context, &seen);
}

static void observe(void *const *states, size_t count, fc_kept *kept) {
    for (size_t i = 0; i < count; ++i) {
        fc_flit *engine = ((fc_flit_run_state *)states[i])->engine;
        engine->observer = give_message;
        engine->observer_context = &kept[i];
    }
}

/* Closed traffic counts times of requests with their replies. */
static bool observes(const fc_scenario *scenario) {
    return ((const fc_torus *)scenario->parameters)->kind == FC_OPEN;
}

/* A few times the life of a message. */
static double time_scale(const fc_scenario *scenario) {
    const fc_torus *torus = scenario->parameters;
    double hops = 0;
    for (size_t d = 0; d < torus->radix.count; ++d)
        hops += (double)torus->radix.values[d] / 2;
    if (torus->kind == FC_OPEN)
        return 4 * ((double)torus->message_flits + hops);
    double flits = 0;
    for (size_t i = 0; i < torus->requests.count; ++i) {
        const fc_request_type *type = &torus->requests.types[i];
        flits +=
            type->share * ((double)type->flits + (double)type->reply_flits + type->memory_reply);
    }
    return 2 * (torus->think_time + flits + 2 * hops);
}

const fc_simulator fc_simulator_flit = {
    .info = {.name = "flit",
             .revision = 4,
             .kind = FC_SIMULATOR,
             .family = "torus",
             .title =
                 "wormhole tori and meshes, every flit in every cycle; open and closed traffic",
             .source = "ours",
             .validity = "wormhole switching, dimension-order routing, any dimensions, 1 to 64 "
                         "virtual channels, any buffers",
             .accuracy = "exact: bit-identical to a plain reference implementation of its rules"},
    .event_name = "flit-hops",
    .observables = observables,
    .stations = stations,
    .controls = controls,
    .suits = suits,
    .covers = covers,
    .prepare = prepare,
    .discard = discard,
    .create = create,
    .advance = advance,
    .start_measuring = start_measuring,
    .observe = observe,
    .observes = observes,
    .report = fc_flit_report,
    .release = release,
    .time_scale = time_scale,
};
